"""Welch's test: do two sets of runs differ in their means, when their spreads may differ too?"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

_NEGLIGIBLE = 1e-12  # a spread this small beside the values is rounding


@dataclass(frozen=True)
class Welch:
    """The difference of two means with its t, degrees of freedom, two-sided p and interval.

    All but `difference` are None where no spread can be estimated: with a single run on a side, or where
    neither side varies at all.
    """

    difference: float
    t: float | None = None
    degrees: float | None = None
    p: float | None = None
    low: float | None = None
    high: float | None = None


def welch(first: Sequence[float], second: Sequence[float], level: float = 0.95) -> Welch:
    """Mean of first − mean of second, judged by the scatter between independent runs.

    t = (x̄₁ − x̄₂) / √(s₁²/n₁ + s₂²/n₂), with
    ν = (s₁²/n₁ + s₂²/n₂)² / [(s₁²/n₁)²/(n₁ − 1) + (s₂²/n₂)²/(n₂ − 1)] degrees of freedom
    (B. L. Welch, Biometrika 34, 1947, 28-35). It assumes normal scatter, which a handful of runs cannot
    show, and it says nothing of how other questions would have come out. Raises ValueError for no runs.
    """
    from scipy.special import stdtr, stdtrit  # Student's t: distribution and quantile

    if not first or not second:
        raise ValueError("Welch's test needs at least one run on each side")
    difference = statistics.fmean(first) - statistics.fmean(second)
    if min(len(first), len(second)) < 2:
        return Welch(difference)
    squares = [statistics.variance(runs) / len(runs) for runs in (first, second)]
    error = math.sqrt(math.fsum(squares))
    if error <= _NEGLIGIBLE * max(map(abs, [*first, *second])):
        return Welch(difference)
    shares = [square / error**2 for square in squares]
    degrees = 1 / (shares[0] ** 2 / (len(first) - 1) + shares[1] ** 2 / (len(second) - 1))
    t = difference / error
    reach = float(stdtrit(degrees, (1 + level) / 2)) * error
    p = min(1.0, 2 * float(stdtr(degrees, -abs(t))))
    return Welch(difference, t, degrees, p, difference - reach, difference + reach)
