"""Tier 1: property look-ups in eight categories, for water and R-134a, in Ansatz's words.

States are sampled finely, so that thousands of questions differ. No temperature is near 0 °C, where a
tolerance of 2 % has no meaning.
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
from ansatz.eval.benchmarks.thermoqa.published_names import (
    KELVIN,
    NAMES,
    GivenValue,
    describe,
    find_by_pattern,
    key_of,
    property_of,
)
from ansatz.eval.benchmarks.thermoqa.questions import (
    ExpectedNumber,
    ExpectedPhase,
    PublishedQuestion,
    QuestionKind,
    expect_number,
    expect_phase,
    make_question,
)
from ansatz.eval.problem import Formulation, Problem, ReferenceSolution, Target, TargetBound
from ansatz.knowledge_base.properties import UNITS, State, saturation, state

_NEAR_ZERO = 10.0  # °C
_REGIONS = {"far_from_boundary": ("liquid", "vapor", "supercritical"), "single_phase": ("liquid", "vapor")}
_PHASE_CONVENTION = (
    "Call a state supercritical only where both its temperature and its pressure exceed the critical values."
)


class LookupFluid(TemplatePart):
    """A fluid of tier 1."""

    plain: str
    """The name in prose."""
    letter: str
    """The letter in template ids."""
    coldest: float
    """The lowest temperature, °C."""
    warmest_saturated: float
    """The highest saturation temperature, °C."""
    hottest: float
    """The highest temperature, °C."""
    highest: float
    """The highest pressure, kPa."""
    critical: tuple[float, float]
    """The critical temperature, °C, and pressure, kPa."""
    convention: str
    """The sentence that states the reference state."""


class Lookup(TemplatePart):
    """A kind of question."""

    name: str
    code: str
    """The start of template ids."""
    share: int
    """The number of published questions of this kind."""
    difficulty: str
    draw: str
    """The region from which a state is sampled, with "_by_" and the symbols of the givens, if needed."""
    asks: tuple[str, ...]
    """The requested symbols."""
    phrasings: tuple[str, ...]
    """Texts with {fluid} and each given, which prints as `symbol = value unit`."""


class _File(TemplatePart):
    fluids: dict[str, LookupFluid]
    approaches: dict[str, str]
    questions: dict[str, tuple[Lookup, ...]]


_FILE = _File.model_validate(
    yaml.load(Path(__file__).with_name("lookups.yaml").read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
)
FLUIDS = _FILE.fluids
LOOKUPS = {(category, each.name): each for category, lookups in _FILE.questions.items() for each in lookups}
"""Every kind of question by its category and name."""


@cache
def count_published() -> Mapping[QuestionKind, int]:
    """Return the number of published questions by category, name and fluid; all are about water."""
    of_water: dict[QuestionKind, int] = {(*key, "Water"): one.share for key, one in LOOKUPS.items()}
    return of_water | {(*key, "R134a"): 0 for key in LOOKUPS}


def make(kind: QuestionKind, random: Random) -> PublishedQuestion:
    """Sample one question of a kind (category, name, fluid). Raises Infeasible."""
    category, name, fluid_name = kind
    lookup, fluid = LOOKUPS[category, name], FLUIDS[fluid_name]
    try:
        givens, at = _sample(lookup.draw, random, fluid_name)
        expected = dict(_expect(symbol, at) for symbol in lookup.asks)
    except PropertyError as error:
        raise Infeasible("no such state, or more than one") from error
    if any(abs(float(expected[key].value)) < _NEAR_ZERO for key in {"T_C", "T_sat_C"} & expected.keys()):
        raise Infeasible("too near 0 °C")
    printed = {each.symbol: f"{each.symbol} = {each.text}" for each in givens}
    prose = random.choice(lookup.phrasings).format(fluid=fluid.plain, **printed)
    sentences = [prose[0].upper() + prose[1:]]
    if {"h", "s", "u"} & {property_of(symbol) for symbol in (*lookup.asks, *printed)}:
        sentences.append(fluid.convention)
    if "phase" in lookup.asks:
        sentences.append(_PHASE_CONVENTION)
    return make_question(
        " ".join(sentences),
        expected,
        f"{lookup.code}-{fluid.letter}",
        tier=1,
        kind=category,
        depth=name,
        difficulty=lookup.difficulty,
        given={"fluid": fluid_name} | {each.name: each.value for each in givens},
    )


def add_reference(question: PublishedQuestion) -> Problem:
    """Return the problem with a formulation, and with bounds of its targets, for scorers that read them."""
    problem = question.problem()
    fluid, *givens = (
        given.model_copy(update={"description": describe(given.name)}) for given in problem.givens
    )
    formulation = Formulation(
        given=f"{fluid.value}; "
        + "; ".join(f"{one.description} {one.name} = {one.value} {one.unit}" for one in givens),
        find="; ".join(f"{target.description} {target.name}" for target in problem.targets),
        approach=_FILE.approaches[question.kind].format(known=" and ".join(one.name for one in givens)),
        assumptions="pure substance in thermodynamic equilibrium",
    )
    bounds = tuple(bound for target in problem.targets for bound in _bounds(target))
    reference = ReferenceSolution(formulation=formulation, bounds=bounds)
    return problem.model_copy(update={"givens": (fluid, *givens), "reference": reference})


def _bounds(target: Target) -> Sequence[TargetBound]:
    name = property_of(target.name)
    if name == "x":
        reason = "a quality lies between 0 and 1"
        return [TargetBound(target=target.name, low=0.0, high=1.0, reason=reason)]
    if name in ("P", "v", "rho"):
        return [TargetBound(target=target.name, low=0.0, reason=f"a {describe(name)} is positive")]
    return []


def _expect(symbol: str, at: State) -> tuple[str, ExpectedNumber | ExpectedPhase]:
    """Return the published key of a symbol and its value at a state."""
    if symbol == "phase":
        return "phase_name", expect_phase(at.phase)
    name = property_of(symbol)
    unit = UNITS[name]
    key = key_of(symbol, unit)
    value = getattr(at, name) - KELVIN if name == "T" else getattr(at, name) / GivenValue(key, 0.0).scale
    published = "dimensionless" if name == "x" else NAMES["units"].get(unit, unit)
    return key, expect_number(value, published, find_by_pattern(name, NAMES["absolute"][1]))


def _sample(draw: str, random: Random, fluid: str) -> tuple[Sequence[GivenValue], State]:
    """Return a state and its givens; `draw` is the region, or `region_by_` with the symbols of the givens."""
    region, _, by = draw.partition("_by_")
    if region in _REGIONS:
        region = random.choice(_REGIONS[region])
    symbols = by.split("_")
    if region in ("wet", "saturated_liquid", "saturated_vapor"):
        given = _boiling_point(random, fluid)
        givens: Sequence[GivenValue] = [given if symbols[0] == "T" else _boiling_pressure(fluid, given)]
        if region == "wet":
            givens = [*givens, GivenValue("x", random.uniform(0.05, 0.95)).rounded()]
        implied = {"saturated_liquid": {"x": 0.0}, "saturated_vapor": {"x": 1.0}}.get(region, {})
    else:
        givens, implied = _single_phase(region, random, fluid), {}
    at = state(fluid, **{each.symbol: each.si for each in givens}, **implied)
    if len(symbols) < 2:
        return givens, at
    # give the same state by two other properties, as they are printed
    printed = {each.symbol: each for each in givens}
    caloric = [
        GivenValue(key_of(name, UNITS[name]), getattr(at, name) / 1e3) for name in symbols if name in "hs"
    ]
    printed |= {each.symbol: each.rounded() for each in caloric}
    givens = [printed[name] for name in symbols]
    from_printed = state(fluid, **{each.symbol: each.si for each in givens})
    if from_printed.phase != at.phase:
        raise Infeasible("rounding moved the state into another phase")
    return givens, from_printed


def _single_phase(region: str, random: Random, fluid_name: str) -> tuple[GivenValue, GivenValue]:
    """Return temperature and pressure, with margins that leave little doubt about the region."""
    fluid = FLUIDS[fluid_name]
    temperature, pressure = fluid.critical
    if region == "liquid":
        at = _celsius(random.uniform(fluid.coldest, fluid.warmest_saturated - 25))
        boiling = saturation(fluid_name, T=at.si).P / 1e3
        return at, _pressure(random.uniform(max(1.15 * boiling, 100.0), 0.6 * fluid.highest))
    if region == "supercritical":
        at = _celsius(random.uniform(temperature + 3, fluid.hottest))
        return at, _pressure(random.uniform(1.03 * pressure, fluid.highest))
    if region == "around_critical":  # T, P, or both exceed the critical value
        hot, cold = (
            random.uniform(temperature + 3, fluid.hottest),
            random.uniform(_NEAR_ZERO, temperature - 3),
        )
        dense = random.uniform(1.03 * pressure, fluid.highest)
        thin = random.uniform(0.3 * pressure, 0.97 * pressure)
        celsius, kilopascal = random.choice(((hot, dense), (cold, dense), (hot, thin)))
        return GivenValue("T_C", celsius).rounded(), _pressure(kilopascal)
    at_pressure = _boiling_pressure(fluid_name, _boiling_point(random, fluid_name))
    celsius = saturation(fluid_name, P=at_pressure.si).T - KELVIN
    if region == "near_boundary":
        offset = random.choice((-1, 1)) * random.uniform(1.0, 4.0)
        return GivenValue("T_C", celsius + offset).rounded(), at_pressure
    return _celsius(random.uniform(celsius + 6, fluid.hottest)), at_pressure


def _celsius(celsius: float) -> GivenValue:
    given = GivenValue("T_C", celsius).rounded()
    if abs(given.value) < _NEAR_ZERO:
        raise Infeasible("too near 0 °C")
    return given


def _pressure(kilopascal: float) -> GivenValue:
    """Round to four significant digits, as a good gauge is read."""
    return GivenValue("P_kPa", float(f"{kilopascal:.4g}"))


def _boiling_point(random: Random, fluid: str) -> GivenValue:
    return _celsius(random.uniform(FLUIDS[fluid].coldest, FLUIDS[fluid].warmest_saturated))


def _boiling_pressure(fluid: str, at: GivenValue) -> GivenValue:
    """Return the saturation pressure of a sampled temperature, so that low pressures occur as well."""
    return _pressure(saturation(fluid, T=at.si).P / 1e3)
