"""What each switch does, how switches work together, and whose the gain is, from all 2^k arms.

Each is a weighted sum of arms within a problem, whose mean over problems `clustered_mean` has. Weights have
shape (2^switches,); arm number a has switch j on where bit j of a is set.
"""

from __future__ import annotations

from itertools import combinations
from math import factorial

import numpy as np
from numpy.typing import NDArray

from ansatz.eval.statistics.resampling import Ends

Floats = NDArray[np.float64]


def effect_weights(switches: int) -> dict[tuple[int, ...], Floats]:
    """Of main effects and all interactions, by the switches that they are of, by order.

    The effect of a switch is what turning it on adds, averaged over the settings of the others. The
    interaction of two is by how much one changes the effect of the other, A and B together less A alone less
    B alone plus neither, and so on for more (twice, four times … the half-effects of D. C. Montgomery, Design
    and Analysis of Experiments, ch. 6).
    """
    on = np.arange(2**switches)[:, None] >> np.arange(switches) & 1
    orders = range(1, switches + 1)
    return {
        term: (2.0 * on[:, term] - 1).prod(axis=1) / 2.0 ** (switches - order)
        for order in orders
        for term in combinations(range(switches), order)
    }


def gain_weights(switches: int) -> Floats:
    """Of what all switches together add to none."""
    weights = np.zeros(2**switches)
    weights[0], weights[-1] = -1.0, 1.0
    return weights


def shapley_weights(switches: int, bit: int) -> Floats:
    """Of a switch's part of the gain: what it adds, averaged over all orders in which they are turned on.

    φ_i = Σ_S |S|! (k − |S| − 1)!/k! · (v(S ∪ i) − v(S)) over the sets S without i, where v is an arm's score
    (L. S. Shapley, Contributions to the Theory of Games II, 1953, 307-317). The parts add up to the gain.
    """
    weights = np.zeros(2**switches)
    for arm in range(2**switches):
        others = (arm & ~(1 << bit)).bit_count()
        chance = factorial(others) * factorial(switches - others - 1) / factorial(switches)
        weights[arm] = chance if arm >> bit & 1 else -chance
    return weights


def weighted(weights: Floats, values: Floats) -> Floats:
    """The weighted sum of arms for each problem, zero where they cancel but for rounding.

    `values` has shape (2^switches, problems).
    """
    found = weights @ values
    found[np.abs(found) <= 1e-12 * (np.abs(weights) @ np.abs(values))] = 0.0
    return np.asarray(found)


def possible_ends(weights: Floats) -> Ends:
    """The least and the greatest weighted sum of scores in [0, 1]."""
    return float(np.minimum(weights, 0).sum()), float(np.maximum(weights, 0).sum())
