"""APBench's columns: the adaptive margin with its faults, the strict rule, and the likeness of answers in words."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansatz.agents.models import connect
from ansatz.errors import NoModelToAsk
from ansatz.eval.benchmarks.apbench.scoring import (
    FALLBACK,
    APBenchScore,
    Likeness,
    compute_margin,
    is_within_margin,
    judge_strict,
    measure_deviation,
    read_statements,
)
from ansatz.eval.judging import JudgeModel
from ansatz.eval.problem import ChoiceTarget, MessageTarget, NumberTarget, Problem, Tolerance
from ansatz.eval.score import ScoringContext, ask_through
from tests.fakes.behaviours import Answer
from tests.fakes.openai_server import OpenAIServer
from tests.fakes.transcripts import attempt


def number(value, unit="km/s", name="v", **more):
    return NumberTarget(name=name, unit=unit, weight=1.0, value=value, **more)


def problem(*targets):
    return Problem(id="p", family="p", benchmark="apbench", question="How fast?", targets=targets)


async def scored(asked, answer, scorer=None, **models):
    """The scores by dimension."""
    context = ScoringContext(asked, attempt(answer), **models)
    return {each.dimension: each for each in await (scorer or APBenchScore()).score(context)}


async def values(*arguments, **models):
    return [each.value for each in (await scored(*arguments, **models)).values()]


@pytest.mark.parametrize(
    ("key", "paper", "code"),
    [
        (1.0, 0.1, 0.1),
        (math.e, 0.11, 0.11),
        (7000.0, 0.18853665, 0.18853665),
        (7.0e6, 0.25761421, 0.25761421),  # the same length in metres
        (math.exp(-10.0), 0.0, 0.0),
        (math.exp(-11.0), FALLBACK, 0.01),  # the code takes the absolute value
        (math.exp(95.0), FALLBACK, 1.05),
    ],
)
def test_the_margin_is_the_papers_formula_and_the_codes(key, paper, code):
    assert compute_margin(key, "paper") == pytest.approx(paper, abs=1e-8)
    assert compute_margin(key, "code") == pytest.approx(code, abs=1e-8)


@pytest.mark.parametrize("key", [0.0, math.inf, math.nan])
def test_the_margin_is_undefined_at_zero(key):
    with pytest.raises(ValueError, match="undefined"):
        compute_margin(key, "code")
    assert not is_within_margin(0.0, math.exp(95), "code"), (
        "the code takes 0 for no answer, however wide the margin"
    )


KEYS = st.floats(min_value=1e-12, max_value=1e12).flatmap(lambda size: st.sampled_from([size, -size]))


@given(KEYS, st.floats(min_value=-0.999, max_value=3.0))
def test_an_answer_is_right_if_its_deviation_is_below_the_margin(key, deviation):
    stated = key * (1 + deviation)
    apart = abs(stated - key) / abs(key)
    for rule in ("paper", "code"):
        assert is_within_margin(stated, key, rule) == (stated == key or apart < compute_margin(key, rule))
        assert compute_margin(key, rule) == compute_margin(-key, rule) >= 0
        assert is_within_margin(key, key, rule) and not is_within_margin(0.0, key, rule)


TWO = (number(1.0, name="x"), number(2.0, name="y"))
CHOICE = (ChoiceTarget(name="answer", weight=1.0, value="B", options={"A": "left", "B": "right"}),)
SPEED, ZERO = (number(7.5),), (number(0.0),)


@pytest.mark.parametrize(
    ("asked", "answer", "right_published", "right_strict"),
    [
        (SPEED, "v = 7.51 km/s", 1, 1),
        (SPEED, "v = 8.2 km/s", 1, 0),  # 9 % off
        (SPEED, "v = 7500 m/s", 0, 1),  # the published rule reads no units
        (SPEED, "v = 7.5 m/s", 1, 0),
        (SPEED, "v = 7.5 kg", 1, 0),
        (SPEED, "v = 7.5", 1, 1),
        (SPEED, "v = 9 km/s, so v = 7.5 km/s", 1, 1),  # the last one counts
        (SPEED, "no idea", 0, 0),
        (ZERO, "v = 0 km/s", None, 1),
        # a question is right if all that it asks for is
        (TWO, "x = 1 km/s\ny = 2 km/s", 1, 1),
        (TWO, "x = 1 km/s\ny = 3 km/s", 0, 0),
        (TWO, "x = 1 km/s", 0, 0),
        (CHOICE, "Answer: B", 1, 1),
        (CHOICE, "Answer: A", 0, 0),
    ],
)
async def test_published_reads_bare_numbers_and_strict_reads_units(
    asked, answer, right_published, right_strict
):
    assert await values(problem(*asked), answer) == [right_published, right_strict, None, None]


def test_an_expected_zero_is_met_within_its_absolute_tolerance():
    near = problem(number(0.0, tolerance=Tolerance(relative=0.01, absolute=0.05)))
    assert judge_strict(near, "v = 0.04 km/s")[0].right and not judge_strict(near, "v = 0.06 km/s")[0].right


@pytest.mark.parametrize(
    ("answer", "read"),
    [("The answer is 7.5 km/s.", 7.5), ("a = 9000 km\nT = 2.36 h", 2.36), ("nothing", None)],
)
def test_numbers_without_symbols_are_read_from_the_end(answer, read):
    found = read_statements(problem(number(1.0, name="answer")), answer)["answer"]
    assert (found and found.value) == read


@pytest.mark.parametrize(
    ("value", "key", "unit", "apart"),
    [(370.0, 10.0, "deg", 360.0), (-179.5, 179.5, "deg", 1.0), (-179.5, 179.5, "km", 359.0)],
)
def test_angles_within_a_turn_are_compared_the_short_way_round(value, key, unit, apart):
    assert measure_deviation(value, key, unit) == pytest.approx(apart)


KEY = "The areal velocity is constant, so the satellite moves slowest at apogee and spends most time there."
SIMILAR = "By Kepler's second law the areal velocity is conserved: far away, at apogee, the motion is slow and takes most of the time."
ASKED = problem(MessageTarget(name="message", weight=1.0, value=KEY))


async def test_without_a_judge_the_embedding_stands_alone_and_says_so():
    similar, different = await scored(ASKED, SIMILAR), await scored(ASKED, "Bananas are rich in potassium.")
    assert similar["published"].value == 1.0 and different["published"].value == 0.0
    assert similar["message"].value > 0.6 > 0.3 > different["message"].value
    assert similar["published"].evidence.startswith("embedding alone, no judge: cosine 0.")
    assert similar["strict"].value is None
    assert (await scored(ASKED, KEY))["message"].value == pytest.approx(1.0, abs=1e-5)
    assert await values(ASKED, " ") == [0.0, None, 0.0, 0.0], "no answer is wrong"


@pytest.mark.parametrize(
    ("cosine", "rating", "value", "right"),
    [(0.7, 0.5, 0.6, False), (0.7, 0.6, 0.65, True), (0.1, 1.0, 0.55, False), (0.61, None, 0.61, True)],
)
def test_a_message_is_right_above_the_threshold(cosine, rating, value, right):
    likeness = Likeness(cosine, rating)
    assert likeness.value == pytest.approx(value)
    assert likeness.is_right is right


async def judged(*replies):
    """The scores that a judge's replies lead to, and the request that it was sent."""
    with OpenAIServer(replies) as server:
        settings = {"base_url": server.base_url, "max_tokens": 100}
        client = connect("openai:fake", settings)
        scorer = APBenchScore(judge=JudgeModel(name="openai:fake", settings=settings))
        scores = await scored(ASKED, SIMILAR, scorer, ask=ask_through({"openai:fake": client}))
        await client.aclose()
        return scores, server.requests[0].text


@pytest.mark.parametrize(
    ("reply", "rating"),
    [
        (Answer(calls=(("record_likeness", {"reason": "same", "likeness": 9}),)), 0.9),
        (Answer('Here: {"reason": "uses \\mu", "likeness": 4}'), 0.4),
        (Answer("10"), 1.0),
    ],
)
async def test_a_judges_rating_and_the_cosine_are_averaged(reply, rating):
    scores, sent = await judged(reply)
    assert scores["message"].value == pytest.approx(0.5 * (rating + scores["cosine"].value))
    assert "0.5 (judge" in scores["published"].evidence
    assert "ANSWER BEGINS" in sent and "areal velocity is conserved" in sent


async def test_an_unusable_judge_leaves_the_answer_unscored():
    scores, _ = await judged(Answer("I like it"), Answer("very much, 11 of 10"))
    assert [each.value for each in scores.values()][:3] == [None, None, None]
    assert "no likeness can be read" in scores["published"].evidence
    with pytest.raises(NoModelToAsk, match="openai:fake cannot be asked here"):
        await scored(ASKED, SIMILAR, APBenchScore(judge="openai:fake"))
