"""Questions of tiers 2 and 3: seven components and ten cycles at three depths.

Depth A asks for energy, B also for entropy generation, C also for exergy. Givens are sampled as they are
printed, so that the key follows from the text.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from random import Random
from typing import cast

from ansatz.errors import ExpressionError, PropertyError
from ansatz.eval.benchmarks.templates.draw import Infeasible
from ansatz.eval.benchmarks.thermoqa.plant import Plant
from ansatz.eval.benchmarks.thermoqa.plant_templates import (
    DEPTHS,
    Depth,
    OffsetRange,
    OneOf,
    PlantTemplate,
    Range,
    fluids,
    plant_templates,
)
from ansatz.eval.benchmarks.thermoqa.published_names import KELVIN, NAMES, GivenValue, find_by_pattern
from ansatz.eval.benchmarks.thermoqa.questions import (
    ExpectedNumber,
    PublishedQuestion,
    QuestionKind,
    expect_number,
    make_question,
)
from ansatz.eval.benchmarks.thermoqa.reading import is_balance
from ansatz.knowledge_base.properties import Substance, substance

_DEAD = {"T0_K": 298.15, "P0_kPa": 100.0}
# Flow exergies (J/kg) and entropies of states (J/(kg·K)) have an arbitrary zero. Near it, good tables differ
# by more than the tolerance.
_READABLE = {"ef": 1e3, "s": 20.0}
_SI = {"kJ/kg": 1e3, "kJ/(kg*K)": 1e3, "kW": 1e3, "kW/K": 1e3}


@cache
def count_published(tier: int) -> Mapping[QuestionKind, int]:
    """Return the number of published questions by name, depth and fluid; kinds with 0 come last."""
    counts: dict[QuestionKind, int] = {
        (name, depth, fluid): count
        for name, template in plant_templates(tier).items()
        for fluid in template.draws
        for depth, count in zip(DEPTHS, template.published.get(fluid, (0, 0, 0)), strict=True)
    }
    return dict(sorted(counts.items(), key=lambda each: each[1] == 0))


def make(tier: int, kind: QuestionKind, random: Random) -> PublishedQuestion:
    """Sample one question of a kind (name, depth, fluid). Raises Infeasible for a plant that cannot run."""
    name, depth, fluid = kind[0], cast(Depth, kind[1]), kind[2]
    template = plant_templates(tier)[name]
    try:
        plant, givens = _sample(tier, template, depth, fluid, random)
        values = {symbol: plant[symbol] for symbol, _ in template.requested(depth) if not is_balance(symbol)}
    except (PropertyError, ExpressionError) as error:
        raise Infeasible("a state is outside the fluid's equation of state") from error
    for symbol, value in values.items():
        if abs(value) < _READABLE.get(symbol.rstrip("0123456789"), 0.0):
            raise Infeasible(f"{symbol} is too near its zero to be read from tables")
    weights = dict(template.requested(depth))
    expected = {symbol: _expect(tier, fluid, symbol, values) for symbol in weights}
    letter = fluids(tier)[fluid].letter if fluids(tier) else ""
    return make_question(
        _text(tier, template, depth, fluid, givens, random),
        expected,
        f"{template.code}-{depth}{letter}",
        tier=tier,
        kind=name,
        depth=depth,
        fluid=fluid,
        difficulty=template.difficulty_of.get(fluid, template.difficulty)[DEPTHS.index(depth)],
        given={each.name: each.value for each in givens}
        | (_DEAD if tier == 3 and depth == "C" else {})
        | {"fluid": fluid, **template.also_given},
        steps=[
            {"id": symbol, "weight": weights[symbol], "unit": one.unit} for symbol, one in expected.items()
        ],
    )


def find_media(tier: int, template: PlantTemplate, fluid: str) -> dict[str, Substance]:
    """Return the substances of a plant by the names that its template uses."""
    names = template.media
    if not names:
        one = fluids(tier)[fluid]
        names = {"main": one.main, "heating": fluids(tier)[one.heating].main}
    return {role: substance(name) for role, name in names.items()}


def _sample(
    tier: int, template: PlantTemplate, depth: Depth, fluid: str, random: Random
) -> tuple[Plant, list[GivenValue]]:
    """Return a plant that can run, and its givens; those of its reservoirs follow from depth B on."""
    plant, givens = Plant(template, {}, find_media(tier, template, fluid)), []
    parts = [("A", template.draws[fluid]), (depth.replace("C", "BC"), template.reservoirs.get(fluid, {}))]
    for depths, ranges in parts[: 1 if depth == "A" else 2]:
        for name, range_ in ranges.items():
            givens.append(_sample_given(name, range_, plant, random))
            plant[givens[-1].symbol] = givens[-1].si
        plant.check(depths, fluid)
    if depth != "A":
        plant.check_second_law()
    return plant, givens


def _sample_given(name: str, range_: Range, plant: Plant, random: Random) -> GivenValue:
    """Return a value as data sheets print it: on a grid, or rounded. Pressures are log-uniform."""
    if isinstance(range_, OffsetRange):
        offset = random.uniform(*range_.by)
        return GivenValue(
            name, round(plant[range_.above] + offset if range_.above else plant[range_.below] - offset, 1)
        )
    if isinstance(range_, OneOf):
        range_ = range_.one_of[int(random.random() * len(range_.one_of))]
    if len(range_) == 3:
        lowest, highest, step = range_
        steps = random.randint(0, round((highest - lowest) / step))
        return GivenValue(name, float(round(lowest + step * steps, 6)))
    of = GivenValue(name, 0.0)
    zero = KELVIN if of.unit == "°C" else 0.0
    low, high = (
        (plant.value(each) - zero) / of.scale if isinstance(each, str) else float(each) for each in range_
    )
    if not low < high:
        raise Infeasible(f"no room for {name}")
    if of.unit == "MPa":
        return GivenValue(name, float(f"{low * (high / low) ** random.random():.3g}"))
    return GivenValue(name, random.uniform(low, high)).rounded()


def _text(
    tier: int,
    template: PlantTemplate,
    depth: Depth,
    fluid_name: str,
    givens: list[GivenValue],
    random: Random,
) -> str:
    """Return setup, reservoirs from depth B on, request, and conventions (as a list in tier 3)."""
    printed = {each.name: each.text for each in givens} | {each.symbol: each.text for each in givens}
    parts = [random.choice(template.setups)]
    if depth != "A" and template.reservoir_setups:
        parts.append(random.choice(template.reservoir_setups))
    parts.append(random.choice(template.requests[depth]))
    if tier == 3:
        *setups, request = (each.format(**printed) for each in parts)
        conventions = "\n".join(f"- {each}" for each in template.conventions(depth))
        plant = ("\n" if "\n" in setups[0] else " ").join(setups)
        return f"{plant}\n\n{request}\n\nConventions:\n{conventions}"
    fluid = fluids(tier)[fluid_name]
    heating = fluids(tier)[fluid.heating]
    names = {"fluid": fluid.plain, "vapor": fluid.vapor, "liquid": fluid.liquid, "heating": heating.plain}
    filled = [each.format(**names, **printed) for each in (*parts, *template.conventions(depth))]
    of_fluids = dict.fromkeys((fluid.convention, *([heating.convention] if "{heating}" in parts[0] else [])))
    return " ".join((*(each[0].upper() + each[1:] for each in filled), *of_fluids))


def _expect(tier: int, fluid: str, name: str, values: Mapping[str, float]) -> ExpectedNumber:
    """Return a value of the key. Components have temperatures in °C; air has kelvin, as in its givens."""
    unit = find_by_pattern(name, NAMES["asked_units"])
    value = values.get(name, 0.0) / _SI.get(unit, 1.0)
    if unit == "K" and tier == 2 and fluid != "Air":
        unit, value = "C", value - KELVIN
    return expect_number(value, unit, find_by_pattern(name, NAMES["absolute"][tier]))
