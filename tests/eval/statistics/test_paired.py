"""Paired differences: invariances, degenerate cases, and Holm's correction."""

import statistics

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from ansatz.eval.statistics import clustered_mean, holm, mean_and_sigma

DIFFERENCES = st.sampled_from([-1.0, -0.3, 0.0, 0.3, 1.0]) | st.floats(-1, 1).map(lambda x: round(x, 3))
PROBLEMS = st.lists(st.tuples(st.integers(0, 7), DIFFERENCES), max_size=20)


def delta(rows):
    """The mean of rows of (family, difference)."""
    families, differences = (
        (np.array(each) for each in zip(*rows, strict=True)) if rows else (np.zeros(0),) * 2
    )
    return clustered_mean(differences.astype(float), families, seed=0, resamples=200, ends=(-1.0, 1.0))


@settings(max_examples=60)
@given(PROBLEMS)
def test_the_reversed_comparison_is_the_negative(rows):
    there = delta(rows)
    back = delta([(family, -difference) for family, difference in rows])
    if there.estimate is None:
        assert back == there and there.pairs == 0
        return
    assert (back.estimate, back.p) == (-there.estimate, there.p)
    assert there.pairs == len(rows) and there.families == len(dict(rows))
    if there.low is not None:
        assert (back.low, back.high) == pytest.approx((-there.high, -there.low), abs=1e-12)


@settings(max_examples=60)
@given(PROBLEMS, st.randoms(use_true_random=False))
def test_order_and_names_do_not_matter(rows, random):
    shuffled = random.sample(rows, len(rows))
    first, second = delta(rows), delta([((family * 5 + 3) % 8, found) for family, found in shuffled])
    for field in ("estimate", "low", "high", "p"):
        assert getattr(first, field) == pytest.approx(getattr(second, field), abs=1e-12), field


def test_problems_of_a_family_do_not_count_as_independent():
    varied = [(index, 0.5 if index % 2 else -0.1) for index in range(12)]
    copied = [row for row in varied for _ in range(10)]
    one, ten = delta(varied), delta(copied)
    assert (ten.pairs, ten.families) == (120, 12)
    assert (ten.low, ten.high, ten.p) == pytest.approx((one.low, one.high, one.p))


def test_rounding_of_equal_scores_is_no_difference():
    thirds = sum([0.1] * 3) / 3  # one bit above 0.1
    assert thirds != 0.1
    found = delta([(family, thirds - 0.1) for family in range(12)])
    assert (found.estimate, found.error, found.p) == (0.0, 0.0, 1.0)


@pytest.mark.parametrize("families", [5, 30, 240])
def test_identical_families_have_an_interval(families):
    """The end is between the one-sided and the two-sided end of Jeffreys' interval for a share of zero."""
    found = delta([(index, 0.0) for index in range(families)])
    assert (found.estimate, found.p) == (0, 1)
    unseen = stats.beta(0.5, families + 1)
    assert unseen.ppf(0.95) < found.high < unseen.ppf(0.975)
    assert found.low == pytest.approx(-found.high, abs=1e-12)


def test_the_same_difference_everywhere_is_not_certain():
    found = delta([(index, 0.3) for index in range(30)])
    assert 0 < found.low < 0.3 - 0.01 and 0.3 + 0.01 < found.high < 0.4
    assert found.p == pytest.approx(1e-4)


def test_intervals_are_cut_at_the_possible_range_only():
    """Every level scales the uncut sides, so a cut at one level does not shorten another.

    Families of unequal size have no other bound.
    """
    values, families = np.array([1.0, 1.0, -0.5, -0.5]), np.array([0, 1, 2, 2])
    free = clustered_mean(values, families, seed=0)
    for end in (1.0, 2.0):  # the limit of a difference, and of an interaction of two
        held = clustered_mean(values, families, seed=0, ends=(-end, end))
        assert (held.low, held.high) == (max(-end, free.low), min(end, free.high))
        for level in (0.5, 0.9, 0.99):
            low, high = free.ends_at(level)
            assert held.ends_at(level) == (max(-end, low), min(end, high))


def test_one_family_has_an_estimate_without_interval():
    found = delta([(0, 0.5), (0, 0.0)])
    assert (found.estimate, found.low, found.high, found.p, found.families) == (0.25, None, None, None, 1)


def test_holm_multiplies_by_the_remaining_hypotheses():
    # Worked by hand: 4 x 0.005, 3 x 0.01, 2 x 0.03, and 0.04 raised to the value before it.
    corrected = holm({"a": 0.01, "b": 0.04, "c": 0.03, "d": 0.005})
    assert corrected == pytest.approx({"a": 0.03, "b": 0.06, "c": 0.06, "d": 0.02})


def test_sigma_is_that_of_a_sample():
    assert mean_and_sigma([0.2, 0.5, 0.9]) == pytest.approx((1.6 / 3, statistics.stdev([0.2, 0.5, 0.9])))
    assert mean_and_sigma([0.2]) == (0.2, None)


@pytest.mark.parametrize(("size", "level"), [(1, 0.95), (1, 0.99), (3, 0.95)])
def test_an_interval_is_cut_at_the_exact_bound(size, level):
    """3 of 60 families gained and none lost: Clopper and Pearson's limits of both shares, from SciPy."""
    values = np.repeat(np.r_[np.ones(3), np.zeros(57)], size)
    found = clustered_mean(values, np.repeat(np.arange(60), size), seed=0, level=level, ends=(-1.0, 1.0))
    shares = [stats.binomtest(count, 60).proportion_ci(level, method="exact") for count in (3, 0)]
    gained, lost = (share.high for share in shares)
    assert found.high == pytest.approx(gained) and -lost <= found.low <= 0 < found.estimate < found.high


def test_the_exact_bound_needs_equal_families():
    """A family of two among families of one: the share of families does not bound the mean over problems."""
    values = np.r_[np.ones(3), np.zeros(57), 0.0]
    found = clustered_mean(values, np.r_[np.arange(60), 59], seed=0, ends=(-1.0, 1.0))
    assert found.high > stats.binomtest(3, 60).proportion_ci(method="exact").high
