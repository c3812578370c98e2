"""Shapley values from one random order of turning switches on, for problems that are asked along it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def path_sets(order: Sequence[str]) -> list[frozenset[str]]:
    """Return the sets of switches that `path_values` needs.

    They are the beginnings of the order, and of the order with its last two switches swapped.
    """
    sets = [frozenset(order[:size]) for size in range(len(order) + 1)]
    return [*sets, frozenset([*order[:-2], order[-1]])]


def path_values(
    switches: Sequence[str], order: Sequence[str], score: Callable[[frozenset[str]], float]
) -> Floats:
    """Return what each switch adds where it is turned on, averaged over the order and its end swapped.

    Over random orders, the mean is the Shapley value: the gain from a switch, averaged over all orders
    (L. S. Shapley, Contributions to the Theory of Games II, 1953, 307-317; sampled orders: J. Castro,
    D. Gómez and J. Tejada, Computers & Operations Research 36, 2009, 1726-1730). The values of one order add
    up to the gain of all switches over none.

    Parameters
    ----------
    switches
        The order of the result.
    order
        The order in which the switches are turned on; at least two.
    score
        Returns the score of a set of switches; NaN if it is missing.

    Returns
    -------
    shape (switches,)
    """
    added = dict.fromkeys(switches, 0.0)
    for path in (order, [*order[:-2], order[-1], order[-2]]):
        for size, name in enumerate(path):
            gain = score(frozenset(path[: size + 1])) - score(frozenset(path[:size]))
            added[name] += gain / 2
    return np.array([added[name] for name in switches], dtype=np.float64)
