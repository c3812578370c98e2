"""Whose gain is it? Shapley's division of the gain of all switches together among them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import factorial

import numpy as np
from numpy.typing import NDArray

from ansatz.eval.statistics.factorial import Cells, CompleteCells
from ansatz.eval.statistics.fieller import Share, share
from ansatz.eval.statistics.paired import PairedDelta
from ansatz.eval.statistics.resampling import Ends

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Attribution:
    """The gain of all switches over none, and each switch's part; the parts add up to the gain.

    `shares` are the parts as fractions of the gain, whose ends are None where the gain is not clear of zero.
    """

    gain: PairedDelta
    parts: Mapping[str, PairedDelta]
    shares: Mapping[str, Share]
    problems: int
    dropped: int


def shapley(
    cells: Cells,
    families: Mapping[str, str],
    *,
    seed: int,
    resamples: int = 2000,
    level: float = 0.95,
) -> Attribution:
    """Each switch's gain averaged over all orders in which the switches may be turned on.

    φ_i = Σ_S |S|! (k − |S| − 1)!/k! · (v(S ∪ i) − v(S)) over the sets S without i, where v is an arm's mean
    score (L. S. Shapley, Contributions to the Theory of Games II, 1953, 307-317): exact, from all 2^k arms.
    As φ_i is a weighted sum of arms it is formed within each problem, and intervals and p are those of
    `paired_delta`. Problems without a score in every arm are dropped. Raises ValueError where an arm is
    missing or a problem has no family.
    """
    grid = CompleteCells.of(cells, families)
    count = len(grid.switches)
    whole = np.zeros(2**count)
    whole[0], whole[-1] = (-1.0, 1.0) if count else (0.0, 0.0)
    weights = {name: shapley_weights(count, bit) for bit, name in enumerate(grid.switches)}
    settings = {"seed": seed, "resamples": resamples, "level": level}
    gain, *parts = (grid.delta(each, **settings) for each in (whole, *weights.values()))  # type: ignore[arg-type]
    shares = {name: _share(grid, each, whole, level) for name, each in weights.items()}
    named = dict(zip(weights, parts, strict=True))
    return Attribution(gain, named, shares, len(grid.problems), grid.dropped)


def _share(grid: CompleteCells, part: Floats, whole: Floats, level: float) -> Share:
    """Bounded, for a ratio R, by the least and greatest part − R·whole that a problem can have."""

    def ends(ratio: float) -> Ends:
        return grid.ends(part - ratio * whole) or (0.0, 0.0)

    own, gain = (
        dict(zip(grid.problems, grid.combined(each).tolist(), strict=True)) for each in (part, whole)
    )
    families = dict(zip(grid.problems, grid.families, strict=True))
    return share(own, gain, families, level, ends if grid.ends(whole) else None)


def shapley_weights(switches: int, bit: int) -> Floats:
    """The weight of each arm in the part of the switch `bit`, of shape (2^switches,)."""
    weights = np.zeros(2**switches)
    for arm in range(2**switches):
        others = (arm & ~(1 << bit)).bit_count()
        chance = factorial(others) * factorial(switches - others - 1) / factorial(switches)
        weights[arm] = chance if arm >> bit & 1 else -chance
    return weights
