"""Runs: mean ± σ, the weighted composite and Welch's test, against scipy and the definitions."""

import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansatz.eval.statistics import mean_and_sigma, weighted_mean

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
