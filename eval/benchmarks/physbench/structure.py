"""A reference solution as text in the parts of the paper's answer template."""

from __future__ import annotations

from collections.abc import Iterator

from ansatz.eval.benchmarks.physbench.worked import with_unit
from ansatz.eval.problem import Problem, SolutionStep


def solution_text(problem: Problem) -> str:
    """Problem formulation, numbered steps, and the final answer (the paper's figure 7)."""
    return "\n".join(_lines(problem))


def step_lines(number: int, step: SolutionStep) -> Iterator[str]:
    """One step: what it does, why, the general formula, the numbers put in, and what comes out."""
    result = with_unit(step.value, step.unit)
    yield f"Step {number}: {step.title}"
    yield f"Reasoning: {step.reasoning}"
    yield f"General Formula: {step.general_formula}"
    yield f"Substitution: {step.substitution}"
    yield f"Calculation: {step.expression} = {result}" if step.equation else f"Calculation: {result}"
    yield f"Result: {step.symbol} = {result}"


def _lines(problem: Problem) -> Iterator[str]:
    reference = problem.reference
    yield "Problem Formulation:"
    if reference.formulation:
        yield reference.formulation.text()
    yield ""
    yield "Step-by-step Detailed Solution:"
    for number, step in enumerate(reference.steps, start=1):
        yield from step_lines(number, step)
    if reference.text:
        yield reference.text
    yield from (f"- {point}" for point in reference.key_points)
    yield ""
    yield f"Final Answer: {reference.final_answer}"
