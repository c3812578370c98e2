"""Shapley attribution: its axioms, averages over all orders, missing cells, and coverage by simulation."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings

from ansatz.eval.statistics.shapley import shapley
from benchmarks.calibration import shapley_coverage
from tests.eval.test_statistics_factorial import cells_of, columns, families_of, subsets


def attribution(values, names="ABC", **settings):
    problems = len(values[0])
    return shapley(cells_of(values, names), families_of(problems), seed=0, resamples=100, **settings)


@settings(max_examples=30)
@given(columns(8))
def test_parts_add_up_to_the_gain(values):
    found = attribution(values)
    assert sum(part.estimate for part in found.parts.values()) == pytest.approx(
        found.gain.estimate, abs=1e-12
    )
    shares = [share.value for share in found.shares.values()]
    if None not in shares:
        assert sum(shares) == pytest.approx(1, abs=1e-9)


@settings(max_examples=30)
@given(columns(8))
def test_a_part_is_the_mean_over_all_orders_of_turning_on(values):
    means = dict(zip(subsets("ABC"), np.mean(values, axis=1), strict=True))
    for name, part in attribution(values).parts.items():
        added = []
        for order in itertools.permutations("ABC"):
            before = frozenset(order[: order.index(name)])
            added.append(means[before | {name}] - means[before])
        assert part.estimate == pytest.approx(np.mean(added), abs=1e-12)


def test_two_switches_by_hand():
    """0 alone, A 3, B 1, both 10: A gets (3 + 9)/2 = 6 of the 10."""
    found = attribution([[0.0] * 6, [3.0] * 6, [1.0] * 6, [10.0] * 6], "AB")
    assert (found.gain.estimate, found.parts["A"].estimate, found.parts["B"].estimate) == (10, 6, 4)
    assert found.shares["A"].value == pytest.approx(0.6)


def test_one_switch_gets_all_and_an_incomplete_problem_is_dropped():
    cells = {frozenset(): {"p": [0.0], "q": [1.0]}, frozenset("A"): {"p": [1.0], "q": [None]}}
    found = shapley(cells, {"p": "p", "q": "q"}, seed=0)
    assert (found.parts["A"].estimate, found.problems, found.dropped) == (1, 1, 1)


@pytest.mark.slow
def test_intervals_of_parts_hold_the_truth():
    found = shapley_coverage(studies=500)
    assert 0.93 <= found.overall <= 0.97
    assert all(0.92 <= share <= 0.98 for share in found.by_name.values())


def test_intervals_of_parts_hold_the_truth_in_few_studies():
    assert 0.9 <= shapley_coverage(studies=60).overall <= 0.99
