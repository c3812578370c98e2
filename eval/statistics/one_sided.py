"""One-sided verdicts of several comparisons together: adjusted p in each direction, and one-sided bounds."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ansatz.eval.statistics.multiplicity import AdjustedFamily, standardize_totals
from ansatz.eval.statistics.paired import PairedDelta
from ansatz.eval.statistics.resampling import FLIPS, share_reached, sign_patterns

Floats = NDArray[np.float64]
Name = TypeVar("Name", bound=Hashable)
_NEAR = 1e-5  # of a statistic, in single precision


@dataclass(frozen=True)
class OneSided:
    """A comparison in both directions, adjusted for all comparisons."""

    p_lower: float
    """p that the mean is not below zero."""
    p_higher: float
    """p that the mean is not above zero."""
    low: float | None
    """The one-sided bound from below."""
    high: float | None
    """The one-sided bound from above."""
    level: float
    """The two-sided level of an interval with these ends, for this comparison alone."""


def adjust_one_sided(deltas: Mapping[Name, PairedDelta], *, seed: int) -> dict[Name, OneSided]:
    """Adjust several comparisons for their number, one direction at a time.

    As `adjust_familywise`, with the signed statistic Σ x / √Σ x² over family totals instead of its absolute
    value: each flip changes the sign of a whole family in all comparisons, and p is step-down. The chance of
    any p_lower below α without a fall is at most α, and so is that of any p_higher without a rise.

    A difference with an interval of the level 1 − 2α has one-sided bounds of 1 − α. They use that quantile of
    the largest signed statistic, so all lower bounds hold together, and so do all upper ones. Comparisons
    with fewer than two families are left out.
    """
    known = {name: delta for name, delta in deltas.items() if delta.totals is not None}
    if not known:
        return {}
    table = standardize_totals(list(known.values()))
    lower, higher, maxima = _flip_signs(table, seed)
    found: dict[Name, OneSided] = {}
    for at, (name, delta) in enumerate(known.items()):
        luck: AdjustedFamily[Name] = AdjustedFamily({}, maxima, (1 + delta.level) / 2)
        two_sided = luck.simultaneous_level(delta)
        low, high = delta.ends_at(two_sided) or (None, None)
        found[name] = OneSided(float(lower[at]), float(higher[at]), low, high, two_sided)
    return found


def _flip_signs(table: Floats, seed: int) -> tuple[Floats, Floats, Floats]:
    """Return adjusted p of each comparison in both directions, and the largest statistic of each pattern.

    Patterns come in pairs of opposite signs, because the largest and the least statistic of a pattern have
    the same distribution. So the result for −table is that for table with the directions exchanged.
    """
    observed = table.sum(axis=0)
    rising, falling = np.argsort(observed, kind="stable"), np.argsort(-observed, kind="stable")
    hits = {side: np.zeros(len(observed)) for side in (-1, 1)}
    maxima = []
    for signs in sign_patterns(len(table), FLIPS, seed):
        drawn = signs @ table.astype(np.float32)
        for side, order in ((-1, rising), (1, falling)):
            ordered, reached = drawn[:, order], side * observed[order] - _NEAR
            for mirrored in (ordered, -ordered):
                # the largest statistic of each comparison and those with a less extreme observed one
                largest = np.maximum.accumulate(mirrored[:, ::-1], axis=1)[:, ::-1]
                hits[side] += (largest >= reached).sum(axis=0)
        maxima += [drawn.max(axis=1), (-drawn).max(axis=1)]
    patterns = sum(map(len, maxima))
    found = []
    for side, order in ((-1, rising), (1, falling)):
        p = np.array([share_reached(int(each), patterns, len(table)) for each in hits[side]])
        stepped = np.minimum(np.maximum.accumulate(p), 1.0)
        found.append(stepped[np.argsort(order, kind="stable")])
    return found[0], found[1], np.sort(np.concatenate(maxima)).astype(np.float64)
