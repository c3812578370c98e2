"""Where the states of property questions are drawn, in ranges that plants and refrigerators know."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from random import Random

from ansatz.eval.benchmarks.property_wording import Shown
from ansatz.knowledge_base.properties import State, saturation, state


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
    """Where states of a fluid are drawn: °C and kPa."""

    saturated: tuple[int, int]
    hottest: int
    highest: int
    supercritical: tuple[int, int]
    supercritical_pressure: tuple[int, int]


# R134a stays above the ice point: a relative error of a Celsius temperature near zero means nothing.
_RANGES = {
    "water": _Range((25, 340), 650, 25_000, (385, 650), (23_000, 40_000)),
    "R134a": _Range((10, 90), 150, 6_000, (106, 160), (4_300, 8_000)),
}


def _saturation_pressure(fluid: str, celsius: float) -> float:
    return saturation(fluid, T=celsius + 273.15).P / 1e3


def _round_pressure(kilopascal: float) -> Shown:
    """Three significant digits, as a gauge is read."""
    return Shown("P", float(f"{kilopascal:.3g}"))


def _liquid(random: Random, fluid: str) -> Draw:
    low, high = _RANGES[fluid].saturated
    celsius = random.randint(low, high - 40)
    floor = 1.2 * _saturation_pressure(fluid, celsius)
    pressure = random.uniform(max(floor, 150), _RANGES[fluid].highest)
    return Draw(fluid, (Shown("T", celsius), _round_pressure(pressure)))


def _vapor(random: Random, fluid: str) -> Draw:
    low, high = _RANGES[fluid].saturated
    at = random.randint(low, high)
    celsius = random.randint(at + 15, _RANGES[fluid].hottest)
    return Draw(fluid, (Shown("T", celsius), _round_pressure(_saturation_pressure(fluid, at))))


def _supercritical(random: Random, fluid: str) -> Draw:
    celsius = random.randint(*_RANGES[fluid].supercritical)
    pressure = random.randint(*_RANGES[fluid].supercritical_pressure)
    return Draw(fluid, (Shown("T", celsius), _round_pressure(pressure)))


def _saturated(given: str, quality: float | None = None) -> Drawing:
    """On the saturation line by T or P, with a quality that the words imply or, without one, a drawn one."""

    def draw(random: Random, fluid: str) -> Draw:
        celsius = random.randint(*_RANGES[fluid].saturated)
        known = Shown("T", celsius) if given == "T" else _round_pressure(_saturation_pressure(fluid, celsius))
        if quality is not None:
            return Draw(fluid, (known,), implied=(Shown("x", quality),))
        return Draw(fluid, (known, Shown("x", round(random.uniform(0.08, 0.95), 2))))

    return draw


def _near_boundary(random: Random, fluid: str) -> Draw:
    celsius = random.randint(*_RANGES[fluid].saturated)
    pressure = _round_pressure(_saturation_pressure(fluid, celsius))
    boiling = saturation(fluid, P=pressure.si).T - 273.15
    offset = random.choice((-1, 1)) * random.uniform(1.0, 4.0)
    return Draw(fluid, (Shown("T", round(boiling + offset, 1)), pressure))


def _anywhere(random: Random, fluid: str) -> Draw:
    return random.choice((_liquid, _vapor, _supercritical))(random, fluid)


def _told_by(symbols: str, source: Drawing) -> Drawing:
    """The state of another draw, told by these two of its properties."""
    digits = {"P": 1, "h": 1, "s": 4}

    def draw(random: Random, fluid: str) -> Draw:
        drawn = source(random, fluid)
        at = drawn.state
        printed = {given.symbol: given for given in drawn.givens}
        given = (
            printed.get(symbol) or Shown.of_si(symbol, getattr(at, symbol), digits[symbol])
            for symbol in symbols
        )
        return Draw(fluid, tuple(given))

    return draw


def _single_phase(random: Random, fluid: str) -> Draw:
    return random.choice((_liquid, _vapor))(random, fluid)


DRAWINGS: dict[str, Drawing] = {
    "liquid": _liquid,
    "vapor": _vapor,
    "supercritical": _supercritical,
    "anywhere": _anywhere,
    "near_saturation": _near_boundary,
    "saturated_liquid_at_pressure": _saturated("P", 0.0),
    "saturated_liquid_at_temperature": _saturated("T", 0.0),
    "saturated_vapor_at_pressure": _saturated("P", 1.0),
    "saturated_vapor_at_temperature": _saturated("T", 1.0),
    "wet_at_pressure": _saturated("P"),
    "wet_at_temperature": _saturated("T"),
    "wet_pressure_and_enthalpy": _told_by("Ph", _saturated("P")),
    "pressure_and_enthalpy": _told_by("Ph", _single_phase),
    "pressure_and_entropy": _told_by("Ps", _single_phase),
    "vapor_enthalpy_and_entropy": _told_by("hs", _vapor),
}
