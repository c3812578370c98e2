"""Names, units and phases in the spelling of ThermoQA's published files, and their meaning."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import yaml

Entry = TypeVar("Entry")

KELVIN = 273.15
"""0 °C in kelvin."""
NAMES: Any = yaml.load(
    Path(__file__).with_name("published_names.yaml").read_text(encoding="utf-8"), Loader=yaml.CSafeLoader
)
KEY_UNITS: dict[str, str] = NAMES["key_units"]
"""The units by the ends of keys."""


def find_by_pattern(name: str, table: Mapping[str, Entry]) -> Entry:
    """Return the entry of the first pattern that matches the name; the last pattern matches everything."""
    return next(entry for pattern, entry in table.items() if re.fullmatch(pattern, name))


@dataclass(frozen=True)
class GivenValue:
    """A given with its published name."""

    name: str
    """Symbol and unit, such as P_cond_kPa."""
    value: float
    """The value in that unit; a share in [0, 1], which prints in percent."""

    @property
    def symbol(self) -> str:
        return self.name.removesuffix(self._traits[0])

    @property
    def unit(self) -> str:
        """The printed unit."""
        return self._traits[1]

    @property
    def scale(self) -> float:
        """The unit in SI units; for °C, that of a difference."""
        return self._traits[2]

    @property
    def si(self) -> float:
        """The value in SI units."""
        return self.value + KELVIN if self.unit == "°C" else self.value * self.scale

    @property
    def text(self) -> str:
        """The value as printed, with its unit."""
        return f"{100 * self.value if self.unit == '%' else self.value:.10g} {self.unit}".rstrip()

    def rounded(self) -> GivenValue:
        """Return the value with the number of decimals that data sheets print."""
        return GivenValue(self.name, round(self.value, self._traits[3]))

    @property
    def _traits(self) -> tuple[str, str, float, int]:
        """The end of the name that is not the symbol, the printed unit, its scale, and the decimals."""
        ending, unit, scale, decimals = find_by_pattern(self.name, NAMES["givens"])
        return ending, unit, scale, decimals


def symbol_of(key: str) -> str:
    """Return the symbol of a key: h_f for h_f_kJ_kg."""
    return next((key.removesuffix(ending) for ending in KEY_UNITS if key.endswith(ending)), key)


def key_of(symbol: str, unit: str) -> str:
    """Return the key of tier 1 for a symbol in a unit."""
    return symbol + next((ending for ending, each in KEY_UNITS.items() if each == unit), "")


def property_of(symbol: str) -> str:
    """Return the property of a symbol: h for h_f, T for T_sat."""
    return symbol.partition("_")[0]


def describe(symbol: str) -> str:
    """Return words, such as "saturated-liquid specific enthalpy" for h_f; empty for an unknown symbol."""
    _, _, suffix = symbol.partition("_")
    name = NAMES["properties"].get(property_of(symbol))
    return f"{NAMES['suffixes'].get(suffix, '')}{name}" if name and suffix in ("", *NAMES["suffixes"]) else ""
