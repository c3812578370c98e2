"""The long form of an answer: the steps of an engineering calculation, each saying what was really done."""

from __future__ import annotations

from ansatz.agents.slide_rule.arithmetic import dimension_of, written
from ansatz.agents.slide_rule.chain import Step
from ansatz.agents.slide_rule.plausibility import check, meaning
from ansatz.agents.slide_rule.prose import (
    Solution,
    assumed_values,
    guesses,
    justification,
    listed,
    rejections,
)
from ansatz.agents.slide_rule.regime_words import stated_values
from ansatz.agents.slide_rule.units import spell


def protocol(solution: Solution) -> str:
    """Seven headed steps and the final lines."""
    sections = {
        "Regime identification": _regime(solution),
        "Formula selection": _formulas(solution),
        "Parameter extraction": _parameters(solution),
        "Dimensional setup": _dimensions(solution),
        "Calculation": _calculation(solution),
        "Plausibility check": _plausibility(solution),
        "Physical interpretation": _interpretation(solution),
    }
    blocks = [
        "\n".join([f"{number}. {heading}", *(f"   {line}" for line in lines)])
        for number, (heading, lines) in enumerate(sections.items(), 1)
    ]
    return "\n".join([*blocks, "", *solution.final_lines()])


def _regime(solution: Solution) -> list[str]:
    stated = stated_values(solution.reading.text)
    judged = [verdict.because for step in solution.plan.steps for verdict in step.verdicts if verdict.holds]
    lines = [f"Stated: {', '.join(stated)}."] if stated else ["The statement names no particular regime."]
    return lines + ([f"From the givens: {'; '.join(dict.fromkeys(judged))}."] if judged else [])


def _formulas(solution: Solution) -> list[str]:
    lines = list(solution.plan.remarks)
    for step in solution.plan.steps:
        named = f"{step.formula.name} ({step.formula.id})" if step.formula.id else step.formula.name
        origin = "reference sheet" if step.formula.from_sheet else "memory"
        formula = f"{step.formula.output.name} = {step.formula.expression}"
        lines.append(f"{named}, from the {origin}: {formula}{justification(step)}")
    return lines + rejections(solution.plan) + guesses(solution.plan)


def _parameters(solution: Solution) -> list[str]:
    lines = [listed(given) for given in solution.reading.givens]
    constants = {c.name: c for step in solution.plan.steps for c in step.formula.constants}
    lines += [
        f"{c.name} = {written(c.value, 6)} {spell(c.unit.dimension)} (constant of the formula)"
        for c in constants.values()
    ]
    return lines + assumed_values(solution.plan.steps) or ["none"]


def _dimensions(solution: Solution) -> list[str]:
    return [_dimension(step) for step in solution.plan.steps] or [
        "The values are read directly in the units asked for."
    ]


def _dimension(step: Step) -> str:
    if step.formula.table_unit:
        return f"{step.symbol}: table values in {step.formula.table_unit} give {step.formula.table_unit}"
    units = {symbol.name: symbol.unit for symbol in step.formula.inputs}
    units |= {constant.name: constant.unit for constant in step.formula.constants}
    right, left = dimension_of(step.formula.expression, units), step.formula.output.unit.dimension
    if right is None:
        return f"{step.symbol}: the terms of {step.formula.expression} do not have one dimension"
    verdict = "as required" if right == left else f"but {spell(left)} is required"
    operands = ", ".join(
        f"{name} in {'rad' if unit.angle else spell(unit.dimension)}" for name, unit in units.items()
    )
    return f"{step.symbol}: with {operands}, {step.formula.expression} has the unit {spell(right)}, {verdict}"


def _calculation(solution: Solution) -> list[str]:
    lines = [solution.calculation(number) for number in range(len(solution.plan.steps))]
    return [*lines, *solution.worked.warnings] or ["No calculation was needed or possible."]


def _plausibility(solution: Solution) -> list[str]:
    lines = []
    for found in solution.plan.found:
        made = check(found.target, solution.value(found), solution.reading.givens)
        verdict = {True: "plausible", False: "NOT plausible", None: "undecided"}[made.passed]
        lines.append(f"{made.text}: {verdict}.")
    return lines or ["The phase follows from comparing the state with the saturation line."]


def _interpretation(solution: Solution) -> list[str]:
    return [meaning(found.target, solution.value(found)) for found in solution.plan.found] or [
        f"The fluid is {word}." for _, word in solution.plan.labels
    ]
