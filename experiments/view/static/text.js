"use strict";
// Texts of problems and transcripts: made visible, set, marked and compared. All of it ends in text nodes.

const LONG = 24000; // characters; the middle of a longer text is shown on request
const HIDDEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ud800-\udfff]/gu;
const visible = (text) => text.replace(HIDDEN, (sign) => {
  const code = sign.codePointAt(0);
  return code < 32 ? String.fromCodePoint(0x2400 + code) : `‹U+${code.toString(16).toUpperCase().padStart(4, "0")}›`;
});

// Text with equations set and ranges marked; `marks` are {start, end, kind, title, number}.
function prose(text, marks = []) {
  const box = h("div", { class: "prose", dir: "auto" });
  if (text.length <= LONG) {
    setInto(box, text, marks);
    return box;
  }
  const head = LONG / 2, tail = text.length - LONG / 2;
  const more = h("button", { class: "more", onclick: () => { box.replaceChildren(); blocks(box, text, marks); } }, `Show all ${text.length.toLocaleString("en-US")} characters`);
  setInto(box, text.slice(0, head), marks.filter((each) => each.end <= head));
  box.append(h("p", {}, more));
  setInto(box, text.slice(tail), marks.filter((each) => each.start >= tail).map((each) => ({ ...each, start: each.start - tail, end: each.end - tail })));
  return box;
}
function blocks(box, text, marks) {
  for (let start = 0; start < text.length; ) {
    const line = text.indexOf("\n", start + LONG);
    const end = line < 0 || line > start + 2 * LONG ? Math.min(text.length, start + LONG) : line + 1;
    const part = h("div", { class: "block" });
    setInto(part, text.slice(start, end), marks.filter((each) => each.start >= start && each.end <= end).map((each) => ({ ...each, start: each.start - start, end: each.end - start })));
    box.append(part);
    start = end;
  }
}

const MATHS = /\$\$([^$]{1,2000})\$\$|\\\[([\s\S]{1,2000}?)\\\]|\\\(([\s\S]{1,2000}?)\\\)|\$(?=[^\s$])([^$\n]{1,500}?)(?<=[^\s\\])\$(?!\d)/g;
function setInto(box, text, marks) {
  let at = 0;
  for (const found of text.matchAll(MATHS)) {
    plainInto(box, text, at, found.index, marks);
    at = found.index + found[0].length;
    const tex = found[1] ?? found[2] ?? found[3] ?? found[4], inside = marks.filter((each) => each.start < at && each.end > found.index);
    const place = h(inside.length ? "mark" : "span", inside.length ? { class: inside[0].kind, title: inside[0].title } : {}, visible(found[0]));
    box.append(place);
    if (found[4] === undefined || /[\\^_=]/.test(tex)) setMath(place, tex, found[1] !== undefined || found[2] !== undefined);
  }
  plainInto(box, text, at, text.length, marks);
}
function plainInto(box, text, start, end, marks) {
  let at = start;
  for (const each of marks.filter((mark) => mark.start < end && mark.end > start).sort((a, b) => a.start - b.start || b.end - a.end)) {
    if (each.start < at) continue;
    const marked = h("mark", { class: each.kind, title: each.title });
    box.append(visible(text.slice(at, each.start)), marked);
    at = Math.min(each.end, end);
    plainInto(marked, text, each.start, at, marks.filter((mark) => mark !== each && mark.start >= each.start && mark.end <= at));
    if (each.number) marked.append(h("sup", {}, each.number));
  }
  if (at < end) box.append(visible(text.slice(at, end)));
}

let setter = null; // Temml is loaded with the first equation
async function setMath(place, tex, block) {
  setter ||= new Promise((done, failed) => document.head.append(h("script", { src: "vendor/temml.js", onload: done, onerror: failed })));
  try {
    await setter;
    const set = h("span", {});
    temml.render(tex, set, { displayMode: block, throwOnError: true, trust: false, maxSize: [10, 100] });
    place.replaceChildren(...set.childNodes);
  } catch {
    place.classList.add("tex"); // what is no equation stays the text that it was
  }
}

// Python, coloured a little.
const PYTHON = /(#[^\n]*)|("""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|\b(\d[\d_.]*(?:[eE][+-]?\d+)?)\b|\b(and|as|break|class|continue|def|elif|else|except|False|finally|for|from|if|import|in|is|lambda|None|not|or|pass|raise|return|True|try|while|with|yield)\b/g;
function code(text) {
  const box = h("code", {});
  let at = 0;
  for (const found of text.slice(0, LONG).matchAll(PYTHON)) {
    const kind = ["comment", "string", "number", "keyword"][[1, 2, 3, 4].findIndex((group) => found[group] !== undefined)];
    box.append(visible(text.slice(at, found.index)), h("span", { class: kind }, visible(found[0])));
    at = found.index + found[0].length;
  }
  box.append(visible(text.slice(at, at + LONG)), at + LONG < text.length ? " …" : "");
  return h("pre", { dir: "ltr" }, box);
}

// Lines that a text has and another has not: the longest common subsequence, [text, isNew] line by line.
function newLines(text, other) {
  const a = text.split("\n"), b = other.split("\n");
  if (a.length * b.length > 4e6) {
    const known = new Set(b);
    return a.map((line) => [line, !known.has(line)]);
  }
  const width = b.length + 1, common = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--)
    for (let j = b.length - 1; j >= 0; j--)
      common[i * width + j] = a[i] === b[j] ? common[(i + 1) * width + j + 1] + 1 : Math.max(common[(i + 1) * width + j], common[i * width + j + 1]);
  const lines = [];
  for (let i = 0, j = 0; i < a.length; ) {
    if (j < b.length && a[i] === b[j]) { lines.push([a[i++], false]); j++; }
    else if (j < b.length && common[i * width + j + 1] >= common[(i + 1) * width + j]) j++;
    else lines.push([a[i++], true]);
  }
  return lines;
}

// Offsets are stored in characters, of which those beyond the basic plane are two units here.
function unitsOf(text, characters) {
  let units = 0;
  for (; characters > 0; characters--) units += text.codePointAt(units) > 0xffff ? 2 : 1;
  return units;
}

// The place of a value whose place is not stored: the last number of that size in a line that names it, or the last one.
const NUMBER = /[-−+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:\s*(?:[eE]|[×x*]\s*10\^?|\\times\s*10\^)\{?\s*([-−+]?\d+)\}?)?/g;
function placeOfValue(text, name, value) {
  if (typeof value !== "number") {
    const start = typeof value === "string" && value ? text.lastIndexOf(value) : -1;
    return start < 0 ? null : { start, end: start + value.length };
  }
  let last = null, named = null;
  const alone = new RegExp(`(?<![\\w])${name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\w])`);
  const tail = Math.max(0, text.length - 200000);
  for (const found of text.slice(tail).matchAll(NUMBER)) {
    const mantissa = found[0].replace(/\s*(?:[eE]|[×x*]|\\times)[\s\S]*$/, "").replace(/,/g, "").replace("−", "-");
    const size = Number(mantissa) * 10 ** Number((found[1] || "0").replace("−", "-"));
    if (Math.abs(size - value) > 1e-6 * Math.abs(value)) continue;
    const start = tail + found.index;
    last = { start, end: start + found[0].length };
    if (text.slice(text.lastIndexOf("\n", start - 1) + 1, start).match(alone)) named = last;
  }
  return named || last;
}
