"""Tiers 2 and 3: seven components and ten cycles to three depths, each drawn, checked and put into words.

A energy, B entropy generation as well, C exergy as well. A draw is a value as it is printed, so that the key
follows from what a reader sees.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from random import Random
from typing import cast

from ansatz.errors import ExpressionError, PropertyError
from ansatz.eval.benchmarks.templates.draw import Infeasible
from ansatz.eval.benchmarks.thermoqa.generated import Slot, made, number
from ansatz.eval.benchmarks.thermoqa.pages import DEPTHS, Beside, Depth, Draw, OneOf, Page, fluids, pages
from ansatz.eval.benchmarks.thermoqa.plant import Plant
from ansatz.eval.benchmarks.thermoqa.published_names import KELVIN, NAMES, GivenValue, told_of
from ansatz.eval.benchmarks.thermoqa.published_reading import is_balance
from ansatz.eval.benchmarks.thermoqa.questions import ExpectedNumber, PublishedQuestion
from ansatz.knowledge_base.properties import Substance, substance

_DEAD = {"T0_K": 298.15, "P0_kPa": 100.0}
# Flow exergies (J/kg) and entropies of states (J/(kg·K)) have a zero of their own, near which good tables
# differ by more than the tolerance.
_READABLE = {"ef": 1e3, "s": 20.0}
_SI = {"kJ/kg": 1e3, "kJ/(kg*K)": 1e3, "kW": 1e3, "kW/K": 1e3}


@cache
def slots(tier: int) -> Mapping[Slot, int]:
    """Names of pages, depths and fluids, with how often the published set asks them; 0 for never."""
    found: dict[Slot, int] = {
        (name, depth, fluid): count
        for name, page in pages(tier).items()
        for fluid in page.draws
        for depth, count in zip(DEPTHS, page.published.get(fluid, (0, 0, 0)), strict=True)
    }
    return dict(sorted(found.items(), key=lambda each: each[1] == 0))


def make(tier: int, slot: Slot, random: Random) -> PublishedQuestion:
    """One draw of a question of this tier; Infeasible where such a plant could not run."""
    name, depth, fluid = slot[0], cast(Depth, slot[1]), slot[2]
    page = pages(tier)[name]
    try:
        plant, given = _drawn(tier, page, depth, fluid, random)
        values = {symbol: plant[symbol] for symbol, _ in page.asked(depth) if not is_balance(symbol)}
    except (PropertyError, ExpressionError) as nowhere:
        raise Infeasible("a state lies outside the fluid's equation of state") from nowhere
    for symbol, value in values.items():
        if abs(value) < _READABLE.get(symbol.rstrip("0123456789"), 0.0):
            raise Infeasible(f"{symbol} is too near its zero to be read from tables")
    weights = dict(page.asked(depth))
    expected = {symbol: _expected(tier, fluid, symbol, values) for symbol in weights}
    letter = fluids(tier)[fluid].letter if fluids(tier) else ""
    return made(
        _words(tier, page, depth, fluid, given, random),
        expected,
        f"{page.code}-{depth}{letter}",
        tier=tier,
        kind=name,
        depth=depth,
        fluid=fluid,
        difficulty=page.difficulty_of.get(fluid, page.difficulty)[DEPTHS.index(depth)],
        given={each.name: each.value for each in given}
        | (_DEAD if tier == 3 and depth == "C" else {})
        | {"fluid": fluid, **page.also_given},
        steps=[
            {"id": symbol, "weight": weights[symbol], "unit": one.unit} for symbol, one in expected.items()
        ],
    )


def media(tier: int, page: Page, fluid: str) -> dict[str, Substance]:
    """The fluids of a page by the names it has for them."""
    names = page.media
    if not names:
        one = fluids(tier)[fluid]
        names = {"main": one.main, "heating": fluids(tier)[one.heating].main}
    return {role: substance(name) for role, name in names.items()}


def _drawn(tier: int, page: Page, depth: Depth, fluid: str, random: Random) -> tuple[Plant, list[GivenValue]]:
    """A plant that could run, and its givens: first its own, from depth B on those of its reservoirs."""
    plant, given = Plant(page, {}, media(tier, page, fluid)), []
    parts = [("A", page.draws[fluid]), (depth.replace("C", "BC"), page.reservoirs.get(fluid, {}))]
    for depths, draws in parts[: 1 if depth == "A" else 2]:
        for name, draw in draws.items():
            given.append(_value(name, draw, plant, random))
            plant[given[-1].symbol] = given[-1].si
        plant.check(depths, fluid)
    if depth != "A":
        plant.check_second_law()
    return plant, given


def _value(name: str, draw: Draw, plant: Plant, random: Random) -> GivenValue:
    """A value as data sheets print it: on a grid, or rounded; pressures evenly in the logarithm."""
    if isinstance(draw, Beside):
        offset = random.uniform(*draw.by)
        return GivenValue(
            name, round(plant[draw.above] + offset if draw.above else plant[draw.below] - offset, 1)
        )
    if isinstance(draw, OneOf):
        draw = draw.one_of[int(random.random() * len(draw.one_of))]
    if len(draw) == 3:
        lowest, highest, step = draw
        steps = random.randint(0, round((highest - lowest) / step))
        return GivenValue(name, float(round(lowest + step * steps, 6)))
    of = GivenValue(name, 0.0)
    zero = KELVIN if of.unit == "°C" else 0.0
    low, high = (
        (plant.value(each) - zero) / of.scale if isinstance(each, str) else float(each) for each in draw
    )
    if not low < high:
        raise Infeasible(f"no room for {name}")
    if of.unit == "MPa":
        return GivenValue(name, float(f"{low * (high / low) ** random.random():.3g}"))
    return GivenValue(name, random.uniform(low, high)).rounded()


def _words(tier: int, page: Page, depth: Depth, fluid: str, given: list[GivenValue], random: Random) -> str:
    """A setup, the reservoirs from depth B on, a request, and what is agreed (a list in tier 3)."""
    printed = {each.name: each.text for each in given} | {each.symbol: each.text for each in given}
    told = [random.choice(page.setups)]
    if depth != "A" and page.reservoir_setups:
        told.append(random.choice(page.reservoir_setups))
    told.append(random.choice(page.requests[depth]))
    if tier == 3:
        *plant, task = (each.format(**printed) for each in told)
        agreed = "\n".join(f"- {each}" for each in page.agreed(depth))
        told_of = ("\n" if "\n" in plant[0] else " ").join(plant)
        return f"{told_of}\n\n{task}\n\nConventions:\n{agreed}"
    own = fluids(tier)[fluid]
    heating = fluids(tier)[own.heating]
    names = {"fluid": own.plain, "vapor": own.vapor, "liquid": own.liquid, "heating": heating.plain}
    filled = [each.format(**names, **printed) for each in (*told, *page.agreed(depth))]
    conventions = dict.fromkeys((own.convention, *([heating.convention] if "{heating}" in told[0] else [])))
    return " ".join((*(each[0].upper() + each[1:] for each in filled), *conventions))


def _expected(tier: int, fluid: str, name: str, values: Mapping[str, float]) -> ExpectedNumber:
    """A value of the key; components state temperatures in °C, but of air in kelvin, as they are given."""
    unit = told_of(name, NAMES["asked_units"])
    value = values.get(name, 0.0) / _SI.get(unit, 1.0)
    if unit == "K" and tier == 2 and fluid != "Air":
        unit, value = "C", value - KELVIN
    return number(value, unit, told_of(name, NAMES["absolute"][tier]))
