"use strict";
// Arms × problems: who won, lost and tied against the baseline, filtered, sorted and drawn as far as it is seen.

const ROW = 34; // pixels, also in style.css
const SIGNS = { won: "▲", lost: "▼", tied: "=", unscored: "·" };
const FURTHER = ["family", "from", "to"], FILTERS = ["find", "text", "arm", "stop", "fault", "result", ...FURTHER];

async function loadMatrix(about, query) {
  const name = query.get("dim") || (about.dimensions.find((each) => each.headline) || about.dimensions[0]).name;
  const [problems, attempts, measured, matches] = await Promise.all([ansatz.load("problems"), loadAttempts(), loadDimension(name), searchTexts(query.get("text") || "")]);
  return { about, problems, attempts, ...measured, matches, model: modelOf(about, query) };
}

// The problems that pass every filter, in the order asked for.
function chosenProblems(data, query) {
  const { about, problems, attempts, model } = data;
  const arms = query.has("arm") ? [armOf(about, query.get("arm"))] : about.arms.map((_, at) => at);
  const others = arms.filter((each) => each !== about.baseline).map((each) => gains(data, each));
  const words = (query.get("find") || "").toLowerCase().split(/\s+/).filter(Boolean);
  const names = once("names", () => problems.ids.map((id, at) => `${id} ${problems.families[problems.family[at]]}`.toLowerCase()));
  const tests = words.map((word) => (at) => names[at].includes(word));
  if (data.matches) tests.push((at) => data.matches.has(at));
  if (query.has("family")) tests.push((at) => problems.families[problems.family[at]] === query.get("family"));
  for (const [tag, { values, of }] of Object.entries(problems.tags)) {
    const wanted = values.indexOf(query.get(`tag.${tag}`));
    if (query.has(`tag.${tag}`)) tests.push((at) => of[at].includes(wanted));
  }
  const anyRow = (test) => tests.push((at) => arms.some((each) => attempts.rowsOf(at, model, each).some(test)));
  const stop = attempts.stops.indexOf(query.get("stop")), fault = 1 << attempts.faults.indexOf(query.get("fault"));
  if (query.has("stop")) anyRow((row) => attempts.stop[row] === stop);
  if (query.has("fault")) anyRow((row) => attempts.fault[row] & fault);
  if (query.has("from")) anyRow((row) => attempts.at[row] * 1000 >= Date.parse(query.get("from")));
  if (query.has("to")) anyRow((row) => attempts.at[row] * 1000 <= Date.parse(query.get("to")) + 59999);
  const all = once("all", () => problems.ids.map((_, at) => at)), wanted = query.get("result");
  const lists = arms.filter((each) => each !== about.baseline).map((each) => placesBy(data, each)[wanted] || []);
  const from = wanted === null ? all : lists.length === 1 ? lists[0] : [...new Set(lists.flat())].sort((a, b) => a - b);
  const found = tests.length ? from.filter((at) => tests.every((test) => test(at))) : from.slice();
  const sort = query.get("sort");
  if (sort === "id") found.sort((a, b) => (problems.ids[a] < problems.ids[b] ? -1 : 1));
  if (sort === null) {
    const size = new Float64Array(problems.ids.length);
    for (const each of others) for (const at of found) size[at] = Math.max(size[at], Math.abs(each[at]) || 0);
    found.sort((a, b) => size[b] - size[a] || a - b);
  }
  if (sort === "least" || sort === "most") {
    const sign = sort === "least" ? 1 : -1, size = new Float64Array(problems.ids.length);
    for (const each of others) for (const at of found) size[at] += each[at] || 0; // NaN counts as nothing
    found.sort((a, b) => sign * (size[a] - size[b]) || a - b);
  }
  return found;
}

async function matrixView(about, query) {
  const data = await loadMatrix(about, query), chosen = chosenProblems(data, query);
  const arms = [about.baseline, ...byEffect(about, about.effects.filter((each) => each.model === data.model), data.dimension)];
  document.title = `Matrix · ${about.title}`;
  return [
    h("h1", {}, "Arms by problem"),
    filterBar(data, query),
    h("p", { class: "soft", role: "status" }, `${chosen.length.toLocaleString("en-US")} of ${count(data.problems.ids.length, "problem")}; ${data.dimension.title}, ${data.dimension.better} is better. `,
      [...query.keys()].some((each) => FILTERS.includes(each) || each.startsWith("tag.")) && h("a", { href: "#/matrix" }, "Clear filters")),
    chosen.length > 0 ? grid(data, arms, chosen) : h("p", { class: "note" }, "No problem passes these filters."),
    h("p", { class: "legend" }, Object.entries(SIGNS).map(([kind, sign]) => h("span", {}, h("i", { class: kind }, sign), ` ${kind}`))),
  ];
}

function filterBar({ about, problems, attempts, dimension }, query) {
  const any = (label, name, values) => values.length > 1 && select(label, name, [["", "any"], ...values.map((each) => [each, each.replace(/_/g, " ")])], query.get(name) || "");
  const arms = [["", "any arm"], ...about.arms.map((each) => [each.name, each.name])];
  const when = (label, name) => h("label", { class: "field" }, h("span", {}, label), h("input", { type: "datetime-local", name, value: query.get(name) || "", onchange: (event) => change({ [name]: event.target.value }) }));
  const few = problems.families.length <= 1000 ? any("Family", "family", problems.families) : null;
  return h("form", { class: "filters", role: "search", "aria-label": "Filter problems", onsubmit: (event) => event.preventDefault() },
    h("label", { class: "field double" }, h("span", {}, "Find"), h("input", { type: "search", id: "find", name: "find", placeholder: "problem or family", value: query.get("find") || "", oninput: (event) => change({ find: event.target.value }) })),
    h("label", { class: "field double" }, h("span", {}, "Text"), h("input", { type: "search", name: "text", placeholder: "in questions and answers", value: query.get("text") || "", onchange: (event) => change({ text: event.target.value }) })),
    select("Dimension", "dim", about.dimensions.map((each) => [each.name, each.title]), dimension.name),
    select("Arm", "arm", arms, query.get("arm") || ""),
    any("Result", "result", ["won", "lost", "tied", "unscored"]),
    any("Ended", "stop", attempts.stops),
    any("Error tag", "fault", attempts.faults),
    select("Order", "sort", [["", "largest change first"], ["plan", "as in the study"], ["id", "by name"], ["least", "losses first"], ["most", "gains first"]], query.get("sort") || ""),
    h("details", { class: "wide", open: [...query.keys()].some((each) => FURTHER.includes(each) || each.startsWith("tag.")) }, h("summary", {}, "Tags, family, time"),
      h("div", { class: "filters" }, Object.entries(problems.tags).map(([tag, { values }]) => any(tag.replace(/_/g, " "), `tag.${tag}`, values)), few, when("Ended from", "from"), when("to", "to"))));
}

// A table of which only the rows in sight are in the document.
function grid(data, arms, chosen) {
  const { about, problems, attempts, means, dimension, model } = data;
  const body = h("div", { class: "rows" }), head = h("div", { class: "row head", role: "row", "aria-rowindex": 1 });
  const box = h("div", { class: "grid", id: "grid", role: "grid", tabindex: 0, "aria-label": "Arms by problem", "aria-rowcount": chosen.length + 1, "aria-colcount": arms.length + 1 }, head, body);
  box.style.setProperty("--arms", arms.length);
  body.style.height = `${chosen.length * ROW}px`;
  const totals = arms.map((arm) => tally(data, chosen, arm));
  head.append(h("span", { role: "columnheader" }, "problem"), ...arms.map((arm, at) => h("span", { role: "columnheader", title: about.arms[arm].name },
    h("span", { class: "name" }, broken(about.arms[arm].name)), arm === about.baseline || about.screening ? h("small", {}, "its value") : bar(totals[at]))));
  const cell = (place, arm) => {
    const value = means[attempts.cellOf(place, model, arm)];
    if (about.screening) { // each problem has two settings, and nothing to compare with
      const asked = arms.filter((each) => attempts.rowsOf(place, model, each).length);
      if (!asked.includes(arm)) return h("span", { role: "gridcell", class: "base", tabindex: -1 });
      return h("a", { role: "gridcell", class: "base", tabindex: -1, href: link("problem", { id: problems.ids[place], arms: listed(about, asked) }) }, shown(dimension, value));
    }
    if (arm === about.baseline) return h("span", { role: "gridcell", class: "base", tabindex: -1 }, shown(dimension, value));
    const difference = gains(data, arm)[place], kind = result(difference);
    const raw = dimension.better === "lower" ? -difference : difference, strength = dimension.role === "resource" ? 2 : Math.min(3, Math.ceil(Math.abs(difference) * 3));
    const label = kind === "tied" ? "" : kind === "unscored" ? (attempts.rowsOf(place, model, arm).length ? "" : "none") : shownChange(dimension, raw);
    return h("a", { role: "gridcell", class: `${kind} s${strength || 0}`, tabindex: -1, href: link("problem", { id: problems.ids[place], arms: listed(about, [about.baseline, arm]) }), "aria-label": `${problems.ids[place]}, ${about.arms[arm].name}: ${kind} ${label}` }, h("i", { "aria-hidden": "true" }, SIGNS[kind]), ` ${label}`);
  };
  const row = (at) => {
    const place = chosen[at], line = h("div", { class: "row", role: "row", "aria-rowindex": at + 2 },
      h("a", { role: "rowheader", tabindex: -1, title: problems.ids[place], href: link("problem", { id: problems.ids[place], arms: null }) }, visible(problems.ids[place])), arms.map((arm) => cell(place, arm)));
    line.style.top = `${at * ROW}px`;
    return line;
  };
  let first = -1, last = -1;
  const draw = (whole) => {
    const from = whole === true ? 0 : Math.max(0, Math.floor(box.scrollTop / ROW) - 6);
    const to = whole === true ? Math.min(chosen.length, 1000) : Math.min(chosen.length, from + Math.ceil(box.clientHeight / ROW) + 12);
    if (from === first && to === last) return;
    [first, last] = [from, to];
    body.replaceChildren(...Array.from({ length: to - from }, (_, at) => row(from + at)));
  };
  box.addEventListener("scroll", draw, { passive: true });
  box.addEventListener("keydown", (event) => moveInGrid(event, box, draw));
  box.drawAll = () => draw(true);
  box.draw = draw; // as soon as the box has a height
  return box;
}

function tally(data, chosen, arm) {
  const found = { won: 0, tied: 0, lost: 0, unscored: 0 }, all = gains(data, arm), whole = placesBy(data, arm);
  for (const kind of Object.keys(found)) if (chosen.length === all.length) found[kind] = whole[kind].length;
  if (chosen.length < all.length) for (const place of chosen) found[result(all[place])] += 1;
  return found;
}
function bar(found) {
  const counts = Object.entries(found).map(([kind, number]) => `${number} ${kind}`).join(", ");
  const parts = h("span", { class: "bar", title: counts, "aria-hidden": "true" }, Object.entries(found).filter(([, number]) => number).map(([kind, number]) => {
    const part = h("i", { class: kind });
    part.style.flexGrow = number;
    return part;
  }));
  return [parts, h("small", {}, `${found.won} won · ${found.lost} lost`)];
}

// Arrows move from cell to cell; rows that are not in sight come into it.
function moveInGrid(event, box, draw) {
  const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], PageDown: [12, 0], PageUp: [-12, 0] }[event.key];
  if (!steps) return;
  event.preventDefault();
  const line = document.activeElement.closest(".row");
  const at = line && box.contains(line) ? Number(line.getAttribute("aria-rowindex")) : 1;
  const column = line && box.contains(line) ? [...line.children].indexOf(document.activeElement) : 0;
  const total = Number(box.getAttribute("aria-rowcount"));
  const next = Math.max(2, Math.min(total, at + steps[0])), top = (next - 2) * ROW;
  if (top < box.scrollTop) box.scrollTop = top;
  if (top + 3 * ROW > box.scrollTop + box.clientHeight) box.scrollTop = top + 3 * ROW - box.clientHeight;
  draw();
  const found = box.querySelector(`[aria-rowindex="${next}"]`);
  const cells = found ? [...found.children] : [];
  (cells[Math.max(0, Math.min(cells.length - 1, column + steps[1]))] || box).focus({ preventScroll: true });
}
