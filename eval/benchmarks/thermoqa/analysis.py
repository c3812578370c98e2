"""What an answer's steps tell beyond its score: their kind, their fate under both rules, and their order."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from ansatz.eval.benchmarks.thermoqa import published_reading
from ansatz.eval.benchmarks.thermoqa.judgement import Status, judge_answer, score_of
from ansatz.eval.benchmarks.thermoqa.score import published
from ansatz.eval.problem import NumberTarget, Problem

Rule = Literal["strict", "published"]
Kind = Literal["property", "reasoning"]

RULES: tuple[Rule, ...] = ("strict", "published")
KINDS: tuple[Kind, ...] = ("property", "reasoning")

_PLACE = r"(_?(f|g|sat|\d+s?|in|out|[hc]_(in|out)))?"
_PROPERTY = re.compile(rf"(h|s|u|v|rho|T|P|x|ef){_PLACE}|phase")


@dataclass(frozen=True)
class Step:
    """One target of a question with what became of it.

    `value` is the number that our extraction reads, in the target's unit where it converts; None where there
    is none. `strict` is None where the strict rule leaves the target out; `published` rests on the
    publisher's own reading of the answer, as the score of that name does.
    """

    name: str
    weight: float
    value: float | None
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


def judge_steps(problem: Problem, answer: str) -> tuple[Step, ...]:
    """Every target of a problem in the order of the key, under both rules."""
    return _judged(problem, published_reading.read(answer, problem), answer)


def question_score(steps: Sequence[Step], rule: Rule, kind: Kind | None = None) -> float | None:
    """Passed weight of one kind of steps over the weight of all steps of that kind; None without any."""
    return score_of((step.weight, step.status(rule)) for step in steps if kind in (None, step.kind))


def contribution(steps: Sequence[Step], rule: Rule, kind: Kind) -> float:
    """What steps of one kind add to the question's score; over both kinds this sums to the score."""
    total = sum(step.weight for step in steps if step.status(rule))
    passed = [step for step in steps if step.kind == kind and step.status(rule) == "pass"]
    return sum(step.weight for step in passed) / total if total else 0.0


def adjacent(steps: Sequence[Step], rule: Rule) -> Iterator[tuple[Step, Step]]:
    """Pairs of steps that follow each other in the key, among those the rule judges."""
    judged = [step for step in steps if step.status(rule)]
    yield from pairwise(judged)


def zero_steps(problem: Problem) -> tuple[Step, ...]:
    """The steps of an answer that states 0 for every number and no phase: what passes is given away."""
    numbers = [target.name for target in problem.targets if isinstance(target, NumberTarget)]
    return _judged(problem, dict.fromkeys(numbers, 0.0), "\n".join(f"{name} = 0" for name in numbers))


def _judged(problem: Problem, values: Mapping[str, float | str], answer: str) -> tuple[Step, ...]:
    """`values` are those the publisher reads from the answer."""
    by_publisher = published(problem, values)
    return tuple(
        Step(
            name=item.name,
            weight=item.weight,
            value=_number(item.value),
            published=by_publisher[item.name].status,
            strict=item.strict,
        )
        for item in judge_answer(problem, answer)
    )


def _number(value: float | str | None) -> float | None:
    return None if value is None or isinstance(value, str) else float(value)
