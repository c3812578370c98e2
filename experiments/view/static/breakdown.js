"use strict";
// The mean change of every arm by a tag of the problems, such as level or domain.

const MOST_COUNTED = 20000; // attempts, up to which a breakdown is shown without a click

async function breakdown(about, query) {
  const problems = await ansatz.load("problems"), tags = Object.keys(problems.tags);
  if (!tags.length || about.arms.length < 2 || !about.finished) return null;
  const usual = about.planned <= MOST_COUNTED ? tags.find((each) => each === "level") || tags[0] : "";
  const tag = tags.includes(query.get("by")) ? query.get("by") : usual;
  const options = [...(usual ? [] : [["", "choose a tag"]]), ...tags.map((each) => [each, each.replace(/_/g, " ")])];
  const all = new URLSearchParams(query);
  all.delete("text"); // a search is for the matrix
  return h("section", { "aria-labelledby": "breakdown" }, h("h2", { id: "breakdown" }, "Breakdown by tag"),
    h("div", { class: "filters" }, select("Tag", "by", options, tag)),
    tag && breakdownTable(await loadMatrix(about, all), tag));
}

function breakdownTable(data, tag) {
  const { about, problems, attempts, means, dimension, model } = data, { values, of } = problems.tags[tag];
  const arms = byEffect(about, about.effects.filter((each) => each.model === model), dimension);
  const sign = dimension.better === "lower" ? -1 : 1;
  const mean = (places, valueAt) => {
    const known = places.map(valueAt).filter((each) => !Number.isNaN(each));
    return { value: known.length ? known.reduce((a, b) => a + b, 0) / known.length : NaN, count: known.length };
  };
  const cell = (places, arm) => {
    const { value, count } = mean(places, (at) => sign * gains(data, arm)[at]);
    return h("td", { class: "number" }, shownChange(dimension, value), h("span", { class: "interval" }, `n ${count}`));
  };
  const row = (value, number) => {
    const places = problems.ids.map((_, at) => at).filter((at) => of[at].includes(number));
    const base = mean(places, (at) => means[attempts.cellOf(at, model, about.baseline)]);
    return h("tr", {}, h("th", { scope: "row" }, h("a", { href: link("matrix", { [`tag.${tag}`]: value }) }, value)),
      h("td", { class: "number" }, shown(dimension, base.value), h("span", { class: "interval" }, `n ${base.count}`)), arms.map((arm) => cell(places, arm)));
  };
  const heads = [about.baseline, ...arms].map((arm) => h("th", { scope: "col", class: "number" }, about.arms[arm].name));
  return [
    scroll("Breakdown", h("table", {}, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, tag.replace(/_/g, " ")), heads)), h("tbody", {}, values.map((value, number) => [value, number]).sort().map(([value, number]) => row(value, number))))),
    h("p", { class: "soft" }, `Mean of ${about.arms[about.baseline].name} and mean change on ${dimension.name} over n paired problems. The report has the intervals.`),
  ];
}
