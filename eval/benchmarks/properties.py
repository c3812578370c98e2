"""Property questions made from equations of state: as many as wanted, the same for the same seed.

The eight kinds of ThermoQA's first tier in our own words: subcooled and saturated liquid, wet steam,
saturated and superheated vapour, supercritical states, the phase itself, and states from h or s. A value
asked for is computed from the values as printed, so that rounding a given never makes an answer wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random

import yaml
from pydantic import BaseModel, ConfigDict

from ansatz.eval.benchmarks.property_draws import DRAWINGS, Draw
from ansatz.eval.benchmarks.property_wording import (
    DESCRIPTIONS,
    PHASE_NAMES,
    describe,
    property_of,
    unit_text,
)
from ansatz.eval.problem import (
    Bound,
    Formulation,
    Given,
    LabelTarget,
    NumberTarget,
    Problem,
    ReferenceSolution,
    Target,
    Tolerance,
)
from ansatz.knowledge_base.properties import State
from ansatz.knowledge_base.properties.wording import SI, UNITS
from ansatz.quantities.did_you_mean import nearest
from ansatz.quantities.units import quantity

BENCHMARK = "properties"
FLUIDS = ("water", "R134a")
_TOLERANCE = Tolerance(relative=0.02)
_REFERENCE_STATE = {
    "water": "",
    "R134a": " Use the IIR reference state (200 kJ/kg and 1 kJ/(kg·K) for saturated liquid at 0 °C).",
}


class Template(BaseModel):
    """A family of questions. Phrasings hold {fluid} and each given, printed as `symbol = value unit`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    draw: str
    asks: tuple[str, ...]
    approach: str
    phrasings: tuple[str, ...]


@cache
def templates() -> dict[str, tuple[Template, ...]]:
    """Every template, by category in the order of the file."""
    text = Path(__file__).with_name("property_questions.yaml").read_text(encoding="utf-8")
    return {
        category: tuple(Template.model_validate(entry) for entry in entries)
        for category, entries in yaml.safe_load(text).items()
    }


def load(count: int = 40, seed: int = 0, fluids: Sequence[str] = ("water",)) -> tuple[Problem, ...]:
    """`count` questions: the eight categories in turn, their templates in turn, the fluids in turn.

    A smaller count gives the first of the same questions. Raises ValueError for a fluid without templates.
    """
    for fluid in fluids:
        if fluid not in FLUIDS:
            raise ValueError(f"there are no property questions on {fluid!r}{nearest(fluid, FLUIDS)}")
    return tuple(_problem(number, seed, fluids) for number in range(count))


def _problem(number: int, seed: int, fluids: Sequence[str]) -> Problem:
    categories = templates()
    category = list(categories)[number % len(categories)]
    turn = number // len(categories)
    template = categories[category][turn % len(categories[category])]
    fluid = fluids[(turn // len(categories[category]) + number) % len(fluids)]
    random = Random(f"{BENCHMARK} {seed} {number}")
    draw = DRAWINGS[template.draw](random, fluid)
    targets = tuple(_target(symbol, draw.state, 1 / len(template.asks)) for symbol in template.asks)
    return Problem(
        id=f"{BENCHMARK}.{seed}.{number:04d}",
        family=f"{BENCHMARK}.{category}.{template.name}",
        benchmark=BENCHMARK,
        question=_question(template, draw, random),
        givens=(
            Given(name="fluid", value=draw.fluid, unit="-"),
            *(
                Given(name=one.symbol, value=one.value, unit=one.unit, description=one.description)
                for one in draw.givens
            ),
        ),
        targets=targets,
        reference=ReferenceSolution(formulation=_formulation(template, draw), bounds=_bounds(targets)),
        tags={"tier": "1", "category": category, "subcategory": template.name, "domain": "properties"},
    )


def _question(template: Template, draw: Draw, random: Random) -> str:
    printed = {given.symbol: given.text for given in draw.givens}
    prose = random.choice(template.phrasings).format(fluid=draw.fluid, **printed)
    blanks = (
        "Phase: ___"
        if symbol == "phase"
        else f"{symbol} = ___ {unit_text(UNITS[property_of(symbol)])}".rstrip()
        for symbol in template.asks
    )
    block = "\n".join(blanks)
    return f"{prose[0].upper()}{prose[1:]}{_REFERENCE_STATE[draw.fluid]}\n\nReport your answers as:\n{block}"


def _target(symbol: str, at: State, weight: float) -> Target:
    if symbol == "phase":
        return LabelTarget(
            name=symbol,
            weight=weight,
            value=at.phase,
            accepted=PHASE_NAMES[at.phase],
            description=describe(symbol),
        )
    name = property_of(symbol)
    value = float(quantity(quantity(getattr(at, name), SI[name]), UNITS[name]).magnitude)
    return NumberTarget(
        name=symbol,
        unit=UNITS[name],
        weight=weight,
        value=float(f"{value:.6g}"),
        tolerance=_TOLERANCE,
        description=describe(symbol),
    )


def _formulation(template: Template, draw: Draw) -> Formulation:
    return Formulation(
        given=f"{draw.fluid}; " + "; ".join(f"{one.description} {one.text}" for one in draw.givens),
        find="; ".join(f"{describe(symbol)} {symbol}" for symbol in template.asks),
        approach=template.approach,
        assumptions="pure substance in thermodynamic equilibrium",
    )


def _bounds(targets: Sequence[Target]) -> tuple[Bound, ...]:
    bounds = []
    for target in targets:
        name = property_of(target.name)
        if name == "x":
            reason = "a quality lies between 0 and 1"
            bounds.append(Bound(target=target.name, low=0.0, high=1.0, reason=reason))
        elif name in ("P", "v", "rho"):
            bounds.append(Bound(target=target.name, low=0.0, reason=f"a {DESCRIPTIONS[name]} is positive"))
    return tuple(bounds)
