"""What the formulas of an answer come to at the numbers of the problem, in SI units."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping

from ansatz.eval.rubrics.equivalence import letter
from ansatz.eval.rubrics.working import RIGHT, Working, close, si
from ansatz.eval.rubrics.written import Term
from ansatz.knowledge_base.equation import Equation, EvaluationError
from ansatz.quantities.scales import scale
from ansatz.quantities.terms import spelled

SAME_VALUE = RIGHT
_UNIVERSAL = {  # CODATA 2018, in SI units, by the symbols that are in general use; e is Euler's number
    **dict.fromkeys(("k", "kB"), 1.380649e-23),
    **dict.fromkeys(("h", "hP"), 6.62607015e-34),
    **dict.fromkeys(("R", "Ru"), 8.314462618),
    **{"sigma": 5.670374419e-8, "sigmaSB": 5.670374419e-8, "me": 9.1093837e-31, "NA": 6.02214076e23},
    **{"c": 299792458.0, "epsilon0": 8.8541878128e-12, "e": math.e},
}


def values(term: Term, working: Working, stated: dict[str, float]) -> Iterator[float]:
    """What a term may come to: exactly, with its own units, or with those of its result.

    Nothing where it is made of other numbers than this problem's, which may agree by chance.
    """
    if term.formula.names:
        bound = _bindings(term.formula.names, working, stated)
        value = term.formula.value(bound)
        if value is not None and _is_of_this_problem((*bound.values(), *term.formula.literals), working):
            yield value
        return
    if not _is_of_this_problem(term.formula.literals, working):
        return
    claimed = scale(term.claimed[1]) if term.claimed else None
    units = {step.unit for step in working.problem.reference.steps if step.symbol in term.names}
    for value, _ in term.formula.readings():
        yield value
        for known in (claimed, *map(scale, units)):
            if known and known.factor != 1.0:
                yield value * known.factor + known.offset


def is_balanced(term: Term, working: Working, stated: dict[str, float]) -> bool:
    """Whether both sides of a balance agree at the values of the problem."""
    found = [side.value(_bindings(side.names, working, stated)) for side in term.sides]
    known = [value for value in found if value is not None]
    return len(known) == 2 and close(known[0], known[1], SAME_VALUE)


def stated_values(working: Working, asserted: bool = False) -> dict[str, float]:
    """Values that the answer itself gives its symbols, by spelled name; `asserted` leaves out those that it
    gives for comparison alone."""
    found = {}
    for statement in working.statements:
        if asserted and working.is_compared(statement):
            continue
        value = si(statement.value, statement.unit)
        if value is not None:
            found[spelled(statement.symbol)] = value
    return found


def trap_value(trap: Equation, working: Working) -> float | None:
    """A trap evaluated at the problem's values; None where they do not determine it."""
    numbers = {}
    for name in trap.inputs:
        unit = scale(trap.symbols[name].unit)
        exact = working.known.get(spelled(name))
        alike = {value for other, value in working.known.items() if letter(other) == letter(name)}
        value = exact if exact is not None else alike.pop() if len(alike) == 1 else None
        if value is None or unit is None:
            return None
        numbers[name] = (value - unit.offset) / unit.factor
    try:
        return si(trap.value(**numbers), trap.symbols[trap.output].unit)
    except EvaluationError:
        return None


def _is_of_this_problem(numbers: Iterable[float], working: Working) -> bool:
    return any(close(abs(one), known, SAME_VALUE) for one in numbers for known in working.numbers)


def _bindings(names: tuple[str, ...], working: Working, stated: dict[str, float]) -> dict[str, float]:
    """Values for the names of a formula: the problem's or the answer's own, by spelling and then by letter,
    or else constants."""
    constants = {spelled(k): v for equation in working.gold for k, v in equation.constant_values.items()}
    exact = {**_UNIVERSAL, **constants, **stated, **working.known}
    bound = {}
    for name in names:
        own = spelled(name) in working.known or spelled(name) in stated
        alike = [] if own else [_alike(name, table) for table in (working.known, stated)]
        found = [value for value in alike if value is not None]
        if found or spelled(name) in exact:
            bound[name] = found[0] if found else exact[spelled(name)]
    return bound


def _alike(name: str, table: Mapping[str, float]) -> float | None:
    """The one value in a table whose symbol has the same letter."""
    values = [value for other, value in table.items() if letter(other) == letter(name)]
    return values[0] if len(values) == 1 else None
