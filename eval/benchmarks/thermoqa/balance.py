"""The energy balance a cycle's own values leave, as ThermoQA's publisher recomputes it from an answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping

Known = Mapping[str, float]


def is_balance(name: str) -> bool:
    """Whether a target is a closing error: a claim about other targets, and zero by its nature."""
    return name in _BALANCES


def energy_balance_error(name: str, values: Mapping[str, float | str]) -> float | None:
    """The closure error a cycle's own values leave; a number the answer states for it is not used.

    None where a value is missing or the heat added is not positive, as the publisher has it.
    """
    known = {key: float(value) for key, value in values.items() if not isinstance(value, str)}
    try:
        left, heat = _BALANCES[name](known)
    except KeyError:
        return None
    return abs(left) / heat if heat > 0 else None


def recomputed(values: Mapping[str, float | str]) -> dict[str, float | None]:
    """Every closing error, recomputed from the values of one answer."""
    return {name: energy_balance_error(name, values) for name in _BALANCES}


def _cycle(value: Known) -> tuple[float, float]:
    if "q_in" not in value and "q_H" in value:  # a refrigerator
        return value["q_H"] - value["w_comp"] - value["q_L"], value["q_H"]
    leaving = value["h6"] if value.get("h6") else value["h4"]
    return value["q_in"] - value["w_net"] - abs(leaving - value["h1"]), value["q_in"]


def _gas_side(value: Known) -> tuple[float, float]:
    work = value["w_gas_turb"] - value["w_comp"]
    return value["q_combustion"] - work - (value["h4"] - value["h5"]), value["q_combustion"]


def _steam_side(value: Known) -> tuple[float, float]:
    heat = value["h8"] - value["h7"]
    return heat - (value["w_steam_turb"] - value["w_pump"]) - (value["h9"] - value["h6"]), heat


_BALANCES: dict[str, Callable[[Known], tuple[float, float]]] = {
    "energy_balance_error": _cycle,
    "energy_balance_error_gas": _gas_side,
    "energy_balance_error_steam": _steam_side,
}
