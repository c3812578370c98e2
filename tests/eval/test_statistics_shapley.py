"""Shapley attribution: its axioms, averages over all orders, missing cells, and coverage by simulation."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings

from ansatz.eval.statistics import paired_delta
from ansatz.eval.statistics.factorial import factorial_effects
from ansatz.eval.statistics.shapley import shapley, shapley_weights
from benchmarks.calibration import shapley_coverage
from tests.eval.test_statistics_factorial import cells_of, columns, families_of, subsets


def attribution(values, names="ABC", **settings):
    problems = len(values[0])
    return shapley(cells_of(values, names), families_of(problems), seed=0, resamples=100, **settings)


@settings(max_examples=30, deadline=None)
@given(columns(8))
def test_parts_add_up_to_the_gain(values):
    found = attribution(values)
    assert sum(part.estimate for part in found.parts.values()) == pytest.approx(
        found.gain.estimate, abs=1e-12
    )
    shares = [share.value for share in found.shares.values()]
    if None not in shares:
        assert sum(shares) == pytest.approx(1, abs=1e-9)


@settings(max_examples=30, deadline=None)
@given(columns(8))
def test_a_part_is_the_mean_over_all_orders_of_turning_on(values):
    means = dict(zip(subsets("ABC"), np.mean(values, axis=1), strict=True))
    for name, part in attribution(values).parts.items():
        added = []
        for order in itertools.permutations("ABC"):
            before = frozenset(order[: order.index(name)])
            added.append(means[before | {name}] - means[before])
        assert part.estimate == pytest.approx(np.mean(added), abs=1e-12)


@settings(max_examples=30, deadline=None)
@given(columns(4))
def test_a_switch_without_effect_gets_nothing(values):
    """C is a dummy: every arm with it equals the arm without."""
    plain = dict(zip(subsets("AB"), values, strict=True))
    found = attribution([plain[arm - {"C"}] for arm in subsets("ABC")])
    part = found.parts["C"]
    assert (part.estimate, part.error, part.p) == (0, 0, 1)
    two = attribution(values, "AB")
    for name in "AB":
        assert found.parts[name].estimate == pytest.approx(two.parts[name].estimate, abs=1e-12)


@settings(max_examples=30, deadline=None)
@given(columns(6))
def test_switches_that_do_the_same_get_the_same(values):
    """A and B are interchangeable: an arm depends on how many of the two are on, and on C."""
    table = dict(zip(itertools.product(range(3), range(2)), values, strict=True))
    parts = attribution([table[len(arm & {"A", "B"}), len(arm & {"C"})] for arm in subsets("ABC")]).parts
    first, second = parts["A"], parts["B"]
    assert (first.estimate, first.low, first.high, first.p) == pytest.approx(
        (second.estimate, second.low, second.high, second.p), abs=1e-12
    )


@settings(max_examples=20, deadline=None)
@given(columns(4))
def test_of_two_switches_a_part_is_the_main_effect(values):
    """With two switches both orders weigh alike, as both settings of the other do."""
    cells, families = cells_of(values, "AB"), families_of(8)
    effects = factorial_effects(cells, families, seed=0, resamples=100)
    parts = shapley(cells, families, seed=0, resamples=100).parts
    for name in "AB":
        delta = effects.effect(name).delta
        assert (parts[name].estimate, parts[name].low, parts[name].high) == pytest.approx(
            (delta.estimate, delta.low, delta.high), abs=1e-12
        )


def test_the_gain_is_the_paired_delta_of_all_over_none():
    values = np.random.default_rng(2).random((8, 12)).tolist()
    cells, families = cells_of(values, "ABC"), families_of(12)
    expected = paired_delta(cells[frozenset("ABC")], cells[frozenset()], families, seed=5)
    found = shapley(cells, families, seed=5).gain
    assert (found.estimate, found.low, found.high, found.p) == pytest.approx(
        (expected.estimate, expected.low, expected.high, expected.p), abs=1e-12
    )


def test_two_switches_by_hand():
    """0 alone, A 3, B 1, both 10: A gets (3 + 9)/2 = 6 of the 10."""
    found = attribution([[0.0] * 6, [3.0] * 6, [1.0] * 6, [10.0] * 6], "AB")
    assert (found.gain.estimate, found.parts["A"].estimate, found.parts["B"].estimate) == (10, 6, 4)
    assert found.shares["A"].value == pytest.approx(0.6)


def test_one_switch_gets_all_and_an_incomplete_problem_is_dropped():
    cells = {frozenset(): {"p": [0.0], "q": [1.0]}, frozenset("A"): {"p": [1.0], "q": [None]}}
    found = shapley(cells, {"p": "p", "q": "q"}, seed=0)
    assert (found.parts["A"].estimate, found.problems, found.dropped) == (1, 1, 1)


def test_a_missing_arm_is_named():
    with pytest.raises(ValueError, match=r"are missing: A \+ B"):
        shapley({frozenset(): {}, frozenset("A"): {}, frozenset("B"): {}}, {}, seed=0)


@pytest.mark.parametrize("count", range(1, 7))
def test_weights_of_the_parts_leave_only_all_and_none(count):
    total = sum(shapley_weights(count, bit) for bit in range(count))
    expected = np.zeros(2**count)
    expected[0], expected[-1] = -1, 1
    assert total == pytest.approx(expected, abs=1e-12)


@pytest.mark.slow
def test_intervals_of_parts_hold_the_truth():
    found = shapley_coverage(studies=500)
    assert 0.93 <= found.overall <= 0.97
    assert all(0.92 <= share <= 0.98 for share in found.by_name.values())


def test_intervals_of_parts_hold_the_truth_in_few_studies():
    assert 0.9 <= shapley_coverage(studies=60).overall <= 0.99
