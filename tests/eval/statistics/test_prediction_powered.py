"""Corrected differences: against the published formula, and what they must not depend on."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ansatz.eval.statistics import clustered_mean
from ansatz.eval.statistics.prediction_powered import CalibratedDelta, Rated, calibrated_delta

NAN = math.nan


def study(seed, problems=60, labelled=20, size=1, bias=0.3):
    """Two arms, the first `labelled` problems scored by people, and each problem's family."""
    rng = np.random.default_rng(seed)
    human = rng.normal(size=(2, problems)) + rng.normal(size=problems) + np.array([[0.5], [0.0]])
    judge = human + 0.5 * rng.normal(size=(2, problems)) + np.array([[bias], [0.0]])
    known = np.where(np.arange(problems) < labelled, human, NAN)
    arms = [Rated(scores, labels) for scores, labels in zip(judge, known, strict=True)]
    return *arms, [f"f{row // size}" for row in range(problems)]


def by_published_formula(treated, control):
    """PPI++ for a mean, from paired differences: Angelopoulos, Duchi and Zrnic 2023, section 6 and eq. for λ."""
    judge, human = (treated.judge - control.judge)[:, 0], (treated.human - control.human)[:, 0]
    has = np.isfinite(human)
    f, unlabelled, y = judge[has], judge[~has], human[has]
    n, rest = len(y), len(unlabelled)
    slope = (np.cov(y, f)[0, 1] / n) / (np.var(f, ddof=1) / n + np.var(unlabelled, ddof=1) / rest)
    error = math.sqrt(np.var(y - slope * f, ddof=1) / n + slope**2 * np.var(unlabelled, ddof=1) / rest)
    return y.mean() + slope * (unlabelled.mean() - f.mean()), error, slope


@pytest.mark.parametrize("seed", range(3))
def test_the_estimate_is_that_of_power_tuned_inference(seed):
    """The published weight is on unlabelled against labelled, ours on all against labelled: N/(N − n) apart."""
    treated, control, families = study(seed, problems=240, labelled=80)
    estimate, error, slope = by_published_formula(treated, control)
    found = calibrated_delta(treated, control, families, seed=0)
    assert found.tuning == pytest.approx(min(1, slope * 240 / 160), abs=1e-9)
    if found.tuning < 1:
        assert found.estimate == pytest.approx(estimate, abs=1e-9)
        # bootstrapped t is at least Student's
        assert min(found.estimate - found.low, found.high - found.estimate) >= 1.96 * error
        assert (found.high - found.low) / 2 == pytest.approx(2.05 * error, rel=0.1)


def test_nothing_that_varies_is_no_certainty():
    """People and judge find every answer right, of 60 and of 8 labelled: the next family may differ."""
    right, known = np.ones(60), np.where(np.arange(60) < 8, 1.0, NAN)
    found = calibrated_delta(*[Rated(right, known)] * 2, list(range(60)), seed=0)
    assert found.low < -0.1 and found.high > 0.1 and found.bias_low < -0.1
    without_bounds = calibrated_delta(*[Rated(3 * right, 3 * known)] * 2, list(range(60)), seed=0)
    assert without_bounds.low is None and "no score differs" in without_bounds.reason


def test_a_useless_judge_leaves_people_their_interval():
    """Coverage of 0.5, and the length beside that of people's own differences, paired."""
    held, ours, theirs, studies, labelled = 0, 0.0, 0.0, 80, 8
    for seed in range(studies):
        treated, control, families = study(seed, labelled=labelled)
        noise = np.random.default_rng([1, seed]).normal(size=(2, 60))
        arms = [Rated(each, arm.human) for each, arm in zip(noise, (treated, control), strict=True)]
        found = calibrated_delta(*arms, families, seed=seed, resamples=400)
        people = (treated.human - control.human)[:labelled, 0]
        alone = clustered_mean(people, np.arange(labelled), seed=seed, resamples=400)
        held += found.low <= 0.5 <= found.high
        ours += found.high - found.low
        theirs += alone.high - alone.low
    assert held / studies >= 0.92
    assert ours <= 1.02 * theirs


def test_a_perfect_judge_adds_what_people_did_not_score():
    treated, control, families = study(3, labelled=10)
    arms = [Rated(arm.judge, np.where(np.isfinite(arm.human), arm.judge, NAN)) for arm in (treated, control)]
    found = calibrated_delta(*arms, families, seed=0)
    assert found.tuning == pytest.approx(1)
    assert found.estimate == pytest.approx(found.judge, abs=1e-9)
    assert (found.bias, found.bias_low, found.within_judge_error) == (0, None, None)


@settings(max_examples=20)
@given(st.integers(0, 1000))
def test_the_other_way_round_is_the_negative(seed):
    treated, control, families = study(seed, size=2)
    there, back = (
        calibrated_delta(*arms, families, seed=1, resamples=200)
        for arms in ((treated, control), (control, treated))
    )
    assert (back.estimate, back.bias, back.tuning) == pytest.approx(
        (-there.estimate, -there.bias, there.tuning)
    )
    assert (back.low, back.high) == pytest.approx((-there.high, -there.low), abs=1e-9)


def test_repeats_are_averaged_and_the_judge_is_held_against_people_on_the_same_answer():
    """People scored one of two repeats, on which the judge is a point too high; one problem has no judge."""
    level, nothing = np.arange(6.0), np.full(6, NAN)
    unjudged = np.where(level < 5, 1 + level, NAN)
    new = Rated(np.stack([3 + level, 1 + level], axis=1), np.stack([2 + level, nothing], axis=1))
    old = Rated(np.stack([unjudged, nothing], axis=1), np.stack([1 + level, nothing], axis=1))
    found = calibrated_delta(new, old, list(range(6)), seed=0)
    assert (found.judge, found.bias, found.labelled) == pytest.approx((1.0, 1.0, 10))
    assert (found.problems, found.dropped) == (5, 1)


def test_labels_need_not_come_in_pairs():
    """People score other problems in one arm than in the other, over a level that problems share."""
    rng = np.random.default_rng(8)
    level, half = rng.normal(size=300), np.arange(300) % 2 == 0
    human = level + 0.3 * rng.normal(size=(2, 300)) + np.array([[0.5], [0.0]])
    judge = human + np.array([[0.4], [0.0]]) + 0.2 * rng.normal(size=(2, 300))
    arms = [Rated(judge[0], np.where(half, human[0], NAN)), Rated(judge[1], np.where(~half, human[1], NAN))]
    found = calibrated_delta(*arms, list(range(300)), seed=0)
    assert found.low < human[0].mean() - human[1].mean() < found.high < found.judge
    assert found.high - found.low < 0.15  # people alone, unpaired, would leave 0.45


@pytest.mark.parametrize(
    ("labelled", "reason"),
    [
        ((0, 0), "no answer of the treated arm"),
        ((5, 0), "no answer of the control arm"),
        ((2, 2), "one family"),
        ((2, 30), "one family"),
    ],
)
def test_too_few_labels_leave_no_interval_and_say_why(labelled, reason):
    treated, control, families = study(10, size=2)
    arms = [
        Rated(arm.judge, np.where(np.arange(60)[:, None] < count, arm.human, NAN))
        for arm, count in zip((treated, control), labelled, strict=True)
    ]
    found = calibrated_delta(*arms, families, seed=0)
    assert reason in found.reason
    assert found.low is None and found.within_judge_error is None
    assert found.judge == pytest.approx(float((treated.judge - control.judge).mean()))


@pytest.mark.parametrize(
    ("delta", "low", "high", "within"),
    [(0.05, -0.02, 0.1, True), (0.2, -0.02, 0.1, False), (-0.05, -0.08, 0.0, True)],
)
def test_a_difference_within_the_judges_own_error_is_called_so(delta, low, high, within):
    assert CalibratedDelta(judge=delta, bias_low=low, bias_high=high).within_judge_error is within
