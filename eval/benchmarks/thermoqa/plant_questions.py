"""Tiers 2 and 3: seven components and ten cycles to three depths, each drawn, checked and put into words.

A energy, B entropy generation as well, C exergy as well. A draw is a value as it is printed, so that the key
follows from what a reader sees.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, partial
from random import Random
from typing import TypeVar, cast

from ansatz.eval.benchmarks.thermoqa.generated import (
    Expected,
    GeneratedQuestion,
    Infeasible,
    Slot,
    Tier,
    answer_block,
)
from ansatz.eval.benchmarks.thermoqa.pages import DEPTHS, Beside, Depth, Draw, OneOf, Page, fluids, pages
from ansatz.eval.benchmarks.thermoqa.plant import Plant
from ansatz.eval.benchmarks.thermoqa.published_names import KELVIN, Given
from ansatz.knowledge_base.equation import ExpressionError
from ansatz.knowledge_base.properties import PropertyError, Substance, substance

Value = TypeVar("Value")

_DEAD = {"T0_K": 298.15, "P0_kPa": 100.0}
_READABLE = {"ef": 1e3, "s": 20.0}  # J/kg, J/(kg·K); below, good tables differ by more than the tolerance
_UNITS = (
    (r"(h|ef)_?\w+|[wq]_\w+|x_dest\w*", "kJ/kg"),
    (r"s_?\w+", "kJ/(kg*K)"),
    (r"S_gen_dot", "kW/K"),
    (r"[WQ]_(dot|net)\w*|X_dest_dot", "kW"),
    (r"T_?\w+", "K"),
    (r"m_dot_\w+|m\d", "kg/s"),
    (r"V\d", "m/s"),
    (r"x4|(eta|COP|energy)_\w+", "-"),
)
_SI = {"kJ/kg": 1e3, "kJ/(kg*K)": 1e3, "kW": 1e3, "kW/K": 1e3}
_WEIGHTS = (
    (r"[hsT]\d.*", 1.0),
    (r"ef\d", 2.0),
    (r"eta_II\w*", 6.0),
    (r"w_net|eta_\w+|COP_\w+|[WQ]_\w+|s_gen_total|x_dest_total", 5.0),
    (r"x4", 4.0),
    (r"w_\w+|q_\w+|s_gen_\w+|x_dest_\w+|m_dot_\w+|energy_\w+", 3.0),
)
_ABSOLUTE = {2: ((r"eta_II", 0.03),), 3: ((r"(eta|COP)_\w+", 0.02), (r"x4", 0.03), (r"energy_\w+", 0.01))}


@cache
def tier(number: int) -> Tier:
    """Tier 2 or 3: the slots of its pages, each a name, a depth and a fluid."""
    published: dict[Slot, int] = {
        (name, depth, fluid): count
        for name, page in pages(number).items()
        for fluid, counts in page.published.items()
        for depth, count in zip(DEPTHS, counts, strict=True)
        if count
    }
    every = (
        (name, depth, fluid)
        for name, page in pages(number).items()
        for fluid in page.draws
        for depth in DEPTHS
    )
    further = tuple(slot for slot in every if slot not in published)
    return Tier(number, published, partial(make, number), further)


def make(number: int, slot: Slot, random: Random) -> GeneratedQuestion:
    """One draw of a question of this tier; Infeasible where such a plant could not run."""
    name, depth, fluid = slot[0], cast(Depth, slot[1]), slot[2]
    page = pages(number)[name]
    try:
        plant, given = _drawn(number, page, depth, fluid, random)
        values = {symbol: plant[symbol] for symbol, _ in page.asked(depth) if not _closes(symbol)}
    except (PropertyError, ExpressionError) as nowhere:
        raise Infeasible("a state lies outside the fluid's equation of state") from nowhere
    _refuse_unreadable(values)
    expected = tuple(_expected(number, fluid, each, values) for each in page.asked(depth))
    also: dict[str, float | str] = {
        **(_DEAD if number == 3 and depth == "C" else {}),
        "fluid": fluid,
        **page.also_given,
    }
    letter = fluids(number)[fluid].letter if fluids(number) else ""
    return GeneratedQuestion(
        tier=number,
        kind=name,
        depth=depth,
        fluid=fluid,
        difficulty=page.difficulty_of.get(fluid, page.difficulty)[DEPTHS.index(depth)],
        template_id=f"{page.code}-{depth}{letter}",
        question=f"{_words(number, page, depth, fluid, given, random)}\n\n{answer_block(expected)}",
        given={each.name: each.value for each in given} | also,
        expected=expected,
    )


def media(number: int, page: Page, fluid: str) -> dict[str, Substance]:
    """The fluids of a page by the names it has for them."""
    names = page.media
    if not names:
        one = fluids(number)[fluid]
        names = {"main": one.main, "heating": fluids(number)[one.heating].main}
    return {role: substance(name) for role, name in names.items()}


def _drawn(number: int, page: Page, depth: Depth, fluid: str, random: Random) -> tuple[Plant, list[Given]]:
    """A plant that could run, and its givens: first its own, from depth B on those of its reservoirs."""
    plant, given = Plant(page, {}, media(number, page, fluid)), []
    parts = [("A", page.draws[fluid]), (depth.replace("C", "BC"), page.reservoirs.get(fluid, {}))]
    for depths, draws in parts[: 1 if depth == "A" else 2]:
        for name, draw in draws.items():
            given.append(_value(name, draw, plant, random))
            plant[given[-1].symbol] = given[-1].si
        plant.check(depths, fluid)
    if depth != "A":
        plant.check_second_law()
    return plant, given


def _value(name: str, draw: Draw, plant: Plant, random: Random) -> Given:
    """A value as data sheets print it: on a grid, or rounded; pressures evenly in the logarithm."""
    if isinstance(draw, Beside):
        offset = random.uniform(*draw.by)
        return Given(name, round(plant[draw.above] + offset if draw.above else plant[draw.below] - offset, 1))
    if isinstance(draw, OneOf):
        draw = draw.one_of[int(random.random() * len(draw.one_of))]
    if len(draw) == 3:
        lowest, highest, step = draw
        steps = random.randint(0, round((highest - lowest) / step))
        return Given(name, float(round(lowest + step * steps, 6)))
    of = Given(name, 0.0)
    zero = KELVIN if of.unit == "°C" else 0.0
    low, high = (
        (plant.value(each) - zero) / of.scale if isinstance(each, str) else float(each) for each in draw
    )
    if not low < high:
        raise Infeasible(f"no room for {name}")
    if of.unit == "MPa":
        return Given(name, float(f"{low * (high / low) ** random.random():.3g}"))
    return Given(name, random.uniform(low, high)).rounded()


def _words(number: int, page: Page, depth: Depth, fluid: str, given: list[Given], random: Random) -> str:
    """A setup, the reservoirs from depth B on, a request, and what is agreed (a list in tier 3)."""
    printed = {each.name: each.text for each in given} | {each.symbol: each.text for each in given}
    told = [random.choice(page.setups)]
    if depth != "A" and page.reservoir_setups:
        told.append(random.choice(page.reservoir_setups))
    told.append(random.choice(page.requests[depth]))
    if number == 3:
        *plant, task = (each.format(**printed) for each in told)
        agreed = "\n".join(f"- {each}" for each in page.agreed(depth))
        told_of = ("\n" if "\n" in plant[0] else " ").join(plant)
        return f"{told_of}\n\n{task}\n\nConventions:\n{agreed}"
    own = fluids(number)[fluid]
    heating = fluids(number)[own.heating]
    names = {"fluid": own.plain, "vapor": own.vapor, "liquid": own.liquid, "heating": heating.plain}
    filled = [each.format(**names, **printed) for each in (*told, *page.agreed(depth))]
    conventions = dict.fromkeys((own.convention, *([heating.convention] if "{heating}" in told[0] else [])))
    return " ".join((*(each[0].upper() + each[1:] for each in filled), *conventions))


def _expected(
    number: int, fluid: str, asked: tuple[str, float | None], values: Mapping[str, float]
) -> Expected:
    """A value of the key; components state temperatures in °C, but of air in kelvin, as they are given."""
    name, weight = asked
    unit, value = published_unit(name), values.get(name, 0.0)
    value /= _SI.get(unit, 1.0)
    if unit == "K" and number == 2 and fluid != "Air":
        unit, value = "C", value - KELVIN
    weighed = _first(_WEIGHTS, name) if weight is None else weight
    return Expected(name, value, unit, weighed or 0.0, _first(_ABSOLUTE[number], name) or 0.5)


def published_unit(name: str) -> str:
    """The published unit of a quantity; temperatures in kelvin."""
    return _first(_UNITS, name) or "-"


def _refuse_unreadable(values: Mapping[str, float]) -> None:
    """Flow exergies and entropies of states have a zero of their own; near it 2 % is beyond any table."""
    for name, value in values.items():
        if abs(value) < _READABLE.get(name.rstrip("0123456789"), 0.0):
            raise Infeasible(f"{name} is too near its zero to be read from tables")


def _closes(name: str) -> bool:
    """Whether a value is a closing error, and 0 by its nature."""
    return name.startswith("energy_balance_error")


def _first(table: tuple[tuple[str, Value], ...], name: str) -> Value | None:
    return next((value for pattern, value in table if re.fullmatch(pattern, name)), None)
