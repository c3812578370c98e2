"""Which equations yield the inputs that a question leaves open."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from functools import cache

from ansatz.knowledge_base.axes import WORDS
from ansatz.knowledge_base.equation import Equation
from ansatz.knowledge_base.facts import Facts
from ansatz.knowledge_base.givens import Given, plain_symbol
from ansatz.knowledge_base.judgement import Limits, judge
from ansatz.knowledge_base.predicate import Predicate
from ansatz.knowledge_base.retrieved import Prerequisite
from ansatz.knowledge_base.units import parse_unit

_FIRST, _AT_MOST = 3, 4
# The share of common words that makes two descriptions alike: for the same stem (mu), letter, or neither.
_ALIKE_STEM, _ALIKE_LETTER, _ALIKE = 0.25, 0.4, 0.75
_FILLER = frozenset({"the", "and", "for", "per", "with", "from"})
# Words for where a quantity is taken: a general formula serves at any place, one for a place only there.
_PLACES = frozenset(
    re.findall(
        r"\w+",
        "wall edge free stream throat exit downstream upstream behind reference ambient surface turbine "
        "compressor pump saturated liquid vapour base nose",
    )
)
# Words that make a quantity another one wherever they stand on one side only.
_KINDS = frozenset(
    re.findall(
        r"\w+",
        "stagnation total vibrational electron rotational momentum displacement ratio mean local difference "
        "maximum critical effective",
    )
)


class Suppliers:
    """The equations of a base by the dimension of what they yield."""

    def __init__(self, equations: Sequence[Equation]):
        self._by_dimension: dict[str, list[Equation]] = defaultdict(list)
        for equation in equations:
            self._by_dimension[_dimension(equation.units[equation.output])].append(equation)

    def supporting(
        self, hits: Sequence[Equation], completing: Sequence[Equation], known: Facts
    ) -> list[Prerequisite]:
        """The `completing`, then at most four equations that yield inputs which are not given.

        Inputs are sought for the first hits and the completing, then for what was found for them. A supplier
        is of the same dimension, means the same quantity, and is contradicted neither by the question nor by
        the conditions of the equation that it feeds.
        """
        used = {equation.id for equation in (*hits, *completing)}
        found: list[Prerequisite] = []
        queue = [*hits[:_FIRST], *completing]
        for equation in queue:
            for symbol in equation.inputs:
                if len(found) == _AT_MOST or _is_given(equation, symbol, known.givens):
                    continue
                supplier = self._supplier(equation, symbol, used, known)
                if supplier:
                    used.add(supplier.id)
                    found.append(Prerequisite(supplier, symbol, equation))
                    queue.append(supplier)
        return [Prerequisite(equation, equation.output) for equation in completing] + found

    def _supplier(self, equation: Equation, symbol: str, used: set[str], known: Facts) -> Equation | None:
        """The equation whose output is described most nearly in the words of the wanted symbol."""
        offered = self._by_dimension.get(_dimension(equation.units[symbol]), ())
        alike = ((_likeness(equation, symbol, other), other) for other in offered if other.id not in used)
        likely = sorted((pair for pair in alike if pair[0] > 0), key=lambda pair: -pair[0])
        allowed = (other for _, other in likely if _allowed(other, known) and _agree(equation, other))
        return next(allowed, None)


def coverage(equation: Equation, givens: Sequence[Given]) -> float:
    """The share of an equation's inputs that the givens supply, 0 to 1."""
    inputs = equation.inputs
    return sum(_is_given(equation, symbol, givens) for symbol in inputs) / max(len(inputs), 1)


def _is_given(equation: Equation, symbol: str, givens: Sequence[Given]) -> bool:
    """Whether a stated quantity has the symbol's dimension and either its letter or its description.

    Pure numbers are many, so among them the letter must be the whole stem: C_D is no chi_bar.
    """
    if not givens:
        return False
    unit, described = equation.units[symbol], _words(equation.symbols[symbol].desc)
    pure = _is_pure(unit)
    for given in givens:
        if given.to(unit) is None:
            continue
        stated, own = _stem(given.symbol), _stem(symbol)
        if stated and (stated == own or (not pure and stated[0].lower() == own[0].lower())):
            return True
        if len(described & _words(given.before)) * 2 >= len(described):
            return True
    return False


def _allowed(equation: Equation, known: Facts) -> bool:
    return all(judge(one, known, equation).holds is not False for one in equation.regime.require)


def _agree(consumer: Equation, supplier: Equation) -> bool:
    """Whether no condition of the supplier rules out all that the consumer's on the same axis admits."""
    return not any(
        _disjoint(first, second)
        for first in consumer.regime.require
        for second in supplier.regime.require
        if first.axis == second.axis and (first.axis in WORDS or first.unit == second.unit)
    )


def _disjoint(first: Predicate, second: Predicate) -> bool:
    if first.axis in WORDS:
        axis = WORDS[first.axis]
        if not first.accepted or not second.accepted:
            accepted, refused = (
                (first.accepted, second.refused) if first.accepted else (second.accepted, first.refused)
            )
            return bool(accepted) and set(accepted) <= set(refused)
        return all(axis.exclude(str(one), str(other)) for one in first.accepted for other in second.accepted)
    limits = Limits.of([first, second])
    return bool(limits.low.max() > limits.high.min())


@cache
def _stem(symbol: str) -> str:
    return re.split(r"[_\d]", plain_symbol(symbol))[0]


def _likeness(equation: Equation, symbol: str, other: Equation) -> float:
    """The share of common words in the descriptions of a symbol and another's output; 0 where too few."""
    wanted, offered = _words(equation.symbols[symbol].desc), _words(other.symbols[other.output].desc)
    if (wanted ^ offered) & _KINDS or (offered - wanted) & _PLACES:
        return 0.0
    alike = len(wanted & offered) / max(len(wanted | offered), 1)
    stem = _stem(symbol)
    same = _stem(other.output) == stem
    enough = _ALIKE if not same else _ALIKE_LETTER if len(stem) == 1 else _ALIKE_STEM
    return alike if alike >= enough else 0.0


@cache
def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[a-z]{3,}", text.lower())) - _FILLER


@cache
def _dimension(unit: str) -> str:
    return str(parse_unit(unit).dimensionality)


@cache
def _is_pure(unit: str) -> bool:
    return bool(parse_unit(unit).dimensionless)
