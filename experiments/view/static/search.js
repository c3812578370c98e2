"use strict";
// Full-text search in questions and answers. Parts of the data are loaded one by one and released again.

// The places of the problems whose question or an answer contains the text, whatever its case.
async function searchTexts(text) {
  if (!text.trim()) return null;
  return once(`text ${text}`, async () => {
    const problems = await ansatz.load("problems"), wanted = text.trim().toLowerCase(), found = new Set();
    const places = new Map(problems.ids.map((id, at) => [id, at]));
    for (const number of new Set(problems.part)) {
      const name = `p${number}`, wasLoaded = ansatz.data.has(name), part = await ansatz.load(name);
      for (const problem of part.problems) if (textsOf(problem, part.texts).some((each) => each.toLowerCase().includes(wanted))) found.add(places.get(problem.id));
      if (!wasLoaded) ansatz.release(name);
    }
    return found;
  });
}
function textsOf(problem, texts) {
  return [problem.id, problem.context || "", problem.question, ...problem.attempts.map((each) => (each.transcript ? answerOf(each.transcript, texts) : each.error || ""))];
}
