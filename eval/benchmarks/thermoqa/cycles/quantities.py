"""Units, weights and tolerances of cycle quantities by their names, as the published files have them."""

from __future__ import annotations

import re
from typing import TypeVar

Value = TypeVar("Value")

_UNITS = (
    (r"(h|ef)\d.*|[wq]_\w+|x_dest_\w+", "kJ/kg"),
    (r"s\d|s_gen_\w+", "kJ/(kg*K)"),
    (r"[WQ]_(dot|net)_\w+", "kW"),
    (r"T\d", "K"),
    (r"m_dot_\w+", "kg/s"),
    (r"x4|(eta|COP|energy)_\w+", "-"),
)
_SI = {"kJ/kg": 1e3, "kJ/(kg*K)": 1e3, "kW": 1e3, "K": 1.0, "kg/s": 1.0, "-": 1.0}
_WEIGHTS = (
    (r"[hsT]\d.*", 1.0),
    (r"ef\d", 2.0),
    (r"eta_II\w*", 6.0),
    (r"w_net|eta_\w+|COP_\w+|[WQ]_\w+|s_gen_total|x_dest_total", 5.0),
    (r"x4", 4.0),
    (r"w_\w+|q_\w+|s_gen_\w+|x_dest_\w+|m_dot_\w+|energy_\w+", 3.0),
)
_ABSOLUTE = (
    (r"(eta|COP)_\w+", 0.02),
    (r"x4", 0.03),
    (r"energy_\w+", 0.01),
    (r".*", 0.5),
)


def unit(name: str) -> str:
    """The published unit of a quantity."""
    return _first(_UNITS, name)


def in_published_unit(name: str, value: float) -> float:
    """An SI value in the published unit."""
    return value / _SI[unit(name)]


def weight(name: str) -> float:
    """The published weight of a quantity: states count 1, the second-law efficiency 6."""
    return _first(_WEIGHTS, name)


def absolute_tolerance(name: str) -> float:
    """The published absolute tolerance, in the published unit."""
    return _first(_ABSOLUTE, name)


def _first(table: tuple[tuple[str, Value], ...], name: str) -> Value:
    return next(value for pattern, value in table if re.fullmatch(pattern, name))
