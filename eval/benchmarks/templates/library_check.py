"""Whether a template fits the knowledge base, and how far its traps lead astray."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TypeVar

from ansatz.eval.benchmarks.templates.solution import Numbers, convert_inputs
from ansatz.eval.benchmarks.templates.template import StepSpec, Template, is_literal
from ansatz.eval.benchmarks.templates.template_files import read_templates
from ansatz.eval.benchmarks.validation import InvalidData, missing_equation
from ansatz.eval.problem import Problem
from ansatz.knowledge_base.equation import Equation, EvaluationError, Library
from ansatz.knowledge_base.equation import library as shipped
from ansatz.knowledge_base.regime import Facts, facts, judge
from ansatz.quantities.did_you_mean import nearest
from ansatz.quantities.units import UnitError, converted, parse_unit, quantity, same_dimension

Own = TypeVar("Own", bound=Template)
_TELLING = 0.1  # a trap within this relative error would still be scored as nearly right


@cache
def sound_templates(root: Path, model: type[Own]) -> tuple[Own, ...]:
    """The templates under a folder by id, read once. Raises InvalidData with a line for each fault."""
    found, lines = read_templates(root, model)
    lines += [line for template in found for line in library_faults(template, shipped())]
    if lines:
        raise InvalidData("\n".join(lines))
    return tuple(sorted(found, key=lambda template: template.id))


def library_faults(template: Template, library: Library) -> Iterator[str]:
    """Where a template does not fit the knowledge base: unknown equations, symbols and wrong dimensions."""
    if faults := list(_unreadable_quantities(template)):
        yield from (f"{template.id}: {fault}" for fault in faults)
        return
    for index, step in enumerate(template.steps):
        if step.equation:
            for fault in _step_faults(step, template.units, library):
                yield f"{template.id}: steps[{index}].{fault}"
    for index, id in enumerate(template.trap.equations):
        if missing := missing_equation(id, library):
            yield f"{template.id}: trap.equations[{index}]: {missing}"


def _unreadable_quantities(template: Template) -> Iterator[str]:
    """Units, and literals such as "300 K", that cannot be read or do not fit their result."""
    sources = [*template.trap.inputs.values(), *template.start.values()]
    sources += [source for step in template.steps for source in step.inputs.values()]
    literals = [source for source in sources if not isinstance(source, str) or is_literal(source)]
    try:
        for unit in template.units.values():
            parse_unit(unit)
        for literal in literals:
            quantity(literal)
        for name, first in template.start.items():
            quantity(first, template.units[name])
        for step in template.steps:
            if step.converts:
                converted(1.0, template.units[step.converts], step.unit)
    except UnitError as error:
        yield str(error)


def _step_faults(step: StepSpec, units: Mapping[str, str], library: Library) -> Iterator[str]:
    if missing := missing_equation(step.equation, library):
        yield f"equation: {missing}"
        return
    equation = library.get(step.equation)
    wanted = step.solve_for or equation.output
    needed = [name for name in equation.symbols if name != wanted]
    for symbol in step.inputs:
        if symbol not in needed:
            yield f"with.{symbol}: {step.equation} has no such input{nearest(symbol, needed)}"
    if absent := [symbol for symbol in needed if symbol not in step.inputs]:
        yield f"with: {step.equation} also needs {', '.join(absent)}"
    sources = {**step.inputs, wanted: step.gives}
    for symbol, source in sources.items():
        if symbol not in equation.symbols:
            continue
        named = isinstance(source, str) and not is_literal(source)
        unit = units[str(source)] if named else f"{quantity(source).units:~}"
        if not same_dimension(unit, equation.symbols[symbol].unit):
            yield f"{'unit' if symbol == wanted else f'with.{symbol}'}: {_mismatch(equation, symbol, unit)}"


def _mismatch(equation: Equation, symbol: str, unit: str) -> str:
    return f"{symbol} of {equation.id} is in {equation.symbols[symbol].unit}, not in {unit}"


def describe(template: Template, problem: Problem, library: Library) -> Iterator[str]:
    """One instance to be read over: its question, steps and bounds, and what its traps would have given."""
    yield from (f"    | {line}" for line in problem.question.splitlines() if line)
    for step in problem.reference.steps:
        source = step.equation or "arithmetic"
        yield f"    {step.symbol} = {step.value:.6g} {step.unit}  ({source}: {step.expression})"
    for bound in problem.reference.bounds:
        yield f"    {bound.target} in [{bound.low}, {bound.high}]: {bound.reason}"
    numbers = numbers_of(problem)
    known = facts(problem.question, library)
    for id in problem.reference.gold_equations:
        if reason := _contradiction(library.get(id), known):
            yield f"    WARNING the question seems to contradict {id}: {reason}"
    for id in template.trap.equations:
        error = trap_error(template, numbers, library.get(id))
        effect = "cannot be evaluated with these givens" if error is None else f"off by {error:+.1%}"
        reason = _contradiction(library.get(id), known) or "nothing in the question excludes it"
        yield f"    trap {id}: {effect}; {reason}"


def _contradiction(equation: Equation, known: Facts) -> str | None:
    """The condition of an equation that the words of the question make false, if there is one."""
    judgements = (judge(predicate, known, equation) for predicate in equation.regime.require)
    return next((judgement.reason for judgement in judgements if judgement.holds is False), None)


def numbers_of(problem: Problem) -> dict[str, float]:
    """The givens and results of an instance that are numbers, each in its unit."""
    numbers = {given.name: given.value for given in problem.givens if isinstance(given.value, float)}
    return numbers | {step.symbol: step.value for step in problem.reference.steps}


def weak_trap(template: Template, numbers: Numbers, library: Library) -> str | None:
    """A trap whose answer is so close to the right one that no score can tell them apart, if there is one."""
    for id in template.trap.equations:
        error = trap_error(template, numbers, library.get(id))
        if error is not None and abs(error) <= _TELLING:
            return f"trap {id} is off by only {error:+.1%}"
    return None


def trap_error(template: Template, numbers: Numbers, trap: Equation) -> float | None:
    """The relative error that a trap makes in the step it would replace; None where it cannot be told.

    `numbers` are the givens and results of an instance, each in its unit. The trap gets a step's inputs
    for the symbols of the same name, and those under `trap.with`. It replaces the step that
    `trap.replaces` names, or else one it is known to be confused with, or else the one that shares most
    inputs, of equals the last.
    """
    step = max(
        _replaceable(template, trap),
        key=lambda one: (one.equation in trap.confusable_with, len(one.inputs.keys() & trap.symbols)),
        default=None,
    )
    if step is None:
        return None
    inputs = {**step.inputs, **template.trap.inputs}
    wanted = {symbol: inputs[symbol] for symbol in trap.inputs}
    try:
        found = trap.value(**convert_inputs(trap, wanted, numbers, template.units))
    except (EvaluationError, UnitError):
        return None
    return converted(found, trap.symbols[trap.output].unit, step.unit) / numbers[step.gives] - 1


def _replaceable(template: Template, trap: Equation) -> list[StepSpec]:
    """The steps in whose place a trap can be evaluated, the last first."""
    return [
        step
        for step in reversed(template.steps)
        if (trap.inputs or template.trap.replaces)
        and set(trap.inputs) <= {*step.inputs, *template.trap.inputs}
        and same_dimension(trap.symbols[trap.output].unit, step.unit)
        and template.trap.replaces in ("", step.gives)
    ]
