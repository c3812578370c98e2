"""Writing an answer down: briefly, by an engineering calculation protocol, or as a worked solution."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from ansatz.agents.slide_rule.arithmetic import PRINTED_DIGITS, SLIDE_RULE_DIGITS, significant, written
from ansatz.agents.slide_rule.chaining import Link, SolutionPath
from ansatz.agents.slide_rule.comprehension import Comprehension, kind_of
from ansatz.agents.slide_rule.solving import StepResult, substitution


@dataclass(frozen=True)
class WrittenSolution:
    """All there is to say: what was read, planned and worked out, and what tools warned of."""

    reading: Comprehension
    plan: SolutionPath
    results: Sequence[StepResult]
    warnings: Sequence[str]
    form: Literal["block", "json", "tool"] = "block"

    @cached_property
    def answers(self) -> dict[str, tuple[float | str, str, int]]:
        """Value in the unit asked for, that unit, and good digits, by symbol; words have no unit."""
        found: dict[str, tuple[float | str, str, int]] = {}
        values = [result.value for result in self.results]
        for target, how in self.plan.found:
            if isinstance(how, str):
                found[target.name] = (how, "", 0)
            elif how is not None and math.isfinite((value := how.found(values)).value):
                known = SLIDE_RULE_DIGITS if how.because else PRINTED_DIGITS
                digits = known if how.step is None else self.results[how.step].digits
                found[target.name] = (value.measured_in(target.unit or "-"), target.unit, digits)
        return found

    def final_lines(self) -> list[str]:
        """Every target that was found, in the form asked for; nothing where a tool takes the answer."""
        if self.form == "json":
            return ["```json", json.dumps(self.submission(), ensure_ascii=False), "```"]
        return list(map(self.final, self.answers)) if self.form == "block" else []

    def final(self, symbol: str) -> str:
        value, unit, digits = self.answers[symbol]
        if isinstance(value, str):
            return f"{symbol}: {value}"
        return f"{symbol} = {written(value, digits or SLIDE_RULE_DIGITS)} {unit}".removesuffix(" -").strip()

    def submission(self) -> dict[str, object]:
        """Value and unit by symbol, or a word."""
        return {
            symbol: value
            if isinstance(value, str)
            else {"value": significant(value, digits), "unit": unit or "-"}
            for symbol, (value, unit, digits) in self.answers.items()
        }

    def remarks(self) -> list[str]:
        """Assumed values, what is not known, and what tools warned of."""
        given = {
            each.symbol: each for step in self.plan.steps for each in step.bound.values() if each.because
        }
        lines = [f"Assumed because {each.because}: {name} = {each.text}." for name, each in given.items()]
        unknown = [target.name for target, _ in self.plan.found if target.name not in self.answers]
        if unknown:
            lines.append(f"I know no way to find {', '.join(unknown)} and give no value.")
        return [*lines, *self.warnings]

    def calculations(self) -> list[tuple[str, str, str]]:
        """Of each step its formula, the same with numbers, and its result."""
        lines = []
        for step, result in zip(self.plan.steps, self.results, strict=True):
            copied = SLIDE_RULE_DIGITS if result.recomputed else result.digits
            value = f"{written(result.value, result.digits)} {step.formula.output.unit}".removesuffix(" -")
            lines.append((step.formula.text, substitution(step, self.results, copied), value))
        return lines


def terse(solution: WrittenSolution) -> str:
    """Formulas with substitution, what had to be said about them, and the answer block."""
    lines = list(solution.plan.remarks)
    if solution.reading.formulated:
        lines.append(f"Given as formulated: {', '.join(each.listed() for each in solution.reading.givens)}.")
    for step, sides in zip(solution.plan.steps, solution.calculations(), strict=True):
        lines += [f"{step.formula.cited}:", " = ".join([step.symbol, *sides])]
    return "\n".join([*lines, *solution.remarks(), "", *solution.final_lines()]).strip()


def formulation(reading: Comprehension, plan: SolutionPath) -> str:
    """The problem set up but not solved, from this reader's own reading."""
    given = "; ".join(each.listed() for each in reading.givens)
    find = "; ".join(f"{target.name} [{target.unit or '-'}]" for target in reading.targets)
    titles = ", then ".join(dict.fromkeys(step.formula.title for step in plan.steps))
    return (
        f"Given: {given or 'nothing numerical'}\nFind: {find or 'nothing I can read'}\n"
        f"Approach: {titles or 'none recalled'}\nAssumptions: steady conditions"
    )


def protocol(solution: WrittenSolution) -> str:
    """Seven headed steps, each saying what was really done, and the answer block."""
    steps, givens = solution.plan.steps, solution.reading.givens
    regime = ", ".join(given.listed() for given in givens if given.kind == kind_of("-"))
    constants = {name: each for step in steps for name, each in step.formula.constants.items()}
    checks, meanings = _judgements(solution)
    sections = {
        "Regime identification": [
            f"The numbers that tell the regime: {regime}." if regime else "No number tells the regime."
        ],
        "Formula selection": [*solution.plan.remarks, *(line for step in steps for line in _choice(step))],
        "Parameter extraction": [
            *(given.listed() for given in givens),
            *(f"{each.listed()} (constant)" for each in constants.values()),
            *solution.remarks(),
        ],
        "Dimensional setup": [
            f"{step.symbol}: with {units or 'pure numbers'}, in {step.formula.output.unit}."
            for step in steps
            for units in [", ".join(f"{name} in {unit}" for name, unit in step.units.items() if unit != "-")]
        ],
        "Calculation": [
            " = ".join([step.symbol, *sides])
            for step, sides in zip(steps, solution.calculations(), strict=True)
        ],
        "Plausibility check": checks,
        "Interpretation": meanings,
    }
    blocks = [
        "\n".join([f"{number}. {heading}", *(f"   {line}" for line in lines or ["Nothing to say here."])])
        for number, (heading, lines) in enumerate(sections.items(), 1)
    ]
    return "\n".join([*blocks, "", *solution.final_lines()]).strip()


def _choice(step: Link) -> list[str]:
    formula = step.formula
    source = "the reference sheet" if formula.from_sheet else "memory"
    lines = [f"{formula.cited}, from {source}: {formula.output.name} = {formula.text}"]
    if formula.conditions:
        return [*lines, f"It is assumed to apply because the sheet offers it here ({formula.conditions})."]
    known = ", ".join(f"{given.symbol} = {given.text}" for given in step.bound.values() if given.step is None)
    return [*lines, f"It is assumed to hold because its inputs are known ({known or 'earlier results'})."]


def _judgements(solution: WrittenSolution) -> tuple[list[str], list[str]]:
    """Of each answer whether it can be, and what it means."""
    checks, meanings = [], []
    for target in (target for target, _ in solution.plan.found if target.name in solution.answers):
        value, said = solution.answers[target.name][0], solution.final(target.name)
        if isinstance(value, str):
            meanings.append(f"The fluid is in the state {value}.")
            continue
        sign = (
            "positive, as it has to be for a magnitude" if value > 0 else "not positive, which needs a reason"
        )
        alike = any(given.kind == target.kind and given.value for given in solution.reading.givens)
        alone = target.kind == kind_of("-") or not alike
        checks.append(
            f"{said} is {sign}{'; nothing of its kind is stated to compare it with' if alone else ''}."
        )
        if target.kind == kind_of("-"):
            size, effect = ("larger", "strong") if abs(value) > 1 else ("smaller", "weak")
            meanings.append(
                f"{said} is {size} than one, which means that the effect it measures is {effect}."
            )
    return checks, meanings


def worked_solution(solution: WrittenSolution) -> str:
    """Three headed parts; every step in lines that say what was really done."""
    steps = []
    pairs = zip(solution.plan.steps, solution.calculations(), strict=True)
    for number, (step, (formula, substituted, result)) in enumerate(pairs, 1):
        steps += [
            f"Step {number}: find {step.symbol}",
            f"Reasoning: {step.formula.cited} gives it from what is known",
            f"General Formula: {step.symbol} = {formula}",
            f"Substitution: {step.symbol} = {substituted}",
            f"Calculation: {substituted} = {result}",
            f"Result: {step.symbol} = {result}",
        ]
    parts = {
        "Problem Formulation": formulation(solution.reading, solution.plan).splitlines(),
        "Step-by-step Solution": [*steps, *solution.plan.remarks, *solution.remarks()],
        "Final Answer": solution.final_lines() or ["I do not know."],
    }
    return "\n\n".join("\n".join([f"**{heading}**", *lines]) for heading, lines in parts.items())
