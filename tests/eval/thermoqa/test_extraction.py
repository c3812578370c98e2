"""What an answer states: notations met, which of several statements counts, phases, and a real run."""

import json
import math
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ansatz.eval.benchmarks.thermoqa.published_reading import is_balance
from ansatz.eval.benchmarks.thermoqa.stated_values import from_text, phase_from_text
from ansatz.eval.benchmarks.thermoqa.steps import judge, judge_answer, unit_aware
from ansatz.eval.benchmarks.thermoqa.vocabulary import aliases
from ansatz.eval.problem import LabelTarget
from tests.eval.thermoqa.cases import (
    PUBLISHED,
    asking,
    number,
    problem,
    published_runs,
    read_values,
    strictly,
)

LINES = Path(__file__).with_name("extraction_cases.jsonl").read_text(encoding="utf-8").split("\n")


@pytest.mark.parametrize(("text", "values"), [json.loads(line) for line in LINES if line])
def test_what_an_answer_states_is_read(text, values):
    """A null stands for a value that the answer does not state."""
    expected = {
        name: None if value is None else pytest.approx(value, rel=1e-9, abs=1e-9)
        for name, value in values.items()
    }
    assert read_values(text, *values) == expected


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("w_net = 1200 kJ/kg\nW_net = 95 MW", {"w_net": 1200, "W_dot_net": 95000}),
        ("W_net = 95000 kW", {"w_net": None, "W_dot_net": 95000}),
        ("v2 = 0.4 m³/kg", {"V2": None}),
        ("V2 = 340 m/s\nv2 = 0.4", {"V2": 340}),
        ("h = 2800 kJ/kg\nwith h = 25 W/(m²·K) outside", {"h": 2800}),
        ("η_t = 0.85\nη_th = 0.355", {"eta_th": 0.355}),
        ("isentropic efficiency η_t = 0.85", {"eta_th": None}),
        ("isentropic turbine work: 1203 kJ/kg", {"w_turb": None}),
        ("s_gen,total = 0.3 kJ/(kg·K)\ns_gen,comp = 0.1", {"s_gen_total": 0.3, "s_gen_comp": 0.1}),
        ("turb = 4", {"w_turb": None}),
        ("h1 = 10 kJ/kg\nh2 = 20 kJ/kg\n\nThese follow from the tables, where h1 = 12 kJ/kg at the next node.", {"h1": 10, "h2": 20}),
        ("From the tables h1 = 12 kJ/kg at the next node.\n\nh1 = 10 kJ/kg\nh2 = 20 kJ/kg", {"h1": 10, "h2": 20}),
        ("h1 = 10 kJ/kg\nh2 = 20 kJ/kg\n\nCorrection:\nh1 = 11 kJ/kg", {"h1": 11, "h2": 20}),
        ("h1 = 10 kJ/kg\nThe value is wrong because the table was misread, so finally h1 = 11 kJ/kg holds.\nh2 = 20 kJ/kg", {"h1": 11, "h2": 20}),
    ],
)  # fmt: skip
def test_the_right_statement_is_taken(text, values):
    assert read_values(text, *values) == {
        name: None if value is None else pytest.approx(value) for name, value in values.items()
    }


def test_reasoning_counts_under_the_published_rule_only():
    asked = problem(number("h1", 100.0), number("h2", 200.0))
    answer = "<think>h1 = 100 kJ/kg</think>\nh2 = 200 kJ/kg"
    items = judge_answer(asked, answer)
    assert [(item.published, item.strict) for item in items] == [("pass", "missing"), ("pass", "pass")]
    assert judge_answer(asked, "h2 = 200 kJ/kg", reasoning="so h1 = 100 kJ/kg") == items
    assert not strictly(asked, answer)["h1"].passed


def test_a_judgement_tells_missing_from_out_of_tolerance():
    asked = problem(
        number("h1", 100.0), number("h2", 200.0), number("s_gen_turb", 0.0, unit="kJ/(kg*K)"), tier="3"
    )
    first, second, third = judge_answer(asked, "h1 = 0.15 MJ/kg\ns_gen_turb = 0")
    assert (first.value, first.unit, first.published, first.strict) == (
        150,
        "kJ/kg",
        "out_of_tolerance",
        "out_of_tolerance",
    )
    assert (second.value, second.published, second.strict) == (None, "missing", "missing")
    assert (third.value, third.published, third.strict) == (0, "pass", None)


@pytest.mark.parametrize(
    ("answer", "phase"),
    [
        ("Phase: superheated vapor", "superheated_vapor"),
        ("**Phase:** Superheated Vapour", "superheated_vapor"),
        ("Phase = superheated_vapor", "superheated_vapor"),
        ("| Phase | Compressed liquid |", "subcooled_liquid"),
        ("| Property | Value |\n|---|---|\n| Phase | two-phase mixture |", "wet_steam"),
        ('{"phase": "supercritical"}', "supercritical"),
        (r"\text{Phase: } \textbf{subcooled liquid}", "subcooled_liquid"),
        ("Phase: **wet steam** (x = 0.52), i.e. neither saturated liquid nor saturated vapor", "wet_steam"),
        ("Since T < T_sat the water is a compressed liquid.", "subcooled_liquid"),
        ("The state is superheated, as T > T_sat.", "superheated_vapor"),
        ("The fluid is not a saturated liquid; it is in the supercritical region.", "supercritical"),
        ("Phase: superheated vapor\nThe final phase is saturated vapor.", "saturated_vapor"),
        ("The thermodynamic phase of the water: liquid", "subcooled_liquid"),
        ("Phase: ___", ""),
        ("Phase: not superheated vapor", ""),
        ("I cannot tell.", ""),
        ("", ""),
    ],
)
def test_the_phase_that_an_answer_names(answer, phase):
    assert phase_from_text(answer) == phase


@given(st.text() | st.text(alphabet='h_12s=≈:|.,;()[]{}<> 0123456789eExkJ/gKthinkvaluephaseState"\\\n'))
@settings(max_examples=100, deadline=None)
def test_no_answer_raises(text):
    for item in judge_answer(asking("h1", "h2s", "eta_th", "s_gen_comp", "W_dot_net"), text):
        assert item.value is None or math.isfinite(item.value)


NAMES = ("h1", "h2s", "s1", "eta_th", "w_net", "W_dot_net", "s_gen_comp", "x_dest_total", "COP_R", "T_c_out")


@given(st.lists(st.sampled_from(NAMES), min_size=1, unique=True), st.data())
@settings(max_examples=60, deadline=None)
def test_the_requested_form_is_always_read_back(names, data):
    values = {name: data.draw(st.floats(0.001, 0.99)) for name in names}
    asked = asking(*names)
    lines = [
        f"{target.name} = {values[target.name]:.6f} {target.unit.replace('-', '')}".rstrip()
        for target in asked.targets
    ]
    text = "We proceed step by step.\n\n" + "\n".join(data.draw(st.permutations(lines)))
    assert read_values(text, *names) == {
        name: pytest.approx(value, abs=5.1e-7) for name, value in values.items()
    }


def test_no_target_is_an_alias_of_itself_or_of_a_given_efficiency():
    for name in NAMES:
        assert name.replace("_", "") not in aliases(name)
    assert not {"etat", "etac", "etap", "etas", "etaturb", "etacomp"} & set(
        aliases("eta_th") + aliases("eta_II")
    )


def test_evidence_quotes_the_statement():
    readings = from_text(asking("h1"), "so h_1 = 100 + 20 = 120 kJ/kg")
    assert "120 kJ/kg" in readings["h1"].evidence


@PUBLISHED
@pytest.mark.parametrize(("tier", "items"), [(1, 290), (2, 748), (3, 2127)])
def test_the_text_alone_gives_the_stored_values_and_verdicts(tier, items):
    """On a real run, without an exception: what we read is what the publisher stored."""
    judged = 0
    for asked, response, names, extracted in published_runs(tier):
        readings = from_text(asked, response["response_text"])
        values = unit_aware(asked, readings)
        for target in asked.targets:
            stored = extracted.get(target.name)
            if isinstance(target, LabelTarget):
                assert values.get(target.name) == stored
            elif not is_balance(target.name):
                assert (target.name in values) == (stored is not None)
                assert stored is None or math.isclose(values[target.name], stored, rel_tol=1e-12)
        ours = {step.name: step.published == "pass" for step in judge(asked, readings)}
        theirs = {names[each["key"]]: each["passed"] for each in response["scores"]}
        assert ours == theirs, asked.id
        judged += len(theirs)
    assert judged == items
