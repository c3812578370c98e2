"""Roots of a function on an interval, found by scanning for changes of sign and then Brent's method."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Literal

from ansatz.knowledge_base.equation.grammar import ExpressionError

Branch = Literal["lowest", "highest"]
_POINTS = 400


def roots(
    function: Callable[[float], float], domain: tuple[float, float], branch: Branch = "lowest"
) -> Iterator[float]:
    """The roots on a domain from the lowest, or from the highest, each once; none where no sign changes.

    A domain that spans more than two decades is scanned in equal ratios, any other in equal steps.
    Points where the function has no value are stepped over, and a pole is not taken for a root.
    """
    from scipy.optimize import brentq

    points = _grid(*domain)
    values = [_value_or_nan(function, point) for point in points]
    brackets = list(zip(points, points[1:], values, values[1:], strict=False))
    latest = math.nan
    for low, high, at_low, at_high in brackets if branch == "lowest" else reversed(brackets):
        found = [point for point, value in ((low, at_low), (high, at_high)) if value == 0]
        if at_low < 0 < at_high or at_high < 0 < at_low:
            crossing = float(brentq(function, low, high, xtol=1e-300, rtol=1e-14, maxiter=200))
            if abs(_value_or_nan(function, crossing)) <= max(abs(at_low), abs(at_high)):
                found.append(crossing)
        for each in found:
            if not math.isclose(each, latest, rel_tol=1e-9, abs_tol=1e-300):
                yield (latest := each)


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
