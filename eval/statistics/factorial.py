"""Effects of switches, their interactions and their shares of the gain, from all 2^k arms.

Each is a weighted sum of the arms' scores of a problem, which `clustered_mean` averages over problems.
Weights have shape (2^switches,); arm number a has switch j on if bit j of a is set.
"""

from __future__ import annotations

from itertools import combinations
from math import factorial

import numpy as np
from numpy.typing import NDArray

from ansatz.eval.statistics.resampling import Ends

Floats = NDArray[np.float64]


def effect_weights(switches: int) -> dict[tuple[int, ...], Floats]:
    """Return the weights of main effects and interactions, by their switches, in ascending order.

    The main effect of a switch is the gain from turning it on, averaged over the settings of the others. The
    interaction of two switches is the change that one makes to the effect of the other: AB − A − B + neither.
    Higher orders continue this. (These are 2, 4, … times the half-effects of D. C. Montgomery, Design and
    Analysis of Experiments, ch. 6.)
    """
    on = np.arange(2**switches)[:, None] >> np.arange(switches) & 1
    orders = range(1, switches + 1)
    return {
        term: (2.0 * on[:, term] - 1).prod(axis=1) / 2.0 ** (switches - order)
        for order in orders
        for term in combinations(range(switches), order)
    }


def gain_weights(switches: int) -> Floats:
    """Return the weights of the gain of all switches together over none."""
    weights = np.zeros(2**switches)
    weights[0], weights[-1] = -1.0, 1.0
    return weights


def shapley_weights(switches: int, bit: int) -> Floats:
    """Return the weights of a switch's Shapley value: its gain, averaged over all orders of turning them on.

    φ_i = Σ_S |S|! (k − |S| − 1)!/k! · (v(S ∪ i) − v(S)) over the sets S without i, where v is an arm's score
    (L. S. Shapley, Contributions to the Theory of Games II, 1953, 307-317). The values add up to the gain.
    """
    weights = np.zeros(2**switches)
    for arm in range(2**switches):
        others = (arm & ~(1 << bit)).bit_count()
        chance = factorial(others) * factorial(switches - others - 1) / factorial(switches)
        weights[arm] = chance if arm >> bit & 1 else -chance
    return weights


def sum_arms(weights: Floats, values: Floats) -> Floats:
    """Compute the weighted sum of the arms for each problem; sums within rounding of zero become zero.

    `values` has shape (2^switches, problems).
    """
    sums = weights @ values
    sums[np.abs(sums) <= 1e-12 * (np.abs(weights) @ np.abs(values))] = 0.0
    return np.asarray(sums)


def possible_ends(weights: Floats) -> Ends:
    """Return the least and the greatest weighted sum of scores in [0, 1]."""
    return float(np.minimum(weights, 0).sum()), float(np.maximum(weights, 0).sum())
