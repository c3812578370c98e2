"""Templates of plants: a device (tier 2) or a cycle (tier 3), as components.yaml and cycles.yaml declare it.

A template has formulas in SI units over names that `plant.Plant` computes. They state how givens are
sampled, what fixes each state, which devices connect the states, the results, and the rules of a plant that
can run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Literal, cast

import yaml
from pydantic import BaseModel, ConfigDict

from ansatz.eval.benchmarks.thermoqa.published_names import NAMES, find_by_pattern

Depth = Literal["A", "B", "C"]
DEPTHS: tuple[Depth, ...] = ("A", "B", "C")
Formula = str | float
ByDepth = dict[Depth, list[str]]
_FILES = {2: "components.yaml", 3: "cycles.yaml"}


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class OffsetRange(_Model):
    """A temperature that differs from another one by an offset. Give either `above` or `below`."""

    by: tuple[float, float]
    """The range of the offset, K."""
    above: str = ""
    """The name of the lower temperature."""
    below: str = ""
    """The name of the higher temperature."""


class OneOf(_Model):
    """One of several ranges, all equally likely."""

    one_of: list[tuple[Formula, Formula]]


Range = tuple[float, float, float] | tuple[Formula, Formula] | OffsetRange | OneOf
"""Lowest, highest and step; or lowest and highest: a number in the given's unit, or a formula in SI units."""


class Fluid(_Model):
    """A fluid of a tier."""

    letter: str
    """The letter in template ids."""
    main: str
    """The substance of the main stream."""
    heating: str
    """The fluid of the heating stream."""
    plain: str
    """The name in prose."""
    liquid: str
    """The name of its liquid in prose."""
    vapor: str
    """The name of its vapour in prose."""
    convention: str
    """The sentence that states the reference state."""


class Approach(_Model):
    """The least temperature difference between two streams in counter-flow."""

    hot: tuple[str, str]
    """First and last state of the hot stream."""
    cold: tuple[str, str]
    """First and last state of the cold stream."""
    least: float
    """The least temperature difference, K."""


class PlantTemplate(_Model):
    """One kind of plant. Each depth adds requests, rules and definitions to those of the depths before."""

    code: str
    """The start of template ids."""
    published: dict[str, tuple[int, int, int]]
    """For each fluid, the number of published questions by depth."""
    difficulty: tuple[str, str, str] = ("easy", "medium", "hard")
    """The difficulty by depth."""
    difficulty_of: dict[str, tuple[str, str, str]] = {}
    """The difficulty by depth, for fluids that differ."""
    draws: dict[str, dict[str, Range]]
    """For each fluid, the ranges of the givens."""
    reservoirs: dict[str, dict[str, Range]] = {}
    """For each fluid, the ranges of the givens of depths B and C."""
    also_given: dict[str, str] = {}
    """Further givens of the published format, as text."""
    media: dict[str, str] = {}
    """The substances by the names that `states` uses; empty for the fluid's main and heating substance."""
    constants: dict[str, float] = {}
    states: dict[str, dict[str, Formula]]
    """By number: two properties, or the efficiency of a machine that reaches the state from another one. `of`
    names the medium."""
    devices: dict[str, str] = {}
    """The streams of each device, such as `4 > 5 + 7 > 8 * share`, with `at T_source` for a reservoir."""
    results: dict[str, str]
    """Formulas of results by symbol."""
    approach: Approach | None = None
    rules: dict[Depth, dict[str, str | dict[str, str]]]
    """Comparisons that a plant needs to run, by the reason for rejection; for all fluids, or by fluid."""
    asks: dict[Depth, dict[str, float] | list[str]]
    """Requested symbols, with weights if these differ from the published weights."""
    setups: list[str]
    """Alternative texts of the plant."""
    reservoir_setups: list[str] = []
    """Alternative texts of the reservoirs."""
    requests: ByDepth
    """Alternative texts of the request."""
    definitions: dict[Depth, str | list[str]]
    """The conventions that a question states."""

    def requested(self, depth: str) -> Iterator[tuple[str, float]]:
        """Yield the requested symbols with their weights."""
        for asks in (self.asks[each] for each in DEPTHS if each <= depth):
            weighted = (
                asks
                if isinstance(asks, dict)
                else {each: find_by_pattern(each, NAMES["weights"]) for each in asks}
            )
            yield from weighted.items()

    def rules_of(self, depths: str, fluid: str) -> Iterator[tuple[str, str]]:
        """Yield the rules of these depths for a fluid: the reason for rejection, and the comparison."""
        for depth in depths:
            for reason, rule in self.rules.get(cast(Depth, depth), {}).items():
                comparison = rule if isinstance(rule, str) else rule.get(fluid)
                if comparison:
                    yield reason, comparison

    def conventions(self, depth: str) -> Iterator[str]:
        """Yield the conventions that a question of this depth states."""
        for texts in (
            self.definitions[each] for each in DEPTHS if each <= depth and each in self.definitions
        ):
            yield from [texts] if isinstance(texts, str) else texts


class _File(BaseModel):
    templates: dict[str, PlantTemplate]
    fluids: dict[str, Fluid] = {}


def plant_templates(tier: int) -> Mapping[str, PlantTemplate]:
    """Return the templates of a tier by their published names, such as turbine or RNK-A."""
    return _file(tier).templates


def fluids(tier: int) -> Mapping[str, Fluid]:
    """Return the fluids of a tier by their published names; the templates of tier 3 name substances."""
    return _file(tier).fluids


@cache
def _file(tier: int) -> _File:
    text = Path(__file__).with_name(_FILES[tier]).read_text(encoding="utf-8")
    return _File.model_validate(yaml.load(text, Loader=yaml.CSafeLoader))
