"use strict";
// The first screen: forest plot, arms in the order of effect, stop reasons, failures.

async function overviewView(about, query) {
  const model = modelOf(about, query), effects = about.effects.filter((each) => each.model === model);
  const of = (arm, dimension) => effects.find((each) => each.arm === arm && each.dimension === dimension.name);
  const heads = about.dimensions.filter((each) => each.headline);
  const arms = byEffect(about, effects, heads[0]), drawn = heads.filter((each) => arms.some((arm) => (of(arm, each)?.estimate ?? null) !== null));
  document.title = `${about.title} · Ansatz`;
  return [
    h("h1", {}, about.question),
    about.warnings.map((each) => h("p", { class: "warning", role: "note" }, each)),
    h("p", { class: "soft" }, `${about.finished.toLocaleString("en-US")} of ${about.planned.toLocaleString("en-US")} attempts finished, ${about.failed.toLocaleString("en-US")} failed. Model: `, about.models[model].title, " ", simulated(about.models[model])),
    about.models[model].simulated && h("p", { class: "note" }, "These answers come from a rule-based solver, not from a language model."),
    about.stopping.length > 0 && h("section", { "aria-labelledby": "stopping" },
      h("h2", { id: "stopping" }, "Interim analyses"), h("ul", {}, about.stopping.map((each) => h("li", {}, each)))),
    about.verdicts && h("section", { "aria-labelledby": "verdicts" },
      h("h2", { id: "verdicts" }, "Verdicts"), h("ul", {}, about.verdicts.map((each) => h("li", {}, each)))),
    drawn.length > 0 && h("section", { "aria-labelledby": "effects" },
      h("h2", { id: "effects" }, `Change against ${about.arms[about.baseline].name}`),
      h("div", { class: "panels" }, drawn.slice(0, 4).map((each) => forest(about, each, arms, of))),
      h("p", { class: "soft" }, `Mean difference over paired problems, with the interval over families that holds for all comparisons at once (${Math.round(about.level * 100)} %). Filled: the interval excludes zero, and adjusted p is below ${about.threshold}. To the right of the line, the arm has more.`)),
    about.screening && switchEffects(about, model, heads),
    !about.screening && h("section", { "aria-labelledby": "arms" }, h("h2", { id: "arms" }, "Arms in the order of effect"), chooser(about, query, heads), armTable(about, query, { model, arms, of, heads })),
    about.models.length > 1 && !about.screening && modelTable(about, chosenDimensions(about, query, heads)[0] || heads[0]),
    heads.length > 0 && !about.screening && gainAgainstCost(about, model, arms, of, heads[0]),
    !about.screening && await breakdown(about, query),
    stopReasons(about, model),
    failures(about),
    missingPairs(about),
    about.notes.length > 0 && h("section", {}, h("h2", {}, "Judging and running"), about.notes.map((each) => h("p", {}, each))),
  ];
}

// A screening design: the effect of each switch, averaged over the settings of the others.
function switchEffects(about, model, heads) {
  const { switches, effects, fit } = about.screening, named = { ...about, arms: switches.map((name) => ({ name })), baseline: -1 };
  const own = effects.filter((each) => each.model === model), of = (arm, dimension) => own.find((each) => each.arm === arm && each.dimension === dimension.name);
  const arms = byEffect(named, own, heads[0]), drawn = heads.filter((each) => arms.some((arm) => (of(arm, each)?.estimate ?? null) !== null));
  return h("section", { "aria-labelledby": "switches" }, h("h2", { id: "switches" }, "Effects of the switches"),
    h("div", { class: "panels" }, drawn.slice(0, 4).map((each) => forest(named, each, arms, of))),
    h("p", { class: "soft" }, `What each switch adds, averaged over the settings of the others, with intervals that hold for all at once (${Math.round(about.level * 100)} %).`),
    h("p", { class: "note" }, fit[model]));
}

const modelOf = (about, query) => Math.max(0, about.models.findIndex((each) => each.title === query.get("model")));
const armOf = (about, name) => about.arms.findIndex((each) => each.name === name);

function byEffect(about, effects, dimension) {
  const size = (arm) => {
    const found = dimension && effects.find((each) => each.arm === arm && each.dimension === dimension.name);
    return found && found.estimate !== null ? found.estimate * (dimension.better === "lower" ? -1 : 1) : -Infinity;
  };
  return about.arms.map((_, arm) => arm).filter((arm) => arm !== about.baseline).sort((a, b) => size(b) - size(a) || a - b);
}

// One panel: a row for each arm, a dot with its interval, and zero.
function forest(about, dimension, arms, of) {
  const rows = arms.map((arm) => [about.arms[arm].name, of(arm, dimension)]).filter(([, each]) => each && each.estimate !== null);
  const ends = rows.flatMap(([, each]) => [each.estimate, each.low ?? each.estimate, each.high ?? each.estimate]);
  const low = Math.min(0, ...ends), high = Math.max(0, ...ends), wide = high - low || 1;
  const size = matchMedia("(max-width: 760px)").matches ? 1.36 : 1; // letters of a drawing that is scaled down
  const left = 24 + 7 * size * Math.min(32, Math.max(...rows.map(([name]) => name.length), 8)), right = 64 * size, width = left + 312, line = 26 * size, top = 12, height = top + rows.length * line + 24;
  const x = (value) => left + ((value - low) / wide) * (width - left - right);
  const summary = rows.map(([name, each]) => `${name} ${shownChange(dimension, each.estimate)}`).join(", ");
  const plot = s("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", class: size > 1 && "large", "aria-label": `${dimension.title}: ${summary}` },
    s("line", { class: "zero", x1: x(0), x2: x(0), y1: 0, y2: height - 20 }),
    s("text", { class: "tick", x: x(0), y: height - 6, "text-anchor": "middle" }, "0"),
    [low, high].filter((each) => Math.abs(x(each) - x(0)) > 40).map((each) => s("text", { class: "tick", x: x(each), y: height - 6, "text-anchor": "middle" }, shownChange(dimension, each))),
    rows.map(([name, each], at) => {
      const y = top + at * line + line / 2, kind = each.clear ? (each.better ? "better" : "worse") : "unclear";
      return s("g", { class: kind }, s("title", {}, `${name}: ${shownChange(dimension, each.estimate)} [${shownEnd(dimension, each, each.low)}, ${shownEnd(dimension, each, each.high)}]; ${each.verdict}`),
        s("text", { x: left - 12, y: y + 4, "text-anchor": "end" }, name.length > 32 ? `${name.slice(0, 31)}…` : name),
        each.low !== null && s("line", { class: "interval", x1: x(each.low), x2: x(each.high), y1: y, y2: y }),
        s("circle", { cx: x(each.estimate), cy: y, r: 4.5, class: each.significant ? "filled" : "hollow" }),
        s("text", { class: "number", x: width, y: y + 4, "text-anchor": "end" }, shownChange(dimension, each.estimate)));
    }));
  return h("figure", {}, h("figcaption", {}, h("b", {}, dimension.name), dimension.summary && ` ${dimension.summary}`), plot);
}

// Which dimensions the table shows.
function chooser(about, query, heads) {
  const chosen = chosenDimensions(about, query, heads).map((each) => each.name);
  const toggle = (name) => change({ dims: (chosen.includes(name) ? chosen.filter((each) => each !== name) : [...chosen, name]).join(",") });
  return h("details", { class: "chooser", open: query.has("dims") }, h("summary", {}, "Dimensions"),
    h("div", { class: "chips" }, about.dimensions.map((each) =>
      h("button", { class: "chip", "aria-pressed": String(chosen.includes(each.name)), title: each.summary || each.name, onclick: () => toggle(each.name) }, each.title))));
}
function chosenDimensions(about, query, heads) {
  if (!query.has("dims")) return [...heads.slice(0, 3), ...about.dimensions.filter((each) => each.name === "tokens" || each.name === "dollars")];
  const names = query.get("dims").split(",");
  return about.dimensions.filter((each) => names.includes(each.name));
}

function armTable(about, query, { model, arms, of, heads }) {
  const dimensions = chosenDimensions(about, query, heads), first = heads[0] || about.dimensions[0];
  const base = about.baselines[model], name = (dimension) => `Δ ${dimension.name}`;
  const cell = (arm, dimension) => {
    const each = of(arm, dimension);
    if (!each || each.estimate === null) return h("td", { class: "number soft", "data-name": name(dimension) }, "–");
    const kind = each.clear && dimension.role !== "resource" ? (each.better ? "better" : "worse") : each.clear ? "" : "soft";
    return h("td", { class: `number ${kind}`, "data-name": name(dimension), title: `${each.verdict}; ${count(each.pairs, "pair")}, ${each.dropped} dropped` },
      shownChange(dimension, each.estimate), each.significant && "*",
      each.low !== null && h("span", { class: "interval" }, `${shownEnd(dimension, each, each.low)} to ${shownEnd(dimension, each, each.high)}`));
  };
  const row = (arm) => {
    const found = of(arm, first), sort = link("matrix", { arm: about.arms[arm].name, sort: "least", dims: null });
    return h("tr", {}, h("th", { scope: "row" }, h("a", { href: sort, title: "Problem by problem" }, about.arms[arm].name), switches(about.arms[arm])),
      h("td", { class: "verdict", "data-name": `on ${first.name}` }, found ? words(found, shownChange(first, found.estimate)) : "–"), dimensions.map((each) => cell(arm, each)));
  };
  const head = (each) => h("th", { scope: "col", class: "number" }, name(each), h("span", { class: "interval" }, each.role === "resource" ? "per attempt" : each.scale.name));
  return scroll("Arms", h("table", { class: "arms stack" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "arm"), h("th", { scope: "col" }, `on ${first.name}`), dimensions.map(head))),
    h("tbody", {}, arms.map(row), h("tr", { class: "base" }, h("th", { scope: "row" }, about.arms[about.baseline].name), h("td", { class: "soft" }, "mean", h("span", { class: "phone" }, ` ${shown(first, base[first.name])}`)), dimensions.map((each) => h("td", { class: "number", "data-name": each.name }, shown(each, base[each.name])))))));
}
function words(effect, change) {
  const kind = effect.significant ? (effect.better ? "better" : "worse") : "";
  const [first, ...rest] = effect.verdict.split(":");
  return [h("b", { class: kind }, first), h("span", { class: `phone ${kind}` }, ` ${change}`), rest.length > 0 && h("span", { class: "interval" }, rest.join(":"))];
}
function switches(arm) {
  const text = arm.switches.join(" + ");
  return text && text !== arm.name && h("span", { class: "interval" }, text);
}

function stopReasons(about, model) {
  const kinds = [...new Set(about.stop_reasons[model].flatMap((each) => Object.keys(each)))].sort((a, b) => (b === "answered") - (a === "answered"));
  if (kinds.length === 1 && !about.failed) return h("section", {}, h("h2", {}, "How attempts ended"), h("p", {}, `All ${kinds[0].replace("_", " ")}.`));
  const cell = (arm, found, kind) => h("td", { class: `number ${found[kind] ? "" : "soft"}` }, found[kind] && kind !== "answered"
    ? h("a", { href: link("matrix", { stop: kind, arm: about.arms[arm].name }) }, found[kind].toLocaleString("en-US")) : (found[kind] || 0).toLocaleString("en-US"));
  return h("section", {}, h("h2", {}, "How attempts ended"), scroll("Stop reasons", h("table", {},
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "arm"), kinds.map((each) => h("th", { scope: "col", class: "number" }, each.replace("_", " "))))),
    h("tbody", {}, about.stop_reasons[model].map((found, arm) => h("tr", {}, h("th", { scope: "row" }, about.arms[arm].name), kinds.map((kind) => cell(arm, found, kind))))))));
}

function missingPairs(about) {
  if (!about.missing.length) return null;
  const [heads, ...rows] = about.missing, isNumber = (at) => at > 1 && "number";
  return h("section", {}, h("h2", {}, "Missing pairs"), h("details", {}, h("summary", {}, count(rows.length, "comparison")), h("p", { class: "soft" }, "Number of problems by the arms that have a score. The bounds hold whatever the missing scores are."),
    scroll("Missing pairs", h("table", {}, h("thead", {}, h("tr", {}, heads.map((each, at) => h("th", { scope: "col", class: isNumber(at) }, each)))),
      h("tbody", {}, rows.map((row) => h("tr", {}, row.map((each, at) => h("td", { class: isNumber(at) }, each)))))))));
}

function failures(about) {
  if (!about.failures.length) return null;
  const rows = about.failures.map(([arms, reason, number]) => h("tr", {}, h("td", {}, visible(reason)), h("td", {}, arms), h("td", { class: "number" }, number.toLocaleString("en-US"))));
  return h("section", {}, h("h2", {}, "Failures"), h("p", { class: "soft" }, "These attempts carry no score; running the study again tries them again."),
    scroll("Failures", h("table", {}, h("thead", {}, h("tr", {}, ["reason", "arms", "attempts"].map((each) => h("th", { scope: "col", class: each === "attempts" && "number" }, each)))), h("tbody", {}, rows))));
}
