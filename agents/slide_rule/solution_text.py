"""Write an answer: briefly, by an engineering calculation protocol, or as a worked solution."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from ansatz.agents.slide_rule.arithmetic import (
    PRINTED_DIGITS,
    SLIDE_RULE_DIGITS,
    format_number,
    round_significant,
)
from ansatz.agents.slide_rule.question import KnownQuantity, ParsedQuestion, find_kind
from ansatz.agents.slide_rule.solution_path import FormulaUse, SolutionPath
from ansatz.agents.slide_rule.step_evaluation import StepResult, format_substitution


@dataclass(frozen=True)
class EvaluatedSolution:
    """A question with its solution path and results."""

    question: ParsedQuestion
    path: SolutionPath
    results: Sequence[StepResult]
    warnings: Sequence[str]
    """Warnings of tools."""
    form: Literal["block", "json", "tool"] = "block"
    """The form of the final answer."""

    @cached_property
    def answers(self) -> dict[str, tuple[float | str, str, int]]:
        """By symbol, the value in the target's unit, the unit and the reliable digits; words have no unit."""
        answers: dict[str, tuple[float | str, str, int]] = {}
        values = [result.value for result in self.results]
        for target, source in self.path.answers:
            if isinstance(source, str):
                answers[target.name] = (source, "", 0)
            elif source is not None and math.isfinite((known := source.with_result(values)).value):
                digits = SLIDE_RULE_DIGITS if source.reason else PRINTED_DIGITS
                if source.step is not None:
                    digits = self.results[source.step].digits
                answers[target.name] = (known.convert_to(target.unit or "-"), target.unit, digits)
        return answers

    def format_answers(self) -> list[str]:
        """Format every answer in the requested form; return no lines if a tool submits them."""
        if self.form == "json":
            return ["```json", json.dumps(self.build_submission(), ensure_ascii=False), "```"]
        return list(map(self.format_answer, self.answers)) if self.form == "block" else []

    def format_answer(self, symbol: str) -> str:
        value, unit, digits = self.answers[symbol]
        if isinstance(value, str):
            return f"{symbol}: {value}"
        number = format_number(value, digits or SLIDE_RULE_DIGITS)
        return f"{symbol} = {number} {unit}".removesuffix(" -").strip()

    def build_submission(self) -> dict[str, object]:
        """Return by symbol a value with its unit, or a word."""
        return {
            symbol: value
            if isinstance(value, str)
            else {"value": round_significant(value, digits), "unit": unit or "-"}
            for symbol, (value, unit, digits) in self.answers.items()
        }

    def list_remarks(self) -> list[str]:
        """List assumed values, unknown targets and warnings of tools."""
        assumed = {
            given.symbol: given for step in self.path.steps for given in step.bound.values() if given.reason
        }
        lines = [f"Assumed because {given.reason}: {name} = {given.text}." for name, given in assumed.items()]
        unknown = [target.name for target, _ in self.path.answers if target.name not in self.answers]
        if unknown:
            lines.append(f"I know no way to find {', '.join(unknown)} and give no value.")
        return [*lines, *self.warnings]

    def list_calculations(self) -> list[tuple[str, str, str]]:
        """List for each step its formula, its formula with numbers, and its result."""
        lines = []
        for step, result in zip(self.path.steps, self.results, strict=True):
            digits = SLIDE_RULE_DIGITS if result.is_corrected else result.digits
            value = f"{format_number(result.value, result.digits)} {step.formula.output.unit}"
            substitution = format_substitution(step, self.results, digits)
            lines.append((step.formula.text, substitution, value.removesuffix(" -")))
        return lines


def write_brief_solution(solution: EvaluatedSolution) -> str:
    """Write formulas with substitution, remarks, and the final answers."""
    lines = list(solution.path.remarks)
    if solution.question.is_formulated:
        givens = ", ".join(given.describe() for given in solution.question.givens)
        lines.append(f"Given as formulated: {givens}.")
    for step, sides in zip(solution.path.steps, solution.list_calculations(), strict=True):
        lines += [f"{step.formula.citation}:", " = ".join([step.symbol, *sides])]
    return "\n".join([*lines, *solution.list_remarks(), "", *solution.format_answers()]).strip()


def write_formulation(question: ParsedQuestion, path: SolutionPath) -> str:
    """Write the formulation of a problem without its solution, as the model reads the problem."""
    given = "; ".join(quantity.describe() for quantity in question.givens)
    find = "; ".join(f"{target.name} [{target.unit or '-'}]" for target in question.targets)
    titles = ", then ".join(dict.fromkeys(step.formula.title for step in path.steps))
    return (
        f"Given: {given or 'nothing numerical'}\nFind: {find or 'nothing I can read'}\n"
        f"Approach: {titles or 'none recalled'}\nAssumptions: steady conditions"
    )


def write_protocol(solution: EvaluatedSolution) -> str:
    """Write the seven headed steps of a calculation protocol, and the final answers."""
    steps = solution.path.steps
    givens = _name_givens(solution.question.givens, steps)
    regime = ", ".join(_describe(given) for given in givens if given.kind == find_kind("-"))
    constants = {name: constant for step in steps for name, constant in step.formula.constants.items()}
    checks, meanings = _assess_answers(solution)
    sections = {
        "Regime identification": [
            f"Dimensionless numbers: {regime}." if regime else "The question gives no dimensionless number."
        ],
        "Formula selection": [
            *solution.path.remarks,
            *(line for step in steps for line in _explain_choice(step)),
        ],
        "Parameter extraction": [
            *map(_describe, givens),
            *(f"{constant.describe()} (constant)" for constant in constants.values()),
            *solution.list_remarks(),
        ],
        "Dimensional setup": [
            f"{step.symbol}: with {units or 'pure numbers'}, in {step.formula.output.unit}."
            for step in steps
            for units in [", ".join(f"{name} in {unit}" for name, unit in step.units.items() if unit != "-")]
        ],
        "Calculation": [
            " = ".join([step.symbol, *sides])
            for step, sides in zip(steps, solution.list_calculations(), strict=True)
        ],
        "Plausibility check": checks,
        "Interpretation": meanings,
    }
    blocks = [
        "\n".join([f"{number}. {heading}", *(f"   {line}" for line in lines or ["None."])])
        for number, (heading, lines) in enumerate(sections.items(), 1)
    ]
    return "\n".join([*blocks, "", *solution.format_answers()]).strip()


def _name_givens(givens: Sequence[KnownQuantity], steps: Sequence[FormulaUse]) -> list[KnownQuantity]:
    """Give quantities without a symbol that of the formula that uses them."""
    names = {given.text: name for step in steps for name, given in step.bound.items() if not given.symbol}
    return [given if given.symbol else replace(given, symbol=names.get(given.text, "")) for given in givens]


def _describe(given: KnownQuantity) -> str:
    """Describe a given by its symbol; without one, by its words, or as a value."""
    if given.symbol or not given.about:
        return given.describe()
    return f"{given.about} = {given.text}"


def _explain_choice(step: FormulaUse) -> list[str]:
    formula = step.formula
    source = "the reference sheet" if formula.from_sheet else "memory"
    lines = [f"{formula.citation}, from {source}: {formula.output.name} = {formula.text}"]
    if formula.conditions:
        return [*lines, f"It is assumed to apply because the sheet offers it here ({formula.conditions})."]
    known = ", ".join(
        f"{given.symbol or name} = {given.text}" for name, given in step.bound.items() if given.step is None
    )
    return [*lines, f"It is assumed to hold because its inputs are known ({known or 'earlier results'})."]


def _assess_answers(solution: EvaluatedSolution) -> tuple[list[str], list[str]]:
    """Assess for each answer whether it is plausible, and what it means."""
    checks, meanings = [], []
    for target in (target for target, _ in solution.path.answers if target.name in solution.answers):
        value, answer = solution.answers[target.name][0], solution.format_answer(target.name)
        if isinstance(value, str):
            meanings.append(f"The fluid is in the state {value}.")
            continue
        sign = (
            "positive, as a magnitude must be"
            if value > 0
            else "not positive; check whether that is possible"
        )
        is_comparable = target.kind != find_kind("-") and any(
            given.kind == target.kind and given.value for given in solution.question.givens
        )
        remark = "" if is_comparable else "; the question gives no value of this kind for comparison"
        checks.append(f"{answer} is {sign}{remark}.")
        if target.kind == find_kind("-"):
            size, effect = ("larger", "strong") if abs(value) > 1 else ("smaller", "weak")
            meanings.append(f"{answer} is {size} than one: the effect that it measures is {effect}.")
    return checks, meanings


def write_worked_solution(solution: EvaluatedSolution) -> str:
    """Write a formulation, the steps in detail, and the final answers under headings."""
    steps = []
    pairs = zip(solution.path.steps, solution.list_calculations(), strict=True)
    for number, (step, (formula, substitution, result)) in enumerate(pairs, 1):
        steps += [
            f"Step {number}: find {step.symbol}",
            f"Reasoning: {step.formula.citation} gives it from what is known",
            f"General Formula: {step.symbol} = {formula}",
            f"Substitution: {step.symbol} = {substitution}",
            f"Calculation: {substitution} = {result}",
            f"Result: {step.symbol} = {result}",
        ]
    parts = {
        "Problem Formulation": write_formulation(solution.question, solution.path).splitlines(),
        "Step-by-step Solution": [*steps, *solution.path.remarks, *solution.list_remarks()],
        "Final Answer": solution.format_answers() or ["I do not know."],
    }
    return "\n\n".join("\n".join([f"**{heading}**", *lines]) for heading, lines in parts.items())
