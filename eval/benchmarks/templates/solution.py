"""Carry out the steps of a template for one set of values: the executable reference solution."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from ansatz.eval.benchmarks.templates.draw import Infeasible
from ansatz.eval.benchmarks.templates.template import Template
from ansatz.eval.benchmarks.templates.template_parts import StepSpec
from ansatz.eval.problem import SolutionStep, TargetBound
from ansatz.knowledge_base.equation import (
    WORDS,
    Equation,
    EvaluationError,
    Expression,
    ExpressionError,
    Library,
    Relation,
    number_words,
    violations,
)
from ansatz.quantities.did_you_mean import nearest
from ansatz.quantities.scales import is_difference
from ansatz.quantities.units import UnitError, converted, number_in, quantity

NAME = re.compile(r"\b[A-Za-z_]\w*")
_LITERAL = re.compile(r"\s*[-+]?\.?\d")  # a quantity such as "300 K" rather than a name
_SWEEPS = 500
_STEADY = 1e-10  # relative change between sweeps below which a coupled solution has converged
_ROUNDING = 1e-9  # relative slack of a bound that is met exactly

Inputs = Mapping[str, float | str]
Numbers = Mapping[str, float]


@dataclass(frozen=True)
class SolvedTemplate:
    """The steps taken, every given and result by name (each in its unit), and the bounds as numbers."""

    steps: tuple[SolutionStep, ...]
    numbers: dict[str, float]
    bounds: tuple[TargetBound, ...]


def solve(template: Template, values: Mapping[str, float | str], library: Library) -> SolvedTemplate:
    """Solve one instance of a template.

    Raises Infeasible where an equation, its regime, a condition or a bound refuses the values, and
    UnknownEquation or UnitError where the template does not fit the knowledge base.
    """
    words = {name: value for name, value in values.items() if isinstance(value, str)}
    known = {name: value for name, value in values.items() if not isinstance(value, str)}
    numbers = _repeat_until_steady(template, known, library)
    for step in template.steps:
        if step.equation:
            equation = library.get(step.equation)
            sources = {**step.inputs, step.solve_for or equation.output: step.gives}
            _check_validity(equation, convert_inputs(equation, sources, numbers, template.units), words)
    for condition in template.require:
        if not Relation.parse(condition).holds(numbers):
            raise Infeasible(f"{condition} does not hold")
    steps = tuple(_record(step, numbers[step.gives], library) for step in template.steps)
    return SolvedTemplate(steps, numbers, tuple(_bounds(template, numbers)))


def convert_inputs(
    equation: Equation, inputs: Inputs, numbers: Numbers, units: Mapping[str, str]
) -> dict[str, float]:
    """What a step's `with` comes to, as numbers in the equation's own units.

    Raises UnitError, and EvaluationError for a symbol that the equation does not have.
    """
    found = {}
    for symbol, source in inputs.items():
        if symbol not in equation.symbols:
            raise EvaluationError(f"{equation.id} has no input {symbol!r}{nearest(symbol, equation.inputs)}")
        wanted, difference = equation.symbols[symbol].unit, symbol in equation.differences
        if isinstance(source, str) and not _LITERAL.match(source):
            found[symbol] = converted(numbers[source], units[source], wanted, difference)
        else:
            found[symbol] = _literal(source, wanted, difference)
    return found


@cache
def _literal(text: float | str, unit: str, difference: bool) -> float:
    return number_in(quantity(text), unit, difference)


def _repeat_until_steady(template: Template, known: Numbers, library: Library) -> dict[str, float]:
    """Givens and results; the steps run once, or until the values of `start` no longer change."""
    start = {name: quantity(first, template.units[name]) for name, first in template.start.items()}
    numbers = {**known, **{name: float(first.magnitude) for name, first in start.items()}}
    for _ in range(_SWEEPS):
        before = dict(numbers)
        for step in template.steps:
            numbers[step.gives] = _result(step, numbers, template.units, library)
        if all(math.isclose(numbers[name], before[name], rel_tol=_STEADY) for name in start):
            return numbers
    raise Infeasible(f"no steady value of {', '.join(start)} in {_SWEEPS} repetitions")


def _result(step: StepSpec, numbers: Numbers, units: Mapping[str, str], library: Library) -> float:
    """The value of one step in its unit."""
    try:
        if step.expression:
            return Expression.parse(step.expression)(numbers)
        if step.converts:
            difference = is_difference(step.converts, "", step.unit)
            return converted(numbers[step.converts], units[step.converts], step.unit, difference)
        equation = library.get(step.equation)
        inputs = convert_inputs(equation, step.inputs, numbers, units)
        wanted = step.solve_for or equation.output
        found = equation.solve(wanted, **inputs) if step.solve_for else equation.value(**inputs)
        return converted(found, equation.symbols[wanted].unit, step.unit, wanted in equation.differences)
    except (EvaluationError, ExpressionError) as error:
        raise Infeasible(str(error)) from error
    except UnitError as error:
        raise UnitError(f"{step.gives}: {error}") from error


def _check_validity(equation: Equation, symbols: Numbers, words: Mapping[str, str]) -> None:
    """Raise Infeasible where the numbers or the words contradict an equation's validity or regime."""
    if broken := violations(equation, symbols):
        raise Infeasible(f"{equation.id}: {'; '.join(broken)}")
    for predicate in equation.regime.require:
        word = words.get(predicate.axis) if predicate.axis in WORDS and predicate.var not in symbols else None
        if word and predicate.excludes(word):
            raise Infeasible(f"{equation.id} needs {predicate.words()}")


def _record(step: StepSpec, value: float, library: Library) -> SolutionStep:
    return SolutionStep(
        equation=step.equation,
        symbol=step.gives,
        expression=_worded(step, library)
        if step.equation
        else f"{step.gives} = {step.expression or step.converts}",
        value=value,
        unit=step.unit,
    )


def formula_of(equation: Equation, put: Mapping[str, str]) -> str:
    """The equation's formula with other words for some of its names; functions and unknowns stay."""
    formula = equation.expr or equation.residual or ""
    told = NAME.sub(lambda found: put.get(found[0], found[0]), formula)
    return f"0 = {told}" if equation.expr is None else f"{put.get(equation.output, equation.output)} = {told}"


def _worded(step: StepSpec, library: Library) -> str:
    """The equation's formula in the names of the problem."""
    equation = library.get(step.equation)
    names = {symbol: str(source) for symbol, source in step.inputs.items()}
    names[step.solve_for or equation.output] = step.gives
    names |= {name: number_words(constant.value) for name, constant in equation.constants.items()}
    told = formula_of(equation, names)
    return f"{told}, solved for {step.gives}" if equation.expr is None else told


def _bounds(template: Template, numbers: Numbers) -> Iterator[TargetBound]:
    """The bounds as numbers. Raises Infeasible where a result breaks one."""
    for name, bound in template.bounds.items():
        low, high = _limit(bound.low, numbers), _limit(bound.high, numbers)
        slack = _ROUNDING * abs(numbers[name])
        if (low is not None and numbers[name] < low - slack) or (
            high is not None and numbers[name] > high + slack
        ):
            raise Infeasible(f"{name} = {numbers[name]:g} is outside {low} to {high}: {bound.reason}")
        yield TargetBound(target=name, low=low, high=high, reason=bound.reason)


def _limit(limit: float | str | None, numbers: Numbers) -> float | None:
    if not isinstance(limit, str):
        return limit
    try:
        return Expression.parse(limit)(numbers)
    except ExpressionError as error:
        raise Infeasible(str(error)) from error
