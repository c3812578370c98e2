"""Names, units and phases as ThermoQA's published files spell them, and what they mean."""

from __future__ import annotations

import re
from dataclasses import dataclass

KELVIN = 273.15
DESCRIPTIONS = {
    "T": "temperature",
    "P": "pressure",
    "h": "specific enthalpy",
    "s": "specific entropy",
    "v": "specific volume",
    "rho": "density",
    "u": "specific internal energy",
    "x": "quality",
    "phase": "thermodynamic phase",
}
PHASE_NAMES = {
    "subcooled_liquid": ["subcooled liquid", "compressed liquid", "subcooled", "liquid", "compressed water"],
    "wet_steam": ["wet steam", "two-phase", "two-phase mixture", "saturated mixture", "mixture"],
    "two_phase": ["two-phase", "two-phase mixture", "saturated mixture", "mixture"],
    "superheated_vapor": [
        *("superheated vapor", "superheated vapour", "superheated steam", "superheated", "vapor")
    ],
    "supercritical": ["supercritical", "supercritical fluid"],
}
KEY_UNITS = {
    "_kJ_kgK": "kJ/(kg*K)",
    "_kJ_kg": "kJ/kg",
    "_kg_m3": "kg/m^3",
    "_m3_kg": "m^3/kg",
    "_kPa": "kPa",
    "_C": "degC",
}
"""A key of tier 1 is symbol and unit in one, such as h_f_kJ_kg; the question asks for the symbol."""
PUBLISHED_UNITS = {"degC": "C", "m^3/kg": "m3/kg", "kg/m^3": "kg/m3"}
_SUFFIXES = {"sat": "saturation ", "f": "saturated-liquid ", "g": "saturated-vapour "}
_GIVENS: dict[str, tuple[str, str, float, int]] = {
    # a given's name: what of it is no part of the symbol, unit as printed, in SI units, decimals
    r".*superheat_C": ("_C", "K", 1.0, 0),  # a difference
    r".*_kJ_kgK": ("_kJ_kgK", "kJ/(kg·K)", 1e3, 4),
    r".*_kJ_kg": ("_kJ_kg", "kJ/kg", 1e3, 1),
    r".*_kgs": ("_kgs", "kg/s", 1.0, 2),
    r".*_kPa": ("_kPa", "kPa", 1e3, 0),
    r".*_MPa": ("_MPa", "MPa", 1e6, 0),
    r".*_C": ("_C", "°C", 1.0, 1),
    r".*_K": ("_K", "K", 1.0, 0),
    r"eta_.*|epsilon_.*": ("", "%", 1.0, 3),
    r"m.*": ("", "kg/s", 1.0, 2),
    r"V1": ("", "m/s", 1.0, 0),
    r".*": ("", "", 1.0, 2),
}


@dataclass(frozen=True)
class Given:
    """A given by its published name, such as P_cond_kPa, and its value; a share prints in percent."""

    name: str
    value: float

    @property
    def symbol(self) -> str:
        return self.name.removesuffix(self._traits[0])

    @property
    def unit(self) -> str:
        return self._traits[1]

    @property
    def scale(self) -> float:
        """The unit in SI units; of °C, that of a difference."""
        return self._traits[2]

    @property
    def si(self) -> float:
        return self.value + KELVIN if self.unit == "°C" else self.value * self.scale

    @property
    def text(self) -> str:
        return f"{100 * self.value if self.unit == '%' else self.value:.10g} {self.unit}".rstrip()

    def rounded(self) -> Given:
        """With as many decimals as data sheets print."""
        return Given(self.name, round(self.value, self._traits[3]))

    @property
    def _traits(self) -> tuple[str, str, float, int]:
        return next(traits for pattern, traits in _GIVENS.items() if re.fullmatch(pattern, self.name))


def symbol_of(key: str) -> str:
    """h_f of the key h_f_kJ_kg."""
    return next((key.removesuffix(ending) for ending in KEY_UNITS if key.endswith(ending)), key)


def key_of(symbol: str, unit: str) -> str:
    """The key of tier 1 for a symbol in a unit."""
    return symbol + next((ending for ending, each in KEY_UNITS.items() if each == unit), "")


def property_of(symbol: str) -> str:
    """The property a symbol stands for: h_f is an h, T_sat a T."""
    return symbol.partition("_")[0]


def describe(symbol: str) -> str:
    """Such as "saturated-liquid specific enthalpy" for h_f; empty for a symbol of no property."""
    _, _, suffix = symbol.partition("_")
    name = DESCRIPTIONS.get(property_of(symbol))
    return f"{_SUFFIXES.get(suffix, '')}{name}" if name and suffix in ("", *_SUFFIXES) else ""
