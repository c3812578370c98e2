"use strict";
// Models next to each other, and the gain of every arm against its cost.

// For each arm its change under each model, on one dimension.
function modelTable(about, dimension) {
  const of = (model, arm) => about.effects.find((each) => each.model === model && each.arm === arm && each.dimension === dimension.name);
  const models = about.models.map((_, model) => model), arms = byEffect(about, about.effects, dimension);
  const cell = (model, arm) => {
    const each = of(model, arm);
    if (!each || each.estimate === null) return h("td", { class: "number soft" }, "–");
    const kind = each.clear && dimension.role !== "resource" ? (each.better ? "better" : "worse") : "soft";
    return h("td", { class: `number ${kind}`, title: each.verdict }, shownChange(dimension, each.estimate), each.significant && "*",
      each.low !== null && h("span", { class: "interval" }, `${shownEnd(dimension, each, each.low)} to ${shownEnd(dimension, each, each.high)}`));
  };
  const name = (model) => h("a", { href: link("overview", { model: about.models[model].title }) }, about.models[model].title);
  const row = (arm) => h("tr", {}, h("th", { scope: "row" }, about.arms[arm].name), models.map((model) => cell(model, arm)));
  const base = h("tr", { class: "base" }, h("th", { scope: "row" }, about.arms[about.baseline].name), models.map((model) => h("td", { class: "number" }, shown(dimension, about.baselines[model][dimension.name]))));
  return h("section", { "aria-labelledby": "models" }, h("h2", { id: "models" }, `Models: change on ${dimension.name}`),
    scroll("Models", h("table", { class: "arms" }, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "arm"), models.map((model) => h("th", { scope: "col", class: "number" }, name(model), " ", simulated(about.models[model]))))),
      h("tbody", {}, arms.map(row), base))));
}

// A point for each arm: its mean cost of an attempt to the right, its change on the first dimension upwards.
function gainAgainstCost(about, model, arms, of, dimension) {
  const costs = ["dollars", "tokens"].map((name) => about.dimensions.find((each) => each.name === name));
  const cost = costs.find((each) => each && about.baselines[model][each.name] > 0);
  if (!cost) return null;
  const points = arms.map((arm) => ({ name: about.arms[arm].name, effect: of(arm, dimension), x: of(arm, cost)?.mean }))
    .filter(({ effect, x }) => x > 0 && effect && effect.estimate !== null).map((each) => ({ ...each, y: each.effect.estimate }));
  if (!points.length) return null;
  points.push({ name: about.arms[about.baseline].name, x: about.baselines[model][cost.name], y: 0, effect: null });
  const width = 560, height = 300, left = 56, right = 20, top = 14, bottom = 40;
  const xs = points.map(({ x }) => x), ys = points.map(({ y }) => y), isWide = Math.max(...xs) > 8 * Math.min(...xs);
  const scaled = isWide ? Math.log : (value) => value;
  const place = (value, all, from, to) => from + ((value - Math.min(...all)) / (Math.max(...all) - Math.min(...all) || 1)) * (to - from);
  for (const point of points) {
    point.px = place(scaled(point.x), xs.map(scaled), left + 14, width - right - 14);
    point.py = place(point.y, ys, height - bottom - 14, top + 14);
  }
  const dots = points.map((point) => s("g", { class: point.effect && point.effect.clear ? (point.effect.better ? "better" : "worse") : "unclear" },
    s("title", {}, `${point.name}: ${shownChange(dimension, point.y)} at ${shown(cost, point.x)} ${cost.scale.name}`),
    s("circle", { cx: point.px, cy: point.py, r: 4.5, class: point.effect && point.effect.significant ? "filled" : "hollow" })));
  const ticks = [...new Set([Math.min(...xs), Math.max(...xs)])].map((each) => s("text", { class: "tick", x: place(scaled(each), xs.map(scaled), left + 14, width - right - 14), y: height - bottom + 16, "text-anchor": "middle" }, shown(cost, each)));
  const levels = [...new Set([0, Math.min(...ys), Math.max(...ys)])].map((each) => s("text", { class: "tick", x: left - 6, y: place(each, ys, height - bottom - 14, top + 14) + 4, "text-anchor": "end" }, shownChange(dimension, each)));
  const zero = place(0, ys, height - bottom - 14, top + 14);
  const plot = s("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `Change on ${dimension.name} against ${cost.name} per attempt` },
    s("line", { class: "zero", x1: left, x2: width - right, y1: zero, y2: zero }), s("line", { class: "zero", x1: left, x2: left, y1: top, y2: height - bottom }),
    ticks, levels, s("text", { class: "tick", x: (left + width) / 2, y: height - 6, "text-anchor": "middle" }, `${cost.scale.name}${isWide ? " (logarithmic)" : ""}`), dots, names(points, left, width));
  return h("section", { "aria-labelledby": "cost" }, h("h2", { id: "cost" }, "Gain against cost"), h("figure", { class: "cost" }, h("figcaption", {}, h("b", {}, about.models[model].title), ` change on ${dimension.name} by ${cost.scale.name}`), plot));
}

// The name of each point at the nearest place that covers no other name or point.
function names(points, left, right) {
  const taken = points.map(({ px, py }) => [px - 6, py - 6, px + 6, py + 6]);
  const isFree = (box) => !taken.some((other) => box[0] < other[2] && other[0] < box[2] && box[1] < other[3] && other[1] < box[3]);
  return points.map(({ name, px, py }) => {
    const long = 6.6 * name.length, boxes = [];
    for (const up of [0, 14, -14, 28, -28, 42, -42, 56, -56])
      for (const start of [px + 9, px - 9 - long]) if (start >= left && start + long <= right) boxes.push([start, py + up - 7, start + long, py + up + 7]);
    const box = boxes.find(isFree) || boxes[0] || [px + 9, py - 7, px + 9 + long, py + 7];
    taken.push(box);
    return s("text", { class: "tick", x: box[0], y: box[3] - 3 }, name);
  });
}
