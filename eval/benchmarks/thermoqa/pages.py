"""A page: one device (tier 2) or one cycle (tier 3) as components.yaml and cycles.yaml declare it.

All is formulas over names that `plant.Plant` knows, in SI units: how givens are drawn, what fixes each state,
which devices lie between them, what follows, and the rules that a plant which could run keeps.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Literal, cast

import yaml
from pydantic import BaseModel, ConfigDict

from ansatz.eval.benchmarks.thermoqa.published_names import NAMES, told_of

Depth = Literal["A", "B", "C"]
DEPTHS: tuple[Depth, ...] = ("A", "B", "C")
Formula = str | float
ByDepth = dict[Depth, list[str]]
_FILES = {2: "components.yaml", 3: "cycles.yaml"}


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Beside(_Model):
    """A temperature some way above or below another."""

    by: tuple[float, float]
    above: str = ""
    below: str = ""


class OneOf(_Model):
    """One of several ranges, each as likely."""

    one_of: list[tuple[Formula, Formula]]


Draw = tuple[float, float, float] | tuple[Formula, Formula] | Beside | OneOf
"""Lowest, highest and step; or a range, where a number is in the given's unit and a formula in SI units."""


class Fluid(_Model):
    """What a fluid is called, its letter in template ids, and the substances it stands for."""

    letter: str
    main: str
    heating: str
    plain: str
    liquid: str
    vapor: str
    convention: str


class Approach(_Model):
    """Two streams in counter-flow, by their states, and the least difference of temperature in K."""

    hot: tuple[str, str]
    cold: tuple[str, str]
    least: float


class Page(_Model):
    """One kind of plant. `published` counts the published questions of each fluid by depth.

    A state is fixed by two properties, or is what a machine of an efficiency makes of another; `of` names its
    medium. A device is its streams (`4 > 5 + 7 > 8 * share`) and, where it exchanges heat with one, the
    temperature of a reservoir (`at T_source`). Each depth asks, requires and tells what those before it do.
    """

    code: str
    published: dict[str, tuple[int, int, int]]
    difficulty: tuple[str, str, str] = ("easy", "medium", "hard")
    difficulty_of: dict[str, tuple[str, str, str]] = {}
    draws: dict[str, dict[str, Draw]]
    reservoirs: dict[str, dict[str, Draw]] = {}
    also_given: dict[str, str] = {}
    media: dict[str, str] = {}
    constants: dict[str, float] = {}
    states: dict[str, dict[str, Formula]]
    devices: dict[str, str] = {}
    results: dict[str, str]
    approach: Approach | None = None
    rules: dict[Depth, dict[str, str | dict[str, str]]]
    asks: dict[Depth, dict[str, float] | list[str]]
    setups: list[str]
    reservoir_setups: list[str] = []
    requests: ByDepth
    definitions: dict[Depth, str | list[str]]

    def asked(self, depth: str) -> Iterator[tuple[str, float]]:
        """Symbols of the key with their weights, which go by the symbol where the page gives none."""
        for asks in (self.asks[each] for each in DEPTHS if each <= depth):
            weighed = (
                asks if isinstance(asks, dict) else {each: told_of(each, NAMES["weights"]) for each in asks}
            )
            yield from weighed.items()

    def rules_of(self, depths: str, fluid: str) -> Iterator[tuple[str, str]]:
        """What a plant of this fluid keeps at these depths: why it could not run otherwise, a comparison."""
        for depth in depths:
            for why, rule in self.rules.get(cast(Depth, depth), {}).items():
                held = rule if isinstance(rule, str) else rule.get(fluid)
                if held:
                    yield why, held

    def agreed(self, depth: str) -> Iterator[str]:
        """What a question of this depth takes for agreed."""
        for told in (self.definitions[each] for each in DEPTHS if each <= depth and each in self.definitions):
            yield from [told] if isinstance(told, str) else told


class _File(BaseModel):
    pages: dict[str, Page]
    fluids: dict[str, Fluid] = {}


def pages(tier: int) -> Mapping[str, Page]:
    """The pages of a tier by their published names, such as turbine or RNK-A."""
    return _file(tier).pages


def fluids(tier: int) -> Mapping[str, Fluid]:
    """The fluids of a tier that says more of them than its pages do, by their published names."""
    return _file(tier).fluids


@cache
def _file(tier: int) -> _File:
    text = Path(__file__).with_name(_FILES[tier]).read_text(encoding="utf-8")
    return _File.model_validate(yaml.load(text, Loader=yaml.CSafeLoader))
