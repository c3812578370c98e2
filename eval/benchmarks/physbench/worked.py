"""The worked solution of an instance in the parts of the paper's answer template."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from ansatz.eval.benchmarks.physbench.template import Template, WorkedStep
from ansatz.eval.benchmarks.tps.instance import format_number
from ansatz.eval.benchmarks.tps.solution import Solution, convert_inputs
from ansatz.eval.benchmarks.tps.template import round_to
from ansatz.eval.problem import SolutionStep
from ansatz.knowledge_base.equation import Equation, Library, number_words

_NAME = re.compile(r"\b[A-Za-z_]\w*")
_SHOWN_DIGITS = 4
_SUBTRACTED_DIGITS = 7
"""Where numbers are subtracted, so that the difference keeps four: of wavelengths, of masses, of times."""


def worked_steps(template: Template, solution: Solution, library: Library) -> tuple[SolutionStep, ...]:
    """The steps with what each does, why, its general formula, and the numbers put into it."""
    return tuple(
        step.model_copy(update=_written_out(spec, template, solution.numbers, library))
        for spec, step in zip(template.steps, solution.steps, strict=True)
    )


def shown(value: float, digits: int = _SHOWN_DIGITS) -> str:
    """A result as a solution states it: four significant digits."""
    return format_number(round_to(digits, value))


def with_unit(value: float, unit: str, digits: int = _SHOWN_DIGITS) -> str:
    return shown(value, digits) if unit == "-" else f"{shown(value, digits)} {unit}"


def _digits_put_into(formula: str, values: Iterable[float]) -> int:
    subtracts = " - " in formula or (" + " in formula and any(value < 0 for value in values))
    return _SUBTRACTED_DIGITS if subtracts else _SHOWN_DIGITS


def _written_out(
    spec: WorkedStep, template: Template, numbers: Mapping[str, float], library: Library
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
        general = formula_of(equation)
        put_in = _substituted(spec, equation, template, numbers)
    return {
        "title": spec.title,
        "reasoning": spec.reasoning,
        "general_formula": general,
        "substitution": put_in,
    }


def formula_of(equation: Equation) -> str:
    """The formula of an equation in its own symbols."""
    if equation.expr is None:
        return f"0 = {equation.residual}"
    return f"{equation.output} = {equation.expr}"


def _substituted(
    spec: WorkedStep, equation: Equation, template: Template, numbers: Mapping[str, float]
) -> str:
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
