"""Answers that were gathered elsewhere: read from a file, scored against the same problems as a study's."""

import json
from pathlib import Path

from ansatz.eval.answers import answers_to, verdicts
from ansatz.eval.problem import MessageTarget, NumberTarget, Problem
from ansatz.eval.problem_files import problems

PROBLEM = {
    "id": "A1",
    "question": "Air of density rho = 1.2 kg/m^3 moves at V = 100 m/s. Find the dynamic pressure q.",
    "targets": [{"name": "q", "unit": "Pa", "value": 6000.0}],
}


def write(folder: Path, *lines) -> Path:
    file = folder / "file.jsonl"
    file.write_text("".join((each if isinstance(each, str) else json.dumps(each)) + "\n" for each in lines))
    return file


def test_answers_are_read_and_all_others_listed(tmp_path):
    [problem] = problems([PROBLEM])
    good = {"answer_id": 7, "problem_id": "A1", "text": "q = 1 Pa", "model": {"name": "x"}}  # not looked at
    file = write(
        tmp_path,
        good,
        {"answer_id": "b", "problem_id": "A1", "text": None},
        {"answer_id": "c", "problem_id": "A11", "text": ""},
        {"answer_id": "d", "problem_id": "A1", "txt": "q"},
        {**good, "answer_id": "7"},
        {**good, "answer_id": ["e"]},
        {"answer": "f", "problem_id": "A1", "text": "q"},
        "oops",
        "[1]",
    )
    found, unknown, faults = answers_to({"A1": problem}, file)
    assert [(each.answer_id, each.text) for each in found] == [("7", "q = 1 Pa"), ("b", "")]
    assert found[1].transcript().stop == "empty"
    assert unknown == [f"{file}:3: problem_id: 'A11' is not among the problems; did you mean 'A1'?"]
    assert faults == [
        f"{file}:4: text: is missing; did you mean 'txt'?",
        f"{file}:5: answer_id: '7' is already {file}:1",
        f'{file}:6: answer_id: must be text, not ["e"]',
        f"{file}:7: answer_id: is missing; did you mean 'answer'?",
        f"{file}:8: not JSON: Expecting value at column 1",
        f"{file}:9: not an object but a list",
    ]


def test_targets_without_a_key_have_no_verdict():
    targets = (
        NumberTarget(name="q", unit="Pa"),
        MessageTarget(name="why", value="because"),
        NumberTarget(name="p", unit="Pa", value=10.0),
    )
    problem = Problem(id="p", family="p", benchmark="b", question="?", targets=targets)
    found = verdicts(problem, "q = 3 Pa and p = 10.5 Pa")
    assert found["q"] is None and found["why"] is None
    assert (found["p"].stated, found["p"].stated_unit, found["p"].band) == (10.5, "Pa", "acceptable")
