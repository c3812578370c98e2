"""Symbols, units and names that property questions are written with."""

from __future__ import annotations

from dataclasses import dataclass

from ansatz.knowledge_base.properties import SI, UNITS
from ansatz.quantities.units import quantity

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
    "subcooled_liquid": ("subcooled liquid", "compressed liquid", "subcooled", "liquid", "compressed water"),
    "wet_steam": ("wet steam", "two-phase", "two-phase mixture", "saturated mixture", "mixture"),
    "two_phase": ("two-phase", "two-phase mixture", "saturated mixture", "mixture"),
    "superheated_vapor": (
        "superheated vapor",
        "superheated vapour",
        "superheated steam",
        "superheated",
        "vapor",
    ),
    "supercritical": ("supercritical", "supercritical fluid"),
}
_SUFFIXES = {"sat": "saturation ", "f": "saturated-liquid ", "g": "saturated-vapour "}
_TYPESET = {"degC": "°C", "kJ/(kg*K)": "kJ/(kg·K)", "-": ""}


@dataclass(frozen=True)
class Shown:
    """A value as a question prints it: rounded, in its usual unit."""

    symbol: str
    value: float

    @classmethod
    def of_si(cls, symbol: str, value: float, digits: int) -> Shown:
        """An SI value rounded to `digits` decimals of the usual unit."""
        converted = float(quantity(quantity(value, SI[symbol]), UNITS[symbol]).magnitude)
        return cls(symbol, round(converted, digits))

    @property
    def unit(self) -> str:
        return UNITS[self.symbol]

    @property
    def description(self) -> str:
        return DESCRIPTIONS[self.symbol]

    @property
    def si(self) -> float:
        return float(quantity(quantity(self.value, self.unit), SI[self.symbol]).magnitude)

    @property
    def text(self) -> str:
        """Such as `P = 3200 kPa`."""
        return f"{self.symbol} = {self.value:.10g} {unit_text(self.unit)}".rstrip()


def property_of(symbol: str) -> str:
    """The property a symbol stands for: h_f is an h, T_sat a T."""
    return symbol.partition("_")[0]


def describe(symbol: str) -> str:
    """Such as "saturated-liquid specific enthalpy" for h_f; empty for a symbol of no property."""
    _, _, suffix = symbol.partition("_")
    name = DESCRIPTIONS.get(property_of(symbol))
    return f"{_SUFFIXES.get(suffix, '')}{name}" if name and suffix in ("", *_SUFFIXES) else ""


def unit_text(unit: str) -> str:
    """A unit as prose sets it."""
    return _TYPESET.get(unit, unit)
