"""The share of a gain that comes from a part of it: a ratio over families, with Fieller's interval."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ansatz.eval.statistics.resampling import Ends, degenerate_interval

Floats = NDArray[np.float64]
_NEGLIGIBLE = 1e-12


@dataclass(frozen=True)
class Share:
    """The ratio part/whole with its interval."""

    value: float | None
    """None if the whole is zero."""
    low: float | None
    high: float | None
    """The ends are None if the whole does not differ clearly from zero, because any ratio is then possible.
    They are also None if all families have the same ratio and scores are unbounded."""
    problems: int
    families: int


def estimate_share(
    part: Floats,
    whole: Floats,
    families: NDArray[np.generic],
    level: float = 0.95,
    ends: Callable[[float], Ends] | None = None,
) -> Share:
    """Estimate Σ part / Σ whole over problems; families are independent.

    The interval contains every R for which Student's t does not distinguish the mean of the family totals of
    part − R·whole from zero: (p̄ − R w̄)² ≤ t² (s²ₚ − 2R sₚᵥᵥ + R² s²ᵥᵥ)/n (E. C. Fieller, J. R. Stat. Soc.
    B 16, 1954, 175-185). If part − R·whole is zero in every family, `degenerate_interval` gives its interval.

    Parameters
    ----------
    part, whole, families
        Arrays of shape (problems,).
    ends
        Returns the least and the greatest possible part − R·whole of a problem for a ratio R, if bounded.
    """
    from scipy.special import stdtrit

    present, home, counts = np.unique(families, return_inverse=True, return_counts=True)
    totals = np.array([np.bincount(home, values, minlength=len(present)) for values in (part, whole)])
    n = len(present)
    sums = [math.fsum(values.tolist()) for values in (part, whole)]
    value = sums[0] / sums[1] if n and abs(sums[1]) > 1e-12 * np.abs(totals).sum() else None
    unbounded = Share(value, None, None, len(whole), n)
    if n < 2 or value is None:
        return unbounded
    p, w = totals.mean(axis=1)
    covariance = np.cov(totals) / n * float(stdtrit(n - 1, (1 + level) / 2)) ** 2
    a, b, c = w * w - covariance[1, 1], p * w - covariance[0, 1], p * p - covariance[0, 0]
    if a <= 0:
        return unbounded
    if np.abs(totals[0] - value * totals[1]).max() <= _NEGLIGIBLE * np.abs(totals).max():
        if ends is None:
            return unbounded
        means = degenerate_interval(0.0, float(counts.sum() ** 2 / (counts**2).sum()), ends(value), level)
        low, high = sorted(value + mean * len(whole) / sums[1] for mean in means)
        return Share(value, low, high, len(whole), n)
    half_width = math.sqrt(max(b * b - a * c, 0.0)) / a
    return Share(value, float(b / a - half_width), float(b / a + half_width), len(whole), n)
