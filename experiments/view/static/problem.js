"use strict";
// One problem, its arms side by side: values against the reference, answers, scores, what was added, steps, cost.

async function problemView(about, query) {
  const data = await loadMatrix(about, query), order = chosenProblems(data, query);
  const id = query.get("id") || data.problems.ids[order[0] || 0], found = await loadProblem(id);
  if (!found) return [h("h1", {}, "No such problem"), h("p", {}, visible(id), " is not in this run. ", h("a", { href: "#/matrix" }, "All problems"))];
  document.title = `${id} · ${about.title}`;
  const arms = armsShown(about, query, data.model), shownArms = arms.map((arm, at) => column(data, found, arm, query, at));
  return [
    navigation(data, order, found.place, arms, query),
    h("h1", { class: "id" }, visible(id)),
    asked(found.problem, data.problems, found.place),
    armPicker(about, query, arms),
    h("div", { class: `compare of${arms.length}` },
      across("", shownArms, (each) => [h("h2", { class: "arm" }, each.name), outcome(data, each, found.place), repeats(each, query)]),
      valuesTable(found.problem, shownArms),
      across("Answer", shownArms, (each) => [answer(each), noteField(data, found.problem, each)]),
      scoresTable(about, shownArms),
      across("What the arm adds", shownArms, (each) => addition(about, each, baselineOf(data, found))),
      across("Conversation", shownArms, conversation),
      costTable(about, shownArms)),
    reference(found.problem),
  ];
}

function armsShown(about, query, model) {
  const asked = (query.get("arms") || "").split(",").map((each) => armOf(about, decodeURIComponent(each))).filter((each) => each >= 0);
  const best = byEffect(about, about.effects.filter((each) => each.model === model), about.dimensions.find((each) => each.headline));
  return asked.length ? asked.slice(0, 4) : [...new Set([about.baseline, query.has("arm") ? armOf(about, query.get("arm")) : best[0] ?? 0])];
}
const listed = (about, arms) => arms.map((arm) => encodeURIComponent(about.arms[arm].name)).join(",");

// An arm's attempts at a problem, with equal answers shown once, and the one that is shown.
function column(data, { texts, problem }, arm, query, at) {
  const groups = new Map();
  for (const attempt of problem.attempts.filter((each) => data.attempts.arm[each.row] === arm && data.attempts.model[each.row] === data.model)) {
    const transcript = attempt.transcript, messages = transcript ? transcript.messages.map((each) => texts[each]) : [];
    const answerText = transcript ? answerOf(transcript, texts) : "";
    const key = transcript && !attempt.error ? `answer ${answerText}` : `error ${attempt.error}`;
    const whole = { ...attempt, messages, answer: answerText, repeat: data.attempts.repeat[attempt.row] };
    whole.scores = Object.fromEntries(Object.entries(attempt.scores || {}).map(([name, [value, text, details]]) => [name, { value, evidence: texts[text], details: details || {} }]));
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push(whole);
  }
  const list = [...groups.values()].sort((a, b) => b.length - a.length), pick = Math.min(list.length - 1, Number(query.get(`pick${at}`)) || 0);
  return { arm, name: data.about.arms[arm].name, groups: list, pick, at, attempt: list.length ? list[pick][0] : null };
}
const baselineOf = (data, found) => column(data, found, data.about.baseline, new URLSearchParams(), 0).attempt;
const answerOf = (transcript, texts) => transcript.answer ?? textOf(texts[transcript.messages[transcript.messages.length - 1]].content);
const textOf = (content) => typeof content === "string" ? content : Array.isArray(content) ? content.map((part) => (typeof part.text === "string" ? part.text : JSON.stringify(part, null, 1))).join("\n") : content == null ? "" : JSON.stringify(content, null, 1);

function across(title, columns, make) {
  return h("section", { class: "across" }, title && h("h2", {}, title), h("div", { class: "columns" }, columns.map((each) =>
    h("div", { class: "column", "aria-label": each.name }, title && h("p", { class: "who" }, each.name), each.attempt || !title ? make(each) : h("p", { class: "soft" }, "no attempt")))));
}

function navigation(data, order, place, arms, query) {
  const { about, problems } = data, at = order.indexOf(place);
  const to = (next) => next !== undefined && link("problem", { id: problems.ids[next], pick0: null, pick1: null, pick2: null, pick3: null });
  const step = (text, next, key) => to(next) ? h("a", { href: to(next), "data-key": key }, text) : h("span", { class: "soft" }, text);
  const lost = arms.filter((arm) => arm !== about.baseline).map((arm, number) => {
    const others = [...order.slice(at + 1), ...order.slice(0, Math.max(0, at))];
    const next = others.find((each) => result(gains(data, arm)[each]) === "lost");
    return next === undefined ? h("span", { class: "soft" }, `${about.arms[arm].name} lost no other problem`) : step(`Next where ${about.arms[arm].name} lost`, next, number === 0 ? "l" : undefined);
  });
  return h("nav", { class: "steps", "aria-label": "Problems" }, h("a", { href: link("matrix", { id: null, arms: null }) }, `Matrix`),
    h("span", { class: "soft" }, at < 0 ? "not among the filtered" : `${(at + 1).toLocaleString("en-US")} of ${order.length.toLocaleString("en-US")}`),
    step("‹ Previous", order[at < 0 ? -1 : at - 1], "k"), step("Next ›", order[at + 1], "j"), lost);
}

function asked(problem, problems, place) {
  const tags = Object.entries(problem.tags || {}).filter(([tag, value]) => !tag.startsWith("metadata.") && String(value).length < 60);
  return h("section", { class: "asked" }, h("p", { class: "tags" }, h("span", {}, problem.benchmark), h("span", {}, problems.families[problems.family[place]]), tags.map(([tag, value]) => h("span", {}, `${tag}: ${[value].flat().join(", ")}`))),
    problem.context && prose(problem.context), prose(problem.question));
}

function armPicker(about, query, arms) {
  const toggle = (arm) => change({ arms: listed(about, arms.includes(arm) ? arms.filter((each) => each !== arm) : [...arms, arm].slice(-4)) });
  return h("div", { class: "chips", role: "group", "aria-label": "Arms side by side, at most four" }, about.arms.map((each, arm) =>
    h("button", { class: "chip", "aria-pressed": String(arms.includes(arm)), disabled: arms.length === 1 && arms[0] === arm, onclick: () => toggle(arm) }, each.name)));
}

function outcome(data, each, place) {
  const { about, dimension, means, attempts, model } = data;
  const value = means[attempts.cellOf(place, model, each.arm)], difference = gains(data, each.arm)[place], kind = result(difference);
  const label = each.arm === about.baseline ? "baseline" : kind;
  return h("p", { class: "outcome" }, h("b", {}, shown(dimension, value)), ` ${dimension.name} `, h("span", { class: `pill ${label}` }, label === "baseline" || label === "tied" || label === "unscored" ? label : `${SIGNS[kind]} ${label} by ${shownChange(dimension, Math.abs(difference)).replace("+", "")}`),
    each.attempt && each.attempt.transcript && each.attempt.transcript.stop !== "answered" && h("span", { class: "pill lost" }, each.attempt.transcript.stop.replace("_", " ")));
}

function repeats(each) {
  if (each.groups.length + (each.groups[0] || []).length <= 2) return null;
  return h("div", { class: "chips", role: "group", "aria-label": `Answers of ${each.name}` }, each.groups.map((group, at) =>
    h("button", { class: "chip", "aria-pressed": String(at === each.pick), title: `repeats ${group.map((one) => one.repeat + 1).join(", ")}`, onclick: () => change({ [`pick${each.at}`]: at || null }) },
      `${group[0].error ? "error" : "answer"} ${at + 1}${group.length > 1 ? ` × ${group.length}` : ""}`)));
}

// Values as they were read, from all scores with targets; `credit` is 1 where a value is right.
function readings(attempt) {
  const found = {};
  for (const { details } of Object.values(attempt.scores))
    for (const [name, read] of Object.entries(details.targets && typeof details.targets === "object" && !Array.isArray(details.targets) ? details.targets : {}))
      found[name] = { credit: read.status && Number(read.status === "pass"), band: read.status, ...found[name], ...read };
  return found;
}
const number = (value) => (typeof value === "number" ? String(Number(value.toPrecision(6))) : value === null || value === undefined ? "–" : visible(String(value)));
const withUnit = (value, unit) => `${number(value)}${unit && unit !== "-" ? ` ${unit}` : ""}`;

function valuesTable(problem, columns) {
  const cell = (target, each) => {
    const read = each.attempt && readings(each.attempt)[target.name];
    if (!read) return h("td", { class: "soft" }, "–");
    if (read.value === undefined) return h("td", {}, visible(String(read.band || "–")));
    if (read.value === null) return h("td", { class: "worse" }, "not stated");
    const right = read.credit >= 1 ? "better" : read.credit > 0 ? "partly" : read.credit === 0 ? "worse" : "";
    const error = typeof read.value === "number" && typeof target.value === "number" && target.value !== 0 && read.unit_ok !== false && `${plain(Math.abs(read.value / target.value - 1) * 100, 2)} % off`;
    const same = (read.unit || "-") === (target.unit || "-");
    return h("td", { class: right }, withUnit(read.value, read.unit), h("span", { class: "interval" }, [read.band && `${read.band}`, same && error, read.unit_ok === false && "unit wrong", read.read === "text" && "read outside the form"].filter(Boolean).join(", ")));
  };
  const expected = (target) => target.kind === "number" ? withUnit(target.value, target.unit) : target.kind === "choice" ? `${target.value}: ${target.options[target.value] || ""}` : target.kind === "callable" || target.value.length > 200 ? h("details", {}, h("summary", {}, "reference"), code(target.value)) : visible(target.value);
  return h("section", {}, h("h2", {}, "Values"), scroll("Values", h("table", { class: "values stack" }, h("thead", {}, h("tr", {}, ["quantity", "reference", ...columns.map((each) => each.name)].map((each) => h("th", { scope: "col" }, each)))),
    h("tbody", {}, problem.targets.map((target) => h("tr", {}, h("th", { scope: "row" }, target.name, target.description && h("span", { class: "interval" }, target.description)), named("reference", h("td", {}, expected(target))), columns.map((each) => named(each.name, cell(target, each)))))))));
}

// The answer, with the values that were read and the findings marked where they stand.
function answer(each) {
  const { attempt } = each;
  if (!attempt.transcript) return h("p", { class: "warning" }, visible(attempt.error || "no transcript"));
  const found = findings(attempt), marks = [];
  found.forEach((finding, at) => {
    const start = finding.quote ? attempt.answer.indexOf(finding.quote) : -1;
    if (start >= 0) marks.push({ start, end: start + finding.quote.length, kind: "finding", title: finding.message, number: String(at + 1) });
  });
  for (const [name, read] of Object.entries(readings(attempt))) {
    const place = read.at ? { start: unitsOf(attempt.answer, read.at[0]), end: unitsOf(attempt.answer, read.at[1]) } : placeOfValue(attempt.answer, name, read.value);
    if (place) marks.push({ ...place, kind: read.credit >= 1 ? "right" : "wrong", title: `read as ${name} = ${withUnit(read.value, read.unit)}${read.at ? "" : ", probably here"}` });
  }
  if (textOf((attempt.messages[attempt.messages.length - 1] || {}).content) === attempt.answer) marks.push(...usesIn(attempt, attempt.messages.length - 1, attempt.answer));
  return [attempt.error && h("p", { class: "warning" }, visible(attempt.error)), attempt.answer.trim() ? prose(attempt.answer, marks) : h("p", { class: "soft" }, "The answer is empty."),
    found.length > 0 && h("ol", { class: "findings" }, found.map((finding) => h("li", {}, h("b", {}, finding.dimension), ` ${visible(finding.message || "")}`, finding.quote && !attempt.answer.includes(finding.quote) && h("q", {}, visible(finding.quote)))))];
}
function findings(attempt) {
  return Object.entries(attempt.scores).flatMap(([dimension, { details }]) => (Array.isArray(details.findings) ? details.findings : [])
    .filter((finding) => finding && typeof finding.message === "string").map((finding) => ({ dimension, message: finding.message, quote: typeof finding.quote === "string" ? finding.quote : "" })));
}

function scoresTable(about, columns) {
  const names = about.dimensions.filter((each) => each.role !== "resource" && columns.some(({ attempt }) => attempt && each.name in attempt.scores));
  if (!names.length) return null;
  const cell = (dimension, each, at) => {
    const score = each.attempt && each.attempt.scores[dimension.name];
    if (!score) return h("td", { class: "soft" }, "–");
    const before = at > 0 && each.attempt.scores[names[at - 1].name], same = before && before.evidence === score.evidence;
    return h("td", {}, h("b", {}, shown(dimension, score.value)), score.evidence && h("span", { class: "evidence" }, same ? "as above" : evidence(score.evidence)));
  };
  return h("section", {}, h("h2", {}, "Scores and their evidence"), scroll("Scores", h("table", { class: "scores stack" }, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "dimension"), columns.map((each) => h("th", { scope: "col" }, each.name)))),
    h("tbody", {}, names.map((dimension, at) => h("tr", {}, h("th", { scope: "row" }, dimension.name, h("span", { class: "interval" }, dimension.summary)), columns.map((each) => named(each.name, cell(dimension, each, at)))))))));
}
// On a phone, cells are below each other and have the name of their column.
function named(name, cell) {
  cell.dataset.name = name;
  return cell;
}
const evidence = (text) => text.length > (matchMedia("(max-width: 760px)").matches ? 160 : 400) ? h("details", {}, h("summary", {}, visible(text.slice(0, 120)), " …"), prose(text)) : prose(text);

// The prompt's lines and the tools that the baseline's has not.
function addition(about, each, base) {
  const plans = about.plans || {}, own = plans[each.name] || {}, bare = plans[about.arms[about.baseline].name] || {};
  const known = new Set((bare.tools || []).map((tool) => JSON.stringify(tool)));
  const tools = (own.tools || []).filter((tool) => !known.has(JSON.stringify(tool))).map((tool) => tool.function || tool);
  const prompt = (attempt, role) => (attempt ? attempt.messages : []).filter((message) => message.role === role).slice(0, 1).map((message) => textOf(message.content)).join("");
  const added = each.arm === about.baseline ? [] : ["system", "user"].map((role) => lineRuns(newLines(prompt(each.attempt, role), prompt(base, role)), role));
  const parts = [...added, tools.map((tool) => h("details", {}, h("summary", {}, h("b", {}, `tool ${tool.name}`), ` ${(tool.description || "").slice(0, 160)}`), code(JSON.stringify(tool.parameters || tool, null, 1))))].flat().filter(Boolean);
  return parts.length ? parts : h("p", { class: "soft" }, each.arm === about.baseline ? "the baseline itself" : "no words and no tools");
}
function lineRuns(lines, role) {
  if (!lines.some(([line, isNew]) => isNew && line.trim())) return null;
  const box = h("div", { class: "prompt", dir: "auto" }, h("p", { class: "role" }, `${role} prompt`));
  for (let at = 0; at < lines.length; ) {
    const end = lines.findIndex(([, isNew], later) => later > at && isNew !== lines[at][1]), run = lines.slice(at, end < 0 ? undefined : end), text = run.map(([line]) => line).join("\n");
    if (lines[at][1]) box.append(h("ins", {}, prose(text)));
    else if (text.trim()) box.append(h("details", {}, h("summary", {}, `${count(run.length, "line")} as in the baseline`), prose(text)));
    at = end < 0 ? lines.length : end;
  }
  return box;
}

// Where results of tools and retrieved passages appear in a message, as stored with the attempt.
function usesIn(attempt, message, text) {
  const marks = [];
  for (const { source, use, places } of attempt.uses || [])
    for (const [, piece] of places.filter(([at]) => at === message))
      for (let start = text.indexOf(piece); piece && start >= 0; start = text.indexOf(piece, start + piece.length))
        marks.push({ start, end: start + piece.length, kind: use.startsWith("copied") ? "miscopied" : "used", title: `${source}: ${use}` });
  return marks;
}
function conversation({ attempt }) {
  const calls = attempt.transcript ? attempt.transcript.tool_calls : [], results = attempt.messages.filter((each) => each.role === "tool");
  let tool = 0;
  const timed = () => calls.length === results.length && calls[tool++];
  return attempt.messages.map((message, at) => {
    const uses = (attempt.uses || []).filter((each) => each.at === at && each.kind === "tool").map((each) => h("span", { class: `use ${each.use.split(/[, ]/)[0]}` }, each.use));
    const call = message.role === "tool" ? timed() : null, text = textOf(message.content), asks = message.tool_calls || [];
    const about = [call?.seconds && `${plain(call.seconds * 1000, 0)} ms`, call && !call.ok && "failed"].filter(Boolean).join(", ");
    const preview = asks.length ? `calls ${asks.map((each) => each.function.name).join(", ")}` : visible(text.slice(0, 120).replace(/\s+/g, " "));
    return h("details", { class: `step ${message.role}` }, h("summary", {}, h("span", { class: "role" }, `${at + 1} ${message.role}${message.name ? ` ${message.name}` : ""}`), about && h("span", { class: "soft" }, ` ${about}`), uses, h("span", { class: "preview" }, preview)),
      text && (message.role === "tool" ? h("pre", { dir: "ltr" }, clipped(text)) : prose(text, usesIn(attempt, at, text))), asks.map((each) => [h("p", { class: "role" }, each.function.name), program(each.function.arguments)]));
  });
}
const clipped = (text) => text.length > LONG ? prose(text) : visible(text);
function program(text) {
  try {
    const given = JSON.parse(text), rest = Object.entries(given).filter(([name]) => name !== "code");
    return [typeof given.code === "string" && code(given.code), rest.length > 0 && code(JSON.stringify(Object.fromEntries(rest), null, 1))];
  } catch {
    return code(String(text));
  }
}

function costTable(about, columns) {
  const used = (name) => ({ attempt }) => { const all = attempt.transcript.model_calls.map((call) => call.usage).filter((usage) => usage.input || usage.output).map((usage) => usage[name]).filter((each) => each !== null && each !== undefined); return all.length ? all.reduce((a, b) => a + b, 0).toLocaleString("en-US") : "–"; };
  const rows = { "model calls": ({ attempt }) => attempt.transcript.model_calls.length, "tool calls": ({ attempt }) => attempt.transcript.tool_calls.length, "input tokens": used("input"), "of these cached": used("cached_input"), "output tokens": used("output"), "of these reasoning": used("reasoning"),
    seconds: ({ attempt }) => (attempt.transcript.seconds === null ? "–" : plain(attempt.transcript.seconds, 2)), retries: ({ attempt }) => attempt.transcript.model_calls.reduce((sum, call) => sum + call.retries.length, 0), ended: ({ attempt }) => attempt.transcript.stop.replace("_", " "), at: ({ attempt }) => new Date(attempt.at * 1000).toISOString().slice(0, 19).replace("T", " ") };
  return h("section", {}, h("h2", {}, "Cost"), scroll("Cost", h("table", { class: "cost" }, h("thead", {}, h("tr", {}, ["", ...columns.map((each) => each.name)].map((each) => h("th", { scope: "col" }, each)))),
    h("tbody", {}, Object.entries(rows).map(([name, of]) => h("tr", {}, h("th", { scope: "row" }, name), columns.map((each) => h("td", { class: "number" }, each.attempt && each.attempt.transcript ? String(of(each)) : "–"))))))));
}

function reference(problem) {
  const known = problem.reference || {}, steps = known.steps || [], parts = [
    problem.givens && problem.givens.length > 0 && h("p", {}, h("b", {}, "Given "), problem.givens.map((each) => `${each.name} = ${withUnit(each.value, each.unit)}`).join(", ")),
    known.formulation && h("p", {}, h("b", {}, "Approach "), visible(known.formulation.approach), " ", h("b", {}, "Assumptions "), visible(known.formulation.assumptions)),
    steps.length > 0 && h("ol", {}, steps.map((step) => h("li", {}, h("code", {}, step.expression), ` = ${withUnit(step.value, step.unit)} `, h("span", { class: "soft" }, step.equation), step.reasoning && prose(step.reasoning)))),
    known.derivation && known.derivation.length > 0 && h("ol", {}, known.derivation.map((step) => h("li", {}, h("code", {}, `${step.symbol} = ${step.expression}`), ` ${step.reason}`))),
    known.trap && h("p", {}, h("b", {}, "Trap "), visible(known.trap)), known.text && prose(known.text), known.final_answer && prose(known.final_answer),
    known.key_points && known.key_points.length > 0 && h("ul", {}, known.key_points.map((each) => h("li", {}, visible(each)))),
  ].filter(Boolean);
  return parts.length > 0 && h("details", { class: "reference" }, h("summary", {}, "Reference solution"), parts);
}
