"""Whether a template fits the knowledge base, and what its instances and its trap come to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ansatz.eval.benchmarks.tps.template import Calculation, StepSpec, Template, is_literal
from ansatz.eval.benchmarks.tps.trap import trap_error
from ansatz.eval.benchmarks.validation import missing_equation
from ansatz.eval.problem import Problem
from ansatz.knowledge_base.equation import Equation, Library
from ansatz.knowledge_base.regime import Facts, facts, judge
from ansatz.quantities.did_you_mean import nearest
from ansatz.quantities.units import UnitError, parse_unit, quantity, same_dimension


def library_faults(template: Calculation, library: Library) -> Iterator[str]:
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


def _unreadable_quantities(template: Calculation) -> Iterator[str]:
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
                quantity(quantity(1.0, template.units[step.converts]), step.unit)
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
    yield f"{problem.id}  {template.level}  {template.task_type}"
    yield from describe_solution(template, problem, library)


def describe_solution(template: Calculation, problem: Problem, library: Library) -> Iterator[str]:
    """The question, steps, bounds and traps of one instance, a line each."""
    yield from (f"    | {line}" for line in problem.question.splitlines() if line)
    for step in problem.reference.steps:
        source = step.equation or "arithmetic"
        yield f"    {step.symbol} = {step.value:.6g} {step.unit}  ({source}: {step.expression})"
    for bound in problem.reference.bounds:
        yield f"    {bound.target} in [{bound.low}, {bound.high}]: {bound.reason}"
    numbers = {given.name: given.value for given in problem.givens if isinstance(given.value, float)}
    numbers |= {step.symbol: step.value for step in problem.reference.steps}
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
