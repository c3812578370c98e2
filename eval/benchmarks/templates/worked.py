"""The worked solution of an instance, in the parts of PhysBench's answer template."""

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
"""More digits for numbers that are subtracted, so that the difference retains four."""


def worked_steps(
    template: Template, steps: Sequence[StepSpec], numbers: Numbers, library: Library
) -> Iterator[SolutionStep]:
    """Yield the result of each step; a step with a title also has its reason, formula and substitution."""
    for step in steps:
        details = _step_details(step, template, numbers, library) if step.title else {}
        for symbol, value in components(step.gives, numbers[step.gives]).items():
            yield SolutionStep(
                equation=step.equation,
                symbol=symbol,
                expression=_formula_in_problem(step, library)
                if step.equation
                else f"{symbol} such that {step.zero} = 0"
                if step.zero
                else f"{symbol} = {step.expression or step.converts}",
                value=value,
                unit=step.unit,
                **details,
            )


def _formula_in_problem(step: StepSpec, library: Library) -> str:
    """Return the equation's formula with the names of the problem."""
    equation = library.get(step.equation)
    names = {symbol: str(source) for symbol, source in step.inputs.items()}
    names[step.solve_for or equation.output] = step.gives
    names |= {name: format_number(constant.value) for name, constant in equation.constants.items()}
    formula = _substitute(equation, names)
    return f"{formula}, solved for {step.gives}" if equation.expr is None else formula


def _substitute(equation: Equation, names: Mapping[str, str]) -> str:
    """Return the equation's formula with some of its names replaced."""
    formula = equation.expr or equation.residual or ""
    formula = _NAME.sub(lambda found: names.get(found[0], found[0]), formula)
    left = "0" if equation.expr is None else names.get(equation.output, equation.output)
    return f"{left} = {formula}"


def _digits_for(formula: str, values: Iterable[float]) -> int:
    subtracts = " - " in formula or (" + " in formula and any(value < 0 for value in values))
    return _SUBTRACTED_DIGITS if subtracts else _SHOWN_DIGITS


def _step_details(spec: StepSpec, template: Template, numbers: Numbers, library: Library) -> dict[str, str]:
    """Return title, reasoning, the general formula, and the formula with numbers in their units."""
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
        general, substitution = _substitute(equation, {}), _substitute(equation, values)
    else:
        arithmetic = spec.expression or spec.converts
        used = {name: numbers[name] for name in _NAME.findall(arithmetic) if name in numbers}
        values = _bracketed(arithmetic, {name: (used[name], template.units[name]) for name in used})
        general = f"{spec.gives} = {arithmetic}"
        filled = _NAME.sub(lambda found: values.get(found[0], found[0]), arithmetic)
        substitution = f"{spec.gives} = {filled}"
    return {
        "title": spec.title,
        "reasoning": spec.reasoning,
        "general_formula": general,
        "substitution": substitution,
    }


def _bracketed(formula: str, values: Mapping[str, tuple[float, str]]) -> dict[str, str]:
    digits = _digits_for(formula, (value for value, _ in values.values()))
    return {name: f"({with_unit(value, unit, digits)})" for name, (value, unit) in values.items()}


def solution_text(problem: Problem) -> str:
    """Return the formulation, the numbered steps and the final answer as one text (the paper's figure 7)."""
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
    lines += [reference.text] if reference.text else []
    lines += [f"- {point}" for point in reference.key_points]
    return "\n".join([*lines, "", f"Final Answer: {reference.final_answer}"])
