"""What an answer states: notations met, which of several statements counts, and phases."""

import json
import math
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ansatz.eval.benchmarks.thermoqa.reading import find_aliases, read_values
from ansatz.eval.benchmarks.thermoqa.score import judge_strict
from tests.eval.benchmarks.thermoqa.cases import asking, number, problem, read_answer

LINES = Path(__file__).with_name("extraction_cases.jsonl").read_text(encoding="utf-8").split("\n")
NAMES = ("h1", "h2s", "s1", "eta_th", "w_net", "W_dot_net", "s_gen_comp", "x_dest_total", "COP_R", "T_c_out")


@pytest.mark.parametrize(("text", "values"), [json.loads(line) for line in LINES if line])
def test_what_an_answer_states_is_read(text, values):
    """A null stands for a value that the answer does not state."""
    expected = {
        name: pytest.approx(value, rel=1e-9, abs=1e-9) if isinstance(value, float | int) else value
        for name, value in values.items()
    }
    assert read_answer(text, *values) == expected


def test_what_stands_in_the_reasoning_alone_is_not_stated():
    asked = problem(number("h1", 100.0), number("h2", 200.0))
    read = read_values(asked, "<think>h1 = 100 kJ/kg, h2 = 9 kJ/kg</think>\nh2 = 200 kJ/kg")
    assert {name: each.value for name, each in read.items()} == {"h2": 200}
    assert [each.status for each in judge_strict(asked, read).values()] == ["missing", "pass"]


@pytest.mark.slow
@given(st.text() | st.text(alphabet='h_12s=≈:|.,;()[]{}<> 0123456789eExkJ/gKthinkvaluephaseState"\\\n'))
@settings(max_examples=40)
def test_no_answer_raises(text):
    for each in read_values(asking("h1", "h2s", "eta_th", "s_gen_comp", "phase"), text).values():
        assert isinstance(each.value, str) or math.isfinite(each.value)


@given(st.lists(st.sampled_from(NAMES), min_size=1, unique=True), st.data())
@settings(max_examples=30)
def test_the_requested_form_is_always_read_back(names, data):
    values = {name: data.draw(st.floats(0.001, 0.99)) for name in names}
    lines = [
        f"{target.name} = {values[target.name]:.6f} {target.unit.replace('-', '')}".rstrip()
        for target in asking(*names).targets
    ]
    text = "We proceed step by step.\n\n" + "\n".join(data.draw(st.permutations(lines)))
    expected = {name: pytest.approx(value, abs=5.1e-7) for name, value in values.items()}
    assert read_answer(text, *names) == expected


def test_no_alias_is_a_target_or_a_given_efficiency():
    assert not any(name.replace("_", "") in find_aliases(name) for name in NAMES)
    given = {"etat", "etac", "etap", "etas", "etaturb", "etacomp"}
    assert not given & {*find_aliases("eta_th"), *find_aliases("eta_II")}
