"""APBench's two columns: the adaptive margin with its faults, the strict rule, and answers in words."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansatz.eval.benchmarks.apbench.rules import FALLBACK, deviation, is_right, margin, readings, strict
from ansatz.eval.benchmarks.apbench.scoring import APBenchScore
from ansatz.eval.problem import ChoiceTarget, NumberTarget, Problem, Tolerance
from ansatz.eval.score import ScoringContext
from tests.fakes.transcripts import attempt

KEYS = st.floats(min_value=1e-12, max_value=1e12).flatmap(lambda size: st.sampled_from([size, -size]))


def number(value, unit="km/s", name="v", **more):
    return NumberTarget(name=name, unit=unit, weight=1.0, value=value, **more)


def problem(*targets):
    return Problem(id="p", family="p", benchmark="apbench", question="How fast?", targets=targets)


# The margin


@pytest.mark.parametrize(
    ("key", "paper", "code"),
    [
        (1.0, 0.1, 0.1),
        (-1.0, 0.1, 0.1),
        (math.e, 0.11, 0.11),
        (7000.0, 0.18853665, 0.18853665),
        (7.0e6, 0.25761421, 0.25761421),  # the same length in metres
        (math.exp(-9.0), 0.01, 0.01),
        (math.exp(-10.0), 0.0, 0.0),
        (
            math.exp(-11.0),
            FALLBACK,
            0.01,
        ),  # below zero the paper falls back; its code takes the absolute value
        (math.exp(-40.0), FALLBACK, 0.3),
        (math.exp(95.0), FALLBACK, 1.05),
    ],
)
def test_the_margin_is_the_papers_formula_and_the_codes(key, paper, code):
    assert margin(key, "paper") == pytest.approx(paper, abs=1e-8)
    assert margin(key, "code") == pytest.approx(code, abs=1e-8)


@pytest.mark.parametrize("key", [0.0, -0.0, math.inf, math.nan])
@pytest.mark.parametrize("rule", ["paper", "code"])
def test_the_margin_is_undefined_at_zero(key, rule):
    with pytest.raises(ValueError, match="undefined"):
        margin(key, rule)


@given(KEYS, st.floats(min_value=-0.999, max_value=3.0))
def test_an_answer_is_right_just_where_its_relative_deviation_is_below_the_margin(key, deviation):
    stated = key * (1 + deviation)
    apart = abs(stated - key) / abs(key)
    for rule in ("paper", "code"):
        assert is_right(stated, key, rule) == (stated == key or apart < margin(key, rule))
        assert margin(key, rule) == margin(-key, rule) >= 0
        assert is_right(key, key, rule) and not is_right(0.0, key, rule)


# Reading and the two columns


@pytest.mark.parametrize(
    ("answer", "right_published", "right_strict"),
    [
        ("v = 7.50 km/s", True, True),
        ("v = 7.51 km/s", True, True),
        ("v = 8.2 km/s", True, False),  # 9 % off
        ("v = 7500 m/s", False, True),  # the published rule reads no units
        ("v = 7.5 m/s", True, False),
        ("v = 7.5 kg", True, False),
        ("v = 7.5", True, True),
        ("v = -7.5 km/s", False, False),
        ("v = 9 km/s, so v = 7.5 km/s", True, True),  # the last one counts
        ("no idea", False, False),
        ("", False, False),
    ],
)
async def test_published_reads_bare_numbers_and_strict_reads_units(answer, right_published, right_strict):
    scores = {
        each.dimension: each
        for each in await APBenchScore().score(ScoringContext(problem(number(7.5)), attempt(answer)))
    }
    assert (scores["published"].value, scores["strict"].value) == (right_published, right_strict)
    assert scores["message"].value is None


TWO = (number(1.0, name="x"), number(2.0, name="y"))
CHOICE = (ChoiceTarget(name="answer", weight=1.0, value="B", options={"A": "left", "B": "right"}),)


@pytest.mark.parametrize(
    ("asked", "answer", "right"),
    [
        (TWO, "x = 1 km/s\ny = 2 km/s", 1.0),
        (TWO, "x = 1 km/s\ny = 3 km/s", 0.0),
        (TWO, "x = 1 km/s", 0.0),
        (CHOICE, "Answer: B", 1.0),
        (CHOICE, "Answer: A", 0.0),
    ],
)
async def test_a_question_is_right_if_all_that_it_asks_for_is(asked, answer, right):
    scores = await APBenchScore().score(ScoringContext(problem(*asked), attempt(answer)))
    assert [each.value for each in scores] == [right, right, None, None]


async def test_a_key_of_zero_has_no_published_verdict_and_a_strict_one():
    scores = await APBenchScore().score(ScoringContext(problem(number(0.0)), attempt("v = 0 km/s")))
    assert [each.value for each in scores] == [None, 1.0, None, None]
    assert "undefined for a key of 0" in scores[0].evidence
    near = problem(number(0.0, tolerance=Tolerance(relative=0.01, absolute=0.05)))
    assert strict(near, "v = 0.04 km/s")[0].right and not strict(near, "v = 0.06 km/s")[0].right


@pytest.mark.parametrize(
    ("answer", "read"),
    [
        ("The answer is 7.5 km/s.", {"answer": 7.5}),
        ("a = 9000 km\nT = 2.36 h", {"answer": 2.36}),
        ("nothing", {"answer": None}),
    ],
)
def test_numbers_without_symbols_are_read_from_the_end(answer, read):
    found = readings(problem(number(1.0, name="answer")), answer)
    assert {name: each and each.value for name, each in found.items()} == read


@pytest.mark.parametrize(
    ("value", "key", "unit", "apart"),
    [
        (370.0, 10.0, "deg", 360.0),
        (-179.5, 179.5, "deg", 1.0),
        (-179.5, 179.5, "km", 359.0),
        (10, -350, "deg", 0),
    ],
)
def test_angles_within_a_turn_are_compared_the_short_way_round(value, key, unit, apart):
    assert deviation(value, key, unit) == pytest.approx(apart)
