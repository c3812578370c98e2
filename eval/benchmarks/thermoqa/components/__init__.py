"""Tier 2: seven components, each by energy (A), entropy (B) and exergy (C), in three fluids."""

from __future__ import annotations

from itertools import product
from random import Random

from ansatz.eval.benchmarks.thermoqa.components.component import DEPTHS, Asked, Component, Media, Solution
from ansatz.eval.benchmarks.thermoqa.components.exchangers import BOILER, HEAT_EXCHANGER
from ansatz.eval.benchmarks.thermoqa.components.flows import MIXING_CHAMBER, NOZZLE
from ansatz.eval.benchmarks.thermoqa.components.machines import COMPRESSOR, PUMP, TURBINE
from ansatz.eval.benchmarks.thermoqa.components.printed import KELVIN, Draws
from ansatz.eval.benchmarks.thermoqa.components.wording import wordings
from ansatz.eval.benchmarks.thermoqa.components.working_fluids import FLUIDS, WorkingFluid
from ansatz.eval.benchmarks.thermoqa.generated import (
    Expected,
    GeneratedQuestion,
    Infeasible,
    Slot,
    Tier,
    answer_block,
)
from ansatz.knowledge_base.properties import PropertyError

COMPONENTS = {
    one.name: one for one in (TURBINE, COMPRESSOR, PUMP, HEAT_EXCHANGER, BOILER, MIXING_CHAMBER, NOZZLE)
}
_DIFFICULTY = {"A": "easy", "B": "medium", "C": "hard"}
_HARDER = {("heat_exchanger", "A", "R134a"): "medium"}  # two fluids in one balance

# How many of the published 101 questions are of each kind, at depths A, B and C.
_PUBLISHED = {
    ("turbine", "Water"): (5, 4, 3),
    ("turbine", "Air"): (2, 2, 2),
    ("compressor", "Water"): (2, 2, 1),
    ("compressor", "R134a"): (2, 2, 0),
    ("compressor", "Air"): (2, 2, 1),
    ("pump", "Water"): (3, 3, 4),
    ("heat_exchanger", "Water"): (5, 4, 4),
    ("heat_exchanger", "R134a"): (2, 2, 2),
    ("boiler", "Water"): (4, 5, 5),
    ("mixing_chamber", "Water"): (4, 4, 4),
    ("nozzle", "Water"): (3, 3, 2),
    ("nozzle", "Air"): (2, 2, 2),
}
_MEANINGLESS = {("pump", "Air"), ("boiler", "Air")}
"""A gas is not pumped, and nothing boils."""


def make(slot: Slot, random: Random) -> GeneratedQuestion:
    """One draw of a slot (component, depth, fluid)."""
    name, depth, fluid_name = slot
    component, fluid = COMPONENTS[name], FLUIDS[fluid_name]
    try:
        givens = component.draw(fluid, depth, Draws(random))
        found = component.solve(Media.of(fluid), givens.si)
        component.check(fluid, givens.si, found)
    except PropertyError as problem:
        raise Infeasible("outside the fluid's equation of state") from problem
    expected = tuple(_expected(one, found, fluid) for one in component.steps(depth))
    prose = wordings()[name].text(depth, fluid, givens, random)
    return GeneratedQuestion(
        tier=2,
        kind=name,
        depth=depth,
        fluid=fluid.name,
        difficulty=_HARDER.get((name, depth, fluid_name), _DIFFICULTY[depth]),
        template_id=f"{component.code}-{depth}{fluid.letter}",
        question=f"{prose}\n\n{answer_block(expected)}",
        given=dict(one.key for one in givens.printed) | {"fluid": fluid.name},
        expected=expected,
    )


def _expected(asked: Asked, found: Solution, fluid: WorkingFluid) -> Expected:
    """A step of the key; temperatures of air are asked in kelvin, as they are given."""
    value, unit = found[asked.symbol], asked.unit
    if unit == "C" and fluid.is_gas:
        value, unit = value + KELVIN, "K"
    absolute = 0.03 if asked.symbol == "eta_II" else 0.5
    return Expected(asked.symbol, value, unit, weight=asked.weight, absolute=absolute)


def _published() -> dict[Slot, int]:
    return {
        (name, depth, fluid): count
        for (name, fluid), counts in _PUBLISHED.items()
        for depth, count in zip(DEPTHS, counts, strict=True)
        if count
    }


def _further() -> tuple[Slot, ...]:
    every = (
        (name, depth, fluid)
        for name, fluid, depth in product(COMPONENTS, FLUIDS, DEPTHS)
        if (name, fluid) not in _MEANINGLESS
    )
    return tuple(slot for slot in every if slot not in _published())


TIER = Tier(number=2, published=_published(), make=make, further=_further())

__all__ = ["COMPONENTS", "DEPTHS", "TIER", "Component", "make"]
