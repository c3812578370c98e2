"""Which equations yield the inputs that a question leaves open."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

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


class _Offer(NamedTuple):
    """What some equations yield: the words that describe it, and the stem of its symbol."""

    words: frozenset[str]
    stem: str


class Suppliers:
    """The equations of a base by what they yield."""

    def __init__(self, equations: Sequence[Equation]):
        self._offers: dict[str, dict[_Offer, list[Equation]]] = {}
        for equation in equations:
            output = equation.symbols[equation.output]
            offer = _Offer(_words(output.desc), _stem(equation.output))
            same_dimension = self._offers.setdefault(_dimension(output.unit), {})
            same_dimension.setdefault(offer, []).append(equation)
        self._likely = lru_cache(maxsize=8192)(self._find_likely)

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
        wanted = equation.symbols[symbol]
        offered = self._offers.get(_dimension(wanted.unit), {})
        for offer in self._likely(wanted.unit, wanted.desc, symbol):
            for other in offered[offer]:
                if other.id not in used and _allowed(other, known) and _agree(equation, other):
                    return other
        return None

    def _find_likely(self, unit: str, description: str, symbol: str) -> tuple[_Offer, ...]:
        """The offers that mean a quantity, the likeliest first."""
        wanted = _Offer(_words(description), _stem(symbol))
        found = [(_likeness(wanted, offer), offer) for offer in self._offers.get(_dimension(unit), ())]
        return tuple(offer for alike, offer in sorted(found, key=lambda pair: -pair[0]) if alike > 0)


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


def _likeness(wanted: _Offer, offered: _Offer) -> float:
    """The share of common words in two descriptions; 0 where too few, or where they are of two kinds."""
    if (wanted.words ^ offered.words) & _KINDS or (offered.words - wanted.words) & _PLACES:
        return 0.0
    alike = len(wanted.words & offered.words) / max(len(wanted.words | offered.words), 1)
    same = offered.stem == wanted.stem
    enough = _ALIKE if not same else _ALIKE_LETTER if len(wanted.stem) == 1 else _ALIKE_STEM
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
