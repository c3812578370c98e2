"""Find equations that yield the inputs that a question does not give.

A prerequisite yields the quantity of the input. The question states its conditions, or its consumer requires
them. The question also gives at least as large a share of its inputs as of its consumer's.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

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

_CONSUMERS = 3  # the first hits, whose inputs are searched for
_AT_MOST = 4
_COMPLETING = 2
_LEAST_GIVEN = 0.5  # of a prerequisite's inputs
# The least share of common words for two descriptions to match: with one stem (mu), one letter, or neither.
_MATCH_STEM, _MATCH_LETTER, _MATCH = 0.25, 0.4, 0.75
# Words for the place of a quantity. A formula for a place is valid only there, a general formula anywhere.
_PLACES = frozenset(
    re.findall(
        r"\w+",
        "wall edge free stream throat exit downstream upstream behind reference ambient surface turbine "
        "compressor pump saturated liquid vapour base nose",
    )
)
# Words that, if only one of two descriptions has them, make the quantities different.
_KINDS = frozenset(
    re.findall(
        r"\w+",
        "stagnation total vibrational electron rotational momentum displacement ratio mean local difference "
        "maximum critical effective transition radiation",
    )
)


class PrerequisiteIndex:
    """The equations of a base by the dimension of their output; integers are places in the library."""

    def __init__(self, library: Library):
        self._entries = library.entries
        self._yielding: dict[str | None, list[int]] = defaultdict(list)
        self._matches: dict[tuple[str, str, str], dict[int, float]] = {}
        for place, equation in enumerate(self._entries):
            self._yielding[get_output_dimension(equation)].append(place)

    def find_prerequisites(
        self, hits: Sequence[int], others: Sequence[int], ranked: Ranked
    ) -> Iterator[Prerequisite]:
        """Yield equations for requested units that no hit yields, then for missing inputs.

        Inputs are searched for the first hits and the equations of requested units, then for the equations
        found. There are at most as many equations for inputs as hits, and at most four.
        """
        completing: list[int] = []
        for wanted in ranked.requested:
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
        """Return the equation that yields a symbol, unless it is given or a shown equation yields it."""
        if ranked.given.is_given(consumer, symbol):
            return None
        matches = self._find_matches(consumer.units[symbol], consumer.symbols[symbol].desc, symbol)
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

    def _find_matches(self, unit: str, description: str, symbol: str) -> dict[int, float]:
        """Return the places of the equations that may yield an input, each with its similarity."""
        key = unit, description, symbol
        if key not in self._matches:
            outputs = (
                (place, self._entries[place].symbols[output].desc, output)
                for place in self._yielding.get(get_dimension(unit), ())
                for output in [self._entries[place].output]
            )
            rated = ((place, _rate_similarity(description, symbol, *offered)) for place, *offered in outputs)
            self._matches[key] = {place: share for place, share in rated if share}
        return self._matches[key]


def _is_met(prerequisite: Equation, consumer: Equation, known: Facts) -> bool:
    """Whether each condition of the prerequisite is stated, or follows from one of its consumer.

    A condition that only refuses words is met unless one of them is stated. No preference is contradicted.
    """
    preferred = (judge_condition(condition, known, prerequisite) for condition in prerequisite.regime.prefer)
    return not any(judged.holds is False for judged in preferred) and all(
        (holds := judge_condition(condition, known, prerequisite).holds)
        or (condition.refused and holds is None)
        or any(_implies(required, condition) for required in consumer.regime.require)
        for condition in prerequisite.regime.require
    )


def _implies(first: Predicate, second: Predicate) -> bool:
    """Whether the second condition, on the same axis, admits everything that the first does."""
    if first.axis != second.axis or first.unit != second.unit:
        return False
    if first.axis in WORDS:
        return bool(first.accepted) and all(map(second.takes, first.accepted))
    low, high, low_refused, high_refused = first.interval
    least, most, least_refused, most_refused = second.interval
    above = low > least or (low == least and low_refused >= least_refused)
    below = high < most or (high == most and high_refused >= most_refused)
    return above and below


def _rate_similarity(wanted: str, symbol: str, offered: str, output: str) -> float:
    """Return the share of common words in the descriptions of two symbols; 0 if they do not match."""
    words, others = description_words(wanted), description_words(offered)
    if (words ^ others) & _KINDS or (others - words) & _PLACES:
        return 0.0
    share = len(words & others) / max(len(words | others), 1)
    stem = symbol_stem(symbol)
    enough = _MATCH if stem != symbol_stem(output) else _MATCH_LETTER if len(stem) == 1 else _MATCH_STEM
    return share if share >= enough else 0.0
