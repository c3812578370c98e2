"""Tier 1: property look-ups in eight categories, of water and R-134a, in our own words.

States are drawn fine enough that thousands of questions differ; no temperature lies near 0 °C, where 2 %
of it means nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from random import Random

import yaml

from ansatz.eval.benchmarks.templates.draw import Infeasible
from ansatz.eval.benchmarks.templates.template_parts import TemplatePart
from ansatz.eval.benchmarks.thermoqa.generated import Slot, made, number, phase
from ansatz.eval.benchmarks.thermoqa.published_names import (
    KELVIN,
    NAMES,
    GivenValue,
    key_of,
    property_of,
    told_of,
)
from ansatz.eval.benchmarks.thermoqa.questions import ExpectedNumber, ExpectedPhase, PublishedQuestion
from ansatz.knowledge_base.properties import UNITS, PropertyError, State, saturation, state

_NEAR_ZERO = 10.0  # °C
_PHASE_CONVENTION = (
    "Call a state supercritical only where both its temperature and its pressure exceed the critical values."
)


class LookupFluid(TemplatePart):
    """A fluid by its published name, its name in prose and its letter in ids; ranges in °C and kPa."""

    published: str
    plain: str
    letter: str
    coldest: float
    warmest_saturated: float
    hottest: float
    highest: float
    critical: tuple[float, float]
    convention: str


class Lookup(TemplatePart):
    """A kind of question. Phrasings hold {fluid} and each given, printed as `symbol = value unit`."""

    name: str
    code: str
    share: int
    difficulty: str
    draw: str
    asks: tuple[str, ...]
    phrasings: tuple[str, ...]


class _File(TemplatePart):
    fluids: dict[str, LookupFluid]
    approaches: dict[str, str]
    questions: dict[str, tuple[Lookup, ...]]


_FILE = _File.model_validate(
    yaml.load(Path(__file__).with_name("lookups.yaml").read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
)
FLUIDS, APPROACHES = _FILE.fluids, _FILE.approaches
LOOKUPS = {(category, each.name): each for category, found in _FILE.questions.items() for each in found}
"""Every kind of question by its category and name."""


@cache
def slots() -> Mapping[Slot, int]:
    """Categories, names and fluids, with how often the published set asks them: it asks of water alone."""
    of_water: dict[Slot, int] = {(*key, "water"): one.share for key, one in LOOKUPS.items()}
    return of_water | {(*key, "R134a"): 0 for key in LOOKUPS}


@dataclass(frozen=True)
class StateDraw:
    """A state of a fluid, fixed by the givens and at most a quality that the words imply (saturated)."""

    fluid: str
    givens: tuple[GivenValue, ...]
    quality: float | None = None

    @cached_property
    def state(self) -> State:
        implied = {} if self.quality is None else {"x": self.quality}
        return state(self.fluid, **{each.symbol: each.si for each in self.givens}, **implied)


def make(slot: Slot, random: Random) -> PublishedQuestion:
    """One draw of a slot (category, name, fluid)."""
    category, name, fluid = slot
    lookup, own = LOOKUPS[category, name], FLUIDS[fluid]
    try:
        draw = _DRAWINGS[lookup.draw](random, fluid)
        expected = dict(_expected(symbol, draw.state) for symbol in lookup.asks)
    except PropertyError as problem:
        raise Infeasible("no such state, or more than one") from problem
    if any(abs(float(expected[key].value)) < _NEAR_ZERO for key in {"T_C", "T_sat_C"} & expected.keys()):
        raise Infeasible("too near 0 °C")
    printed = {each.symbol: f"{each.symbol} = {each.text}" for each in draw.givens}
    prose = random.choice(lookup.phrasings).format(fluid=own.plain, **printed)
    told = [prose[0].upper() + prose[1:]]
    if {"h", "s", "u"} & {property_of(symbol) for symbol in (*lookup.asks, *printed)}:
        told.append(own.convention)
    if "phase" in lookup.asks:
        told.append(_PHASE_CONVENTION)
    return made(
        " ".join(told),
        expected,
        f"{lookup.code}-{own.letter}",
        tier=1,
        kind=category,
        depth=name,
        difficulty=lookup.difficulty,
        given={"fluid": own.published} | {each.name: each.value for each in draw.givens},
    )


def _expected(symbol: str, at: State) -> tuple[str, ExpectedNumber | ExpectedPhase]:
    if symbol == "phase":
        return "phase_name", phase(at.phase)
    name = property_of(symbol)
    unit = UNITS[name]
    key = key_of(symbol, unit)
    value = getattr(at, name) - KELVIN if name == "T" else getattr(at, name) / GivenValue(key, 0.0).scale
    published = "dimensionless" if name == "x" else NAMES["units"].get(unit, unit)
    return key, number(value, published, told_of(name, NAMES["absolute"][1]))


def _celsius(random: Random, low: float, high: float) -> GivenValue:
    given = GivenValue("T_C", random.uniform(low, high)).rounded()
    if abs(given.value) < _NEAR_ZERO:
        raise Infeasible("too near 0 °C")
    return given


def _pressure(kilopascal: float) -> GivenValue:
    """Four significant digits, as a good gauge is read."""
    return GivenValue("P_kPa", float(f"{kilopascal:.4g}"))


def _saturated_temperature(random: Random, fluid: str) -> GivenValue:
    return _celsius(random, FLUIDS[fluid].coldest, FLUIDS[fluid].warmest_saturated)


def _saturated_pressure(random: Random, fluid: str) -> GivenValue:
    """Printed pressure of a saturation temperature drawn evenly, so that low pressures are asked too."""
    return _pressure(saturation(fluid, T=_saturated_temperature(random, fluid).si).P / 1e3)


def _liquid(random: Random, fluid: str) -> StateDraw:
    own = FLUIDS[fluid]
    at = _celsius(random, own.coldest, own.warmest_saturated - 25)
    boiling = saturation(fluid, T=at.si).P / 1e3
    return StateDraw(fluid, (at, _pressure(random.uniform(max(1.15 * boiling, 100.0), 0.6 * own.highest))))


def _vapor(random: Random, fluid: str) -> StateDraw:
    pressure = _saturated_pressure(random, fluid)
    boiling = saturation(fluid, P=pressure.si).T - KELVIN
    return StateDraw(fluid, (_celsius(random, boiling + 6, FLUIDS[fluid].hottest), pressure))


def _supercritical(random: Random, fluid: str) -> StateDraw:
    temperature, pressure = FLUIDS[fluid].critical
    at = _celsius(random, temperature + 3, FLUIDS[fluid].hottest)
    return StateDraw(fluid, (at, _pressure(random.uniform(1.03 * pressure, FLUIDS[fluid].highest))))


def _near_boundary(random: Random, fluid: str) -> StateDraw:
    pressure = _saturated_pressure(random, fluid)
    boiling = saturation(fluid, P=pressure.si).T - KELVIN
    offset = random.choice((-1, 1)) * random.uniform(1.0, 4.0)
    return StateDraw(fluid, (GivenValue("T_C", boiling + offset).rounded(), pressure))


def _around_critical(random: Random, fluid: str) -> StateDraw:
    """One of T and P, or both, above its critical value, by a margin that leaves no doubt."""
    temperature, pressure = FLUIDS[fluid].critical
    hot = random.uniform(temperature + 3, FLUIDS[fluid].hottest)
    cold = random.uniform(_NEAR_ZERO, temperature - 3)
    dense = random.uniform(1.03 * pressure, FLUIDS[fluid].highest)
    thin = random.uniform(0.3 * pressure, 0.97 * pressure)
    celsius, kilopascal = random.choice(((hot, dense), (cold, dense), (hot, thin)))
    return StateDraw(fluid, (GivenValue("T_C", celsius).rounded(), _pressure(kilopascal)))


Drawing = Callable[[Random, str], StateDraw]


def _saturated(known: Callable[[Random, str], GivenValue], quality: float | None = None) -> Drawing:
    """On the saturation line by T or P, with the quality that the words imply or else a drawn one."""

    def draw(random: Random, fluid: str) -> StateDraw:
        given = known(random, fluid)
        if quality is not None:
            return StateDraw(fluid, (given,), quality)
        return StateDraw(fluid, (given, GivenValue("x", random.uniform(0.05, 0.95)).rounded()))

    return draw


def _one_of(*sources: Drawing) -> Drawing:
    return lambda random, fluid: random.choice(sources)(random, fluid)


def _told_by(names: tuple[str, ...], source: Drawing) -> Drawing:
    """The state of another draw, told by these two of its properties as they print."""

    def draw(random: Random, fluid: str) -> StateDraw:
        drawn = source(random, fluid)
        printed = {given.name: given for given in drawn.givens}
        caloric = {name: GivenValue(name, getattr(drawn.state, name[0]) / 1e3).rounded() for name in names}
        told = StateDraw(fluid, tuple(printed.get(name, caloric[name]) for name in names))
        if told.state.phase != drawn.state.phase:
            raise Infeasible("rounding moved the state into another phase")
        return told

    return draw


_P, _T = _saturated_pressure, _saturated_temperature
_PH, _PS, _HS = ("P_kPa", "h_kJ_kg"), ("P_kPa", "s_kJ_kgK"), ("h_kJ_kg", "s_kJ_kgK")
_DRAWINGS: dict[str, Drawing] = {
    "liquid": _liquid,
    "vapor": _vapor,
    "supercritical": _supercritical,
    "far_from_boundary": _one_of(_liquid, _vapor, _supercritical),
    "near_boundary": _near_boundary,
    "around_critical": _around_critical,
    "saturated_liquid_by_P": _saturated(_P, 0.0),
    "saturated_liquid_by_T": _saturated(_T, 0.0),
    "saturated_vapor_by_P": _saturated(_P, 1.0),
    "saturated_vapor_by_T": _saturated(_T, 1.0),
    "wet_by_P": _saturated(_P),
    "wet_by_T": _saturated(_T),
    "wet_by_P_h": _told_by(_PH, _saturated(_P)),
    "wet_by_P_s": _told_by(_PS, _saturated(_P)),
    "single_phase_by_P_h": _told_by(_PH, _one_of(_liquid, _vapor)),
    "single_phase_by_P_s": _told_by(_PS, _one_of(_liquid, _vapor)),
    "vapor_by_h_s": _told_by(_HS, _vapor),
}
