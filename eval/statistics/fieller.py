"""Which share of a gain falls on a part of it: a ratio over families, with Fieller's interval."""

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
    """part/whole over `problems` of `families`.

    The ends are None where the whole is not clear of zero, so that every ratio remains possible, and where
    the ratio is the same in every family and nothing bounds what others may do; `value` is None where the
    whole is zero.
    """

    value: float | None
    low: float | None
    high: float | None
    problems: int
    families: int


def share(
    part: Floats,
    whole: Floats,
    families: NDArray[np.generic],
    level: float = 0.95,
    ends: Callable[[float], Ends] | None = None,
) -> Share:
    """Σ part / Σ whole over problems, all of shape (problems,), with families as the independent units.

    The interval holds every R for which the family totals of part − R·whole have a mean that Student's t
    does not tell from zero: (p̄ − R w̄)² ≤ t² (s²ₚ − 2R sₚᵥᵥ + R² s²ᵥᵥ)/n (E. C. Fieller, J. R. Stat. Soc.
    B 16, 1954, 175-185). Where part − R·whole is zero in every family, it may be as far off as
    `degenerate_interval` has it, between the least and the greatest value of a problem that `ends` gives for
    R.
    """
    from scipy.special import stdtrit

    present, home, counts = np.unique(families, return_inverse=True, return_counts=True)
    totals = np.array([np.bincount(home, each, minlength=len(present)) for each in (part, whole)])
    n = len(present)
    sums = [math.fsum(each.tolist()) for each in (part, whole)]
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
        open_to = degenerate_interval(0.0, float(counts.sum() ** 2 / (counts**2).sum()), ends(value), level)
        low, high = sorted(value + each * len(whole) / sums[1] for each in open_to)
        return Share(value, low, high, len(whole), n)
    reach = math.sqrt(max(b * b - a * c, 0.0)) / a
    return Share(value, float(b / a - reach), float(b / a + reach), len(whole), n)
