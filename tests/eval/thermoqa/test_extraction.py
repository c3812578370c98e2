"""Answers in every notation, habit of wording and layout that was met, and the values that they state."""

import json
from pathlib import Path

import pytest

from tests.eval.thermoqa.cases import read_values

LINES = Path(__file__).with_name("extraction_cases.jsonl").read_text(encoding="utf-8").split("\n")


@pytest.mark.parametrize(("text", "values"), [json.loads(line) for line in LINES if line])
def test_what_an_answer_states_is_read(text, values):
    """A null stands for a value that the answer does not state."""
    expected = {
        name: None if value is None else pytest.approx(value, rel=1e-9, abs=1e-9)
        for name, value in values.items()
    }
    assert read_values(text, *values) == expected
