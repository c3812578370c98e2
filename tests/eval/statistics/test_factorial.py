"""Factorial effects and Shapley values: by hand, and by identities that must hold."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ansatz.eval.statistics.factorial import (
    effect_weights,
    gain_weights,
    possible_ends,
    shapley_weights,
    sum_arms,
)

SCORES = st.lists(st.floats(0, 1), min_size=8, max_size=8).map(np.array)


def test_effects_of_two_by_two_by_hand():
    """A adds 3 and 1 without B, 7 and 3 with it; B adds 1 and 0 without A, 5 and 2 with it."""
    neither, a, b, both = [1.0, 2.0], [4.0, 3.0], [2.0, 2.0], [9.0, 5.0]
    found = {
        term: sum_arms(own, np.array([neither, a, b, both])).tolist()
        for term, own in effect_weights(2).items()
    }
    assert found == {(0,): [5.0, 2.0], (1,): [3.0, 1.0], (0, 1): [4.0, 2.0]}


@given(SCORES)
def test_effects_rebuild_every_arm(scores):
    """An arm is the grand mean plus half of each effect, a quarter of each interaction of two, …, by sign."""
    found = {term: own @ scores for term, own in effect_weights(3).items()}
    for arm, expected in enumerate(scores):
        signs = {term: np.prod([1 if arm >> bit & 1 else -1 for bit in term]) for term in found}
        rebuilt = scores.mean() + sum(signs[term] * found[term] / 2 ** len(term) for term in found)
        assert rebuilt == pytest.approx(expected, abs=1e-12)


@settings(max_examples=30)
@given(SCORES)
def test_shapley_values_average_all_orders_and_add_up(scores):
    parts = [shapley_weights(3, bit) @ scores for bit in range(3)]
    for bit, part in enumerate(parts):
        added = []
        for order in permutations(range(3)):
            before = sum(1 << other for other in order[: order.index(bit)])
            added.append(scores[before | 1 << bit] - scores[before])
        assert part == pytest.approx(np.mean(added), abs=1e-12)
    assert sum(parts) == pytest.approx(gain_weights(3) @ scores, abs=1e-12)


def test_rounding_is_no_difference_and_ends_are_those_of_scores():
    [interaction] = [own for term, own in effect_weights(2).items() if len(term) == 2]
    assert sum_arms(interaction, np.array([[0.1], [0.3], [0.4], [0.6]])).tolist() == [0.0]
    assert possible_ends(interaction) == (-2, 2) and possible_ends(gain_weights(2)) == (-1, 1)
