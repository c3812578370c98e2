"""Working a plan out: in the head, with Python, or equation by equation with a tool."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ansatz.agents.slide_rule.arithmetic import (
    PRINTED_DIGITS,
    SLIDE_RULE_DIGITS,
    Eye,
    by_hand,
    substituted,
    written,
)
from ansatz.agents.slide_rule.chaining import Link
from ansatz.agents.slide_rule.comprehension import Known
from ansatz.agents.slide_rule.conversation import Conversation, ToolResult, as_written
from ansatz.quantities.statements import statements

_MOST_EVALUATIONS = 8  # steps that are worth a call each


@dataclass(frozen=True)
class Call:
    """A tool call: one that has to come before the answer, or the one that hands it in beside its text."""

    name: str
    arguments: dict[str, object]
    text: str = ""


@dataclass(frozen=True)
class Worked:
    """Every step's value in its formula's unit, NaN for none, its good digits, and what a tool warned of."""

    values: tuple[float, ...]
    digits: tuple[int, ...]
    warnings: tuple[str, ...] = ()
    recomputed: frozenset[int] = frozenset()

    def substitution(self, step: Link, digits: int) -> str:
        """A step's formula with numbers; what was recomputed is written with all its digits."""
        known = {name: given.step for name, given in step.bound.items()}
        texts = {
            name: written(value, PRINTED_DIGITS if known.get(name) in self.recomputed else digits)
            for name, value in step.operands(self.values).items()
        }
        return substituted(step.formula.text, texts)


def work_out(steps: Sequence[Link], talk: Conversation) -> Worked | Call:
    """Values for all steps, or the next tool call they wait for. Bound tools are used where they can be."""
    evaluated, printed = iter(talk.results_of("evaluate_equation")), iter(talk.results_of("run_python"))
    values: list[float] = []
    digits: list[int] = []
    warnings: list[str] = []
    corrected: set[int] = set()
    while len(values) < len(steps):
        step, number = steps[len(values)], len(values)
        new: list[float] = []
        if _by_tool(step, number, talk):
            result = next(evaluated, None)
            if result is None:
                return _evaluation(step, values)
            new = _evaluated(step, result, warnings)
        elif "run_python" in talk.tools and step.formula.tree is not None:
            run = _run_of(steps, number, talk)
            result = next(printed, None)
            if result is None:
                return Call("run_python", {"code": python_code(steps, run, values)})
            new = _printed(result, run)
        if not new:
            so_far = Worked(tuple(values), tuple(digits), recomputed=frozenset(corrected))
            told = talk.recomputed.get(as_written(so_far.substitution(step, SLIDE_RULE_DIGITS)))
            new = [] if told is None else [told]
            corrected |= {number} if new else set()
        digits += [PRINTED_DIGITS] * len(new) if new else [SLIDE_RULE_DIGITS]
        values += new or [_in_the_head(step, values, talk.eye)]
    return Worked(tuple(values), tuple(digits), tuple(warnings), frozenset(corrected))


def _by_tool(step: Link, number: int, talk: Conversation) -> bool:
    return "evaluate_equation" in talk.tools and bool(step.formula.id) and number < _MOST_EVALUATIONS


def _in_the_head(step: Link, values: Sequence[float], eye: Eye) -> float:
    value = by_hand(step.formula.tree, step.operands(values), eye) if step.formula.tree else None
    return math.nan if value is None else value


def _run_of(steps: Sequence[Link], first: int, talk: Conversation) -> range:
    """The steps from `first` on that one program works out: up to the next one that a tool evaluates."""
    last = first
    while last < len(steps) and not _by_tool(steps[last], last, talk) and steps[last].formula.tree:
        last += 1
    return range(first, last)


def python_code(steps: Sequence[Link], run: range, values: Sequence[float]) -> str:
    """A program that works the steps out in their formulas' units and prints each result."""
    lines = ["from math import *"]
    for number in run:
        step = steps[number]
        later = [math.nan] * len(steps)
        later[: len(values)] = values
        texts = {name: repr(value) for name, value in step.operands(later).items()}
        for symbol in step.formula.inputs:
            given = step.bound[symbol.name]
            if given.step is not None and given.step in run:
                ratio = Known("", 1.0, given.unit).measured_in(symbol.unit)
                name = f"r{given.step + 1}"
                texts[symbol.name] = name if ratio == 1 else f"({name}*{ratio!r})"
        code = substituted(step.formula.text, texts)  # the sheet's notation is Python's
        lines += [
            f"r{number + 1} = {code}  # {step.formula.title}",
            f'print("r{number + 1} =", r{number + 1})',
        ]
    return "\n".join(lines)


def _printed(result: ToolResult, run: range) -> list[float]:
    """The printed values, or none where the program failed."""
    found = {each.symbol: each.value for each in statements(result.text)}
    names = [f"r{number + 1}" for number in run]
    return [found[name] for name in names] if found.keys() >= set(names) else []


def _evaluation(step: Link, values: Sequence[float]) -> Call:
    units = {symbol.name: symbol.unit for symbol in step.formula.inputs}
    operands = step.operands(values)
    stated = {name: f"{operands[name]!r} {unit}".removesuffix(" -") for name, unit in units.items()}
    return Call("evaluate_equation", {"id": step.formula.id, "values": stated})


def _evaluated(step: Link, result: ToolResult, warnings: list[str]) -> list[float]:
    """The value that the tool found, none where it refused; its further lines are warnings."""
    first, *others = result.text.strip().splitlines() or [""]
    if result.failed:
        warnings.append(f"{step.formula.title}: the tool refused ({first})")
        return []
    warnings += others
    number = first.partition(" = ")[2].split(" ")[0]
    return [float(number)] if number else []


def calculation(step: Link, worked: Worked, number: int) -> tuple[str, str, str]:
    """A step's formula, the same with numbers, and its result."""
    digits = worked.digits[number]
    result = f"{written(worked.values[number], digits)} {step.formula.output.unit}".removesuffix(" -")
    copied = SLIDE_RULE_DIGITS if number in worked.recomputed else digits
    return step.formula.text, worked.substitution(step, copied), result
