"""Find equations that yield the inputs that a question does not give.

A prerequisite yields the same quantity as the input it is for, its own conditions are met by what the
question states or by what its consumer requires, and the question gives a larger share of its inputs.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache

from ansatz.knowledge_base.equation.axes import WORDS
from ansatz.knowledge_base.equation.equation import Equation
from ansatz.knowledge_base.equation.library import Library
from ansatz.knowledge_base.equation.predicate import Predicate
from ansatz.knowledge_base.regime.facts import Facts
from ansatz.knowledge_base.regime.judgement import judge_condition
from ansatz.knowledge_base.search.regime_ranking import Ranked
from ansatz.knowledge_base.search.retrieved import Prerequisite
from ansatz.knowledge_base.search.supplied_inputs import (
    description_words,
    get_dimension,
    get_output_dimension,
    symbol_stem,
)

_CONSUMERS = 3  # the first hits, whose inputs are looked for
_AT_MOST = 4
_COMPLETING = 2
_LEAST_GIVEN = 0.5  # of a prerequisite's inputs
# The share of common words from which two descriptions match: for the same stem (mu), letter, or neither.
_MATCH_STEM, _MATCH_LETTER, _MATCH = 0.25, 0.4, 0.75
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


class PrerequisiteIndex:
    """The equations of a base by the dimension of their output. Places in the library identify equations."""

    def __init__(self, library: Library):
        self._entries = library.entries
        self._yielding: dict[str | None, list[int]] = defaultdict(list)
        for place, equation in enumerate(self._entries):
            self._yielding[get_output_dimension(equation)].append(place)

    def find_prerequisites(
        self, hits: Sequence[int], others: Sequence[int], ranked: Ranked
    ) -> Iterator[Prerequisite]:
        """What yields the units asked for that no hit does, then inputs not given: no more than the hits.

        Inputs are sought for the first hits and what yields those units, then for what was found for them.
        """
        completing: list[int] = []
        for wanted in ranked.asked:
            places = self._yielding.get(wanted, ())
            if not set(places) & {*hits, *completing}:
                completing += [place for place in others if place in places][:1]
        completing = completing[:_COMPLETING]
        for place in completing:
            yield Prerequisite(self._entries[place], self._entries[place].output)
        shown, queue = [*hits, *completing], [*hits[:_CONSUMERS], *completing]
        most = len(hits) + min(_AT_MOST, len(hits))
        for consumer in map(self._entries.__getitem__, queue):
            for symbol in consumer.inputs:
                prerequisite = (
                    self._find_source(consumer, symbol, shown, ranked) if len(shown) < most else None
                )
                if prerequisite is not None:
                    yield Prerequisite(self._entries[prerequisite], symbol, consumer)
                    shown.append(prerequisite)
                    queue.append(prerequisite)

    def _find_source(
        self, consumer: Equation, symbol: str, shown: Sequence[int], ranked: Ranked
    ) -> int | None:
        """The equation that yields a symbol which is not given, unless one that is shown yields it."""
        if ranked.given.is_given(consumer, symbol):
            return None
        wanted, matches = (consumer.symbols[symbol].desc, symbol), {}
        for place in self._yielding.get(get_dimension(consumer.units[symbol]), ()):
            offered = self._entries[place]
            if share := _rate_likeness(*wanted, offered.symbols[offered.output].desc, offered.output):
                matches[place] = share
        if any(place in matches for place in shown):
            return None
        least = max(_LEAST_GIVEN, ranked.given.coverage(consumer))
        for place in sorted(matches, key=lambda place: (-matches[place], -ranked.deviation(place))):
            prerequisite = self._entries[place]
            given = ranked.given.coverage(prerequisite)
            if (
                given >= least
                and ranked.deviation(place) > 0
                and _is_met(prerequisite, consumer, ranked.known)
            ):
                return place
        return None


def _is_met(prerequisite: Equation, consumer: Equation, known: Facts) -> bool:
    """Whether each condition of the prerequisite is stated, or follows from one of its consumer's."""
    return all(
        judge_condition(needed, known, prerequisite).holds
        or any(_implies(each, needed) for each in consumer.regime.require)
        for needed in prerequisite.regime.require
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


@lru_cache(maxsize=100_000)
def _rate_likeness(wanted: str, symbol: str, offered: str, output: str) -> float:
    """The share of common words in the descriptions of two symbols; 0 where too few, or of two kinds."""
    words, others = description_words(wanted), description_words(offered)
    if (words ^ others) & _KINDS or (others - words) & _PLACES:
        return 0.0
    share = len(words & others) / max(len(words | others), 1)
    stem = symbol_stem(symbol)
    enough = _MATCH if stem != symbol_stem(output) else _MATCH_LETTER if len(stem) == 1 else _MATCH_STEM
    return share if share >= enough else 0.0
