"""Convert and compare quantities; pint reads the units."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from ansatz.errors import UnitError
from ansatz.quantities.rotation import CYCLES_AND_ANGLES, Rotation, find_rotation, turn_factor
from ansatz.quantities.unit_registry import registry
from ansatz.quantities.units import parse_unit, resolve_unit

BASE = ("[length]", "[mass]", "[time]", "[temperature]", "[substance]", "[current]", "[luminosity]")
PURE = (0.0,) * 7
"""The exponents of a pure number."""
_TEMPERATURE = tuple(float(name == "[temperature]") for name in BASE)
_REMEMBERED = 4096
# Names of temperature differences. A pinch point or superheat temperature is a temperature, not a difference.
_CHANGE = "difference|rise|drop|change|increase|decrease|lift"
_DIFFERENCE = re.compile(
    r"(?<![^\W_])(?:[LA]?MTD|(?:Δ|\\?[Dd]elta[ _]?|d|D)T(?![^\W_])|approach"
    rf"|[Tt]emperature[ _-](?:{_CHANGE})|(?:{_CHANGE}) (?:in|of) (?:the )?temperatures?"
    r"|(?:[Pp]inch|[Ss]ub-?cool(?:ing)?|[Ss]uper-?heat(?:ing)?)(?![^\W_])"
    r"(?![ _-]?(?:point )?temperature(?! ?diff)))"
)


class Quantity(NamedTuple):
    """A number with a unit."""

    value: float
    unit: str
    """As written; "" if there is none, "-" for a pure number."""
    digits: int = 15
    """Significant digits."""


@dataclass(frozen=True)
class UnitScale:
    """A unit as `SI value = value * factor + offset`. Angles are pure numbers; a turn has the factor 2π."""

    factor: float
    offset: float
    dimension: tuple[float, ...]
    """The exponents of `BASE`."""
    rotation: Rotation = field(default=Rotation("none"), compare=False)
    """Restricts conversions between turns, cycles and angles."""


def find_scale(unit: str) -> UnitScale | None:
    """Return the scale of a unit; for "" and "-" that of pure numbers; None if it cannot be read."""
    return _build_scale(unit.strip()) if len(unit) <= 60 else None


def find_written_scale(unit: str) -> UnitScale | None:
    """Return the scale of a written unit; None for "" and "-", or if it cannot be read."""
    return None if unit in ("", "-") else find_scale(unit)


def is_dimensional(unit: str) -> bool:
    """Whether a unit can be read and is not that of a pure number."""
    known = find_scale(unit)
    return known is not None and any(known.dimension)


def convert_value(value: float, unit: str, to: str, difference: bool = False) -> float | None:
    """Convert `value` to the unit `to`; None if a unit cannot be read or the dimensions differ.

    Values in units with an offset (degrees Celsius, gauge pressures) are points of the scale. A `difference`
    of two points is converted without the offset: 34.8 °C is then 34.8 K.
    """
    wanted = find_scale(to)
    have = None if wanted is None else find_scale(resolve_unit(unit, to) if len(unit) <= 60 else unit)
    if have is None or wanted is None or have.dimension != wanted.dimension:
        return None
    factor = turn_factor(have.rotation, wanted.rotation)
    if factor is None:
        return None
    if have == wanted and factor == 1.0:
        return value
    offset = 0.0 if difference else have.offset - wanted.offset
    converted = (value * have.factor + offset) / wanted.factor * factor
    return converted if math.isfinite(converted) else None


def explain_mismatch(unit: str, to: str) -> str:
    """Explain why two units of one dimension cannot be converted; "" if they can, or if dimensions differ."""
    have, wanted = find_scale(unit), find_scale(to)
    same = have is not None and wanted is not None and have.dimension == wanted.dimension
    return CYCLES_AND_ANGLES if same and convert_value(1.0, unit, to) is None else ""


def is_difference(name: str, description: str, unit: str) -> bool:
    """Whether a quantity is a temperature difference by its name or description and its unit.

    Example:
        >>> is_difference("LMTD", "", "K"), is_difference("T", "inlet temperature", "degF")
        (True, False)
    """
    if not any(_DIFFERENCE.search(text) for text in (name, description)):
        return False
    known = find_scale(unit)
    return known is not None and known.dimension == _TEMPERATURE


def compare_quantities(stated: Quantity, target: Quantity, difference: bool = False) -> tuple[float, bool]:
    """Return the relative error of a stated quantity, and whether its unit is right.

    For a target of zero, the error is |stated| in the target's unit. A number whose unit is missing or cannot
    be read counts in the target's unit. A unit of another dimension gives an infinite error. In all three
    cases the unit is wrong, unless the target is a pure number. A pure number needs no unit; a written one
    only names what is counted.
    """
    pure = find_scale(target.unit) == find_scale("-")
    converted = (
        convert_value(stated.value, stated.unit, target.unit, difference) if stated.unit or pure else None
    )
    if converted is None and stated.unit and not pure and find_scale(stated.unit) is not None:
        return math.inf, False
    value = stated.value if converted is None else converted
    return abs(value - target.value) / (abs(target.value) or 1.0), converted is not None


def convert_to_si(value: float, unit: str) -> float | None:
    """Convert a value to SI base units; None if the unit cannot be read."""
    known = find_scale(unit)
    return None if known is None else value * known.factor + known.offset


def is_close(first: float, second: float, relative: float) -> bool:
    return abs(first - second) <= relative * max(abs(first), abs(second))


@lru_cache(maxsize=_REMEMBERED)
def _build_scale(unit: str) -> UnitScale | None:
    try:
        parsed = parse_unit(unit)
        zero = registry().Quantity(0.0, parsed).to_base_units().magnitude
        one = registry().Quantity(1.0, parsed).to_base_units().magnitude
        exponents = parsed.dimensionality
    except (UnitError, ArithmeticError, AttributeError, TypeError, ValueError):  # pint can raise all of these
        return None
    if not (math.isfinite(one - zero) and one != zero) or not set(exponents) <= set(BASE):
        return None
    dimension = tuple(round(float(str(exponents.get(base, 0))), 9) for base in BASE)
    return UnitScale(one - zero, zero, dimension, find_rotation(parsed))
