"""Execute the reference chain of a template as given, or with one fault in it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from ansatz.eval.benchmarks.tps import FOLDER
from ansatz.eval.benchmarks.tps.reading import read_template
from ansatz.eval.benchmarks.tps.solution import convert_inputs
from ansatz.eval.benchmarks.tps.template import StepSpec, Template, is_literal
from ansatz.eval.problem import Problem
from ansatz.knowledge_base.equation import Equation, EvaluationError
from ansatz.knowledge_base.expression import Expression, ExpressionError
from ansatz.knowledge_base.library import library
from ansatz.knowledge_base.sheet import number_words
from ansatz.quantities.units import quantity
from tests.eval.faults.render import Given, Line

_MUTATIONS = (
    (r"\bsqrt\(", "("),
    (r"\*\*3\b", "**2"),
    (r"\*\*2\b", "**1.5"),
    (r"\bexp\(", "(1 + "),
    (r" \+ ", " - 0.4*"),
    (r"\*\*\(1/3\)", "**(1/2)"),
    (r"\*\*\(([^()]+)\)", r"**(0.7*(\1))"),
)
"""Changes of form that leave a formula computable and make it one of nobody's."""


@dataclass(frozen=True)
class Faulty:
    """What goes wrong in a chain: a given misread, a result miscalculated, a step by another formula."""

    misread: Mapping[str, float]
    slips: Mapping[str, float]
    steps: Mapping[str, StepSpec]
    forms: Mapping[str, str]


NOTHING = Faulty({}, {}, {}, {})
_SWEEPS, _STEADY = 500, 1e-9


def template_of(id: str) -> Template:
    return read_template(FOLDER / f"{id.replace('.', '/', 1)}.yaml", id)


def is_direct(template: Template) -> bool:
    """Whether every step gives its result from what was found before: nothing is solved or iterated."""
    direct = (
        step.expression or (library().get(step.equation).expr and not step.solve_for)
        for step in template.steps
    )
    return not template.start and all(direct)


def givens_of(problem: Problem, template: Template, fault: Faulty = NOTHING) -> tuple[Given, ...]:
    """The numeric givens as an answer states them."""
    return tuple(
        Given(
            each.name,
            fault.misread.get(each.name, each.value),
            each.unit,
            template.givens[each.name].description,
        )
        for each in problem.givens
        if not isinstance(each.value, str)
    )


def execute(problem: Problem, template: Template, fault: Faulty = NOTHING) -> tuple[Line, ...]:
    """The steps with their numbers. Raises EvaluationError or ExpressionError where one has no value.

    Where a template has first values, the steps are repeated until these no longer change.
    """
    known = {each.name: each.value for each in givens_of(problem, template, fault)}
    for name, first in template.start.items():
        known[name] = float(quantity(first, template.units[name]).magnitude)
    for _ in range(_SWEEPS):
        before = dict(known)
        lines = tuple(_line(step, known, template.units, fault) for step in template.steps)
        if all(math.isclose(known[name], before[name], rel_tol=_STEADY) for name in template.start):
            return lines
    raise EvaluationError("no steady solution")


def _line(step: StepSpec, known: dict[str, float], units: Mapping[str, str], fault: Faulty) -> Line:
    """One step, whose result becomes known."""
    used = fault.steps.get(step.gives, step)
    if used.expression:
        line = _arithmetic(used, known)
    elif used.converts:
        line = _conversion(used, known, units)
    elif used.solve_for or library().get(used.equation).expr is None:
        line = _balance(used, known, units)
    else:
        line = _equation(used, known, units, fault.forms)
    factor = fault.slips.get(step.gives, 1.0)
    line = replace(
        line,
        direct=(line.direct[0] * factor, line.direct[1]),
        value=(line.value[0] * factor, line.value[1]),
    )
    known[step.gives] = line.value[0]
    return line


def wrong_formulas(problem: Problem, template: Template) -> Iterator[Faulty]:
    """The chain with a trap of the template in the place of the step whose result it would replace."""
    right = {line.symbol: line.value[0] for line in execute(problem, template)}
    for id in template.trap.equations:
        trap = library().get(id)
        for step in reversed(template.steps):
            sources = {**step.inputs, **template.trap.inputs}
            same = trap.expr and step.equation and _same_kind(trap.symbols[trap.output].unit, step.unit)
            if not same or not set(trap.inputs) <= set(sources):
                continue
            fields = {
                "equation": id,
                "with": {k: sources[k] for k in trap.inputs},
                "gives": step.gives,
                "unit": step.unit,
            }
            fault = replace(NOTHING, steps={step.gives: StepSpec.model_validate(fields)})
            if _differs(problem, template, fault, right, step.gives):
                yield fault
                break


def invented_formulas(problem: Problem, template: Template) -> Iterator[Faulty]:
    """The chain with the form of one step changed into one that follows from nothing."""
    right = {line.symbol: line.value[0] for line in execute(problem, template)}
    for step in reversed(template.steps):
        expr = library().get(step.equation).expr if step.equation and not step.solve_for else None
        for pattern, changed in _MUTATIONS if expr else ():
            form = re.sub(pattern, changed, expr or "", count=1)
            fault = replace(NOTHING, forms={step.gives: form})
            if form != expr and _differs(problem, template, fault, right, step.gives):
                yield fault


def _differs(
    problem: Problem, template: Template, fault: Faulty, right: Mapping[str, float], name: str
) -> bool:
    try:
        found = {line.symbol: line.value[0] for line in execute(problem, template, fault)}
    except (EvaluationError, ExpressionError, KeyError):  # or it would need a result of a later step
        return False
    wanted = [target.name for target in problem.targets if target.name in right]
    changed = any(not math.isclose(found[each], right[each], rel_tol=0.03) for each in (name, *wanted))
    return changed and found[name] * right[name] > 0 and 0.01 < found[name] / right[name] < 100


def _same_kind(unit: str, other: str) -> bool:
    return bool(quantity(1, unit).dimensionality == quantity(1, other).dimensionality)


def _arithmetic(step: StepSpec, known: Mapping[str, float]) -> Line:
    names = {name: known[name] for name in re.findall(r"[A-Za-z_]\w*", step.expression) if name in known}
    value = float(Expression.parse(step.expression)(dict(known)))
    return Line(
        step.gives, step.expression, names, (value, step.unit), (value, step.unit), "simple arithmetic"
    )


def _conversion(step: StepSpec, known: Mapping[str, float], units: Mapping[str, str]) -> Line:
    number, unit = known[step.converts], units[step.converts]
    value = float(quantity(quantity(number, unit), step.unit).magnitude)
    return Line(
        step.gives, step.converts, {step.converts: number}, (number, unit), (value, step.unit), "units"
    )


def _balance(step: StepSpec, known: Mapping[str, float], units: Mapping[str, str]) -> Line:
    """An equation that is solved for a symbol it does not give outright."""
    equation = library().get(step.equation)
    wanted = step.solve_for or equation.output
    inputs = convert_inputs(equation, step.inputs, known, units)
    value = equation.solve(wanted, **inputs) if step.solve_for else equation.value(**inputs)
    in_unit = float(quantity(quantity(float(value), equation.symbols[wanted].unit), step.unit).magnitude)
    sides = (equation.output, equation.expr) if equation.expr else (equation.residual or "", "0")
    words = _words(equation, {**step.inputs, wanted: step.gives})
    text = " = ".join(_renamed(side, words) for side in sides)
    found = in_unit, step.unit
    return Line(step.gives, "", _numbers(step, inputs), found, found, equation.name.lower(), text)


def _numbers(step: StepSpec, inputs: Mapping[str, float]) -> dict[str, float]:
    """Values in the equation's units of the names that a step takes up."""
    return {
        str(source): inputs[symbol]
        for symbol, source in step.inputs.items()
        if isinstance(source, str) and not is_literal(source)
    }


def _words(equation: Equation, names: Mapping[str, float | str]) -> dict[str, str]:
    """What stands for an equation's symbols in a formula of the problem: names, and constants as numbers."""
    constants = {name: number_words(constant.value) for name, constant in equation.constants.items()}
    return {symbol: str(source) for symbol, source in names.items()} | constants


def _renamed(formula: str, words: Mapping[str, str]) -> str:
    renamed = re.sub(r"\b[A-Za-z_]\w*", lambda found: words.get(found[0], found[0]), formula)
    return re.sub(r"\((\w+)/1\)", r"\1", renamed)  # a division by the unit of a fit, which nobody writes


def _equation(
    step: StepSpec, known: Mapping[str, float], units: Mapping[str, str], forms: Mapping[str, str]
) -> Line:
    equation = library().get(step.equation)
    inputs = convert_inputs(equation, step.inputs, known, units)
    form = forms.get(step.gives)
    if form:
        value = float(Expression.parse(form)(inputs | equation.constant_values))
    else:
        value = float(equation.value(**inputs))
    own = equation.symbols[equation.output].unit
    in_unit = float(quantity(quantity(value, own), step.unit).magnitude)
    formula = _renamed(form or equation.expr or "", _words(equation, step.inputs))
    numbers = _numbers(step, inputs)
    law = "a relation by Harlan and Voss" if form else equation.name.lower()
    shown = step.unit if quantity(1, own) == quantity(1, step.unit) else own
    return Line(step.gives, formula, numbers, (value, shown), (in_unit, step.unit), law)
