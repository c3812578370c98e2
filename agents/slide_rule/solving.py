"""Working a plan out: in the head, with Python, or equation by equation with a tool."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ansatz.agents.slide_rule.arithmetic import (
    PRINTED_DIGITS,
    SLIDE_RULE_DIGITS,
    by_hand,
    substituted,
    written,
)
from ansatz.agents.slide_rule.chaining import Link
from ansatz.agents.slide_rule.comprehension import Known
from ansatz.agents.slide_rule.conversation import Conversation, as_written
from ansatz.quantities.statements import find_statements

_MOST_EVALUATIONS = 8  # steps that are worth a call each


@dataclass(frozen=True)
class Call:
    """A tool call: one that has to come before the answer, or the one that hands it in beside its text."""

    name: str
    arguments: dict[str, object]
    text: str = ""


@dataclass(frozen=True)
class StepResult:
    """A step's value in its formula's unit, NaN for none, and its good digits.

    `recomputed` is whether somebody else's value was taken over, which is written with all its digits.
    """

    value: float
    digits: int
    recomputed: bool = False


def substitution(step: Link, results: Sequence[StepResult], digits: int) -> str:
    """A step's formula with numbers."""
    texts = {}
    for name, value in step.operands([each.value for each in results]).items():
        place = step.bound[name].step if name in step.bound else None
        exact = place is not None and results[place].recomputed
        texts[name] = written(value, PRINTED_DIGITS if exact else digits)
    return substituted(step.formula.text, texts)


def work_out(steps: Sequence[Link], talk: Conversation) -> tuple[list[StepResult], list[str]] | Call:
    """A result for every step and what tools warned of, or the next tool call they wait for.

    Bound tools are used where they can be.
    """
    evaluated, printed = iter(talk.results_of("evaluate_equation")), iter(talk.results_of("run_python"))
    results: list[StepResult] = []
    warnings: list[str] = []
    while len(results) < len(steps):
        step, values = steps[len(results)], [each.value for each in results]
        new: list[float] = []
        if _is_for_tool(steps, len(results), talk):
            units = {symbol.name: symbol.unit for symbol in step.formula.inputs}
            said = next(evaluated, None)
            if said is None:
                operands = step.operands(values)
                stated = {
                    name: f"{operands[name]!r} {unit}".removesuffix(" -") for name, unit in units.items()
                }
                return Call("evaluate_equation", {"id": step.formula.id, "values": stated})
            first, *others = said.text.strip().splitlines() or [""]
            number = "" if said.failed else first.partition(" = ")[2].split(" ")[0]
            new = [float(number)] if number else []
            warnings += [f"{step.formula.title}: the tool refused ({first})"] if said.failed else others
        elif "run_python" in talk.tools and step.formula.tree is not None:
            # One program works out the steps up to the next one that a tool evaluates.
            last = len(results) + 1
            while last < len(steps) and steps[last].formula.tree and not _is_for_tool(steps, last, talk):
                last += 1
            run = range(len(results), last)
            said = next(printed, None)
            if said is None:
                return Call("run_python", {"code": python_code(steps, run, values)})
            found = {each.symbol: each.value for each in find_statements(said.text)}
            names = [f"r{number + 1}" for number in run]
            new = (
                [found[name] for name in names] if found.keys() >= set(names) else []
            )  # none where it failed
        results += [StepResult(value, PRINTED_DIGITS) for value in new] or [_in_the_head(step, results, talk)]
    return results, warnings


def _is_for_tool(steps: Sequence[Link], number: int, talk: Conversation) -> bool:
    return "evaluate_equation" in talk.tools and bool(steps[number].formula.id) and number < _MOST_EVALUATIONS


def _in_the_head(step: Link, results: Sequence[StepResult], talk: Conversation) -> StepResult:
    """What a step comes to by hand; where somebody did it again and said so, what that came to."""
    told = talk.recomputed.get(as_written(substitution(step, results, SLIDE_RULE_DIGITS)))
    if told is not None:
        return StepResult(told, PRINTED_DIGITS, recomputed=True)
    operands = step.operands([each.value for each in results])
    value = by_hand(step.formula.tree, operands, talk.eye) if step.formula.tree else None
    return StepResult(math.nan if value is None else value, SLIDE_RULE_DIGITS)


def python_code(steps: Sequence[Link], run: range, values: Sequence[float]) -> str:
    """A program that works the steps out in their formulas' units and prints each result."""
    lines = ["from math import *"]
    for number in run:
        step, name = steps[number], f"r{number + 1}"
        texts = {
            each: repr(value) for each, value in step.operands([*values, *[math.nan] * len(run)]).items()
        }
        for symbol in step.formula.inputs:
            given = step.bound[symbol.name]
            if given.step is not None and given.step in run:
                ratio = Known("", 1.0, given.unit).measured_in(symbol.unit)
                texts[symbol.name] = f"r{given.step + 1}" if ratio == 1 else f"(r{given.step + 1}*{ratio!r})"
        code = substituted(step.formula.text, texts)  # the sheet's notation is Python's
        lines += [f"{name} = {code}  # {step.formula.title}", f'print("{name} =", {name})']
    return "\n".join(lines)
