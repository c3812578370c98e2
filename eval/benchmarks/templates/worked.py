"""The worked solution of an instance in the parts of the paper's answer template."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ansatz.eval.benchmarks.templates.solution import NAME, SolvedTemplate, convert_inputs, formula_of
from ansatz.eval.benchmarks.templates.story import with_unit
from ansatz.eval.benchmarks.templates.template import Template
from ansatz.eval.benchmarks.templates.template_parts import StepSpec
from ansatz.eval.problem import Problem, SolutionStep
from ansatz.knowledge_base.equation import Library, number_words

_SHOWN_DIGITS = 4
_SUBTRACTED_DIGITS = 7
"""Where numbers are subtracted, so that the difference keeps four: of wavelengths, of masses, of times."""


def worked_steps(template: Template, solution: SolvedTemplate, library: Library) -> tuple[SolutionStep, ...]:
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
    """The general formula, and the same with every known symbol as a number in its unit."""
    if spec.equation:
        equation = library.get(spec.equation)
        inputs = convert_inputs(equation, spec.inputs, numbers, template.units)
        values = _bracketed(
            equation.expr or equation.residual or "",
            {symbol: (value, equation.symbols[symbol].unit) for symbol, value in inputs.items()},
        )
        values |= {name: f"({number_words(each.value)})" for name, each in equation.constants.items()}
        if equation.expr and equation.output in values:  # alone on its side
            values[equation.output] = values[equation.output][1:-1]
        general, put_in = formula_of(equation, {}), formula_of(equation, values)
    else:
        arithmetic = spec.expression or spec.converts
        used = {name: numbers[name] for name in NAME.findall(arithmetic) if name in numbers}
        values = _bracketed(arithmetic, {name: (used[name], template.units[name]) for name in used})
        general = f"{spec.gives} = {arithmetic}"
        put_in = f"{spec.gives} = {NAME.sub(lambda found: values.get(found[0], found[0]), arithmetic)}"
    told = {"title": spec.title, "reasoning": spec.reasoning}
    return {**told, "general_formula": general, "substitution": put_in}


def _bracketed(formula: str, values: Mapping[str, tuple[float, str]]) -> dict[str, str]:
    digits = _digits_put_into(formula, (value for value, _ in values.values()))
    return {name: f"({with_unit(value, unit, digits)})" for name, (value, unit) in values.items()}


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
