"""Roots of a function on an interval, found by scanning for changes of sign and then Brent's method."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Literal

from ansatz.knowledge_base.equation.grammar import ExpressionError

_POINTS = 400


def root(
    function: Callable[[float], float], domain: tuple[float, float], branch: Literal["lowest", "highest"]
) -> float | None:
    """The lowest or highest root on `domain`; None when no sign change is seen on the scan.

    A domain that spans more than two decades is scanned in equal ratios, any other in equal steps.
    Points where the function has no value are stepped over, and a pole is not taken for a root.
    """
    return next(_found(function, domain, branch), None)


def roots(function: Callable[[float], float], domain: tuple[float, float]) -> tuple[float, ...]:
    """Every root that the scan of `root` sees, from the lowest to the highest."""
    distinct: list[float] = []
    for found in _found(function, domain, "lowest"):
        if not distinct or not math.isclose(found, distinct[-1], rel_tol=1e-9, abs_tol=1e-300):
            distinct.append(found)
    return tuple(distinct)


def _found(
    function: Callable[[float], float], domain: tuple[float, float], branch: Literal["lowest", "highest"]
) -> Iterator[float]:
    from scipy.optimize import brentq

    points = _grid(*domain)
    scanned = points if branch == "lowest" else reversed(points)
    for one, other in pairwise((point, _value_or_nan(function, point)) for point in scanned):
        (low, at_low), (high, at_high) = (one, other) if branch == "lowest" else (other, one)
        yield from (point for point, value in ((low, at_low), (high, at_high)) if value == 0)
        if at_low < 0 < at_high or at_high < 0 < at_low:
            found = float(brentq(function, low, high, xtol=1e-300, rtol=1e-14, maxiter=200))
            if abs(_value_or_nan(function, found)) <= max(abs(at_low), abs(at_high)):
                yield found


def _grid(low: float, high: float) -> list[float]:
    if low > 0 and high / low > 100:
        ratio = math.log(high / low) / _POINTS
        return [low * math.exp(ratio * step) for step in range(_POINTS)] + [high]
    return [low + (high - low) * step / _POINTS for step in range(_POINTS)] + [high]


def _value_or_nan(function: Callable[[float], float], point: float) -> float:
    try:
        return function(point)
    except ExpressionError:
        return math.nan
