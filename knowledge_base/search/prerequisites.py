"""Which equations yield the inputs that a question leaves open.

A prerequisite yields the same quantity as the input it is for, its own conditions are met by what the
question states or by what its consumer requires, and the question gives a larger share of its inputs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from ansatz.knowledge_base.equation.axes import WORDS
from ansatz.knowledge_base.equation.equation import Equation
from ansatz.knowledge_base.equation.predicate import Predicate
from ansatz.knowledge_base.regime.facts import Facts
from ansatz.knowledge_base.regime.judgement import judge
from ansatz.knowledge_base.search.regime_ranking import Ranked
from ansatz.knowledge_base.search.retrieved import Prerequisite
from ansatz.knowledge_base.search.supplied_inputs import description_words, dimension, symbol_stem

_CONSUMERS = 3  # the first hits, whose inputs are looked for
_AT_MOST = 4
_LEAST_GIVEN = 0.5  # of a prerequisite's inputs
# The share of common words that makes two descriptions alike: for the same stem (mu), letter, or neither.
_ALIKE_STEM, _ALIKE_LETTER, _ALIKE = 0.25, 0.4, 0.75
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
        "maximum critical effective transition radiation",
    )
)


class _Named(NamedTuple):
    """A quantity by the words that describe it and the stem of its symbol."""

    words: frozenset[str]
    stem: str


class Suppliers:
    """The equations of a base by the dimension of what they yield."""

    def __init__(self, equations: Sequence[Equation]):
        self._equations = equations
        self._places = {equation.id: place for place, equation in enumerate(equations)}
        self._of_dimension: dict[str, list[tuple[int, _Named]]] = {}
        self._alike: dict[tuple[str, _Named], dict[int, float]] = {}
        for place, equation in enumerate(equations):
            offered = place, _named(equation, equation.output)
            self._of_dimension.setdefault(dimension(equation.units[equation.output]), []).append(offered)

    def supporting(
        self, hits: Sequence[Equation], completing: Sequence[Equation], ranked: Ranked
    ) -> list[Prerequisite]:
        """The `completing`, then equations that yield inputs which are not given: no more than the hits.

        Inputs are sought for the first hits and the completing, then for what was found for them.
        """
        found = [Prerequisite(equation, equation.output) for equation in completing]
        shown = [*hits, *completing]
        queue = [*hits[:_CONSUMERS], *completing]
        for consumer in queue:
            for symbol in consumer.inputs:
                if len(found) >= min(_AT_MOST, len(hits)):
                    return found
                if supplier := self._supplier(consumer, symbol, shown, ranked):
                    found.append(Prerequisite(supplier, symbol, consumer))
                    shown.append(supplier)
                    queue.append(supplier)
        return found

    def _supplier(
        self, consumer: Equation, symbol: str, shown: Sequence[Equation], ranked: Ranked
    ) -> Equation | None:
        """The equation that yields a symbol which is not given, unless one that is shown yields it."""
        if ranked.supplied.holds(consumer, symbol):
            return None
        alike = self._yielding(dimension(consumer.units[symbol]), _named(consumer, symbol))
        if any(self._places[each.id] in alike for each in shown):
            return None
        least = max(_LEAST_GIVEN, ranked.supplied.coverage(consumer))
        for place in sorted(alike, key=lambda place: (-alike[place], -ranked.deviation(place))):
            supplier = self._equations[place]
            given = ranked.supplied.coverage(supplier)
            if given >= least and ranked.deviation(place) > 0 and _is_met(supplier, consumer, ranked.known):
                return supplier
        return None

    def _yielding(self, of_dimension: str, wanted: _Named) -> dict[int, float]:
        """The places of the equations that yield a quantity, with how much alike its descriptions are."""
        key = of_dimension, wanted
        if key not in self._alike:
            offers = self._of_dimension.get(of_dimension, ())
            likeness = {place: _same_quantity(wanted, offered) for place, offered in offers}
            self._alike[key] = {place: share for place, share in likeness.items() if share}
        return self._alike[key]


def _is_met(supplier: Equation, consumer: Equation, known: Facts) -> bool:
    """Whether each condition of the supplier is stated, or follows from one of its consumer's."""
    return all(
        judge(needed, known, supplier).holds
        or any(_implies(each, needed) for each in consumer.regime.require)
        for needed in supplier.regime.require
    )


def _implies(first: Predicate, second: Predicate) -> bool:
    """Whether all that the first condition admits is admitted by the second, on the same axis."""
    if first.axis != second.axis or first.unit != second.unit:
        return False
    if first.axis in WORDS:
        return bool(first.accepted) and all(map(second.takes, first.accepted))
    low, high, low_refused, high_refused = first.interval
    least, most, least_refused, most_refused = second.interval
    above = low > least or (low == least and low_refused >= least_refused)
    below = high < most or (high == most and high_refused >= most_refused)
    return above and below


def _named(equation: Equation, symbol: str) -> _Named:
    return _Named(description_words(equation.symbols[symbol].desc), symbol_stem(symbol))


def _same_quantity(wanted: _Named, offered: _Named) -> float:
    """The share of common words in two descriptions; 0 where too few, or where they are of two kinds."""
    if (wanted.words ^ offered.words) & _KINDS or (offered.words - wanted.words) & _PLACES:
        return 0.0
    alike = len(wanted.words & offered.words) / max(len(wanted.words | offered.words), 1)
    same = offered.stem == wanted.stem
    enough = _ALIKE if not same else _ALIKE_LETTER if len(wanted.stem) == 1 else _ALIKE_STEM
    return alike if alike >= enough else 0.0
