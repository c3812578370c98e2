"""The worked solution of an instance in the parts of the paper's answer template."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from ansatz.eval.benchmarks.templates.solution import Solution, convert_inputs
from ansatz.eval.benchmarks.templates.story import with_unit
from ansatz.eval.benchmarks.templates.template import StepSpec, Template
from ansatz.eval.problem import Problem, SolutionStep
from ansatz.knowledge_base.equation import Equation, Library, number_words

_NAME = re.compile(r"\b[A-Za-z_]\w*")
_SHOWN_DIGITS = 4
_SUBTRACTED_DIGITS = 7
"""Where numbers are subtracted, so that the difference keeps four: of wavelengths, of masses, of times."""


def worked_steps(template: Template, solution: Solution, library: Library) -> tuple[SolutionStep, ...]:
    """The steps; those with a title say what each does, why, its general formula, and the numbers put in."""
    return tuple(
        step.model_copy(update=_written_out(spec, template, solution.numbers, library))
        if spec.title
        else step
        for spec, step in zip(template.steps, solution.steps, strict=True)
    )


def _digits_put_into(formula: str, values: Iterable[float]) -> int:
    subtracts = " - " in formula or (" + " in formula and any(value < 0 for value in values))
    return _SUBTRACTED_DIGITS if subtracts else _SHOWN_DIGITS


def _written_out(
    spec: StepSpec, template: Template, numbers: Mapping[str, float], library: Library
) -> dict[str, str]:
    if not spec.equation:
        arithmetic = spec.expression or spec.converts
        general = f"{spec.gives} = {arithmetic}"
        used = {name: numbers[name] for name in _NAME.findall(arithmetic) if name in numbers}
        digits = _digits_put_into(arithmetic, used.values())
        values = {name: with_unit(value, template.units[name], digits) for name, value in used.items()}
        put_in = f"{spec.gives} = {_put(arithmetic, values)}"
    else:
        equation = library.get(spec.equation)
        general = _formula_of(equation)
        put_in = _substituted(spec, equation, template, numbers)
    return {
        "title": spec.title,
        "reasoning": spec.reasoning,
        "general_formula": general,
        "substitution": put_in,
    }


def _formula_of(equation: Equation) -> str:
    """The formula of an equation in its own symbols."""
    if equation.expr is None:
        return f"0 = {equation.residual}"
    return f"{equation.output} = {equation.expr}"


def _substituted(spec: StepSpec, equation: Equation, template: Template, numbers: Mapping[str, float]) -> str:
    """The formula with every known symbol as a number in the equation's own unit."""
    inputs = convert_inputs(equation, spec.inputs, numbers, template.units)
    digits = _digits_put_into(equation.expr or equation.residual or "", inputs.values())
    units = {symbol: equation.symbols[symbol].unit for symbol in inputs}
    values = {symbol: with_unit(value, units[symbol], digits) for symbol, value in inputs.items()}
    values |= {name: number_words(constant.value) for name, constant in equation.constants.items()}
    if equation.expr is None:
        return f"0 = {_put(equation.residual or '', values)}"
    return f"{values.get(equation.output, equation.output)} = {_put(equation.expr, values)}"


def _put(formula: str, values: Mapping[str, str]) -> str:
    """The formula with names replaced by bracketed values; functions and unknowns stay."""
    return _NAME.sub(lambda found: f"({values[found[0]]})" if found[0] in values else found[0], formula)


def solution_text(problem: Problem) -> str:
    """Problem formulation, numbered steps, and the final answer (the paper's figure 7)."""
    return "\n".join(_lines(problem))


def _step_lines(number: int, step: SolutionStep) -> Iterator[str]:
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
        yield from _step_lines(number, step)
    if reference.text:
        yield reference.text
    yield from (f"- {point}" for point in reference.key_points)
    yield ""
    yield f"Final Answer: {reference.final_answer}"
