"""Givens as a component question prints them, and what they are in SI units."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from ansatz.eval.benchmarks.thermoqa.generated import Infeasible

KELVIN = 273.15
_TO_SI = {"kg/s": 1.0, "m/s": 1.0, "K": 1.0, "MPa": 1e6, "kPa": 1e3, "%": 0.01}


@dataclass(frozen=True)
class Printed:
    """One given: a symbol such as T1, the number and the unit as printed."""

    symbol: str
    value: float
    unit: str

    @property
    def si(self) -> float:
        return self.value + KELVIN if self.unit == "°C" else self.value * _TO_SI[self.unit]

    @property
    def text(self) -> str:
        return f"{self.value:.10g} {self.unit}"

    @property
    def key(self) -> tuple[str, float]:
        """Name and value as the published `given` spells them; an efficiency is a fraction there."""
        if self.unit == "%":
            return self.symbol, round(self.value / 100, 6)
        ending = {"°C": "_C", "K": "_K", "MPa": "_MPa", "kPa": "_kPa"}.get(self.unit, "")
        return self.symbol + ending, self.value


@dataclass(frozen=True)
class Givens:
    """The printed givens of one draw."""

    printed: tuple[Printed, ...]

    @property
    def si(self) -> dict[str, float]:
        """Values in SI units (an efficiency as a fraction) by symbol."""
        return {one.symbol: one.si for one in self.printed}


@dataclass(frozen=True)
class Draws:
    """Values drawn from a stream and rounded as data sheets print them."""

    random: Random

    def celsius(self, symbol: str, low: float, high: float) -> Printed:
        return Printed(symbol, self._between(low, high, 1), "°C")

    def kelvin(self, symbol: str, low: float, high: float) -> Printed:
        return Printed(symbol, self._between(low, high, 0), "K")

    def percent(self, symbol: str, low: float, high: float) -> Printed:
        return Printed(symbol, self._between(low, high, 1), "%")

    def flow(self, symbol: str, low: float, high: float) -> Printed:
        return Printed(symbol, self._between(low, high, 2), "kg/s")

    def speed(self, symbol: str, low: float, high: float) -> Printed:
        return Printed(symbol, self._between(low, high, 0), "m/s")

    def pressure(self, symbol: str, low: float, high: float) -> Printed:
        """Bounds in Pa, drawn evenly in the logarithm, three significant digits of MPa."""
        if not low < high:
            raise Infeasible("no room for a pressure")
        pascal = low * (high / low) ** self.random.random()
        return Printed(symbol, float(f"{pascal / 1e6:.3g}"), "MPa")

    def _between(self, low: float, high: float, digits: int) -> float:
        if not low < high:
            raise Infeasible("no room for a value")
        return round(self.random.uniform(low, high), digits)
