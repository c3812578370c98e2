"""Evaluate the steps of a solution: by hand, with Python, or one by one with an equation tool."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ansatz.agents.slide_rule.arithmetic import (
    PRINTED_DIGITS,
    SLIDE_RULE_DIGITS,
    calculate_by_hand,
    format_number,
    substitute,
)
from ansatz.agents.slide_rule.conversation import Conversation, strip_typesetting
from ansatz.agents.slide_rule.question import KnownQuantity
from ansatz.agents.slide_rule.solution_path import FormulaUse
from ansatz.quantities.statements import find_statements

_MAX_EVALUATIONS = 8  # steps that are worth a call each


@dataclass(frozen=True)
class NextCall:
    """A tool call that has to come before the answer, or one that submits the answer."""

    name: str
    arguments: dict[str, object]
    text: str = ""
    """The text of the message with the call."""


@dataclass(frozen=True)
class StepResult:
    """The value of a step."""

    value: float
    """In the formula's unit; NaN if there is none."""
    digits: int
    """How many digits are reliable."""
    is_corrected: bool = False
    """Whether a check in the conversation gave the value; it is then written with all its digits."""


def format_substitution(step: FormulaUse, results: Sequence[StepResult], digits: int) -> str:
    """Format a step's formula with numbers instead of symbols."""
    texts = {}
    for name, value in step.convert_operands([result.value for result in results]).items():
        place = step.bound[name].step if name in step.bound else None
        is_exact = place is not None and results[place].is_corrected
        texts[name] = format_number(value, PRINTED_DIGITS if is_exact else digits)
    return substitute(step.formula.text, texts)


def evaluate_steps(
    steps: Sequence[FormulaUse], conversation: Conversation
) -> tuple[list[StepResult], list[str]] | NextCall:
    """Evaluate all steps with the bound tools where possible, and by hand otherwise.

    Returns the results and the warnings of tools, or the next tool call that is needed.
    """
    evaluated = iter(conversation.get_results("evaluate_equation"))
    printed = iter(conversation.get_results("run_python"))
    results: list[StepResult] = []
    warnings: list[str] = []
    while len(results) < len(steps):
        step, values = steps[len(results)], [result.value for result in results]
        new: list[float] = []
        if _uses_equation_tool(steps, len(results), conversation):
            reply = next(evaluated, None)
            if reply is None:
                operands = step.convert_operands(values)
                stated = {
                    symbol.name: f"{operands[symbol.name]!r} {symbol.unit}".removesuffix(" -")
                    for symbol in step.formula.inputs
                }
                return NextCall("evaluate_equation", {"id": step.formula.id, "values": stated})
            first, *others = reply.text.strip().splitlines() or [""]
            number = "" if reply.failed else first.partition(" = ")[2].split(" ")[0]
            new = [float(number)] if number else []
            warnings += [f"{step.formula.title}: the tool refused ({first})"] if reply.failed else others
        elif "run_python" in conversation.tools and step.formula.tree is not None:
            # One program calculates the steps up to the next one for the equation tool.
            end = len(results) + 1
            while (
                end < len(steps)
                and steps[end].formula.tree
                and not _uses_equation_tool(steps, end, conversation)
            ):
                end += 1
            batch = range(len(results), end)
            reply = next(printed, None)
            if reply is None:
                return NextCall("run_python", {"code": write_program(steps, batch, values)})
            found = {statement.symbol: statement.value for statement in find_statements(reply.text)}
            names = [f"r{number + 1}" for number in batch]
            is_complete = found.keys() >= set(names)
            new = [found[name] for name in names] if is_complete else []
        results += [StepResult(value, PRINTED_DIGITS) for value in new] or [
            _evaluate_by_hand(step, results, conversation)
        ]
    return results, warnings


def _uses_equation_tool(steps: Sequence[FormulaUse], number: int, conversation: Conversation) -> bool:
    is_bound = "evaluate_equation" in conversation.tools
    formula = steps[number].formula
    return is_bound and bool(formula.id) and not formula.solved_for and number < _MAX_EVALUATIONS


def _evaluate_by_hand(
    step: FormulaUse, results: Sequence[StepResult], conversation: Conversation
) -> StepResult:
    """Evaluate a step by hand, or take the value that a check in the conversation reports for it."""
    term = strip_typesetting(format_substitution(step, results, SLIDE_RULE_DIGITS))
    corrected = conversation.corrections.get(term)
    if corrected is not None:
        return StepResult(corrected, PRINTED_DIGITS, is_corrected=True)
    operands = step.convert_operands([result.value for result in results])
    value = calculate_by_hand(step.formula.tree, operands, conversation.reader) if step.formula.tree else None
    return StepResult(math.nan if value is None else value, SLIDE_RULE_DIGITS)


def write_program(steps: Sequence[FormulaUse], batch: range, values: Sequence[float]) -> str:
    """Write a program that calculates a batch of steps in their formulas' units and prints the results."""
    lines = ["from math import *"]
    for number in batch:
        step, name = steps[number], f"r{number + 1}"
        operands = step.convert_operands([*values, *[math.nan] * len(batch)])
        texts = {symbol: repr(value) for symbol, value in operands.items()}
        for symbol in step.formula.inputs:
            given = step.bound[symbol.name]
            if given.step is not None and given.step in batch:
                ratio = KnownQuantity("", 1.0, given.unit).convert_to(symbol.unit)
                texts[symbol.name] = f"r{given.step + 1}" if ratio == 1 else f"(r{given.step + 1}*{ratio!r})"
        code = substitute(step.formula.text, texts)  # the notation of sheets is Python's
        lines += [f"{name} = {code}  # {step.formula.title}", f'print("{name} =", {name})']
    return "\n".join(lines)
