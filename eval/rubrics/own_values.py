"""A step of the reference as a relation, tested at the values that an answer states for its symbols."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice, product

from ansatz.eval.problem import SolutionStep
from ansatz.eval.rubrics.values import SAME_VALUE
from ansatz.eval.rubrics.working import Working, close, si
from ansatz.eval.rubrics.written import Term
from ansatz.knowledge_base.expression import Expression, ExpressionError
from ansatz.quantities.scales import scale
from ansatz.quantities.terms import spelled

_MOST_CHOICES = 64  # combinations of stated values that are tried


@dataclass(frozen=True)
class Relation:
    """`left = right` in SI units for one step, with every value that its other symbols may have.

    `choices` holds, by name, the problem's value and those the answer states; `unit` is the step's own.
    """

    symbol: str
    left: Expression
    right: Expression
    choices: Mapping[str, tuple[float, ...]]
    unit: str

    def holds(self, value: float) -> bool:
        """Whether `value` satisfies the relation for some choice of the stated values."""
        names = list(self.choices)
        for chosen in islice(product(*self.choices.values()), _MOST_CHOICES):
            if _balances(
                self.left, self.right, {**dict(zip(names, chosen, strict=True)), self.symbol: value}
            ):
                return True
        return False

    def uses(self, literals: Iterable[float]) -> bool:
        """Whether any of these numbers is a value of one of its symbols, up to a power of ten."""
        known = [abs(value) for values in self.choices.values() for value in values if value]
        return any(
            literal and close(abs(literal) * ten, each, SAME_VALUE)
            for literal in literals
            for each in known
            for ten in (1.0, 1e-6, 1e-3, 1e3, 1e6)
        )

    def readings(self, term: Term) -> Iterator[float]:
        """What a substitution may come to in SI: as it stands, in its result's unit, or in the step's."""
        factors = {1.0}
        for unit in (term.claimed[1] if term.claimed else "", self.unit):
            known = scale(unit)
            factors |= {known.factor} if known else set()
        for value, _ in term.formula.readings():
            yield from (value * factor for factor in factors)


def relation(step: SolutionStep, working: Working) -> Relation | None:
    """The relation of a step; None where it is implicit, or does not hold in SI units as it is written."""
    left, _, right = step.expression.partition("=")
    if left.strip() in ("", "0"):
        return None
    try:
        sides = Expression.parse(left.strip()), Expression.parse(right.strip())
    except ExpressionError:
        return None
    names = {*sides[0].names, *sides[1].names}
    key = si(step.value, step.unit)
    if any(spelled(name) not in working.known for name in names):
        return None
    exact = {name: working.known[spelled(name)] for name in names}
    if key is None or step.symbol not in names or not _balances(*sides, {**exact, step.symbol: key}):
        return None
    choices = {
        name: tuple(dict.fromkeys((*_stated(name, working), exact[name]))) for name in names - {step.symbol}
    }
    return Relation(step.symbol, *sides, choices, step.unit)


def _stated(name: str, working: Working) -> Iterator[float]:
    """Every value that the answer gives a symbol, in SI; a bare number is in the unit of the problem."""
    units = {spelled(each.name): each.unit for each in working.problem.givens}
    units |= {spelled(each.symbol): each.unit for each in working.problem.reference.steps}
    for statement in working.statements:
        if spelled(statement.symbol) == spelled(name):
            given = units.get(spelled(name), "-")
            for unit in [statement.unit] if statement.unit else [given, "-"]:
                value = si(statement.value, unit)
                if value is not None:
                    yield value


def _balances(left: Expression, right: Expression, numbers: Mapping[str, float]) -> bool:
    try:
        return close(left(dict(numbers)), right(dict(numbers)), SAME_VALUE)
    except ExpressionError:
        return False
