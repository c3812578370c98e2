"""Corrected differences: the published formula, coverage, and invariances."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ansatz.eval.statistics import clustered_mean
from ansatz.eval.statistics.prediction_powered import CalibratedDelta, Rated, calibrated_delta

NAN = math.nan


def study(seed, problems=60, labelled=20, size=1, bias=0.3):
    """Two arms, with human scores of the first `labelled` problems, and each problem's family."""
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
    """The published weight compares unlabelled with labelled, Ansatz's all with labelled: a factor of N/(N − n)."""
    treated, control, families = study(seed, problems=240, labelled=80)
    estimate, error, slope = by_published_formula(treated, control)
    found = calibrated_delta(treated, control, families, seed=0)
    assert found.tuning == pytest.approx(min(1, slope * 240 / 160), abs=1e-9)
    if found.tuning < 1:
        assert found.estimate == pytest.approx(estimate, abs=1e-9)
        # bootstrapped t is at least Student's
        assert min(found.estimate - found.low, found.high - found.estimate) >= 1.96 * error
        assert (found.high - found.low) / 2 == pytest.approx(2.05 * error, rel=0.1)


def test_identical_scores_still_have_an_interval():
    """All 60 answers, and all 8 labels, are right; another family may still differ."""
    right, known = np.ones(60), np.where(np.arange(60) < 8, 1.0, NAN)
    found = calibrated_delta(*[Rated(right, known)] * 2, list(range(60)), seed=0)
    assert found.low < -0.1 and found.high > 0.1 and found.bias_low < -0.1
    without_bounds = calibrated_delta(*[Rated(3 * right, 3 * known)] * 2, list(range(60)), seed=0)
    assert without_bounds.low is None and "no score differs" in without_bounds.reason


def test_a_useless_judge_does_not_widen_the_interval():
    """The intervals cover the true 0.5, and are as long as those of human scores alone."""
    covered, with_judge, human_only, studies, labelled = 0, 0.0, 0.0, 80, 8
    for seed in range(studies):
        treated, control, families = study(seed, labelled=labelled)
        noise = np.random.default_rng([1, seed]).normal(size=(2, 60))
        arms = [Rated(each, arm.human) for each, arm in zip(noise, (treated, control), strict=True)]
        found = calibrated_delta(*arms, families, seed=seed, resamples=400)
        differences = (treated.human - control.human)[:labelled, 0]
        alone = clustered_mean(differences, np.arange(labelled), seed=seed, resamples=400)
        covered += found.low <= 0.5 <= found.high
        with_judge += found.high - found.low
        human_only += alone.high - alone.low
    assert covered / studies >= 0.92
    assert with_judge <= 1.02 * human_only


def test_a_perfect_judge_replaces_missing_labels():
    treated, control, families = study(3, labelled=10)
    arms = [Rated(arm.judge, np.where(np.isfinite(arm.human), arm.judge, NAN)) for arm in (treated, control)]
    found = calibrated_delta(*arms, families, seed=0)
    assert found.tuning == pytest.approx(1)
    assert found.estimate == pytest.approx(found.judge, abs=1e-9)
    assert (found.bias, found.bias_low, found.within_judge_error) == (0, None, None)


@settings(max_examples=20)
@given(st.integers(0, 1000))
def test_the_reversed_comparison_is_the_negative(seed):
    treated, control, families = study(seed, size=2)
    there, back = (
        calibrated_delta(*arms, families, seed=1, resamples=200)
        for arms in ((treated, control), (control, treated))
    )
    assert (back.estimate, back.bias, back.tuning) == pytest.approx(
        (-there.estimate, -there.bias, there.tuning)
    )
    assert (back.low, back.high) == pytest.approx((-there.high, -there.low), abs=1e-9)


def test_repeats_are_averaged_and_bias_uses_the_same_answers():
    """One of two repeats has a human score, a point below the judge's; one problem has no judge's score."""
    level, nothing = np.arange(6.0), np.full(6, NAN)
    unjudged = np.where(level < 5, 1 + level, NAN)
    new = Rated(np.stack([3 + level, 1 + level], axis=1), np.stack([2 + level, nothing], axis=1))
    old = Rated(np.stack([unjudged, nothing], axis=1), np.stack([1 + level, nothing], axis=1))
    found = calibrated_delta(new, old, list(range(6)), seed=0)
    assert (found.judge, found.bias, found.labelled) == pytest.approx((1.0, 1.0, 10))
    assert (found.problems, found.dropped) == (5, 1)


def test_labels_need_not_be_paired():
    """Different problems are labelled in each arm; problems differ in difficulty."""
    rng = np.random.default_rng(8)
    level, half = rng.normal(size=300), np.arange(300) % 2 == 0
    human = level + 0.3 * rng.normal(size=(2, 300)) + np.array([[0.5], [0.0]])
    judge = human + np.array([[0.4], [0.0]]) + 0.2 * rng.normal(size=(2, 300))
    arms = [Rated(judge[0], np.where(half, human[0], NAN)), Rated(judge[1], np.where(~half, human[1], NAN))]
    found = calibrated_delta(*arms, list(range(300)), seed=0)
    assert found.low < human[0].mean() - human[1].mean() < found.high < found.judge
    assert found.high - found.low < 0.15  # human scores alone, unpaired, would give 0.45


@pytest.mark.parametrize(
    ("labelled", "reason"),
    [
        ((0, 0), "no answer of the treated arm"),
        ((5, 0), "no answer of the control arm"),
        ((2, 2), "one family"),
        ((2, 30), "one family"),
    ],
)
def test_too_few_labels_give_a_reason_and_no_interval(labelled, reason):
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
def test_a_difference_within_the_judges_error_is_marked(delta, low, high, within):
    assert CalibratedDelta(judge=delta, bias_low=low, bias_high=high).within_judge_error is within
