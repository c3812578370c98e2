"""The worked solution of an instance in the parts of the paper's answer template."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ansatz.eval.benchmarks.templates.solution import components, convert_inputs
from ansatz.eval.benchmarks.templates.story import with_unit
from ansatz.eval.benchmarks.templates.template import Numbers, Template
from ansatz.eval.benchmarks.templates.template_parts import StepSpec
from ansatz.eval.problem import Problem, SolutionStep
from ansatz.knowledge_base.equation import Equation, Library, format_number

_NAME = re.compile(r"\b[A-Za-z_]\w*")
_SHOWN_DIGITS = 4
_SUBTRACTED_DIGITS = 7
"""Where numbers are subtracted, so that the difference keeps four: of wavelengths, of masses, of times."""


def worked_steps(
    template: Template, steps: Sequence[StepSpec], numbers: Numbers, library: Library
) -> Iterator[SolutionStep]:
    """What each step yields; with a title, also what it does, why, its formula, and the numbers put in."""
    for step in steps:
        written_out = _written_out(step, template, numbers, library) if step.title else {}
        for symbol, value in components(step.gives, numbers[step.gives]).items():
            yield SolutionStep(
                equation=step.equation,
                symbol=symbol,
                expression=_worded(step, library)
                if step.equation
                else f"{symbol} = {step.expression or step.converts}",
                value=value,
                unit=step.unit,
                **written_out,
            )


def _worded(step: StepSpec, library: Library) -> str:
    """The equation's formula in the names of the problem."""
    equation = library.get(step.equation)
    names = {symbol: str(source) for symbol, source in step.inputs.items()}
    names[step.solve_for or equation.output] = step.gives
    names |= {name: format_number(constant.value) for name, constant in equation.constants.items()}
    told = _formula_of(equation, names)
    return f"{told}, solved for {step.gives}" if equation.expr is None else told


def _formula_of(equation: Equation, put: Mapping[str, str]) -> str:
    """The equation's formula with other words for some of its names; functions and unknowns stay."""
    formula = equation.expr or equation.residual or ""
    told = _NAME.sub(lambda found: put.get(found[0], found[0]), formula)
    return f"0 = {told}" if equation.expr is None else f"{put.get(equation.output, equation.output)} = {told}"


def _digits_put_into(formula: str, values: Iterable[float]) -> int:
    subtracts = " - " in formula or (" + " in formula and any(value < 0 for value in values))
    return _SUBTRACTED_DIGITS if subtracts else _SHOWN_DIGITS


def _written_out(spec: StepSpec, template: Template, numbers: Numbers, library: Library) -> dict[str, str]:
    """The general formula, and the same with every known symbol as a number in its unit."""
    if spec.equation:
        equation = library.get(spec.equation)
        inputs = convert_inputs(equation, spec.inputs, numbers, template.units)
        values = _bracketed(
            equation.expr or equation.residual or "",
            {symbol: (value, equation.symbols[symbol].unit) for symbol, value in inputs.items()},
        )
        values |= {name: f"({format_number(each.value)})" for name, each in equation.constants.items()}
        if equation.expr and equation.output in values:  # alone on its side
            values[equation.output] = values[equation.output][1:-1]
        general, put_in = _formula_of(equation, {}), _formula_of(equation, values)
    else:
        arithmetic = spec.expression or spec.converts
        used = {name: numbers[name] for name in _NAME.findall(arithmetic) if name in numbers}
        values = _bracketed(arithmetic, {name: (used[name], template.units[name]) for name in used})
        general = f"{spec.gives} = {arithmetic}"
        put_in = f"{spec.gives} = {_NAME.sub(lambda found: values.get(found[0], found[0]), arithmetic)}"
    told = {"title": spec.title, "reasoning": spec.reasoning}
    return {**told, "general_formula": general, "substitution": put_in}


def _bracketed(formula: str, values: Mapping[str, tuple[float, str]]) -> dict[str, str]:
    digits = _digits_put_into(formula, (value for value, _ in values.values()))
    return {name: f"({with_unit(value, unit, digits)})" for name, (value, unit) in values.items()}


def solution_text(problem: Problem) -> str:
    """Problem formulation, numbered steps, and the final answer (the paper's figure 7)."""
    reference = problem.reference
    lines = ["Problem Formulation:", *([reference.formulation.text()] if reference.formulation else [])]
    lines += ["", "Step-by-step Detailed Solution:"]
    for number, step in enumerate(reference.steps, start=1):
        result = with_unit(step.value, step.unit)
        lines += [
            f"Step {number}: {step.title}",
            f"Reasoning: {step.reasoning}",
            f"General Formula: {step.general_formula}",
            f"Substitution: {step.substitution}",
            f"Calculation: {step.expression} = {result}" if step.equation else f"Calculation: {result}",
            f"Result: {step.symbol} = {result}",
        ]
    told = [*([reference.text] if reference.text else []), *(f"- {point}" for point in reference.key_points)]
    return "\n".join([*lines, *told, "", f"Final Answer: {reference.final_answer}"])
