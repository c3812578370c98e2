"use strict";
// The frame: which view is shown, its header, keys, and newer data of a run that lasts.

const VIEWS = { overview: overviewView, matrix: matrixView, problem: problemView };
const KEYS = {
  "?": "this help", o: "overview", m: "matrix", p: "problem", "/": "find a problem", j: "next problem", k: "previous problem",
  l: "next problem where the arm lost against the baseline", e: "open or close all steps", t: "light or dark", Esc: "close, or leave a field", "arrows, Enter": "move in the matrix, open a cell",
};
let shows = 0;

async function show() {
  const turn = (shows += 1), { view, query } = here(), main = document.getElementById("main"), focus = focused();
  try {
    const about = await ansatz.load("overview"), content = await (VIEWS[view] || overviewView)(about, query);
    if (turn !== shows) return; // something newer was asked for meanwhile
    const grid = document.getElementById("grid"), top = grid && view === main.dataset.view ? grid.scrollTop : 0;
    header(about, view, query);
    main.replaceChildren(...content.flat(3).filter((each) => each));
    if (view !== main.dataset.view || query.get("id") !== main.dataset.id) window.scrollTo(0, 0);
    main.dataset.view = view;
    main.dataset.id = query.get("id");
    const box = document.getElementById("grid");
    if (box) { box.scrollTop = top; box.draw(); }
    focus();
    main.dataset.shown = location.hash;
  } catch (failure) {
    main.replaceChildren(h("p", { class: "warning" }, `This cannot be shown: ${failure.message}`));
    throw failure;
  }
}

// What to do to bring back the focus to the field or button that had it.
function focused() {
  const had = document.activeElement, caret = had && had.selectionStart, name = had && (had.name || had.textContent), tag = had && had.tagName;
  if (!had || had === document.body || had.id === "main") return () => {};
  return () => {
    const again = [...document.querySelectorAll(tag)].find((each) => (each.name || each.textContent) === name);
    if (!again) return;
    again.focus({ preventScroll: true });
    if (typeof caret === "number" && again.type === "search") again.setSelectionRange(caret, caret);
  };
}

function header(about, view, query) {
  const keep = (name) => link(name, name === "overview" ? { id: null, arms: null } : {});
  const tab = (name) => h("a", { href: keep(name), "aria-current": view === name ? "page" : undefined }, name[0].toUpperCase() + name.slice(1));
  document.getElementById("top").replaceChildren(
    h("a", { class: "home", href: "#/overview" }, about.title),
    h("nav", { "aria-label": "Views" }, Object.keys(VIEWS).map(tab)),
    about.live ? h("span", { class: "badge" }, "running") : "",
    about.models.length > 1 ? select("Model", "model", about.models.map((each) => [each.title, each.simulated ? `${each.title} (simulated)` : each.title]), about.models[modelOf(about, query)].title) : "",
    h("span", { class: "tools" }, notesButton(about), h("button", { title: "Light or dark (t)", "aria-label": "Light or dark", onclick: theme }, "◐"), h("button", { title: "Keys (?)", "aria-label": "Keys", onclick: help }, "?")));
}
function theme() {
  const root = document.documentElement, dark = matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = (root.dataset.theme || (dark ? "dark" : "light")) === "dark" ? "light" : "dark";
}
function help() {
  const dialog = document.getElementById("help");
  dialog.replaceChildren(h("h2", {}, "Keys"), h("dl", {}, Object.entries(KEYS).map(([key, what]) => [h("dt", {}, h("kbd", {}, key)), h("dd", {}, what)])), h("form", { method: "dialog" }, h("button", {}, "Close")),
    h("p", { class: "soft" }, "Equations are set by Temml (MIT licence, vendor/temml.LICENSE.txt)."));
  dialog.showModal();
}

function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  const to = { o: "overview", m: "matrix", p: "problem" }[event.key], step = document.querySelector(`a[data-key="${/^[jkl]$/.test(event.key) ? event.key : ""}"]`);
  if (to) location.hash = link(to);
  else if (step) location.hash = step.getAttribute("href");
  else if (event.key === "?") help();
  else if (event.key === "t") theme();
  else if (event.key === "e") { const steps = [...document.querySelectorAll("details.step")], open = !steps.every((each) => each.open); steps.forEach((each) => { each.open = open; }); }
  else if (event.key === "/") { event.preventDefault(); find(); }
}
async function find() {
  if (here().view !== "matrix") { location.hash = link("matrix"); await show(); }
  document.getElementById("find").focus();
}

// A live page loads its data again when the stamp has changed.
async function follow() {
  const about = await ansatz.load("overview");
  if (!about.live) return;
  ansatz.loading.delete("stamp");
  ansatz.age += 1;
  if (String(await ansatz.load("stamp")) !== String([about.planned, about.finished, about.failed])) { ansatz.forget(); await show(); }
}

addEventListener("hashchange", show);
addEventListener("keydown", pressed);
addEventListener("beforeprint", () => { const box = document.getElementById("grid"); if (box) box.drawAll(); document.querySelectorAll("main details").forEach((each) => { each.open = true; }); });
setInterval(() => follow().catch(() => {}), 3000);
show();
