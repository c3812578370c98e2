"""Tier 1: property look-ups in eight categories, of water and R-134a, in our own words.

States are drawn fine enough that thousands of questions differ; no temperature lies near 0 °C, where 2 %
of it means nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from random import Random

import yaml

from ansatz.errors import PropertyError
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
from ansatz.knowledge_base.properties import UNITS, State, saturation, state

_NEAR_ZERO = 10.0  # °C
_REGIONS = {"far_from_boundary": ("liquid", "vapor", "supercritical"), "single_phase": ("liquid", "vapor")}
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


def make(slot: Slot, random: Random) -> PublishedQuestion:
    """One draw of a slot (category, name, fluid)."""
    category, name, fluid = slot
    lookup, own = LOOKUPS[category, name], FLUIDS[fluid]
    try:
        givens, at = _drawn(lookup.draw, random, fluid)
        expected = dict(_expected(symbol, at) for symbol in lookup.asks)
    except PropertyError as problem:
        raise Infeasible("no such state, or more than one") from problem
    if any(abs(float(expected[key].value)) < _NEAR_ZERO for key in {"T_C", "T_sat_C"} & expected.keys()):
        raise Infeasible("too near 0 °C")
    printed = {each.symbol: f"{each.symbol} = {each.text}" for each in givens}
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
        given={"fluid": own.published} | {each.name: each.value for each in givens},
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


def _drawn(draw: str, random: Random, fluid: str) -> tuple[Sequence[GivenValue], State]:
    """A state of a region, and the givens that tell it: `region`, or `region_by_` with the symbols told."""
    region, _, by = draw.partition("_by_")
    if region in _REGIONS:
        region = random.choice(_REGIONS[region])
    told = by.split("_")
    if region in ("wet", "saturated_liquid", "saturated_vapor"):
        given = _boiling_point(random, fluid)
        givens: Sequence[GivenValue] = [given if told[0] == "T" else _boiling_pressure(fluid, given)]
        if region == "wet":
            givens = [*givens, GivenValue("x", random.uniform(0.05, 0.95)).rounded()]
        implied = {"saturated_liquid": {"x": 0.0}, "saturated_vapor": {"x": 1.0}}.get(region, {})
    else:
        givens, implied = _single_phase(region, random, fluid), {}
    at = state(fluid, **{each.symbol: each.si for each in givens}, **implied)
    if len(told) < 2:
        return givens, at
    # the same state, told by two of its properties as they print
    printed = {each.symbol: each for each in givens}
    caloric = [
        GivenValue(key_of(name, UNITS[name]), getattr(at, name) / 1e3) for name in told if name in "hs"
    ]
    printed |= {each.symbol: each.rounded() for each in caloric}
    givens = [printed[name] for name in told]
    again = state(fluid, **{each.symbol: each.si for each in givens})
    if again.phase != at.phase:
        raise Infeasible("rounding moved the state into another phase")
    return givens, again


def _single_phase(region: str, random: Random, fluid: str) -> tuple[GivenValue, GivenValue]:
    """Temperature and pressure, by margins that leave no doubt, or nearly none, which region they are in."""
    own = FLUIDS[fluid]
    temperature, pressure = own.critical
    if region == "liquid":
        at = _celsius(random.uniform(own.coldest, own.warmest_saturated - 25))
        boiling = saturation(fluid, T=at.si).P / 1e3
        return at, _pressure(random.uniform(max(1.15 * boiling, 100.0), 0.6 * own.highest))
    if region == "supercritical":
        at = _celsius(random.uniform(temperature + 3, own.hottest))
        return at, _pressure(random.uniform(1.03 * pressure, own.highest))
    if region == "around_critical":  # one of T and P, or both, above its critical value
        hot, cold = random.uniform(temperature + 3, own.hottest), random.uniform(_NEAR_ZERO, temperature - 3)
        dense = random.uniform(1.03 * pressure, own.highest)
        thin = random.uniform(0.3 * pressure, 0.97 * pressure)
        celsius, kilopascal = random.choice(((hot, dense), (cold, dense), (hot, thin)))
        return GivenValue("T_C", celsius).rounded(), _pressure(kilopascal)
    at_pressure = _boiling_pressure(fluid, _boiling_point(random, fluid))
    celsius = saturation(fluid, P=at_pressure.si).T - KELVIN
    if region == "near_boundary":
        offset = random.choice((-1, 1)) * random.uniform(1.0, 4.0)
        return GivenValue("T_C", celsius + offset).rounded(), at_pressure
    return _celsius(random.uniform(celsius + 6, own.hottest)), at_pressure


def _celsius(celsius: float) -> GivenValue:
    given = GivenValue("T_C", celsius).rounded()
    if abs(given.value) < _NEAR_ZERO:
        raise Infeasible("too near 0 °C")
    return given


def _pressure(kilopascal: float) -> GivenValue:
    """Four significant digits, as a good gauge is read."""
    return GivenValue("P_kPa", float(f"{kilopascal:.4g}"))


def _boiling_point(random: Random, fluid: str) -> GivenValue:
    return _celsius(random.uniform(FLUIDS[fluid].coldest, FLUIDS[fluid].warmest_saturated))


def _boiling_pressure(fluid: str, at: GivenValue) -> GivenValue:
    """Of a temperature, which is what is drawn evenly, so that low pressures are asked too."""
    return _pressure(saturation(fluid, T=at.si).P / 1e3)
