"""Where the states of tier 1 are drawn, fine enough that thousands of questions differ."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from random import Random

from ansatz.eval.benchmarks.thermoqa.generated import Infeasible
from ansatz.eval.benchmarks.thermoqa.property_names import Shown
from ansatz.knowledge_base.properties import State, saturation, state

KELVIN = 273.15


@dataclass(frozen=True)
class Draw:
    """A state of a fluid, fixed by the values printed and at most one that the words imply (saturated: x)."""

    fluid: str
    givens: tuple[Shown, ...]
    implied: tuple[Shown, ...] = ()

    @cached_property
    def state(self) -> State:
        return state(self.fluid, **{one.symbol: one.si for one in (*self.givens, *self.implied)})


Drawing = Callable[[Random, str], Draw]


@dataclass(frozen=True)
class _Range:
    """Of a fluid, in °C and kPa. No temperature is drawn within `zero` of 0 °C: 2 % of it means nothing."""

    coldest: float
    warmest_saturated: float
    hottest: float
    highest: float
    critical: tuple[float, float]
    zero: float


# Critical points: IAPWS R2-83 (373.946 °C, 22 064 kPa); Tillner-Roth and Baehr 1994 (101.06 °C, 4059.3 kPa).
RANGES = {
    "water": _Range(15.0, 365.0, 650.0, 40_000.0, (373.946, 22_064.0), zero=10.0),
    "R134a": _Range(-40.0, 92.0, 160.0, 9_000.0, (101.06, 4_059.3), zero=10.0),
}


def _celsius(random: Random, low: float, high: float, zero: float) -> Shown:
    value = round(random.uniform(low, high), 1)
    if abs(value) < zero:
        raise Infeasible("too near 0 °C")
    return Shown("T", value)


def _pressure(kilopascal: float) -> Shown:
    """Four significant digits, as a good gauge is read."""
    return Shown("P", float(f"{kilopascal:.4g}"))


def _saturated_pressure(random: Random, fluid: str) -> Shown:
    """Printed pressure of a saturation temperature drawn evenly, so that low pressures are asked too."""
    bounds = RANGES[fluid]
    at = _celsius(random, bounds.coldest, bounds.warmest_saturated, bounds.zero)
    return _pressure(saturation(fluid, T=at.si).P / 1e3)


def _liquid(random: Random, fluid: str) -> Draw:
    bounds = RANGES[fluid]
    at = _celsius(random, bounds.coldest, bounds.warmest_saturated - 25, bounds.zero)
    boiling = saturation(fluid, T=at.si).P / 1e3
    pressure = random.uniform(max(1.15 * boiling, 100.0), 0.6 * bounds.highest)
    return Draw(fluid, (at, _pressure(pressure)))


def _vapor(random: Random, fluid: str) -> Draw:
    bounds = RANGES[fluid]
    pressure = _saturated_pressure(random, fluid)
    boiling = saturation(fluid, P=pressure.si).T - KELVIN
    return Draw(fluid, (_celsius(random, boiling + 6, bounds.hottest, bounds.zero), pressure))


def _supercritical(random: Random, fluid: str) -> Draw:
    bounds = RANGES[fluid]
    temperature, pressure = bounds.critical
    at = _celsius(random, temperature + 3, bounds.hottest, bounds.zero)
    return Draw(fluid, (at, _pressure(random.uniform(1.03 * pressure, bounds.highest))))


def _saturated(given: str, quality: float | None = None) -> Drawing:
    """On the saturation line by T or P, with the quality that the words imply or else a drawn one."""

    def draw(random: Random, fluid: str) -> Draw:
        bounds = RANGES[fluid]
        if given == "T":
            known = _celsius(random, bounds.coldest, bounds.warmest_saturated, bounds.zero)
        else:
            known = _saturated_pressure(random, fluid)
        if quality is not None:
            return Draw(fluid, (known,), implied=(Shown("x", quality),))
        return Draw(fluid, (known, Shown("x", round(random.uniform(0.05, 0.95), 2))))

    return draw


def _near_boundary(random: Random, fluid: str) -> Draw:
    pressure = _saturated_pressure(random, fluid)
    boiling = saturation(fluid, P=pressure.si).T - KELVIN
    offset = random.choice((-1, 1)) * random.uniform(1.0, 4.0)
    return Draw(fluid, (Shown("T", round(boiling + offset, 1)), pressure))


def _around_critical(random: Random, fluid: str) -> Draw:
    """One of T and P, or both, above its critical value, by a margin that leaves no doubt."""
    bounds = RANGES[fluid]
    temperature, pressure = bounds.critical
    hot = random.uniform(temperature + 3, bounds.hottest)
    cold = random.uniform(bounds.zero, temperature - 3)
    dense = random.uniform(1.03 * pressure, bounds.highest)
    thin = random.uniform(0.3 * pressure, 0.97 * pressure)
    celsius, kilopascal = random.choice(((hot, dense), (cold, dense), (hot, thin)))
    return Draw(fluid, (Shown("T", round(celsius, 1)), _pressure(kilopascal)))


def _one_of(*sources: Drawing) -> Drawing:
    return lambda random, fluid: random.choice(sources)(random, fluid)


def _told_by(symbols: str, source: Drawing) -> Drawing:
    """The state of another draw, told by these two of its properties as they print."""
    digits = {"h": 1, "s": 4}

    def draw(random: Random, fluid: str) -> Draw:
        drawn = source(random, fluid)
        printed = {given.symbol: given for given in drawn.givens}
        told = Draw(
            fluid,
            tuple(
                printed.get(symbol) or Shown.of_si(symbol, getattr(drawn.state, symbol), digits[symbol])
                for symbol in symbols
            ),
        )
        if told.state.phase != drawn.state.phase:
            raise Infeasible("rounding moved the state into another phase")
        return told

    return draw


DRAWINGS: dict[str, Drawing] = {
    "liquid": _liquid,
    "vapor": _vapor,
    "supercritical": _supercritical,
    "far_from_boundary": _one_of(_liquid, _vapor, _supercritical),
    "near_boundary": _near_boundary,
    "around_critical": _around_critical,
    "saturated_liquid_by_P": _saturated("P", 0.0),
    "saturated_liquid_by_T": _saturated("T", 0.0),
    "saturated_vapor_by_P": _saturated("P", 1.0),
    "saturated_vapor_by_T": _saturated("T", 1.0),
    "wet_by_P": _saturated("P"),
    "wet_by_T": _saturated("T"),
    "wet_by_P_h": _told_by("Ph", _saturated("P")),
    "wet_by_P_s": _told_by("Ps", _saturated("P")),
    "single_phase_by_P_h": _told_by("Ph", _one_of(_liquid, _vapor)),
    "single_phase_by_P_s": _told_by("Ps", _one_of(_liquid, _vapor)),
    "vapor_by_h_s": _told_by("hs", _vapor),
}
