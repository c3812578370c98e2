"""States in kPa, K and kJ from the property formulations, and what the questions' answers are made of."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from ansatz.knowledge_base.properties import ConstantHeatCapacityGas, Substance, substance

CELSIUS = 273.15  # K at 0 °C
KG, SPECIFIC, KW, RATE = "kJ/kg", "kJ/(kg·K)", "kW", "kW/K"
T0 = 298.15  # K, the usual environment
SI = {"P": 1e3, "T": 1.0, "h": 1e3, "s": 1e3, "x": 1.0}


class Point(NamedTuple):
    T: float
    P: float
    h: float
    s: float
    v: float
    x: float | None


@cache
def at(fluid: str, **two: float) -> Point:
    """A state from two of P (kPa), T (K), h (kJ/kg), s (kJ/(kg K)), x."""
    model = Substance(ConstantHeatCapacityGas()) if fluid == "cold air" else substance(fluid)
    found = model.state(**{name: value * SI[name] for name, value in two.items()})
    return Point(found.T, found.P / 1e3, found.h / 1e3, found.s / 1e3, 1 / found.rho, found.x)


def expanded(fluid: str, start: Point, P: float, efficiency: float) -> tuple[Point, Point]:
    """Ideal and actual end of an adiabatic expansion."""
    ideal = at(fluid, P=P, s=start.s)
    return ideal, at(fluid, P=P, h=start.h - efficiency * (start.h - ideal.h))


def compressed(fluid: str, start: Point, P: float, efficiency: float) -> tuple[Point, Point]:
    ideal = at(fluid, P=P, s=start.s)
    return ideal, at(fluid, P=P, h=start.h + (ideal.h - start.h) / efficiency)


def exergy(fluid: str, point: Point, T0: float = 298.15, P0: float = 100.0) -> float:
    dead = at(fluid, T=T0, P=P0)
    return point.h - dead.h - T0 * (point.s - dead.s)


@dataclass(frozen=True)
class Question:
    """`answers` are the symbols asked for with their unit and value."""

    name: str
    body: str
    answers: dict[str, tuple[str, float]]

    @property
    def text(self) -> str:
        blanks = "\n".join(f"{symbol} = ___ {unit}" for symbol, (unit, _) in self.answers.items())
        return f"{self.body.strip()}\n\nReport your answers as:\n{blanks}"
