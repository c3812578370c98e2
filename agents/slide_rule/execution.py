"""Working a plan out: in the head, with Python, or equation by equation with a tool."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ansatz.agents.slide_rule.arithmetic import (
    PRINTED_DIGITS,
    SLIDE_RULE_DIGITS,
    NotCalculable,
    evaluate,
    substituted,
    written,
)
from ansatz.agents.slide_rule.chain import Step
from ansatz.agents.slide_rule.conversation import Conversation, ToolResult
from ansatz.agents.slide_rule.givens import Given
from ansatz.agents.slide_rule.units import parse_unit, plain_text, spell

_RESULT = re.compile(
    r"^[ \t]*(?P<name>\w+) *= *(?P<value>[-+]?[\d.]+(?:[eE][-+]?\d+)?)[ \t]*(?P<unit>\S.*)?$", re.MULTILINE
)
_LONG = re.compile(r"(?<![\w.])\d{6,}(?:\.0)?(?![\w.])")  # shorter with an exponent
_MOST_EVALUATIONS = 8  # steps that are worth a call each


@dataclass(frozen=True)
class Call:
    """A tool call to make before the answer can be given."""

    name: str
    arguments: dict[str, object]


@dataclass(frozen=True)
class Worked:
    """Every step's value in SI, how many digits it is good for, and what a tool warned of."""

    values: tuple[float, ...]
    digits: tuple[int, ...]
    warnings: tuple[str, ...] = ()


def work_out(steps: Sequence[Step], talk: Conversation) -> Worked | Call:
    """Values for all steps, or the next tool call they wait for. Bound tools are used where they can be."""
    evaluated = iter(talk.results_of("evaluate_equation"))
    printed = iter(talk.results_of("run_python"))
    by_tool = "evaluate_equation" in talk.tools
    by_python = "run_python" in talk.tools
    values: list[float] = []
    digits: list[int] = []
    warnings: list[str] = []
    while len(values) < len(steps):
        number = len(values)
        step = _current(steps[number], values)
        if by_tool and step.formula.id and number < _MOST_EVALUATIONS:
            result = next(evaluated, None)
            if result is None:
                return _evaluation(step)
            value = _evaluated(step, result, warnings)
            new = [] if value is None else [value]
        elif by_python:
            run = _run_of(steps, number, by_tool)
            result = next(printed, None)
            if result is None:
                return Call("run_python", {"code": python_code(steps, run, values)})
            new = _printed(result, len(run))
        else:
            new = []
        good = PRINTED_DIGITS if new else SLIDE_RULE_DIGITS
        new = new or [_in_the_head(step)]
        values += new
        digits += [good] * len(new)
    return Worked(tuple(values), tuple(digits), tuple(warnings))


def _current(step: Step, values: Sequence[float]) -> Step:
    """The step with the results of earlier steps as they have come out so far."""
    return replace(step, bound={name: _updated(given, values) for name, given in step.bound.items()})


def _updated(given: Given, values: Sequence[float]) -> Given:
    return given if given.step is None else replace(given, value=values[given.step])


def _in_the_head(step: Step) -> float:
    try:
        return evaluate(step.formula.expression, step.operands)
    except NotCalculable:
        return step.value


def _run_of(steps: Sequence[Step], first: int, by_tool: bool) -> range:
    """The steps from `first` on that one program works out: up to the next one that a tool evaluates."""
    last = first
    while last < len(steps) and not (by_tool and steps[last].formula.id and last < _MOST_EVALUATIONS):
        last += 1
    return range(first, last)


def python_code(steps: Sequence[Step], run: range, values: Sequence[float]) -> str:
    """A program that works the steps out in SI units and prints each result."""
    lines = ["from math import *"]
    for number in run:
        step = steps[number]
        texts = {name: repr(value) for name, value in step.operands.items()}
        for name, given in step.bound.items():
            if given.step is not None:
                texts[name] = f"r{given.step + 1}" if given.step in run else repr(values[given.step])
        lines.append(f"r{number + 1} = {substituted(step.formula.expression, texts)}  # {step.formula.name}")
        lines.append(f'print("r{number + 1} =", repr(r{number + 1}))')
    return "\n".join(lines)


def _printed(result: ToolResult, expected: int) -> list[float]:
    """The printed values, or none where the program failed."""
    values = [float(found["value"]) for found in _RESULT.finditer(result.text)]
    return values if len(values) == expected else []


def _evaluation(step: Step) -> Call:
    """The equation with every value in SI and in the spelling of the sheet: `6800.0 m/s`, `0.35 rad`."""
    values = {}
    for name, given in step.bound.items():
        unit = "rad" if given.unit.angle else spell(given.unit.dimension).replace("^", "**").replace(" ", "*")
        values[name] = f"{given.value!r} {unit}".removesuffix(" 1")
    return Call("evaluate_equation", {"id": step.formula.id, "values": values})


def _evaluated(step: Step, result: ToolResult, warnings: list[str]) -> float | None:
    """The value in SI that the tool found; its further lines are warnings."""
    found = _RESULT.search(plain_text(result.text))
    if result.text.lstrip().lower().startswith("error") or not found:
        warnings.append(f"{step.formula.name}: the tool refused ({result.text.strip().splitlines()[0]})")
        return None
    unit = parse_unit((found["unit"] or "-").strip()) or step.formula.output.unit
    warnings += [
        line.strip() for line in result.text[found.end() :].splitlines() if "warning" in line.lower()
    ]
    return unit.to_si(float(found["value"]))


def shown_substitution(step: Step, values: Sequence[float], digits: int) -> str:
    """The step's expression with numbers in place of symbols, as written on paper."""
    current = _current(step, values)
    texts = {name: written(value, digits) for name, value in current.operands.items()}
    shown = substituted(step.formula.expression, texts)
    return _LONG.sub(lambda number: written(float(number.group()), digits), shown)
