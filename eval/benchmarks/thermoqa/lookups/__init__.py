"""Tier 1: property look-ups in eight categories, of water and R-134a, in our own words."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

import yaml
from pydantic import BaseModel, ConfigDict

from ansatz.eval.benchmarks.thermoqa.generated import (
    Expected,
    ExpectedPhase,
    GeneratedQuestion,
    Infeasible,
    Slot,
    Tier,
    answer_block,
)
from ansatz.eval.benchmarks.thermoqa.lookups.draws import DRAWINGS, RANGES, Draw
from ansatz.eval.benchmarks.thermoqa.property_names import property_of
from ansatz.knowledge_base.properties import SI, UNITS, PropertyError, State
from ansatz.quantities.units import quantity

FLUIDS = {"water": ("Water", "water", "W"), "R134a": ("R134a", "R-134a", "R")}
"""Of each fluid: its published name, its name in prose and its letter in a template's id."""

_CONVENTIONS = {
    "water": "Use the zero of steam tables (internal energy and entropy vanish for saturated liquid at"
    " the triple point).",
    "R134a": "Use the IIR reference state (h = 200 kJ/kg and s = 1 kJ/(kg·K) for saturated liquid at 0 °C).",
}
_PHASE_CONVENTION = (
    "Call a state supercritical only where both its temperature and its pressure exceed the critical values."
)
_CALORIC = {"h", "s", "u"}
_KEY_ENDINGS = {
    **{"h": "_kJ_kg", "u": "_kJ_kg", "s": "_kJ_kgK", "v": "_m3_kg", "rho": "_kg_m3"},
    **{"T": "_C", "P": "_kPa", "x": ""},
}
_PUBLISHED_UNITS = {"T": "C", "v": "m3/kg", "rho": "kg/m3", "x": "dimensionless"}


class Template(BaseModel):
    """A kind of question. Phrasings hold {fluid} and each given, printed as `symbol = value unit`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    code: str
    share: int
    difficulty: str
    draw: str
    asks: tuple[str, ...]
    phrasings: tuple[str, ...]


@cache
def templates() -> dict[tuple[str, str], Template]:
    """Every template by its category and name."""
    text = Path(__file__).with_name("questions.yaml").read_text(encoding="utf-8")
    read = {
        category: [Template.model_validate(entry) for entry in entries]
        for category, entries in yaml.safe_load(text).items()
    }
    return {(category, one.name): one for category, entries in read.items() for one in entries}


def make(slot: Slot, random: Random) -> GeneratedQuestion:
    """One draw of a slot (category, template, fluid)."""
    category, name, fluid = slot
    template = templates()[category, name]
    try:
        draw = DRAWINGS[template.draw](random, fluid)
        expected = tuple(_expected(symbol, draw.state) for symbol in template.asks)
    except PropertyError as problem:
        raise Infeasible("no such state, or more than one") from problem
    for one in expected:
        if one.name in ("T_C", "T_sat_C") and abs(float(one.value)) < RANGES[fluid].zero:
            raise Infeasible("too near 0 °C")
    published_name, _, letter = FLUIDS[fluid]
    return GeneratedQuestion(
        tier=1,
        kind=category,
        depth=name,
        fluid=published_name,
        difficulty=template.difficulty,
        template_id=f"{template.code}-{letter}",
        question=_question(template, draw, random.choice(template.phrasings), expected),
        given={"fluid": published_name} | {_key(one.symbol): one.value for one in draw.givens},
        expected=expected,
    )


def _question(
    template: Template, draw: Draw, phrasing: str, expected: tuple[Expected | ExpectedPhase, ...]
) -> str:
    printed = {given.symbol: given.text for given in draw.givens}
    prose = phrasing.format(fluid=FLUIDS[draw.fluid][1], **printed)
    sentences = [prose[0].upper() + prose[1:]]
    used = {property_of(symbol) for symbol in (*template.asks, *printed)}
    if used & _CALORIC:
        sentences.append(_CONVENTIONS[draw.fluid])
    if "phase" in template.asks:
        sentences.append(_PHASE_CONVENTION)
    return f"{' '.join(sentences)}\n\n{answer_block(expected)}"


def _expected(symbol: str, at: State) -> Expected | ExpectedPhase:
    if symbol == "phase":
        return ExpectedPhase(at.phase)
    name = property_of(symbol)
    value = float(quantity(quantity(getattr(at, name), SI[name]), UNITS[name]).magnitude)
    absolute = 0.03 if name == "x" else 0.5
    return Expected(_key(symbol), value, _PUBLISHED_UNITS.get(name, UNITS[name]), absolute=absolute)


def _key(symbol: str) -> str:
    return symbol + _KEY_ENDINGS[property_of(symbol)]


TIER = Tier(
    number=1,
    published={(*key, "water"): one.share for key, one in templates().items()},
    further=tuple((*key, "R134a") for key in templates()),
    make=make,
)
