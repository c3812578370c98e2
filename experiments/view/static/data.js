"use strict";
// The data are scripts in the page's folder, each of which calls ansatz.put(name, JSON): a page that opens from
// disk cannot fetch. A text of a transcript is only ever a string in that JSON, never code.

const ansatz = {
  data: new Map(),
  loading: new Map(),
  put(name, json) {
    this.data.set(name, JSON.parse(json));
  },
  load(name) {
    if (!this.loading.has(name)) {
      this.loading.set(name, new Promise((done, failed) => {
        const script = document.createElement("script");
        script.src = `data/${name}.js?${this.age}`;
        script.onload = () => { script.remove(); done(this.data.get(name)); };
        script.onerror = () => { script.remove(); this.loading.delete(name); failed(new Error(`data/${name}.js cannot be read`)); };
        document.head.append(script);
      }));
    }
    return this.loading.get(name);
  },
  release(name) {
    this.data.delete(name);
    this.loading.delete(name);
  },
  age: 0, // a page that looks for newer data asks under another address
  forget() {
    this.age += 1;
    this.data.clear();
    this.loading.clear();
    memory.clear();
  },
};

const memory = new Map(); // what was computed of the data
function once(key, make) {
  if (!memory.has(key)) memory.set(key, make());
  return memory.get(key);
}

function unpacked(text, kind) {
  const signs = atob(text), bytes = new Uint8Array(signs.length);
  for (let at = 0; at < signs.length; at++) bytes[at] = signs.charCodeAt(at);
  return new kind(bytes.buffer);
}

// The attempts in columns, and the rows of each cell (model, arm, problem) one after another.
async function loadAttempts() {
  const [about, problems, packed] = await Promise.all(["overview", "problems", "attempts"].map((each) => ansatz.load(each)));
  return once("attempts", () => {
    const kinds = { model: Uint8Array, arm: Uint16Array, problem: Uint32Array, repeat: Uint16Array, stop: Uint8Array, fault: Uint32Array, at: Float64Array };
    const columns = Object.fromEntries(Object.entries(kinds).map(([name, kind]) => [name, unpacked(packed[name], kind)]));
    const arms = about.arms.length, models = about.models.length;
    const cellOf = (problem, model, arm) => (problem * models + model) * arms + arm;
    const starts = new Uint32Array(problems.ids.length * models * arms + 1);
    const cells = new Uint32Array(packed.rows), order = new Uint32Array(packed.rows);
    for (let row = 0; row < packed.rows; row++) {
      cells[row] = cellOf(columns.problem[row], columns.model[row], columns.arm[row]);
      starts[cells[row] + 1] += 1;
    }
    for (let cell = 1; cell < starts.length; cell++) starts[cell] += starts[cell - 1];
    const next = starts.slice();
    for (let row = 0; row < packed.rows; row++) order[next[cells[row]]++] = row;
    const rowsOf = (problem, model, arm) => order.subarray(starts[cellOf(problem, model, arm)], starts[cellOf(problem, model, arm) + 1]);
    return { ...columns, rows: packed.rows, stops: packed.stops, faults: packed.faults, cells, cellOf, rowsOf, size: starts.length - 1 };
  });
}

// Of a dimension the value of every attempt, and the mean of every cell; NaN where there is none.
async function loadDimension(name) {
  const about = await ansatz.load("overview");
  const number = Math.max(0, about.dimensions.findIndex((each) => each.name === name));
  const [attempts, packed] = await Promise.all([loadAttempts(), ansatz.load(`d${number}`)]);
  return once(`d${number}`, () => {
    const values = unpacked(packed, Float32Array);
    const means = new Float64Array(attempts.size), counts = new Uint32Array(attempts.size);
    for (let row = 0; row < attempts.rows; row++) {
      if (Number.isNaN(values[row])) continue;
      means[attempts.cells[row]] += values[row];
      counts[attempts.cells[row]] += 1;
    }
    for (let cell = 0; cell < means.length; cell++) means[cell] /= counts[cell]; // 0/0 is NaN
    return { dimension: about.dimensions[number], values, means };
  });
}

async function loadProblem(id) {
  const problems = await ansatz.load("problems");
  const place = once("places", () => new Map(problems.ids.map((each, at) => [each, at]))).get(id);
  if (place === undefined) return null;
  const part = await ansatz.load(`p${problems.part[place]}`);
  return { place, texts: part.texts, problem: part.problems.find((each) => each.id === id) };
}

// By problem, how an arm fares against the baseline: the difference, positive where the arm is better.
function gains({ about, problems, attempts, means, dimension, model }, arm) {
  return once(`gains ${dimension.name} ${model} ${arm}`, () => Float64Array.from({ length: problems.ids.length }, (_, problem) => {
    const own = means[attempts.cellOf(problem, model, arm)], base = means[attempts.cellOf(problem, model, about.baseline)];
    return dimension.better === "lower" ? base - own : own - base;
  }));
}
// By result the problems where an arm has it, in the order asked; each problem is looked at once.
function placesBy(data, arm) {
  return once(`places ${data.dimension.name} ${data.model} ${arm}`, () => {
    const found = { won: [], tied: [], lost: [], unscored: [] }, all = gains(data, arm);
    for (let place = 0; place < all.length; place++) found[result(all[place])].push(place);
    return found;
  });
}
const result = (difference) => (Number.isNaN(difference) ? "unscored" : Math.abs(difference) < 1e-6 ? "tied" : difference > 0 ? "won" : "lost");
