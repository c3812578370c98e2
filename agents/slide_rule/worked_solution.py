"""An answer in the parts of a worked solution: formulation, numbered steps, final answer."""

from __future__ import annotations

from ansatz.agents.slide_rule.prose import (
    Solution,
    assumed_values,
    formulation,
    guesses,
    rejections,
    source,
)


def worked_solution(solution: Solution) -> str:
    """Three headed parts; every step in five lines that say what was really done."""
    steps = [line for number in range(len(solution.plan.steps)) for line in _step(solution, number)]
    remarks = [
        *solution.plan.remarks,
        *rejections(solution.plan),
        *assumed_values(solution.plan.steps),
        *guesses(solution.plan),
        *solution.worked.warnings,
    ]
    parts = {
        "Problem Formulation": formulation(solution.reading, solution.plan).splitlines(),
        "Step-by-step Solution": [*steps, *remarks] or ["No calculation was needed or possible."],
        "Final Answer": solution.final_lines() or ["I do not know."],
    }
    return "\n\n".join("\n".join([f"**{heading}**", *lines]) for heading, lines in parts.items())


def _step(solution: Solution, number: int) -> list[str]:
    step = solution.plan.steps[number]
    formula, substitution, result = (
        solution.calculation(number).removeprefix(f"{step.symbol} = ").rsplit(" = ", 2)
    )
    return [
        f"Step {number + 1}: find {step.symbol}",
        f"Reasoning: {source(step)}",
        f"General Formula: {step.symbol} = {formula}",
        f"Substitution: {step.symbol} = {substitution}",
        f"Calculation: {substitution} = {result}",
        f"Result: {step.symbol} = {result}",
    ]
