"""Imported answers: reading them from a file, and scoring them on problems."""

import json

from ansatz.eval.answer_files import judge_by_target, match_answers
from ansatz.eval.problem import MessageTarget, NumberTarget, Problem

TARGETS = (
    NumberTarget(name="q", unit="Pa"),
    MessageTarget(name="why", value="because"),
    NumberTarget(name="p", unit="Pa", value=10.0),
)
PROBLEM = Problem(id="A1", family="A1", benchmark="b", question="?", targets=TARGETS)


def test_answers_are_read_and_all_others_listed(tmp_path):
    good = {"answer_id": 7, "problem_id": "A1", "text": "q = 1 Pa", "model": {"name": "x"}}  # ignored
    lines = [
        good,
        {"answer_id": "b", "problem_id": "A1", "text": None},
        {"answer_id": "c", "problem_id": "A11", "text": ""},
        {"answer_id": "d", "problem_id": "A1", "txt": "q"},
        {**good, "answer_id": "7"},
        {**good, "answer_id": ["e"]},
        {"answer": "f", "problem_id": "A1", "text": "q"},
    ]
    file = tmp_path / "file.jsonl"
    file.write_text("\n".join([*map(json.dumps, lines), "oops", "[1]"]))
    found, unknown, faults = match_answers({"A1": PROBLEM}, file)
    assert [(each.answer_id, each.text) for each in found] == [("7", "q = 1 Pa"), ("b", "")]
    assert found[1].to_transcript().stop == "empty"
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
    found = judge_by_target(PROBLEM, "q = 3 Pa and p = 10.5 Pa")
    assert found["q"] is None and found["why"] is None
    assert (found["p"].stated, found["p"].stated_unit, found["p"].band) == (10.5, "Pa", "acceptable")
