"use strict";
// Notes on attempts. The browser stores them under the id of the run; a button downloads them as JSON Lines.

const notesKey = (about) => `ansatz.notes.${about.id}`;
function readNotes(about) {
  try {
    return JSON.parse(localStorage.getItem(notesKey(about))) || {};
  } catch {
    return {}; // storage is switched off
  }
}
function writeNote(about, attempt, note) {
  const notes = readNotes(about), key = JSON.stringify(attempt);
  if (note.trim()) notes[key] = note;
  else delete notes[key];
  try {
    localStorage.setItem(notesKey(about), JSON.stringify(notes));
  } catch {
    document.getElementById("notes").title = "This browser stores no notes";
  }
  document.getElementById("notes").replaceWith(notesButton(about));
}

function noteField(data, problem, each) {
  const attempt = { model: data.about.models[data.model].title, arm: each.name, problem: problem.id, repeat: each.attempt.repeat };
  const field = h("textarea", { name: `note ${each.name}`, rows: 2, placeholder: "A note on this attempt", oninput: (event) => writeNote(data.about, attempt, event.target.value) });
  field.value = readNotes(data.about)[JSON.stringify(attempt)] || "";
  return h("label", { class: "field" }, h("span", {}, "note"), field);
}

const notesAsLines = (about) => Object.entries(readNotes(about)).map(([attempt, note]) => `${JSON.stringify({ ...JSON.parse(attempt), note })}\n`).join("");
function notesButton(about) {
  const number = Object.keys(readNotes(about)).length;
  const download = () => {
    const address = URL.createObjectURL(new Blob([notesAsLines(about)], { type: "application/jsonl" }));
    h("a", { href: address, download: "notes.jsonl" }).click();
    URL.revokeObjectURL(address);
  };
  return h("button", { id: "notes", hidden: number === 0, title: "Download the notes as JSON Lines", onclick: download }, count(number, "note"));
}
