"""Questions of our own making in ThermoQA's published format, and the contract a tier's maker keeps.

A tier lists its slots (kinds of question, such as turbine, depth B, water) with how often the published set
asks each, and makes a question for a slot from a random stream. Whatever a draw turns out to violate, it
raises Infeasible, and the same stream is asked again: the same seed gives the same question everywhere.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import version
from random import Random
from typing import Any, Literal, TypeVar

from ansatz.eval.benchmarks.thermoqa.published_names import PHASE_NAMES, symbol_of
from ansatz.eval.benchmarks.thermoqa.questions import read_question
from ansatz.eval.problem import Problem

Slot = tuple[str, ...]
Mix = Literal["published", "even"]
Item = TypeVar("Item")

_DRAWS = 3000  # of one question; a slot that needs more has its ranges wrong
_RELATIVE_PERCENT = 2.0  # the published tolerance of every value
_SMALLEST = {
    **{"kJ/kg": 0.2, "kJ/(kg*K)": 0.002, "kW": 2.0, "kW/K": 0.002, "-": 0.002, "dimensionless": 0.002},
    **{"C": 0.2, "K": 1.0, "m/s": 1.0, "kg/s": 0.01, "kPa": 0.1, "kg/m3": 1e-3, "m3/kg": 1e-5},
}
"""Below these magnitudes a value is as small as the last digit tables print, and 0 might pass for it."""


class Infeasible(Exception):
    """This draw describes no sensible question; the message says which rule it breaks."""


@dataclass(frozen=True)
class Expected:
    """One number asked for. Name, unit and absolute tolerance are spelled as the published files do."""

    name: str
    value: float
    unit: str
    weight: float = 1.0
    absolute: float = 0.5

    def published(self) -> dict[str, Any]:
        return {
            "value": significant(self.value),
            "unit": self.unit,
            "tolerance_pct": _RELATIVE_PERCENT,
            "abs_tolerance": self.absolute,
        }


@dataclass(frozen=True)
class ExpectedPhase:
    """A phase asked for, by our name of it (see `State.phase`)."""

    value: str
    name: str = "phase_name"
    weight: float = 1.0

    def published(self) -> dict[str, Any]:
        accepted = PHASE_NAMES[self.value]
        return {"value": self.value, "type": "exact_match", "acceptable_aliases": accepted}


@dataclass(frozen=True)
class GeneratedQuestion:
    """One question with its key. `kind` and `depth` are category and subcategory in tier 1."""

    tier: int
    kind: str
    depth: str
    fluid: str
    difficulty: str
    template_id: str
    question: str
    given: Mapping[str, float | str]
    expected: tuple[Expected | ExpectedPhase, ...]
    id: str = ""

    def to_published(self) -> dict[str, Any]:
        """The JSON object of a published file; `generated_at` is null, so that a seed fixes every byte."""
        expected = {one.name: one.published() for one in self.expected}
        head = {"id": self.id, "tier": self.tier, **self._classified(), "difficulty": self.difficulty}
        body = {"question": self.question, "given": dict(self.given), "expected": expected}
        return head | body | self._steps() | {"metadata": self._metadata()}

    def line(self) -> str:
        """One line of a JSONL file, without its line break."""
        return json.dumps(self.to_published(), ensure_ascii=False)

    def problem(self) -> Problem:
        """What loading the published line gives."""
        return read_question(self.to_published(), self.id)

    @property
    def content(self) -> tuple[object, ...]:
        """What makes two questions the same question, however they are worded."""
        return self.template_id, self.fluid, *sorted(self.given.items())

    def _classified(self) -> dict[str, str]:
        if self.tier == 1:
            return {"category": self.kind, "subcategory": self.depth}
        kind = "component" if self.tier == 2 else "cycle_type"
        return {kind: self.kind, "depth": self.depth, "fluid": self.fluid}

    def _steps(self) -> dict[str, Any]:
        if self.tier == 1:
            return {}
        numbers = [one for one in self.expected if isinstance(one, Expected)]
        return {"steps": [{"id": one.name, "weight": one.weight, "unit": one.unit} for one in numbers]}

    def _metadata(self) -> dict[str, Any]:
        checked = {1: {"verified": True}, 2: {"validated": True}}.get(self.tier, {})
        made = {"coolprop_version": _coolprop_version(), "generated_at": None}
        return {"template_id": self.template_id} | made | checked


@dataclass(frozen=True)
class Tier:
    """A tier's slots and its maker. `further` are slots that only an even mix asks."""

    number: int
    published: Mapping[Slot, int]
    make: Callable[[Slot, Random], GeneratedQuestion]
    further: tuple[Slot, ...] = ()

    @property
    def size(self) -> int:
        """How many questions the published set has."""
        return sum(self.published.values())

    def order(self, mix: Mix = "published") -> tuple[Slot, ...]:
        """The slots in the order they are asked, over and over."""
        if mix == "published":
            return proportional_order(tuple(self.published.items()))
        return (*self.published, *self.further)

    def question(self, seed: int, number: int, mix: Mix = "published", attempt: int = 0) -> GeneratedQuestion:
        """Question `number`, from 0, of a seed; another `attempt` replaces one that was asked before."""
        order = self.order(mix)
        slot = order[number % len(order)]
        random = Random(f"thermoqa {mix} {seed} {self.number} {number} {attempt}")
        made = self._feasible(slot, random)
        letter = "S" if mix == "published" else "E"
        return replace(made, id=f"T{self.number}-{made.template_id}-{letter}{seed}-{number + 1:05d}")

    def _feasible(self, slot: Slot, random: Random) -> GeneratedQuestion:
        broken: Counter[str] = Counter()
        for _ in range(_DRAWS):
            try:
                made = self.make(slot, random)
                refuse_free_points(made)
            except Infeasible as rule:
                broken[str(rule)] += 1
            else:
                return made
        raise RuntimeError(
            f"tier {self.number}, {slot}: no feasible draw in {_DRAWS}: {broken.most_common(3)}"
        )


def refuse_free_points(question: GeneratedQuestion) -> None:
    """Infeasible where a value is so near zero that answering 0 could be right.

    A closing error of an energy balance is zero by its nature; the strict rule leaves it out instead.
    """
    for one in question.expected:
        if not isinstance(one, Expected) or one.name.startswith("energy_balance_error"):
            continue
        if not abs(one.value) >= _SMALLEST[one.unit]:
            raise Infeasible(f"{one.name} is too near zero")


@cache
def proportional_order(shares: tuple[tuple[Item, int], ...]) -> tuple[Item, ...]:
    """Each item as often as its share, spread so that every prefix is as near the proportions as can be.

    >>> "".join(proportional_order((("a", 3), ("b", 1))))
    'aaba'
    """
    total = sum(share for _, share in shares)
    taken = dict.fromkeys(range(len(shares)), 0)
    order = []
    for asked in range(1, total + 1):
        open_ones = [index for index, (_, share) in enumerate(shares) if taken[index] < share]
        chosen = max(open_ones, key=lambda index: (shares[index][1] * asked / total - taken[index], -index))
        taken[chosen] += 1
        order.append(shares[chosen][0])
    return tuple(order)


def answer_block(expected: tuple[Expected | ExpectedPhase, ...]) -> str:
    """The lines an answer is asked to fill in, symbols as both scoring rules can read them."""
    numbers = (one for one in expected if isinstance(one, Expected))
    lines = (
        f"{_RATES.get(one.name) or symbol_of(one.name)} = ___ {_unit(one.unit)}".rstrip() for one in numbers
    )
    phase = ("Phase: ___" for one in expected if isinstance(one, ExpectedPhase))
    return "\n".join(("Report your answers as:", *lines, *phase))


def significant(value: float) -> float:
    """Twelve significant digits: more than the equations of state hold, fewer than a float prints."""
    return float(f"{value:.12g}")


_RATES = {"S_gen_dot": "Ṡ_gen", "X_dest_dot": "Ẋ_dest", "Q_dot": "Q̇"}
"""As published questions print them: the publisher's patterns cannot read the key's own S_gen_dot."""


def _unit(unit: str) -> str:
    typeset = {"C": "°C", "-": "", "dimensionless": "", "m3/kg": "m³/kg", "kg/m3": "kg/m³"}
    return typeset.get(unit, unit.replace("*", "·"))


@cache
def _coolprop_version() -> str:
    return version("CoolProp")
