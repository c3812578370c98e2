"""Writing an answer down: briefly, by an engineering calculation protocol, or as a worked solution."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Literal

from ansatz.agents.slide_rule.arithmetic import PRINTED_DIGITS, SLIDE_RULE_DIGITS, significant, written
from ansatz.agents.slide_rule.chaining import Link, SolutionPath
from ansatz.agents.slide_rule.comprehension import Comprehension, Target, kind_of
from ansatz.agents.slide_rule.solving import Worked, calculation


@dataclass(frozen=True)
class WrittenSolution:
    """All there is to say: what was read, planned and worked out."""

    reading: Comprehension
    plan: SolutionPath
    worked: Worked
    form: Literal["block", "json", "tool"] = "block"

    @property
    def answers(self) -> dict[str, tuple[float | str, str, int]]:
        """Value in the unit asked for, that unit, and good digits, by symbol; words have no unit."""
        found: dict[str, tuple[float | str, str, int]] = {}
        for target, how in self.plan.found:
            if isinstance(how, str):
                found[target.symbol] = (how, "", 0)
            elif how is not None and math.isfinite((value := how.found(self.worked.values)).value):
                known = SLIDE_RULE_DIGITS if how.because else PRINTED_DIGITS
                digits = known if how.step is None else self.worked.digits[how.step]
                found[target.symbol] = (value.measured_in(target.unit or "-"), target.unit, digits)
        return found

    def final_lines(self) -> list[str]:
        """Every target that was found, in the form asked for; nothing where a tool takes the answer."""
        if self.form == "json":
            return ["```json", json.dumps(self.submission(), ensure_ascii=False), "```"]
        return [
            f"{symbol}: {value}" if isinstance(value, str) else final(symbol, value, unit, digits)
            for symbol, (value, unit, digits) in self.answers.items()
            if self.form == "block"
        ]

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
        unknown = [target.symbol for target, _ in self.plan.found if target.symbol not in self.answers]
        if unknown:
            lines.append(f"I know no way to find {', '.join(unknown)} and give no value.")
        return [*lines, *self.worked.warnings]

    def calculations(self) -> list[str]:
        lines = []
        for number, step in enumerate(self.plan.steps):
            lines.append(" = ".join([step.symbol, *calculation(step, self.worked, number)]))
        return lines


def final(symbol: str, value: float, unit: str, digits: int) -> str:
    return f"{symbol} = {written(value, digits or SLIDE_RULE_DIGITS)} {unit}".removesuffix(" -").strip()


def terse(solution: WrittenSolution) -> str:
    """Formulas with substitution, what had to be said about them, and the answer block."""
    lines = list(solution.plan.remarks)
    if solution.reading.formulated:
        lines.append(f"Given as formulated: {', '.join(each.listed() for each in solution.reading.givens)}.")
    for step, line in zip(solution.plan.steps, solution.calculations(), strict=True):
        lines += [f"{step.formula.cited}:", line]
    return "\n".join([*lines, *solution.remarks(), "", *solution.final_lines()]).strip()


def formulation(reading: Comprehension, plan: SolutionPath) -> str:
    """The problem set up but not solved, from this reader's own reading."""
    given = "; ".join(each.listed() for each in reading.givens) or "nothing numerical"
    find = (
        "; ".join(f"{target.symbol} [{target.unit or '-'}]" for target in reading.targets)
        or "nothing I can read"
    )
    titles = ", then ".join(dict.fromkeys(step.formula.title for step in plan.steps))
    return (
        f"Given: {given}\nFind: {find}\nApproach: {titles or 'none recalled'}\nAssumptions: steady conditions"
    )


def protocol(solution: WrittenSolution) -> str:
    """Seven headed steps, each saying what was really done, and the answer block."""
    steps = solution.plan.steps
    sections = {
        "Regime identification": _regime(solution.reading),
        "Formula selection": [*solution.plan.remarks, *(line for step in steps for line in _choice(step))],
        "Parameter extraction": _parameters(solution),
        "Dimensional setup": [_dimensions(step) for step in steps],
        "Calculation": solution.calculations(),
        "Plausibility check": [
            line for target, _ in solution.plan.found for line in _check(solution, target)
        ],
        "Interpretation": [line for target, _ in solution.plan.found for line in _meaning(solution, target)],
    }
    blocks = [
        "\n".join([f"{number}. {heading}", *(f"   {line}" for line in lines or ["Nothing to say here."])])
        for number, (heading, lines) in enumerate(sections.items(), 1)
    ]
    return "\n".join([*blocks, "", *solution.final_lines()]).strip()


def _regime(reading: Comprehension) -> list[str]:
    numbers = [given for given in reading.givens if given.kind == kind_of("-")]
    told = ", ".join(given.listed() for given in numbers)
    return [f"The numbers that tell the regime: {told}." if told else "No number tells the regime."]


def _choice(step: Link) -> list[str]:
    formula = step.formula
    source = "the reference sheet" if formula.from_sheet else "memory"
    lines = [f"{formula.cited}, from {source}: {formula.output.name} = {formula.text}"]
    if formula.conditions:
        return [*lines, f"It is assumed to apply because the sheet offers it here ({formula.conditions})."]
    known = ", ".join(f"{given.symbol} = {given.text}" for given in step.bound.values() if given.step is None)
    return [*lines, f"It is assumed to hold because its inputs are known ({known or 'earlier results'})."]


def _parameters(solution: WrittenSolution) -> list[str]:
    lines = [given.listed() for given in solution.reading.givens]
    constants = {name: each for step in solution.plan.steps for name, each in step.formula.constants.items()}
    return [*lines, *(f"{each.listed()} (constant)" for each in constants.values()), *solution.remarks()]


def _dimensions(step: Link) -> str:
    formula = step.formula
    units = {symbol.name: symbol.unit for symbol in formula.inputs}
    units |= {name: constant.unit for name, constant in formula.constants.items()}
    listed = ", ".join(f"{name} in {unit}" for name, unit in units.items() if unit != "-")
    return f"{step.symbol}: with {listed or 'pure numbers'}, in {formula.output.unit}."


def _check(solution: WrittenSolution, target: Target) -> list[str]:
    value, unit, digits = solution.answers.get(target.symbol, ("", "", 0))
    if isinstance(value, str):
        return []
    sign = "positive, as it has to be for a magnitude" if value > 0 else "not positive, which needs a reason"
    alike = [given for given in solution.reading.givens if given.kind == target.kind and given.value]
    alone = target.kind == kind_of("-") or not alike
    rest = "; nothing of its kind is stated to compare it with" if alone else ""
    return [f"{final(target.symbol, value, unit, digits)} is {sign}{rest}."]


def _meaning(solution: WrittenSolution, target: Target) -> list[str]:
    value, unit, digits = solution.answers.get(target.symbol, ("", "", 0))
    if isinstance(value, str):
        return [f"The fluid is in the state {value}."] if value else []
    size, effect = ("larger", "strong") if abs(value) > 1 else ("smaller", "weak")
    said = final(target.symbol, value, unit, digits)
    return [f"{said} is {size} than one in its unit, which means that the effect it measures is {effect}."]


def worked_solution(solution: WrittenSolution) -> str:
    """Three headed parts; every step in lines that say what was really done."""
    steps = []
    for number, step in enumerate(solution.plan.steps):
        formula, substitution, result = calculation(step, solution.worked, number)
        steps += [
            f"Step {number + 1}: find {step.symbol}",
            f"Reasoning: {step.formula.cited} gives it from what is known",
            f"General Formula: {step.symbol} = {formula}",
            f"Substitution: {step.symbol} = {substitution}",
            f"Calculation: {substitution} = {result}",
            f"Result: {step.symbol} = {result}",
        ]
    parts = {
        "Problem Formulation": formulation(solution.reading, solution.plan).splitlines(),
        "Step-by-step Solution": [*steps, *solution.plan.remarks, *solution.remarks()],
        "Final Answer": solution.final_lines() or ["I do not know."],
    }
    return "\n\n".join("\n".join([f"**{heading}**", *lines]) for heading, lines in parts.items())
