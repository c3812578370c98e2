"""What became of each target of a question, its steps: value read, fate under both rules, kind and order."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from ansatz.eval.benchmarks.thermoqa.published_reading import Value, guessed, is_balance
from ansatz.eval.benchmarks.thermoqa.score import Status, published, score_of, strict, value_in_unit
from ansatz.eval.benchmarks.thermoqa.stated_values import Reading, from_text, in_unit
from ansatz.eval.problem import NumberTarget, Problem

Rule = Literal["strict", "published"]
Kind = Literal["property", "reasoning"]

RULES: tuple[Rule, ...] = ("strict", "published")
KINDS: tuple[Kind, ...] = ("property", "reasoning")

_PLACE = r"(_?(f|g|sat|\d+s?|in|out|[hc]_(in|out)))?"
_PROPERTY = re.compile(rf"(h|s|u|v|rho|T|P|x|ef){_PLACE}|phase")


@dataclass(frozen=True)
class JudgedStep:
    """One target of a question with what became of it.

    `value` is what our extraction reads, in `unit`: the target's, or that which is written where it does not
    convert; None where the answer states nothing. `strict` is None where that rule leaves the target out.
    """

    name: str
    weight: float
    value: Value | None
    published: Status
    strict: Status | None
    unit: str = ""

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


def judge_answer(problem: Problem, answer: str, reasoning: str = "") -> tuple[JudgedStep, ...]:
    """Every target of a problem, in its order, as our reading of an answer's text meets it under both rules.

    Where the answer is silent, the published rule accepts what its `reasoning` states; the strict does not.
    """
    return judge(problem, from_text(problem, answer, reasoning))


def judge(
    problem: Problem, readings: Mapping[str, Reading], values: Mapping[str, Value] | None = None
) -> tuple[JudgedStep, ...]:
    """Of readings already made; the published rule is put to `values` where they are given."""
    by_publisher = published(problem, unit_aware(problem, readings) if values is None else values)
    strictly = strict(problem, readings)
    steps = []
    for target in problem.targets:
        own = strictly.get(target.name)
        value, unit = value_in_unit(target, readings.get(target.name))
        fates = by_publisher[target.name].status, own.status if own else None
        steps.append(JudgedStep(target.name, target.weight, value, *fates, unit))
    return tuple(steps)


def unit_aware(problem: Problem, readings: Mapping[str, Reading]) -> dict[str, Value]:
    """The values read in the units of the targets; the publisher guesses those without a unit that fits."""
    values = unit_blind(problem, readings)
    for target in problem.targets:
        reading = readings.get(target.name)
        if reading and reading.unit and isinstance(target, NumberTarget):
            converted = in_unit(reading, target)
            values[target.name] = values[target.name] if converted is None else converted
    return values


def unit_blind(problem: Problem, readings: Mapping[str, Reading]) -> dict[str, Value]:
    """The bare numbers read, with the publisher's guesses at their units from their sizes alone."""
    tier = str(problem.tags.get("tier", "1"))
    text = " ".join(reading.unit for reading in readings.values())
    return {
        name: reading.value if isinstance(reading.value, str) else guessed(reading.value, name, tier, text)
        for name, reading in readings.items()
    }


def numbers_of(steps: Sequence[JudgedStep]) -> dict[str, float]:
    """The numbers that an answer states, by name."""
    return {step.name: step.value for step in steps if isinstance(step.value, float | int)}


def question_score(steps: Sequence[JudgedStep], rule: Rule, kind: Kind | None = None) -> float | None:
    """Passed weight of one kind of steps over the weight of all steps of that kind; None without any."""
    return score_of((step.weight, step.status(rule)) for step in steps if kind in (None, step.kind))


def contribution(steps: Sequence[JudgedStep], rule: Rule, kind: Kind) -> float:
    """What steps of one kind add to the question's score; over both kinds this sums to the score."""
    total = sum(step.weight for step in steps if step.status(rule))
    passed = [step for step in steps if step.kind == kind and step.status(rule) == "pass"]
    return sum(step.weight for step in passed) / total if total else 0.0


def zero_steps(problem: Problem) -> tuple[JudgedStep, ...]:
    """The steps of an answer that states 0 for every number and no phase: what passes is given away."""
    names = [target.name for target in problem.targets if isinstance(target, NumberTarget)]
    readings = from_text(problem, "\n".join(f"{name} = 0" for name in names))
    return judge(problem, readings, dict.fromkeys(names, 0.0))


def free_items(problem: Problem) -> frozenset[str]:
    """The targets that the published rule passes for the answer 0, such as any specific volume."""
    numbers = (target.name for target in problem.targets if isinstance(target, NumberTarget))
    judged = published(problem, {name: 0.0 for name in numbers if not is_balance(name)})
    return frozenset(name for name, one in judged.items() if one.passed)


def lacks_reference_state(problem: Problem) -> bool:
    """Whether a refrigerant's question leaves its reference state open: the key is then one of several."""
    fluid = str(problem.tags.get("fluid", ""))
    words = ("reference", "iir", "ashrae", "nbp")
    return fluid.lower().startswith("r") and not any(word in problem.question.lower() for word in words)
