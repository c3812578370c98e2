"""Names, units and phases as ThermoQA's published files spell them, and what they mean."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import yaml

Told = TypeVar("Told")

KELVIN = 273.15
NAMES: Any = yaml.load(
    Path(__file__).with_name("published_names.yaml").read_text(encoding="utf-8"), Loader=yaml.CSafeLoader
)
KEY_UNITS: dict[str, str] = NAMES["key_units"]


def told_of(name: str, table: Mapping[str, Told]) -> Told:
    """What a table of patterns, the last of which fits everything, says of a name."""
    return next(told for pattern, told in table.items() if re.fullmatch(pattern, name))


@dataclass(frozen=True)
class GivenValue:
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

    def rounded(self) -> GivenValue:
        """With as many decimals as data sheets print."""
        return GivenValue(self.name, round(self.value, self._traits[3]))

    @property
    def _traits(self) -> tuple[str, str, float, int]:
        ending, unit, scale, decimals = told_of(self.name, NAMES["givens"])
        return ending, unit, scale, decimals


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
    name = NAMES["properties"].get(property_of(symbol))
    return f"{NAMES['suffixes'].get(suffix, '')}{name}" if name and suffix in ("", *NAMES["suffixes"]) else ""
