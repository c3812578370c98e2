"""Interim analyses: published boundaries, and the total error rate in simulated studies."""

import numpy as np
import pytest
from scipy.stats import norm

from ansatz.eval.statistics.multiplicity import adjust_familywise
from ansatz.eval.statistics.paired import clustered_mean
from ansatz.eval.statistics.sequential import boundaries, giving_up_levels, least_p, spent_alpha, spent_beta

FIFTHS = (0.2, 0.4, 0.6, 0.8, 1.0)


@pytest.mark.parametrize(
    ("looks", "published"),
    [
        (5, [4.8769, 3.3569, 2.6803, 2.2898, 2.0310]),  # Lan and DeMets, O'Brien-Fleming type, two-sided 0.05
        (2, [2.9626, 1.9686]),
    ],
)
def test_boundaries_are_the_published_ones(looks, published):
    shares = tuple(at / looks for at in range(1, looks + 1))
    assert boundaries(shares) == pytest.approx(published, abs=6e-4)


def simulated_z(shares, shape, seed):
    steps = np.random.default_rng(seed).normal(0, np.sqrt(np.diff([0, *shares])), (*shape, len(shares)))
    return steps.cumsum(axis=-1) / np.sqrt(shares)


@pytest.mark.parametrize("shares", [(1.0,), (0.3, 0.302, 0.9, 1.0), tuple(at / 10 for at in range(1, 11))])
def test_all_interim_analyses_together_spend_alpha(shares):
    z = np.abs(simulated_z(shares, (400_000,), 2))
    crossed = (z > boundaries(shares)).any(axis=1).mean()
    assert crossed == pytest.approx(spent_alpha(1.0), abs=0.0015) == pytest.approx(0.05)


@pytest.mark.parametrize("arms", [1, 8])
def test_arms_and_analyses_together_spend_alpha(arms):
    """The z of adjusted p is that of the largest |z| of independent arms."""
    z = np.abs(simulated_z(FIFTHS, (100_000, arms), 4)).max(axis=1)
    adjusted = -norm.ppf((1 - (1 - 2 * norm.sf(z)) ** arms) / 2)
    crossed = (adjusted > boundaries(FIFTHS, comparisons=arms)).any(axis=1).mean()
    assert crossed == pytest.approx(0.05, abs=0.002)


def test_a_boundary_that_no_p_can_pass_is_infinite():
    """Its share of alpha goes to the next analysis."""
    least = tuple(least_p(families, 50_000) for families in (4, 8, 12, 16, 20))
    found = boundaries(FIFTHS, 0.05, least)
    assert np.isinf(found[:2]).all() and np.isfinite(found[2:]).all()
    assert found[2] < boundaries(FIFTHS)[2]
    assert all(2 * norm.sf(z) >= p for z, p in zip(found[2:], least[2:], strict=True))


def test_giving_up_costs_the_named_share_of_power():
    """An arm with the named difference is given up where the upper end of the interval is below it."""
    z = simulated_z(FIFTHS, (400_000,), 5)
    ends = z + norm.ppf((1 + np.array(giving_up_levels(FIFTHS))) / 2)
    given_up = [(ends[:, : at + 1] < 0).any(axis=1).mean() for at in range(5)]
    assert given_up == pytest.approx([spent_beta(share) for share in FIFTHS], abs=0.002)
    assert given_up[-1] == pytest.approx(0.2, abs=0.002)


@pytest.mark.slow
def test_ten_interim_analyses_have_at_most_5_percent_errors():
    """The p values are those of a run's interim analyses, adjusted for two arms.

    Most families have a difference of zero.
    """
    rng, studies, families, analyses = np.random.default_rng(12), 120, 60, 10
    shares = tuple(at / analyses for at in range(1, analyses + 1))
    bounds, false, peeking = boundaries(shares, comparisons=2), 0, 0
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
