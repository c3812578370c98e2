"use strict";
// The page on which an annotator scores answers. Texts of the data end in text nodes; nothing is parsed as HTML.

const data = JSON.parse(document.getElementById("data").textContent);
const storageKey = `ansatz.labels.${data.id}`;
setter = Promise.resolve(); // Temml is part of this page
let state = restore(), at = 0, criterion = 0, opened = performance.now();

function restore() {
  try {
    const stored = JSON.parse(localStorage.getItem(storageKey));
    if (stored && stored.labels) return stored;
  } catch { /* storage is switched off */ }
  return { labels: {}, history: [] };
}
function store() {
  try {
    localStorage.setItem(storageKey, JSON.stringify(state));
  } catch {
    document.getElementById("storage").textContent = "This browser stores nothing: download before you close the page.";
  }
}

const item = () => data.items[at];
const labelOf = (one) => (state.labels[one.id] ||= { scores: {}, seconds: 0 });
const isDone = (one) => {
  const label = state.labels[one.id];
  return Boolean(label && (label.skipped || data.criteria.every((each) => each.name in label.scores)));
};
const numberDone = () => data.items.filter(isDone).length;

function countTime() {
  if (item() && !document.hidden) labelOf(item()).seconds += Math.min((performance.now() - opened) / 1000, 600);
  opened = performance.now();
}
document.addEventListener("visibilitychange", () => { if (document.hidden) { countTime(); store(); } else opened = performance.now(); });

function go(place) {
  countTime();
  at = Math.max(0, Math.min(data.items.length, place));
  criterion = item() ? Math.max(0, data.criteria.findIndex((each) => !(each.name in labelOf(item()).scores))) : 0;
  store();
  render();
  window.scrollTo(0, 0);
}
function goToNextOpen() {
  const open = data.items.findIndex((each, place) => place > at && !isDone(each));
  const first = data.items.findIndex((each) => !isDone(each));
  go(open >= 0 ? open : first >= 0 ? first : data.items.length);
}

function score(points) {
  const wanted = data.criteria[criterion];
  if (!item() || points < wanted.low || points > wanted.high) return;
  const label = labelOf(item());
  state.history.push({ at, criterion, name: wanted.name, before: wanted.name in label.scores ? label.scores[wanted.name] : null, skipped: label.skipped || null });
  label.scores[wanted.name] = points;
  delete label.skipped;
  const left = data.criteria.findIndex((each) => !(each.name in label.scores));
  if (left >= 0) { criterion = left; store(); render(); } else goToNextOpen();
}
function skip() {
  if (!item()) return;
  const reason = prompt("Why can this answer not be scored?", "cannot decide");
  if (reason === null) return;
  const label = labelOf(item());
  state.history.push({ at, criterion, skipped: label.skipped || null, name: null });
  label.skipped = reason.trim() || "no reason given";
  goToNextOpen();
}
function undo() {
  const last = state.history.pop();
  if (!last) return;
  countTime();
  at = last.at;
  criterion = last.criterion;
  const label = labelOf(item());
  if (last.name !== null && last.before === null) delete label.scores[last.name];
  else if (last.name !== null) label.scores[last.name] = last.before;
  if (last.skipped) label.skipped = last.skipped;
  else delete label.skipped;
  store();
  render();
}
function writeNote() {
  if (!item()) return;
  const note = prompt("A note on this answer", labelOf(item()).note || "");
  if (note === null) return;
  labelOf(item()).note = note.trim();
  store();
  render();
}
function toggle(id) {
  const part = document.getElementById(id);
  if (part) part.hidden = !part.hidden;
}

function asLines() {
  const scales = Object.fromEntries(data.criteria.map((each) => [each.name, [each.low, each.high]]));
  return data.items.filter(isDone).map((each) => {
    const label = state.labels[each.id];
    const human = Object.fromEntries(data.criteria.map(({ name }) => [name, label.skipped ? null : label.scores[name]]));
    const line = { answer_id: each.id, human, annotator: data.annotator, rubric: data.rubric, scales, seconds: Math.round(label.seconds) };
    if (data.adjudicates) line.adjudicates = true;
    if (label.note) line.note = label.note;
    if (label.skipped) line.skipped = label.skipped;
    return `${JSON.stringify(line)}\n`;
  }).join("");
}
function download() {
  countTime();
  store();
  const address = URL.createObjectURL(new Blob([asLines()], { type: "application/jsonl" }));
  h("a", { href: address, download: data.file }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

function render() {
  const done = numberDone();
  document.getElementById("top").replaceChildren(
    h("span", { class: "home" }, item() ? `Answer ${at + 1} of ${data.items.length}` : "All answers"),
    h("progress", { max: data.items.length, value: done, "aria-label": "labelled" }),
    h("span", { class: "soft", id: "done" }, `${done} labelled`),
    h("button", { id: "download", onclick: download, title: `Download ${data.file}` }, "Download"),
    h("button", { onclick: () => document.getElementById("help").showModal(), title: "Keys (?)" }, "?"),
  );
  const main = document.getElementById("main");
  main.replaceChildren(...(item() ? sheets(item()) : finished(done)));
  main.dataset.at = at;
}
function sheets(one) {
  const label = labelOf(one);
  const part = (title, text, id, hidden, name = "sheet") => h("section", { id, hidden, "aria-label": title }, h("h2", {}, title), h("div", { class: name }, prose(text)));
  return [
    part("Question", one.question, "question", false),
    h("div", { class: "line" },
      h("button", { onclick: () => toggle("reference") }, "Reference ", h("kbd", {}, "R")),
      one.findings ? h("button", { onclick: () => toggle("findings") }, "Findings of the verifier ", h("kbd", {}, "V")) : null),
    part("Reference", one.reference, "reference", true),
    one.findings ? part("Findings", one.findings, "findings", true) : null,
    part("Answer", one.answer, "answer", false, "sheet answer"),
    one.given ? h("p", { class: "soft" }, `Scores of the annotators: ${one.given}`) : null,
    label.note ? h("p", { class: "soft" }, "Note: ", visible(label.note)) : null,
    label.skipped ? h("p", { class: "note" }, "Skipped: ", visible(label.skipped)) : null,
    panel(one, label),
  ].filter(Boolean);
}
function panel(one, label) {
  const wanted = data.criteria[criterion], box = h("div", { class: "points" });
  if (data.criteria.length > 1)
    box.append(h("div", { class: "line" }, data.criteria.map((each, place) => h("button", { class: `chip criterion${place === criterion ? "" : " other"}`, "aria-pressed": String(place === criterion), onclick: () => { criterion = place; render(); } }, `${each.name}${each.name in label.scores ? ` = ${label.scores[each.name]}` : ""}`))));
  box.append(h("details", { open: at < 3 && innerHeight > 700 }, h("summary", { class: "criterion" }, wanted.title || wanted.name), h("div", { class: "anchor" }, prose(wanted.text))));
  const points = Array.from({ length: wanted.high - wanted.low + 1 }, (_, place) => wanted.low + place);
  box.append(h("div", { class: "line" },
    points.map((each) => h("button", { class: "point", "aria-pressed": String(label.scores[wanted.name] === each), onclick: () => score(each) }, wanted.names[each] || String(each))),
    h("span", { class: "grow" }),
    h("button", { onclick: undo }, "Undo ", h("kbd", {}, "U")),
    h("button", { onclick: skip }, "Skip ", h("kbd", {}, "S")),
    h("button", { onclick: writeNote }, "Note ", h("kbd", {}, "N")),
    h("button", { onclick: () => go(at - 1), "aria-label": "Previous answer" }, "←"),
    h("button", { onclick: () => go(at + 1), "aria-label": "Next answer" }, "→")));
  return box;
}
function finished(done) {
  const open = data.items.length - done;
  return [
    h("h1", {}, open ? `${count(open, "answer")} without a label` : "All answers are labelled"),
    h("p", {}, open ? "Press ← to go back, or download what you have." : `Download ${data.file}, and put it into the folder labels of the run.`),
    h("p", {}, h("button", { onclick: download }, `Download ${data.file}`)),
    h("p", { class: "soft", id: "storage" }, "Your labels are stored in this browser until you delete its data."),
  ];
}

const KEYS = { r: () => toggle("reference"), v: () => toggle("findings"), u: undo, Backspace: undo, s: skip, n: writeNote, d: download,
  ArrowLeft: () => go(at - 1), ArrowRight: () => go(at + 1), "?": () => document.getElementById("help").showModal() };
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || document.getElementById("help").open) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (/^[0-9]$/.test(key)) score(Number(key));
  else if (KEYS[key]) KEYS[key]();
  else return;
  event.preventDefault();
});
document.getElementById("help").append(
  h("h2", {}, "Keys"),
  h("table", {}, h("tbody", {}, [["0 – 9", "points for the current criterion"], ["U, Backspace", "undo"], ["S", "skip, with a reason"], ["N", "note"], ["R", "show or hide the reference"], ["V", "show or hide the findings"], ["← →", "previous, next answer"], ["D", "download the labels"]].map(([key, text]) => h("tr", {}, h("th", {}, h("kbd", {}, key)), h("td", {}, text))))),
  h("form", { method: "dialog" }, h("button", {}, "Close")));
at = -1;
goToNextOpen();
