"""States from the remembered tables, and the rough rules for where these do not reach."""

from __future__ import annotations

from collections.abc import Mapping

from ansatz.agents.slide_rule.arithmetic import significant
from ansatz.agents.slide_rule.locating import Bracket, locate
from ansatz.agents.slide_rule.procedures.media import Medium
from ansatz.agents.slide_rule.procedures.planning import Arithmetic, terms
from ansatz.agents.slide_rule.properties import PropertyQuestion

_KELVIN = 273.15
_ROW_DIGITS = 4  # of a remembered row, or of one between two remembered pressures
_HOT = 374.0  # °C, above which a stated temperature is that of vapour
# Liquid heat capacity, latent heat at ordinary temperatures, vapour heat capacity, gas constant: kJ, kg, K
_ROUGHLY = {"water": (4.2, 2500.0, 1.9, 0.46), "R134a": (1.4, 200.0, 0.9, 0.081)}


def remembered(medium: Medium, fixed: Mapping[str, float], name: str) -> Arithmetic | None:
    """The arithmetic that gives a property such as h_2 (K, kPa, kJ/kg); None where memory has nothing.

    `fixed` are the two properties that fix the state.
    """
    prop = name.split("_")[0]
    state = {key: value - _KELVIN if key == "T" else value for key, value in fixed.items()}
    bracket = locate(PropertyQuestion(medium.family, state, {}, (), ""))
    return _interpolation(bracket, name, prop) if bracket else _rough(medium, fixed, name)


def _interpolation(bracket: Bracket, name: str, prop: str) -> Arithmetic:
    shift = _KELVIN if prop == "T" else 0.0
    low, high = (significant(row[prop] + shift, _ROW_DIGITS) for row in (bracket.low, bracket.high))
    start, end = (significant(row[bracket.key], _ROW_DIGITS) for row in (bracket.low, bracket.high))
    if low == high or start == end:
        return Arithmetic(name, "y", (("y", low),))
    numbers = {"y1": low, "y2": high, "z": bracket.value, "z1": start, "z2": end}
    return Arithmetic(name, "y1 + (y2 - y1)*(z - z1)/(z2 - z1)", tuple(numbers.items()))


def _rough(medium: Medium, fixed: Mapping[str, float], name: str) -> Arithmetic | None:
    """A liquid with one heat capacity, or a vapour as a perfect gas above it; only from temperature."""
    if medium.family not in _ROUGHLY or "T" not in fixed:
        return None
    liquid, latent, vapor, gas = _ROUGHLY[medium.family]
    is_vapor = fixed.get("x", 0.0) > 0.5 or fixed["T"] - _KELVIN > _HOT
    rules = {
        "h": "latent + c*(T - 273)" if is_vapor else "c*(T - 273)",
        "s": "latent/273 + c*log(T/273)" if is_vapor else "c*log(T/273)",
        "v": "R*T/P" if is_vapor and "P" in fixed else "v",
    }
    rule = rules.get(name.split("_")[0])
    if rule is None:
        return None
    numbers = {"T": fixed["T"], "P": fixed.get("P", 100.0), "latent": latent, "R": gas, "v": 0.001}
    numbers["c"] = vapor if is_vapor else liquid
    return Arithmetic(name, rule, tuple((key, value) for key, value in numbers.items() if key in terms(rule)))
