"""Shapley values from orders of switches: against all orders of a 2⁴ design, and their sum."""

import random
from itertools import combinations, permutations

import numpy as np
import pytest

from ansatz.eval.statistics.factorial import shapley_weights
from ansatz.eval.statistics.shapley import path_sets, path_values

SWITCHES = ("a", "b", "c", "d")


def worths(seed):
    """A score for each of the 16 sets of switches, with interactions of every order."""
    draw = random.Random(seed)
    sets = [frozenset(each) for size in range(5) for each in combinations(SWITCHES, size)]
    return {each: draw.random() for each in sets}


@pytest.mark.parametrize("seed", range(3))
def test_all_orders_give_the_brute_force_values(seed):
    """Brute force: the gain of each switch over every set without it, weighted by the orders that have it."""
    worth = worths(seed)
    mean = np.mean(
        [path_values(SWITCHES, order, worth.__getitem__) for order in permutations(SWITCHES)], axis=0
    )
    brute = [
        np.mean(
            [
                worth[frozenset(order[: order.index(name) + 1])]
                - worth[frozenset(order[: order.index(name)])]
                for order in permutations(SWITCHES)
            ]
        )
        for name in SWITCHES
    ]
    by_number = np.array(
        [worth[frozenset(n for bit, n in enumerate(SWITCHES) if arm >> bit & 1)] for arm in range(16)]
    )
    weighted = [shapley_weights(4, bit) @ by_number for bit in range(4)]
    assert mean == pytest.approx(brute, abs=1e-12)
    assert mean == pytest.approx(weighted, abs=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_values_of_any_order_add_up_to_the_gain(seed):
    draw = random.Random(seed)
    names = [f"s{n}" for n in range(draw.randint(2, 9))]
    order = draw.sample(names, len(names))
    asked = {each: draw.random() for each in sorted(map(tuple, map(sorted, path_sets(order))))}
    found = path_values(names, order, lambda on: asked[tuple(sorted(on))])
    assert sum(found) == pytest.approx(asked[tuple(sorted(names))] - asked[()], abs=1e-12)
    assert len(asked) == len(names) + 2
