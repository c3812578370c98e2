"""The unit of an answer to a question that requests none: kW for 1510 W, degC where only degC is written."""

from __future__ import annotations

from collections.abc import Sequence

from ansatz.agents.slide_rule.question import KnownQuantity, find_kind
from ansatz.quantities.scales import convert_value, find_scale

_LARGER = {
    "W": ("kW", "MW", "GW"),
    "J": ("kJ", "MJ", "GJ"),
    "J/kg": ("kJ/kg", "MJ/kg"),
    "J/(kg*K)": ("kJ/(kg*K)",),
    "Pa": ("kPa", "MPa"),
    "N": ("kN", "MN"),
    "W/m^2": ("kW/m^2", "MW/m^2"),
}
_KELVIN = find_kind("K")


def choose_unit(value: float, unit: str, givens: Sequence[KnownQuantity], is_difference: bool = False) -> str:
    """Choose the largest unit in which a value is at least 1, and degC if the question writes only degC.

    `value` is in `unit`. Differences of temperatures stay in kelvin.
    """
    kind = find_kind(unit)
    if kind == _KELVIN:
        scales = [find_scale(each.unit) for each in givens if each.kind == kind and each.step is None]
        is_celsius = bool(scales) and all(each and each.offset for each in scales)
        return (
            next(each.unit for each in givens if each.kind == kind)
            if is_celsius and not is_difference
            else unit
        )
    for base, larger in _LARGER.items():
        size = convert_value(value, unit, base) if kind == find_kind(base) else None
        if size is not None:
            fitting = [each for each in larger if abs(convert_value(size, base, each) or 0.0) >= 1]
            return fitting[-1] if fitting else base
    return unit
