"use strict";
// Elements are made one by one and texts are text nodes: nothing is ever parsed as HTML.

const SVG = "http://www.w3.org/2000/svg";
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(3).filter((each) => each !== null && each !== undefined && each !== false));
  return element;
}
const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const s = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

// Where the page is: #/view?parameters, so that every state has a link.
function here() {
  const [view, query] = location.hash.replace(/^#\/?/, "").split("?");
  return { view: view || "overview", query: new URLSearchParams(query || "") };
}
function link(view, changes, base) {
  const query = new URLSearchParams(base === undefined ? here().query : base);
  for (const [name, value] of Object.entries(changes || {})) {
    if (value === null || value === undefined || value === "") query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  return `#/${view}${text ? `?${text}` : ""}`;
}
function change(changes) {
  history.replaceState(null, "", link(here().view, changes));
  return show();
}

// Numbers as people read them, by a dimension's scale.
const rounded = (decimals) => new Intl.NumberFormat("en-US", { minimumFractionDigits: decimals, maximumFractionDigits: decimals, roundingMode: "halfEven" });
const formats = Array.from({ length: 10 }, (_, decimals) => rounded(decimals));
// From all of its digits, with ties to the even one, as the terminal and the report round.
function plain(value, decimals) {
  const text = formats[decimals].format(value.toFixed(20));
  return /[1-9]/.test(text) ? text.replace("-", "−") : text.replace("-", "");
}
// Small amounts, such as the dollars of a cheap model, have two digits that count.
function decimalsFor(dimension, value) {
  const { decimals, factor } = dimension.scale, size = Math.abs(value * factor);
  return dimension.role === "resource" && size > 0 && size < 10 ** (1 - decimals) ? Math.min(9, 1 - Math.floor(Math.log10(size))) : decimals;
}
function shown(dimension, value) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  return plain(value * dimension.scale.factor + dimension.scale.offset, decimalsFor(dimension, value));
}
function shownChange(dimension, value) {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  const text = plain(value * dimension.scale.factor, decimalsFor(dimension, value));
  return /[1-9]/.test(text) && value > 0 ? `+${text}` : text;
}
// An end of an interval: where a star depends on it, it is never shown as zero (as the report does).
function shownEnd(dimension, effect, value) {
  if (!effect.significant || !value) return shownChange(dimension, value);
  const most = dimension.scale.decimals + 2;
  for (let decimals = dimension.scale.decimals; decimals <= most; decimals++) {
    const text = shownChange({ ...dimension, scale: { ...dimension.scale, decimals } }, value);
    if (/[1-9]/.test(text)) return text;
  }
  return `${value > 0 ? "+" : "−"}<${(10 ** -most).toFixed(most)}`;
}
const count = (number, word) => `${number.toLocaleString("en-US")} ${word}${number === 1 ? "" : "s"}`;

function select(label, name, options, chosen, other) {
  const changed = other || ((event) => change({ [name]: event.target.value }));
  const items = options.map(([value, text]) => h("option", { value, selected: String(value) === String(chosen) }, text));
  return h("label", { class: "field" }, h("span", {}, label), h("select", { name, onchange: changed }, items));
}
const simulated = (model) => model.simulated && h("span", { class: "badge", title: "A rule-based solver, not a language model" }, "simulated");
const scroll = (label, table) => h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": label }, table);
const broken = (name) => name.split(/(?<=[_+.,-])/).flatMap((part) => [part, h("wbr", {})]); // where a long name may break
