"""Execute the steps of a template for one set of values, and check the results against their bounds."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from ansatz.errors import EvaluationError, UnitError
from ansatz.eval.benchmarks.templates.draw import Infeasible
from ansatz.eval.benchmarks.templates.template import Numbers, Template, flatten
from ansatz.eval.benchmarks.templates.template_parts import StepSpec
from ansatz.eval.problem import TargetBound
from ansatz.knowledge_base.equation import WORDS, Equation, Library, find_violations
from ansatz.quantities.did_you_mean import nearest
from ansatz.quantities.scales import is_difference
from ansatz.quantities.units import convert_number, get_magnitude, quantity

_LITERAL = re.compile(r"\s*[-+]?\.?\d")  # a quantity such as "300 K" rather than a name
_SWEEPS = 500
_STEADY = 1e-10  # relative change between sweeps below which a coupled solution has converged
_TRIALS = 60  # values of a search, between which roots are looked for
_WIDE = 5.0  # ratio of the ends of a range from which trial values are spaced evenly in their logarithm
_JUMP = 1e-6  # largest residual at a root, relative to the largest of the range
_ROUNDING = 1e-9  # relative slack for a result exactly on its bound

Inputs = Mapping[str, float | str]


def solve(template: Template, values: Mapping[str, Any], library: Library) -> dict[str, Any]:
    """Return the numeric givens and the results of one instance by name, each in its unit.

    Raises Infeasible if an equation, its regime or a condition excludes the values. Raises UnknownEquation or
    UnitError if the template does not fit the knowledge base.
    """
    words = {name: value for name, value in values.items() if isinstance(value, str)}
    known = {name: value for name, value in values.items() if name not in words}
    numbers = _repeat_until_steady(template, known, library)
    for step in flatten(template.steps):
        if step.equation:
            equation = library.get(step.equation)
            sources = {**step.inputs, step.solve_for or equation.output: step.gives}
            _check_validity(equation, convert_inputs(equation, sources, numbers, template.units), words)
    for condition in template.require:
        if not template.holds(condition, numbers):
            raise Infeasible(f"{condition} does not hold")
    return numbers


def follow_branches(
    template: Template, values: Mapping[str, Any], library: Library
) -> dict[str, dict[str, Any]]:
    """Return the givens and results of each wrong branch by name. Raises Infeasible if one has no result."""
    known = {name: value for name, value in values.items() if not isinstance(value, str)}
    return {
        name: _repeat_until_steady(template.take(branch), known, library)
        for name, branch in template.branches.items()
    }


def components(name: str, value: Any) -> dict[str, Any]:
    """Return a number or word by its name; a vector as name_x, name_y, name_z, or with numbered entries."""
    if not np.ndim(value):
        return {name: value}
    entries = np.ravel(value).tolist()
    suffixes = "xyz" if len(entries) == 3 else range(1, len(entries) + 1)
    return {f"{name}_{suffix}": entry for suffix, entry in zip(suffixes, entries, strict=True)}


def convert_inputs(
    equation: Equation, inputs: Inputs, numbers: Numbers, units: Mapping[str, str]
) -> dict[str, float]:
    """Return a step's `with` as numbers in the equation's units.

    Raises UnitError, and EvaluationError for a symbol that the equation does not have.
    """
    found = {}
    for symbol, source in inputs.items():
        if symbol not in equation.symbols:
            raise EvaluationError(f"{equation.id} has no input {symbol!r}{nearest(symbol, equation.inputs)}")
        wanted, difference = equation.symbols[symbol].unit, symbol in equation.temperature_differences
        if isinstance(source, str) and not _LITERAL.match(source):
            found[symbol] = convert_number(numbers[source], units[source], wanted, difference)
        else:
            found[symbol] = _literal(source, wanted, difference)
    return found


@cache
def _literal(text: float | str, unit: str, difference: bool) -> float:
    return get_magnitude(quantity(text), unit, difference)


def _repeat_until_steady(template: Template, known: Numbers, library: Library) -> dict[str, Any]:
    """Run the steps once, or until the values of `start` no longer change; return givens and results."""
    start = {name: quantity(first, template.units[name]) for name, first in template.start.items()}
    numbers = {**known, **{name: float(first.magnitude) for name, first in start.items()}}
    for _ in range(_SWEEPS):
        before = dict(numbers)
        _run(template.steps, numbers, template, library)
        if all(math.isclose(numbers[name], before[name], rel_tol=_STEADY) for name in start):
            return numbers
    raise Infeasible(f"no steady value of {', '.join(start)} in {_SWEEPS} repetitions")


def _run(steps: Sequence[StepSpec], numbers: dict[str, Any], template: Template, library: Library) -> None:
    """Add the results of the steps to `numbers`."""
    for step in steps:
        if step.zero:
            _search(step, numbers, template, library)
        else:
            numbers[step.gives] = _result(step, numbers, template, library)


def _search(step: StepSpec, numbers: dict[str, Any], template: Template, library: Library) -> None:
    """Add the root of a search and the results of its steps there.

    Raises Infeasible if the range has no root or several ones.
    """
    from scipy.optimize import brentq

    def residual(value: float) -> float:
        trial = {**numbers, step.gives: value}
        _run(step.steps, trial, template, library)
        return float(template.value(step.zero, trial))

    def residual_or_nan(value: float) -> float:
        try:
            return residual(value)
        except Infeasible:
            return math.nan

    low, high = (
        template.value(end, numbers, step.unit) if isinstance(end, str) else end for end in step.between or ()
    )
    spread = np.geomspace if low > 0 and high > _WIDE * low else np.linspace
    grid = spread(low, high, _TRIALS).tolist()
    found = [residual_or_nan(value) for value in grid]
    changes = [at for at in range(_TRIALS - 1) if found[at] * found[at + 1] <= 0]
    if len(changes) != 1:
        raise Infeasible(f"{step.gives}: {len(changes)} roots between {low:g} and {high:g} {step.unit}")
    try:
        root = float(brentq(residual, *grid[changes[0] : changes[0] + 2], xtol=1e-300, rtol=1e-13))
    except (ValueError, RuntimeError) as error:
        raise Infeasible(f"{step.gives}: {error}") from error
    numbers[step.gives] = root
    _run(step.steps, numbers, template, library)
    if abs(template.value(step.zero, numbers)) > _JUMP * np.nanmax(np.abs(found)):
        raise Infeasible(f"{step.gives}: {step.zero} jumps over zero")


def _result(step: StepSpec, numbers: Numbers, template: Template, library: Library) -> Any:
    """Return the value of one step in its unit."""
    units = template.units
    try:
        if step.expression:
            return template.value(step.expression, numbers, step.unit)
        if step.converts:
            difference = is_difference(step.converts, "", step.unit)
            return convert_number(numbers[step.converts], units[step.converts], step.unit, difference)
        equation = library.get(step.equation)
        inputs = convert_inputs(equation, step.inputs, numbers, units)
        wanted = step.solve_for or equation.output
        found = equation.solve(wanted, **inputs) if step.solve_for else equation.value(**inputs)
        return convert_number(
            found, equation.symbols[wanted].unit, step.unit, wanted in equation.temperature_differences
        )
    except EvaluationError as error:
        raise Infeasible(str(error)) from error
    except UnitError as error:
        raise UnitError(f"{step.gives}: {error}") from error


def _check_validity(equation: Equation, symbols: Numbers, words: Mapping[str, str]) -> None:
    """Raise Infeasible if the numbers or the words contradict an equation's validity or regime."""
    if broken := find_violations(equation, symbols):
        raise Infeasible(f"{equation.id}: {'; '.join(broken)}")
    for predicate in equation.regime.require:
        word = words.get(predicate.axis) if predicate.axis in WORDS and predicate.var not in symbols else None
        if word and predicate.excludes(word):
            raise Infeasible(f"{equation.id} needs {predicate.describe()}")


def bounds(template: Template, numbers: Numbers) -> Iterator[TargetBound]:
    """Yield the bounds as numbers. Raises Infeasible if a result is outside its bounds."""
    for name, bound in template.bounds.items():
        ends = (bound.low, bound.high)
        low, high = (template.value(end, numbers) if isinstance(end, str) else end for end in ends)
        slack = _ROUNDING * abs(numbers[name])
        below = low is not None and numbers[name] < low - slack
        if below or (high is not None and numbers[name] > high + slack):
            raise Infeasible(f"{name} = {numbers[name]:g} is outside {low} to {high}: {bound.reason}")
        yield TargetBound(target=name, low=low, high=high, reason=bound.reason)
