"""The long form of an answer: the steps of an engineering calculation, each saying what was really done."""

from __future__ import annotations

from ansatz.agents.slide_rule.arithmetic import dimension_of, written
from ansatz.agents.slide_rule.chain import Step
from ansatz.agents.slide_rule.meaning import meaning
from ansatz.agents.slide_rule.plausibility import check
from ansatz.agents.slide_rule.prose import (
    Solution,
    assumed_values,
    guesses,
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
    givens = ", ".join(f"{given.symbol or 'value'} = {given.text}" for given in solution.reading.givens)
    lines = [f"Given {givens}." if givens else "No quantity is given."]
    taken = [f"the {variable} as {value}" for variable, value in stated_values(solution.reading.text)]
    if taken:
        listed_ones = " and ".join(filter(None, [", ".join(taken[:-1]), taken[-1]]))
        lines.append(
            f"{listed_ones[0].upper()}{listed_ones[1:].replace(' as', ' is taken as', 1)}"
            f", because the question says so."
        )
    else:
        lines.append("The question names no particular regime.")
    judged = [verdict.because for step in solution.plan.steps for verdict in step.verdicts if verdict.holds]
    return lines + ([f"Found: {'; '.join(dict.fromkeys(judged))}."] if judged else [])


def _formulas(solution: Solution) -> list[str]:
    lines = list(solution.plan.remarks)
    for step in solution.plan.steps:
        named = f"{step.formula.name} ({step.formula.id})" if step.formula.id else step.formula.name
        origin = "reference sheet" if step.formula.from_sheet else "memory"
        lines.append(f"{named}, from the {origin}: {step.formula.output.name} = {step.formula.expression}")
        lines += _reasons(step)
    return lines + rejections(solution.plan) + guesses(solution.plan)


def _reasons(step: Step) -> list[str]:
    """Why a formula applies, and what has to be assumed for it."""
    if step.formula.table_unit:
        return []
    name = step.formula.name
    met = [f"{verdict.because} ({verdict.condition})" for verdict in step.verdicts if verdict.holds]
    unsure = [verdict.condition for verdict in step.verdicts if verdict.holds is None]
    lines = [f"Applies because {'; '.join(met)}."] if met else []
    if unsure:
        lines.append(
            f"{name} is assumed valid although {', '.join(unsure)} cannot be checked,"
            " because the question says nothing against it."
        )
    if not step.verdicts:
        given = ", ".join(f"{g.symbol} = {g.text}" for g in step.bound.values() if g.step is None)
        reason = f"because it needs only {given}" if given else "because its inputs are known"
        lines.append(f"{name} is assumed to hold for this case {reason}; no condition for it is known.")
    return lines


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
    givens = solution.reading.givens
    lines = [
        check(found.target, solution.value(found), givens, solution.final(found))
        for found in solution.plan.found
    ]
    return lines or ["The phase follows from comparing the state with the saturation line."]


def _interpretation(solution: Solution) -> list[str]:
    lines = [
        meaning(found.target, solution.value(found), solution.final(found)) for found in solution.plan.found
    ]
    return lines or [f"The fluid is {word}." for _, word in solution.plan.labels]
