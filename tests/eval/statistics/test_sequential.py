"""Looks before the end spend no more than 5 %, against published boundaries and in simulated studies."""

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
def test_over_all_looks_the_chance_of_a_false_finding_is_what_is_spent(shares):
    rng, bounds = np.random.default_rng(2), boundaries(shares)
    steps = rng.normal(0, np.sqrt(np.diff([0, *shares])), (400_000, len(shares)))
    z = np.abs(steps.cumsum(axis=1)) / np.sqrt(shares)
    assert (
        (z > bounds).any(axis=1).mean() == pytest.approx(spent_alpha(1.0), abs=0.0015) == pytest.approx(0.05)
    )


def test_conditional_power_is_the_share_of_studies_that_get_there():
    rng, z, t, final = np.random.default_rng(3), 1.2, 0.5, 2.0
    ends = z * t**0.5 + rng.normal(z / t**0.5 * (1 - t), (1 - t) ** 0.5, 200_000)
    assert conditional_power(z, t, final) == pytest.approx((ends > final).mean(), abs=0.004)


def test_ten_looks_at_studies_without_effect_find_one_in_at_most_one_of_twenty():
    """By the p values that a run's looks use, of two arms judged together; 0.05 and what luck adds to it.

    Most families are ties.
    """
    rng, studies, families, looks = np.random.default_rng(12), 120, 60, 10
    bounds, false, peeking = boundaries([at / looks for at in range(1, looks + 1)]), 0, 0
    for number in range(studies):
        shape = (families, 2)
        drawn = rng.choice([-1.0, 1.0], shape) * (rng.random(shape) < 0.3)
        drawn *= rng.gamma(2.0, size=shape)
        z = []
        for look in range(1, looks + 1):
            held = families * look // looks
            deltas = {
                arm: clustered_mean(drawn[:held, arm], np.arange(held), seed=0, resamples=2) for arm in (0, 1)
            }
            verdicts = adjust_familywise(deltas, seed=number % 5, flips=999).verdicts
            z.append(max((norm.isf(each.p_adjusted / 2) for each in verdicts.values()), default=0.0))
        false += any(np.array(z) > bounds)
        peeking += max(z) > norm.isf(0.025)
    assert false / studies <= 0.05 + 2 * (0.05 * 0.95 / studies) ** 0.5
    assert peeking / studies > 0.08  # looking without a rule finds more than it should
