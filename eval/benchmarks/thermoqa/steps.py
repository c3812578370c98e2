"""The steps of an answer, a target each: how it was judged by both rules, and what it is worth."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ansatz.eval.benchmarks.thermoqa.published_reading import Value
from ansatz.eval.benchmarks.thermoqa.score import Status, score_of

Rule = Literal["strict", "published"]
Kind = Literal["property", "reasoning"]

RULES: tuple[Rule, ...] = ("strict", "published")
KINDS: tuple[Kind, ...] = ("property", "reasoning")

_PLACE = r"(_?(f|g|sat|\d+s?|in|out|[hc]_(in|out)))?"
_PROPERTY = re.compile(rf"(h|s|u|v|rho|T|P|x|ef){_PLACE}|phase")


@dataclass(frozen=True)
class JudgedStep:
    """One target of a question with what became of it.

    `value` is what our extraction reads, in the target's unit where it converts; None where the answer states
    nothing. `strict` is None where that rule leaves the target out.
    """

    name: str
    weight: float
    value: Value | None
    published: Status
    strict: Status | None

    @property
    def kind(self) -> Kind:
        return step_kind(self.name)

    def status(self, rule: Rule) -> Status | None:
        return self.strict if rule == "strict" else self.published


def step_kind(name: str) -> Kind:
    """Whether a target is a state property or something reasoned from states.

    The rule goes by the symbol alone: h, s, u, v, ρ, T, P, x, flow exergy and phase at a state are
    properties; works, heats, powers, flow rates, speeds, efficiencies, COP, entropy generation, exergy
    destruction and closing errors are reasoning. An actual exit state such as h2 counts as a property
    although an efficiency has to be applied to reach it.

    >>> step_kind("h2s"), step_kind("T_c_out"), step_kind("s_gen_pump"), step_kind("w_net")
    ('property', 'property', 'reasoning', 'reasoning')
    """
    return "property" if _PROPERTY.fullmatch(name) else "reasoning"


def numbers_of(steps: Sequence[JudgedStep]) -> dict[str, float]:
    """The numbers that an answer states, by name."""
    return {step.name: step.value for step in steps if isinstance(step.value, float | int)}


def question_score(steps: Sequence[JudgedStep], rule: Rule) -> float | None:
    """Passed weight over the weight of all steps that the rule judges; None without any."""
    return score_of((step.weight, step.status(rule)) for step in steps)


def contribution(steps: Sequence[JudgedStep], rule: Rule, kind: Kind) -> float:
    """What steps of one kind add to the question's score; over both kinds this sums to the score."""
    total = sum(step.weight for step in steps if step.status(rule))
    passed = [step for step in steps if step.kind == kind and step.status(rule) == "pass"]
    return sum(step.weight for step in passed) / total if total else 0.0
