"""Runs: mean ± σ, the weighted composite and Welch's test, against scipy and the definitions."""

import math
import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from ansatz.eval.statistics import mean_and_sigma, weighted_mean
from ansatz.eval.welch import welch

SHARES = st.floats(0, 1).map(lambda value: round(value, 4))
RUNS = st.lists(SHARES, min_size=2, max_size=6)
FIELDS = ("difference", "t", "degrees", "p", "low", "high")


@given(st.lists(SHARES, min_size=1, max_size=8))
def test_sigma_is_that_of_a_sample(runs):
    mean, sigma = mean_and_sigma(runs)
    assert mean == pytest.approx(statistics.fmean(runs), abs=1e-12)
    assert sigma == (pytest.approx(statistics.stdev(runs), abs=1e-12) if len(runs) > 1 else None)


def test_the_composite_of_the_published_leader_is_the_published_one():
    """Table 2 of the paper: 96.4, 92.1 and 93.6 % over 110, 101 and 82 questions make 94.1 %."""
    assert weighted_mean([96.4, 92.1, 93.6], [110, 101, 82]) == pytest.approx(94.1, abs=0.05)
    assert weighted_mean([85.2, 76.2, 52.7], [110, 101, 82]) == pytest.approx(73.0, abs=0.05)


@given(st.lists(st.tuples(SHARES, st.integers(1, 200)), min_size=1, max_size=6))
def test_a_weighted_mean_is_the_mean_of_as_many_copies(parts):
    copies = [value for value, weight in parts for _ in range(weight)]
    assert weighted_mean(*zip(*parts, strict=True)) == pytest.approx(statistics.fmean(copies), abs=1e-12)


@given(RUNS, RUNS, st.sampled_from([0.8, 0.95, 0.99]))
def test_welch_agrees_with_scipy(first, second, level):
    found = welch(first, second, level)
    if min(statistics.pstdev(first), statistics.pstdev(second)) < 1e-6:
        return  # scipy warns of cancellation
    expected = stats.ttest_ind(first, second, equal_var=False)
    low, high = expected.confidence_interval(level)
    wanted = (np.mean(first) - np.mean(second), expected.statistic, expected.df, expected.pvalue, low, high)
    for field, value in zip(FIELDS, wanted, strict=True):
        assert getattr(found, field) == pytest.approx(value, rel=1e-6, abs=1e-9), field


def test_welch_by_hand():
    """Runs 1, 2, 3 and 4, 6, 8: variances 1 and 4, so t = −4/√(5/3), ν = (5/3)²/(1/18 + 16/18) = 50/17."""
    found = welch([1, 2, 3], [4, 6, 8])
    assert found.t == pytest.approx(-4 / math.sqrt(5 / 3))
    assert found.degrees == pytest.approx(50 / 17)


@given(RUNS, RUNS)
def test_welch_the_other_way_round_is_the_negative(first, second):
    there, back = welch(first, second), welch(second, first)
    assert back.difference == pytest.approx(-there.difference, abs=1e-12)
    assert (back.t is None) == (there.t is None)
    if there.t is not None:
        assert (back.t, back.p) == pytest.approx((-there.t, there.p))
        assert (back.low, back.high) == pytest.approx((-there.high, -there.low))


@given(RUNS, RUNS)
def test_p_is_below_5_percent_exactly_where_the_95_percent_interval_excludes_zero(first, second):
    found = welch(first, second)
    if found.p is not None and abs(found.p - 0.05) > 1e-9:
        assert (found.p < 0.05) == (found.low > 0 or found.high < 0)


@pytest.mark.parametrize(
    ("first", "second"), [([0.9], [0.8, 0.7]), ([0.9, 0.9, 0.9], [0.7, 0.7]), ([0.5], [0.5])]
)
def test_without_spread_there_is_a_difference_and_no_test(first, second):
    found = welch(first, second)
    assert found.difference == pytest.approx(np.mean(first) - np.mean(second))
    assert (found.t, found.degrees, found.p, found.low, found.high) == (None,) * 5


def test_no_runs_are_refused():
    with pytest.raises(ValueError, match="at least one run"):
        welch([], [1.0])


def test_three_runs_find_no_difference_where_there_is_none_about_as_often_as_they_say():
    """By simulation with normal scatter; Welch is known to be slightly cautious for so few runs."""
    rng = np.random.default_rng(3)
    draws = rng.normal(size=(4000, 2, 3)) * np.array([1.0, 2.0])[:, None]
    alarms = np.mean([welch(first, second).p < 0.05 for first, second in draws.tolist()])
    assert 0.03 <= alarms <= 0.055
