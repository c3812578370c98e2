"""What an answer earns: the bands, the weights, the units, and what is not scored at all."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansatz.eval.outcome import Outcome, band, judge_answer
from ansatz.eval.problem import (
    ChoiceTarget,
    Given,
    LabelTarget,
    MessageTarget,
    NumberTarget,
    Problem,
    SymbolicTarget,
)
from ansatz.eval.problem_files import problems
from ansatz.eval.score import ScoringContext
from tests.fakes.transcripts import attempt

HEAT = NumberTarget(name="q_s", unit="W/m^2", weight=1, value=597334.5, description="stagnation heat flux")
PHASE = LabelTarget(name="phase", weight=1, value="two-phase", accepted=("saturated mixture", "wet steam"))
CHOICE = ChoiceTarget(name="regime", weight=1, value="B", options={"A": "continuum", "B": "free molecular"})

LOAD = SymbolicTarget(name="a_max", weight=1, value="V_E**2/(2*exp(1))", symbols=("V_E",))


def score(answer, *targets, question="Report your answers as:\nq_s = ___ W/m^2", givens=()):
    problem = Problem(id="p", family="f", benchmark="b", question=question, targets=targets, givens=givens)
    scores = asyncio.run(Outcome().score(ScoringContext(problem, attempt(answer))))
    assert tuple(each.dimension for each in scores) == tuple(each.name for each in Outcome.dimensions)
    return {each.dimension: each for each in scores}


def values(answer, *targets):
    return tuple(each.value for each in score(answer, *targets).values())


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("q_s = 597334.5 W/m^2", (1, 1, 1)),
        (r"\boxed{\dot q_s = 59.73\,\mathrm{W/cm^2}}", (1, 1, 1)),
        ("**Answer: 597 kW/m²**", (1, 1, 1)),
        ("q_s = 597334.5", (1, 1, 0)),
        ("q_s = 597334.5 W/m", (0, 0, 0)),
        ("q_s = 620000 W/m^2", (0.7, 0, 1)),
        ("q_s = 597.3345 W/m^2", (0, 0, 1)),
        ("q_s = 1 W/m^2, corrected: q_s = 597334.5 W/m^2", (1, 1, 1)),
        ("q_s = 597334.5 W/m^2, corrected: q_s = 1 W/m^2", (0, 0, 1)),
        ("q_t = 597334.5 W/m^2", (0, 0, 0)),
        ("", (0, 0, 0)),
    ],
)
def test_one_number(answer, expected):
    assert values(answer, HEAT) == expected


@pytest.mark.parametrize(
    "answer", ["q_s = 597334", "q_s = 597,334.5 ", r"\boxed{5973", "<think>q_s = 597334.5 W/m^2</think>"]
)
def test_a_number_that_may_be_cut_off_or_is_only_thought_of_is_not_stated(answer):
    problem = Problem(id="p", family="f", benchmark="b", question="q_s = ___ W/m^2", targets=(HEAT,))
    for text, credit in ((answer, 0), (f"q_s = 597 kW/m^2\n\nCheck: {answer}", 1)):
        scores = asyncio.run(Outcome().score(ScoringContext(problem, attempt(text, "truncated"))))
        assert scores[0].value == credit


PRESSURE = NumberTarget(name="dynamic pressure", unit="Pa", weight=1, value=6000)
TEMPERATURE = NumberTarget(name="T", unit="K", weight=1, value=300)
FREE_STREAM = Given(name="T_inf", value=300, unit="K", description="free-stream temperature")


@pytest.mark.parametrize(
    ("answer", "targets", "right"),
    [
        ("The dynamic pressure is 6.0 kPa.", [PRESSURE], True),
        ("q = 0.5*1.2*100^2 = 6000 Pa", [PRESSURE], True),
        ("p = 101 kPa, so q = 6 kPa", [PRESSURE], True),
        ("q = 6 kPa, and p = 101 kPa", [PRESSURE], False),
        ("$\\dot{q}_w = 597$ kW/m^2", [HEAT], True),
        ("With T_inf = 300 K, q = 6 kPa", [TEMPERATURE, PRESSURE], False),
        ("q = 6000", [PRESSURE], True),
    ],
)
def test_an_answer_may_use_its_own_symbols_where_its_form_is_free_and_there_is_no_doubt(
    answer, targets, right
):
    found = score(answer, *targets, question="How much?", givens=[FREE_STREAM])
    assert (found["outcome"].value == 1) is right
    asked_for = score(answer, *targets, givens=[FREE_STREAM])
    assert asked_for["outcome"].value < 1 or "dynamic" in answer


@pytest.mark.parametrize(
    ("error", "credit"),
    [(0, 1), (0.0099, 1), (0.01, 0.7), (0.0999, 0.7), (0.1, 0.3), (0.4999, 0.3), (0.5, 0), (9, 0)],
)
def test_band_edges(error, credit):
    assert band(error)[0] == credit


def test_targets_are_weighted_and_a_missing_one_is_wrong():
    other = NumberTarget(name="T_w", unit="K", weight=3, value=1000)
    found = score("q_s = 597334.5 W/m^2", HEAT, other)
    assert [each.value for each in found.values()] == [0.25, 0.25, 0.25]
    assert "T_w: not stated" in found["outcome"].evidence
    assert values("q_s = 597334.5 W/m^2\nT_w = 1050", HEAT, other) == (
        pytest.approx(0.25 + 0.75 * 0.7),
        0.25,
        0.25,
    )


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        ("Phase: two-phase", True),
        ("**Phase:** saturated mixture (wet)", True),
        ("Phase: saturated liquid–vapor mixture (wet steam)", True),
        ("Phase: superheated (no wet steam)", False),
        ("The state is wet steam.", True),
        ("| Quantity | Value |\n|---|---|\n| T | 480 K |\n| Phase | wet steam |", True),
        ("Phase: superheated", False),
        ("Phase: two-phase\nOn reflection, phase: superheated", False),
        ("The state is not wet steam.", False),
        ("Candidates: liquid, two-phase, vapour", False),
        ("", False),
    ],
)
def test_labels(answer, right):
    assert values(answer, PHASE) == (right, right, None)


@pytest.mark.parametrize(
    ("answer", "right"),
    [
        (r"\boxed{B}", True),
        ("regime = free-molecular", True),
        ("Answer: A", False),
        ("A or B", False),
        ("**B.** The mean free path is long; (A) would need a denser gas.", True),
        ("(B) free molecular", True),
        ("A) No, too thin.\nB) Yes.", False),
        ("One might think it is free molecular, but the flow is continuum.", False),
        ("regime = B\n\n**Answer:** Kn = 20", True),
        ("The answer is therefore B, and A would need a denser gas.", True),
        ("Answer: A rise of temperature", False),
        ("Answer: A or B", False),
    ],
)
def test_choices(answer, right):
    assert values(answer, CHOICE) == (right, right, None)


@pytest.mark.parametrize(
    "answer",
    [
        '{"q_s": {"value": 59.73, "unit": "W/cm^2"}, "regime": "B"}',
        '{\n  // stagnation point, see "https://x"\n  "q_s": {"value": 59.73, "unit": "W/cm^2",},\n'
        '  "regime": "B", // free molecular\n}',
        '$\\frac{q}{2}$ {"Kn": 20}\n```json\n{"q_s": "597 kW/m²", /* by far */ "regime": "(B) free molecular"}\n```',
    ],
)
def test_an_object_is_read_as_models_write_it(answer):
    problem = Problem(id="p", family="f", benchmark="b", question="How?", targets=(HEAT, CHOICE))
    stated = attempt(answer).model_copy(update={"form": "json"})
    scores = asyncio.run(Outcome().score(ScoringContext(problem, stated)))
    assert [each.value for each in scores] == [1, 1, 1]
    assert {each["read"] for each in scores[0].details["targets"].values()} == {"form"}


@pytest.mark.parametrize(
    ("answer", "letter"),
    [
        ("Answer: -2 m/s²", "A"),
        ("Answer: 2 m/s^2", "B"),
        ("Answer: v/2^2", "v/2^2"),
        ("Answer: (C) v/2^2", "C"),
        ("Answer: not B", None),
        ("Take-off at 20 °C. Answer: 1.5 km (as 1500 m is)", "E"),
    ],
)
def test_options_are_read_without_a_look_at_the_key(answer, letter):
    options = {"A": "−2 m/s²", "B": "2 m/s²", "C": "v²/2", "D": "v/2²", "E": "1.5 km"}
    for key in options:
        found = score(answer, CHOICE.model_copy(update={"options": options, "value": key}))["outcome"]
        assert found.details["targets"]["regime"]["value"] == letter and found.value == (key == letter)


def test_what_cannot_be_compared_is_unscored_with_its_reason():
    keyless = HEAT.model_copy(update={"value": None})
    message = MessageTarget(name="why", weight=1, value="because")
    for targets, reason in [((HEAT, message), "why: a message"), ((keyless,), "q_s: no key")]:
        found = score("q_s = 1 W", *targets)
        assert all(each.value is None and reason in each.evidence for each in found.values())


@given(
    st.text() | st.text(alphabet="qV_s01.9^*/+-()[]{}\\inrtexp =e", max_size=80).map("q_s = a_max = ".__add__)
)
def test_no_answer_raises(answer):
    assert values(answer, HEAT, PHASE, CHOICE, LOAD)[0] is not None


@pytest.mark.parametrize(
    ("unit", "answer", "band"),
    [
        ("K", "LMTD = 34.8 °C", "exact"),
        ("°C", "LMTD = 62.64 °F", "exact"),
        ("°F", "LMTD = 19.3333 K", "exact"),
        ("K", "LMTD = 307.95 K", "wrong"),
    ],
)
def test_a_difference_of_temperatures_has_no_offset(unit, answer, band):
    target = {"name": "LMTD", "value": 34.8, "unit": unit}
    [problem] = problems([{"question": "How much?", "targets": [target]}])
    [verdict] = judge_answer(problem, answer)
    assert (verdict.band, verdict.unit) == (band, True)
