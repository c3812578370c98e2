"""Interim analyses: published boundaries, and the total error rate in simulated studies."""

import numpy as np
import pytest
from scipy.stats import norm

from ansatz.eval.statistics.multiplicity import adjust_familywise
from ansatz.eval.statistics.paired import clustered_mean
from ansatz.eval.statistics.sequential import boundaries, conditional_power, spent_alpha


@pytest.mark.parametrize(
    ("looks", "published"),
    [
        (5, [4.8769, 3.3569, 2.6803, 2.2898, 2.0310]),  # Lan and DeMets, O'Brien-Fleming type, two-sided 0.05
        (2, [2.9626, 1.9686]),
    ],
)
def test_boundaries_are_the_published_ones(looks, published):
    shares = [at / looks for at in range(1, looks + 1)]
    assert boundaries(shares) == pytest.approx(published, abs=6e-4)


@pytest.mark.parametrize("shares", [[1.0], [0.3, 0.35, 0.9, 1.0], [at / 10 for at in range(1, 11)]])
def test_all_interim_analyses_together_spend_alpha(shares):
    rng, bounds = np.random.default_rng(2), boundaries(shares)
    steps = rng.normal(0, np.sqrt(np.diff([0, *shares])), (400_000, len(shares)))
    z = np.abs(steps.cumsum(axis=1)) / np.sqrt(shares)
    assert (
        (z > bounds).any(axis=1).mean() == pytest.approx(spent_alpha(1.0), abs=0.0015) == pytest.approx(0.05)
    )


def test_conditional_power_is_that_of_simulated_studies():
    rng, z, t, final = np.random.default_rng(3), 1.2, 0.5, 2.0
    ends = z * t**0.5 + rng.normal(z / t**0.5 * (1 - t), (1 - t) ** 0.5, 200_000)
    assert conditional_power(z, t, final) == pytest.approx((ends > final).mean(), abs=0.004)


def test_ten_interim_analyses_have_at_most_5_percent_errors():
    """The p values are those of a run's interim analyses, adjusted for two arms.

    Most families have a difference of zero.
    """
    rng, studies, families, analyses = np.random.default_rng(12), 120, 60, 10
    bounds, false, peeking = boundaries([at / analyses for at in range(1, analyses + 1)]), 0, 0
    for number in range(studies):
        shape = (families, 2)
        drawn = rng.choice([-1.0, 1.0], shape) * (rng.random(shape) < 0.3)
        drawn *= rng.gamma(2.0, size=shape)
        z = []
        for analysis in range(1, analyses + 1):
            seen = families * analysis // analyses
            deltas = {
                arm: clustered_mean(drawn[:seen, arm], np.arange(seen), seed=0, resamples=2) for arm in (0, 1)
            }
            verdicts = adjust_familywise(deltas, seed=number % 5, flips=999).verdicts
            z.append(max((norm.isf(each.p_adjusted / 2) for each in verdicts.values()), default=0.0))
        false += any(np.array(z) > bounds)
        peeking += max(z) > norm.isf(0.025)
    assert false / studies <= 0.05 + 2 * (0.05 * 0.95 / studies) ** 0.5
    assert peeking / studies > 0.08  # interim analyses without a boundary exceed the error rate
