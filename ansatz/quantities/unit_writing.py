"""Units as people write them: kg/m³, J/(kg·K) and Pa·s for what is spelled kg/m**3, J/kg/K and Pa*s."""

from __future__ import annotations

import re
from functools import cache

_TERM = re.compile(
    r"(?P<sign>[*/]?)(?:\((?P<group>[^()]+)\)|(?P<name>\w+))(?:\*\*(?P<power>-?\d+(?:\.\d+)?|\([-\d./]+\)))?"
)
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


@cache
def format_unit(unit: str) -> str:
    """A unit in Python's spelling, typeset; "-" where there is none. It reads back as the same unit.

    What is spelled otherwise, such as "%", stays as it is.

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
    """What stands above and below the line."""
    above: list[str] = []
    below: list[str] = []
    for term in _TERM.finditer(unit):
        here, there = (below, above) if term["sign"] == "/" else (above, below)
        if term["group"]:
            over, under = _split_factors(term["group"])
            here += over
            there += under
        elif term["name"] != "1":
            power = term["power"] or "1"
            raised = power.translate(_RAISED) if re.fullmatch(r"-?\d+", power) else f"^{power}"
            here.append(term["name"] + ("" if power == "1" else raised))
    return above, below
