"""Typeset units: kg/m**3, J/kg/K and Pa*s as kg/m³, J/(kg·K) and Pa·s."""

from __future__ import annotations

import re
from functools import cache

_TERM = re.compile(
    r"(?P<sign>[*/]?)(?:\((?P<group>[^()]+)\)|(?P<name>\w+))(?:\*\*(?P<power>-?\d+(?:\.\d+)?|\([-\d./]+\)))?"
)
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@cache
def format_unit(unit: str) -> str:
    """Typeset a unit in Python's spelling; "-" if it is 1. `parse_unit` reads the result as the same unit.

    Other spellings, such as "%", are returned unchanged.

    Example:
        >>> format_unit("W/m**2/K**4"), format_unit("kg**0.5/m"), format_unit("1")
        ('W/(m²·K⁴)', 'kg^0.5/m', '-')
    """
    spelled = unit.replace("^", "**").replace(" ", "")
    if "".join(term[0] for term in _TERM.finditer(spelled)) != spelled:
        return unit
    above, below = _split_factors(spelled)
    if not below:
        return "·".join(above) or "-"
    under = "·".join(below)
    return f"{'·'.join(above) or '1'}/{under if len(below) == 1 else f'({under})'}"


def _split_factors(unit: str) -> tuple[list[str], list[str]]:
    """Return the factors of the numerator and of the denominator."""
    above: list[str] = []
    below: list[str] = []
    for term in _TERM.finditer(unit):
        same, opposite = (below, above) if term["sign"] == "/" else (above, below)
        if term["group"]:
            group_above, group_below = _split_factors(term["group"])
            same += group_above
            opposite += group_below
        elif term["name"] != "1":
            power = term["power"] or "1"
            raised = power.translate(_RAISED) if re.fullmatch(r"-?\d+", power) else f"^{power}"
            same.append(term["name"] + ("" if power == "1" else raised))
    return above, below
