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
from ansatz.knowledge_base.equation import EvaluationError
from ansatz.knowledge_base.expression import Expression, ExpressionError
from ansatz.knowledge_base.library import library
from ansatz.knowledge_base.sheet import number_words
from ansatz.knowledge_base.units import quantity
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
    """The steps with their numbers. Raises EvaluationError or ExpressionError where one has no value."""
    known = {each.name: each.value for each in givens_of(problem, template, fault)}
    units = template.units
    lines = []
    for step in template.steps:
        used = fault.steps.get(step.gives, step)
        line = _arithmetic(used, known) if used.expression else _equation(used, known, units, fault.forms)
        factor = fault.slips.get(step.gives, 1.0)
        line = replace(
            line,
            direct=(line.direct[0] * factor, line.direct[1]),
            value=(line.value[0] * factor, line.value[1]),
        )
        known[step.gives] = line.value[0]
        lines.append(line)
    return tuple(lines)


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
        expr = library().get(step.equation).expr if step.equation else None
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
    except (EvaluationError, ExpressionError):
        return False
    wanted = [target.name for target in problem.targets]
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
    names = {symbol: str(source) for symbol, source in step.inputs.items()}
    names |= {name: number_words(constant.value) for name, constant in equation.constants.items()}
    formula = re.sub(
        r"\b[A-Za-z_]\w*", lambda found: names.get(found[0], found[0]), form or equation.expr or ""
    )
    formula = re.sub(r"\((\w+)/1\)", r"\1", formula)  # a division by the unit of a fit, which nobody writes
    numbers = {
        str(source): inputs[symbol]
        for symbol, source in step.inputs.items()
        if isinstance(source, str) and not is_literal(source)
    }
    law = "a relation by Harlan and Voss" if form else equation.name.lower()
    shown = step.unit if quantity(1, own) == quantity(1, step.unit) else own
    return Line(step.gives, formula, numbers, (value, shown), (in_unit, step.unit), law)
