"""How a number or a choice is wrong: the kinds of slips that orbit calculations invite."""

from __future__ import annotations

import math
from typing import Literal, get_args

from ansatz.eval.problem import NumberTarget
from ansatz.quantities.scales import convert
from ansatz.quantities.statements import Statement

ErrorClass = Literal[
    "not stated",
    "unit",
    "sign",
    "power of ten",
    "degrees or radians",
    "factor of two",
    "within 10 %",
    "within 50 %",
    "beyond 50 %",
    "option",
]
CLASSES: tuple[ErrorClass, ...] = get_args(ErrorClass)
_DEGREES = 180 / math.pi


def error_class(target: NumberTarget, stated: Statement | None, relative: float) -> ErrorClass:
    """How a wrong number is wrong.

    The classes are tried in the order of `CLASSES`, so that each wrong target has one: a power of ten is a
    key times 10, 100, 1000, ... or their inverses, the three factors within `relative`.
    """
    if stated is None:
        return "not stated"
    value = convert(stated.value, stated.unit, target.unit) if stated.unit else stated.value
    if value is None:
        return "unit"
    if not target.value:
        return "beyond 50 %"
    ratio = value / target.value
    if abs(ratio + 1) <= relative:
        return "sign"
    if _is_factor(ratio, relative):
        return "power of ten"
    if any(abs(ratio / factor - 1) <= relative for factor in (_DEGREES, 1 / _DEGREES)):
        return "degrees or radians"
    if any(abs(ratio / factor - 1) <= relative for factor in (2.0, 0.5)):
        return "factor of two"
    apart = abs(ratio - 1)
    return "within 10 %" if apart <= 0.1 else "within 50 %" if apart <= 0.5 else "beyond 50 %"


def _is_factor(ratio: float, relative: float) -> bool:
    """Whether a ratio is a power of ten other than 1."""
    if ratio <= 0 or not math.isfinite(ratio):
        return False
    power = round(math.log10(ratio))
    return power != 0 and abs(ratio / 10.0**power - 1) <= relative
