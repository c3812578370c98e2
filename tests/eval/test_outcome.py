"""The scorer `outcome`: bands, weights, units, and targets that it does not score."""

import asyncio
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansatz.agents.identity import identity
from ansatz.eval.bands import find_band
from ansatz.eval.outcome import Outcome, is_answer_right, judge_answer
from ansatz.eval.problem import (
    ChoiceTarget,
    Given,
    LabelTarget,
    MessageTarget,
    NumberTarget,
    Problem,
    SymbolicTarget,
    Tolerance,
)
from ansatz.eval.problem_files import problems
from ansatz.eval.score import ScoringContext
from tests.fakes.transcripts import attempt

HEAT = NumberTarget(name="q_s", unit="W/m^2", weight=1, value=597334.5, description="stagnation heat flux")
PRESSURE = NumberTarget(name="dynamic pressure", unit="Pa", weight=1, value=6000)
TEMPERATURE = NumberTarget(name="T", unit="K", weight=1, value=300)
ETA = NumberTarget(name="eta", unit="-", weight=1, value=0.38)
SHIFT = NumberTarget(name="dx", unit="m", weight=1, value=0)
PHASE = LabelTarget(name="phase", weight=1, value="two-phase", accepted=("saturated mixture", "wet steam"))
CHOICE = ChoiceTarget(name="regime", weight=1, value="B", options={"A": "continuum", "B": "free molecular"})
LOAD = SymbolicTarget(name="a_max", weight=1, value="V_E**2/(2*exp(1))", symbols=("V_E",))
FREE_STREAM = Given(name="T_inf", value=300, unit="K", description="free-stream temperature")


def score(answer, *targets, question="Report your answers as:\nq_s = ___ W/m^2", **attempted):
    givens = [FREE_STREAM]
    problem = Problem(id="p", family="f", benchmark="b", question=question, targets=targets, givens=givens)
    made = attempt(answer).model_copy(update=attempted)
    scores = asyncio.run(Outcome().score(ScoringContext(problem, made)))
    assert tuple(each.dimension for each in scores) == tuple(each.name for each in Outcome().dimensions)
    return {each.dimension: each for each in scores}


def values(answer, *targets, **changes):
    """Return credit, share of exact values, and share of right units."""
    scores = score(answer, *targets, **changes)
    return tuple(scores[name].value for name in ("outcome", "exact", "units"))


@pytest.mark.parametrize(
    ("answer", "target", "expected"),
    [
        ("q_s = 597334.5 W/m^2", HEAT, (1, 1, 1)),
        (r"\boxed{\dot q_s = 59.73\,\mathrm{W/cm^2}}", HEAT, (1, 1, 1)),
        ("**Answer: 597 kW/m²**", HEAT, (1, 1, 1)),
        ("q_s = 597334.5", HEAT, (1, 1, 0)),
        ("q_s = 597334.5 florins", HEAT, (1, 1, 0)),
        ("q_s = 597334.5 W/m", HEAT, (0, 0, 0)),
        ("q_s = 620000 W/m^2", HEAT, (0.7, 0, 1)),
        ("q_s = 597.3345 W/m^2", HEAT, (0, 0, 1)),
        ("q_s = 1 W/m^2, corrected: q_s = 597334.5 W/m^2", HEAT, (1, 1, 1)),
        ("q_s = 597334.5 W/m^2, corrected: q_s = 1 W/m^2", HEAT, (0, 0, 1)),
        ("q_t = 597334.5 W/m^2", HEAT, (0, 0, 0)),
        ("", HEAT, (0, 0, 0)),
        ("T = 26.85 °C", TEMPERATURE, (1, 1, 1)),
        ("eta = 0.38", ETA, (1, 1, 1)),
        ("eta = 38 %", ETA, (1, 1, 1)),
        ("eta = 0.38 K", ETA, (1, 1, 0)),
        ("dx = 20 cm", SHIFT, (0.3, 0, 1)),  # zero has no relative error: 0.2 in the target's unit
    ],
)
def test_one_number(answer, target, expected):
    assert values(answer, target) == expected


@pytest.mark.parametrize(
    "answer", ["q_s = 597334", "q_s = 597,334.5 ", r"\boxed{5973", "<think>q_s = 597334.5 W/m^2</think>"]
)
def test_truncated_numbers_and_reasoning_are_not_stated(answer):
    for text, credit in ((answer, 0), (f"q_s = 597 kW/m^2\n\nCheck: {answer}", 1)):
        assert values(text, HEAT, stop="truncated")[0] == credit


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
def test_a_free_answer_may_use_other_symbols_if_it_is_clear(answer, targets, right):
    assert (values(answer, *targets, question="How much?")[0] == 1) is right
    assert values(answer, *targets)[0] < 1 or "dynamic" in answer


def test_blanks_fix_the_form_of_an_answer():
    fixed = Problem(id="p", family="f", benchmark="b", question="q = ___ Pa", targets=[PRESSURE])
    assert fixed.has_blanks and not fixed.model_copy(update={"question": "How much?"}).has_blanks
    assert "has_blanks" not in fixed.model_dump()  # so it does not change the identity of a problem


@pytest.mark.parametrize(
    ("error", "credit"),
    [(0, 1), (0.0099, 1), (0.01, 0.7), (0.0999, 0.7), (0.1, 0.3), (0.4999, 0.3), (0.5, 0), (9, 0)],
)
def test_band_edges(error, credit):
    assert find_band(error)[0] == credit


@pytest.mark.parametrize(
    ("stated", "band", "earned"),
    [(300, "exact", 1), (305, "exact", 1), (310, "within 5 %", 0.5), (320, "wrong", 0)],
)
def test_bands_are_a_setting_with_a_legend(stated, band, earned):
    scorer = Outcome(bands={0.02: 100, 0.05: 50})
    problem = Problem(id="p", family="f", benchmark="b", question="T?", targets=[TEMPERATURE])
    _, graded, _ = asyncio.run(scorer.score(ScoringContext(problem, attempt(f"T = {stated} K"))))
    assert (graded.value, graded.details["targets"]["T"]["band"]) == (earned, band)
    assert scorer.dimensions[1].summary.endswith("tolerance (2 % if none is set), 50 within 5 %")
    assert identity(scorer) != identity(Outcome()) == identity(Outcome(bands={0.01: 100, 0.5: 30, 0.1: 70}))


@pytest.mark.parametrize(
    ("bands", "message"),
    [
        ({}, "must have at least one band"),
        ({0: 100}, "a relative error must be above 0, not 0"),
        ({0.01: 90, 0.1: 70}, "the first band must earn 100 points, not 90"),
        ({0.01: 100, 0.1: 100}, "within 0.1, points must be between 0 and 100, not 100"),
    ],
)
def test_bands_that_cannot_be_are_refused(bands, message):
    with pytest.raises(ValueError, match=message):
        Outcome(bands=bands)


def test_the_share_within_tolerance_leads():
    assert [each.name for each in Outcome().dimensions] == ["exact", "outcome", "units"]


@pytest.mark.parametrize(
    ("tolerance", "answer", "expected"),
    [
        # 300 K: 1 % is 3 K, 10 % is 30 K, 50 % is 150 K
        ({"relative": 0.05}, "T = 315 K", (1, 1)),
        ({"relative": 0.05}, "T = 41.85 °C", (1, 1)),
        ({"relative": 0.05}, "T = 316 K", (0.7, 0)),
        ({"relative": 0.2}, "T = 355 K", (1, 1)),
        ({"relative": 0.2}, "T = 365 K", (0.3, 0)),
        ({"relative": 0.001}, "T = 301 K", (0.7, 0)),
        ({"relative": 0, "absolute": 0.5}, "T = 300.5 K", (1, 1)),
        ({"relative": 0, "absolute": 0.5}, "T = 301 K", (0.7, 0)),
        ({"relative": 0.001, "absolute": 20}, "T = 320 K", (1, 1)),
        ({"relative": 0.9}, "T = 300 kg", (0, 0)),
    ],
)
def test_tolerance_replaces_the_first_band(tolerance, answer, expected):
    target = TEMPERATURE.model_copy(update={"tolerance": Tolerance(**tolerance)})
    assert values(answer, target)[:2] == expected
    [problem] = problems([{"question": "T?", "targets": [target.model_dump()]}])
    assert is_answer_right(problem, answer) is bool(expected[1])


def test_tolerance_of_an_expected_zero_is_absolute():
    target = SHIFT.model_copy(update={"tolerance": Tolerance(relative=0, absolute=0.2)})
    assert values("dx = 20 cm", target) == (1, 1, 1)


def test_right_without_a_tolerance_is_below_ten_percent():
    [problem] = problems([{"question": "T?", "targets": [TEMPERATURE.model_dump()]}])
    assert [is_answer_right(problem, f"T = {value} K") for value in (329, 331)] == [True, False]


def test_published_rule_of_a_benchmark_does_not_count():
    rule = Tolerance(relative=0.5, absolute=1000)
    assert values("T = 320 K", TEMPERATURE.model_copy(update={"published_tolerance": rule}))[0] == 0.7


def test_targets_are_weighted_and_a_missing_one_is_wrong():
    other = NumberTarget(name="T_w", unit="K", weight=3, value=1000)
    assert values("q_s = 597334.5 W/m^2", HEAT, other) == (0.25, 0.25, 0.25)
    assert "T_w: not stated" in score("q_s = 597334.5 W/m^2", HEAT, other)["outcome"].evidence
    assert values("q_s = 597334.5 W/m^2\nT_w = 1050", HEAT, other) == (pytest.approx(0.775), 0.25, 0.25)


@pytest.mark.parametrize(
    ("answer", "target", "right"),
    [
        ("Phase: two-phase", PHASE, True),
        ("**Phase:** saturated mixture (wet)", PHASE, True),
        ("Phase: saturated liquid–vapor mixture (wet steam)", PHASE, True),
        ("Phase: superheated (no wet steam)", PHASE, False),
        ("The state is wet steam.", PHASE, True),
        ("| Quantity | Value |\n|---|---|\n| T | 480 K |\n| Phase | wet steam |", PHASE, True),
        ("Phase: two-phase\nOn reflection, phase: superheated", PHASE, False),
        ("The state is not wet steam.", PHASE, False),
        ("Candidates: liquid, two-phase, vapour", PHASE, False),
        (r"\boxed{B}", CHOICE, True),
        ("regime = free-molecular", CHOICE, True),
        ("A or B", CHOICE, False),
        ("**B.** The mean free path is long; (A) would need a denser gas.", CHOICE, True),
        ("(B) free molecular", CHOICE, True),
        ("A) No, too thin.\nB) Yes.", CHOICE, False),
        ("One might think it is free molecular, but the flow is continuum.", CHOICE, False),
        ("regime = B\n\n**Answer:** Kn = 20", CHOICE, True),
        ("The answer is therefore B, and A would need a denser gas.", CHOICE, True),
        ("Answer: A rise of temperature", CHOICE, False),
        ("Answer: A or B", CHOICE, False),
    ],
)
def test_labels_and_choices(answer, target, right):
    assert values(answer, target) == (right, right, None)


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
    scores = score(answer, HEAT, CHOICE, form="json")
    assert [each.value for each in scores.values()] == [1, 1, 1]
    assert {each["read"] for each in scores["outcome"].details["targets"].values()} == {"form"}


def test_details_show_what_each_target_earned():
    details = score("q_s = 59.73 W/cm^2", HEAT, PHASE)["outcome"].details
    assert json.loads(json.dumps(details)) == details
    assert details["targets"]["q_s"] == {
        **{"value": 59.73, "unit": "W/cm^2", "band": "exact", "unit_ok": True, "credit": 1.0, "exact": True},
        **{"weight": 1.0, "read": "text", "at": [6, 11]},
    }
    unstated = details["targets"]["phase"]
    assert (unstated["value"], unstated["unit"], unstated["band"]) == (None, None, "wrong")


@pytest.mark.parametrize(
    ("answer", "marked"),
    [
        ("q_s = 100 + 100 = 200 kW/m^2", "200"),
        ("First q_s = 200 kW/m^2 is tried.\n\nThen **q_s = 200 kW/m^2**", "200"),
        ("So \\(q_s \\approx \\mathbf{2.00\\times10^{2}}\\) kW/m^2", "2.00"),
        ("🚀 q_s = 2.0e2 kW/m^2", "2.0e2"),
        ("| q_s | 200 kW/m^2 |", "200"),
        ("At 1,200,000 Pa and 200 K, q_s = 200,000 W/m^2", "200,000"),
        ("x = 0,25, q_s = 0,2 MW/m^2", "0,2"),
        ("<think>q_s = 300?</think>q_s = 200 kW/m^2", None),  # only a part of it is read
        ("x₂ = 1, q_s = 2 MW/m^2", None),  # the plain text has more digits than the answer
        ("q_s = \\frac{400}{2} = 200 kW/m^2, from 400/2", "200"),
    ],
)
def test_a_value_is_found_where_it_was_written(answer, marked):
    """The last of equal numbers counts. Offsets are those of the answer with markup and rare characters."""
    at = score(answer, HEAT)["outcome"].details["targets"]["q_s"]["at"]
    assert (at and answer[slice(*at)]) == marked
    if marked:
        assert at[0] == answer.rfind(marked.removesuffix("e2")) or "from 400" in answer


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
def test_options_are_read_without_the_right_answer(answer, letter):
    options = {"A": "−2 m/s²", "B": "2 m/s²", "C": "v²/2", "D": "v/2²", "E": "1.5 km"}
    for key in options:
        found = score(answer, CHOICE.model_copy(update={"options": options, "value": key}))["outcome"]
        assert found.details["targets"]["regime"]["value"] == letter and found.value == (key == letter)


def test_targets_without_a_comparison_are_unscored_with_a_reason():
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
