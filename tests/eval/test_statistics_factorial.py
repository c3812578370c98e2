"""Factorial effects: two by two by hand, algebra that must hold, missing cells, and coverage by simulation."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ansatz.eval.statistics import contrast
from ansatz.eval.statistics.factorial import CompleteCells, factorial_effects
from benchmarks.calibration import factorial_coverage

VALUE = st.integers(0, 4).map(lambda value: value / 4)


def subsets(names):
    return [frozenset(some) for size in range(len(names) + 1) for some in itertools.combinations(names, size)]


def cells_of(columns, names):
    """Arms from one column of values per subset of the names, problems p0, p1 …"""
    return {
        arm: {f"p{row}": [value] for row, value in enumerate(column)}
        for arm, column in zip(subsets(names), columns, strict=True)
    }


def families_of(count, size=2):
    return {f"p{row}": f"f{row // size}" for row in range(count)}


def columns(arms, problems=8):
    return st.lists(st.lists(VALUE, min_size=problems, max_size=problems), min_size=arms, max_size=arms)


TWO_BY_TWO = {
    frozenset(): {"p": [1.0], "q": [2.0]},
    frozenset("A"): {"p": [4.0], "q": [3.0]},
    frozenset("B"): {"p": [2.0], "q": [2.0]},
    frozenset("AB"): {"p": [9.0], "q": [5.0]},
}


def test_two_by_two_by_hand():
    """A adds 3 and 1 without B, 7 and 3 with it; B adds 1 and 0 without A, 5 and 2 with it."""
    found = factorial_effects(TWO_BY_TWO, {"p": "p", "q": "q"}, seed=0)
    assert found.effect("A").delta.estimate == (3 + 1 + 7 + 3) / 4
    assert found.effect("B").delta.estimate == (1 + 0 + 5 + 2) / 4
    assert found.effect("B", "A").delta.estimate == ((7 - 3) + (3 - 1)) / 2
    assert [effect.switches for effect in found.effects] == [("A",), ("B",), ("A", "B")]
    assert [effect.order for effect in found.effects] == [1, 1, 2]
    assert (found.problems, found.dropped) == (2, 0)
    with pytest.raises(KeyError, match="no effect of C"):
        found.effect("C")


@settings(max_examples=25)
@given(columns(8))
def test_effects_are_contrasts_with_their_intervals(values):
    """The interaction of three, written out by hand, through the general function for weighted arms."""
    cells, families = cells_of(values, "ABC"), families_of(8)
    written = [((-1) ** (3 - len(arm)), cells[arm]) for arm in subsets("ABC")]
    expected = contrast(written, families, seed=3, resamples=200)
    found = factorial_effects(cells, families, seed=3, resamples=200).effect("A", "B", "C").delta
    for field in ("estimate", "low", "high", "p"):
        assert getattr(found, field) == pytest.approx(getattr(expected, field), abs=1e-9), field


def test_effects_rebuild_every_arm():
    """Means of arms from effects: the grand mean plus half of each effect by sign, a quarter of each pair …"""
    rng = np.random.default_rng(0)
    values = rng.random((8, 5))
    found = factorial_effects(cells_of(values, "ABC"), families_of(5), seed=0, resamples=50)
    for arm, expected in zip(subsets("ABC"), values.mean(axis=1), strict=True):
        rebuilt = values.mean() + sum(
            effect.delta.estimate
            * np.prod([1 if name in arm else -1 for name in effect.switches])
            / 2**effect.order
            for effect in found.effects
        )
        assert rebuilt == pytest.approx(expected, abs=1e-12)


def test_a_problem_without_a_score_in_some_arm_is_dropped_from_every_effect():
    cells = cells_of([[0, 1, 2, 9], [1, 1, 3, 9], [2, 2, 2, 9], [4, 2, 5, 9]], "AB")
    cells[frozenset("B")]["p3"] = [None]
    del cells[frozenset("A")]["p1"]
    found = factorial_effects(cells, families_of(4, 1), seed=0)
    assert (found.problems, found.dropped) == (2, 2)
    assert found.effect("A").delta.estimate == np.mean([(1 - 0 + 4 - 2) / 2, (3 - 2 + 5 - 2) / 2])
    assert {effect.delta.dropped for effect in found.effects} == {2}


def test_missing_and_foreign_arms_are_named():
    cells = cells_of([[1.0]] * 4, "AB")
    with pytest.raises(ValueError, match=r"2 of the 8 arms of A, B, C are missing: A \+ C"):
        factorial_effects(
            {
                arm: cells[frozenset("A")]
                for arm in subsets("ABC")
                if arm not in (frozenset("AC"), frozenset("ABC"))
            },
            {"p0": "f"},
            seed=0,
        )
    with pytest.raises(ValueError, match="B is no arm of A"):
        CompleteCells.of(
            {frozenset(arm): cells[frozenset(arm)] for arm in ("", "A", "B")}, {"p0": "f"}, ["A"]
        )
    with pytest.raises(ValueError, match="no family is given for p0"):
        factorial_effects(cells, {}, seed=0)


@pytest.mark.slow
def test_intervals_of_effects_hold_the_truth():
    """Each of seven effects in 500 simulated studies of 2^3 arms, and all of them together."""
    found = factorial_coverage(studies=500)
    assert 0.93 <= found.overall <= 0.97
    assert all(0.92 <= share <= 0.98 for share in found.by_name.values())


def test_intervals_of_effects_hold_the_truth_in_few_studies():
    assert 0.9 <= factorial_coverage(studies=60).overall <= 0.99
