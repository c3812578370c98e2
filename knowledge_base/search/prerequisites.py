"""Which equations yield the inputs that a question leaves open."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import islice
from typing import NamedTuple

from ansatz.knowledge_base.equation.axes import WORDS
from ansatz.knowledge_base.equation.equation import Equation
from ansatz.knowledge_base.equation.predicate import Predicate
from ansatz.knowledge_base.regime.stated_quantities import Given, plain_symbol
from ansatz.knowledge_base.regime.three_valued import Limits
from ansatz.knowledge_base.search.retrieved import Prerequisite
from ansatz.quantities.units import parse_unit

_FIRST, _AT_MOST = 3, 4
# The share of common words that makes two descriptions alike: for the same stem (mu), letter, or neither.
_ALIKE_STEM, _ALIKE_LETTER, _ALIKE = 0.25, 0.4, 0.75
_RELEVANCE = 0.2  # what a standard deviation of relevance is worth against the likeness of descriptions
_WEIGHED = 4  # suppliers of which it is looked up how many of their inputs are given
_FILLER = frozenset({"the", "and", "for", "per", "with", "from"})
# Words that many quantities share, so that none is known by one of them.
_GENERAL = frozenset(
    re.findall(
        r"\w+",
        "number ratio coefficient factor parameter value about pressure temperature density speed velocity "
        "flow angle radius length area heat flux wall surface stream free nose edge total static mass rate "
        "specific gas",
    )
)
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


@dataclass(frozen=True)
class Situation:
    """What a question gives, and for the place of an entry its relevance in standard deviations.

    An entry that the question excludes has the relevance -inf.
    """

    supplied: Supplied
    relevance: Callable[[int], float]


class Suppliers:
    """The equations of a base by what they yield."""

    def __init__(self, equations: Sequence[Equation]):
        self._equations = equations
        self._offers: dict[str, dict[_Offer, list[int]]] = {}
        for place, equation in enumerate(equations):
            output = equation.symbols[equation.output]
            offer = _Offer(_words(output.desc), _stem(equation.output))
            same_dimension = self._offers.setdefault(dimension(output.unit), {})
            same_dimension.setdefault(offer, []).append(place)
        self._likely = lru_cache(maxsize=8192)(self._find_likely)

    def supporting(
        self, hits: Sequence[Equation], completing: Sequence[Equation], situation: Situation
    ) -> list[Prerequisite]:
        """The `completing`, then at most four equations that yield inputs which are not given.

        Inputs are sought for the first hits and the completing, then for what was found for them. A supplier
        is of the same dimension, means the same quantity, and is contradicted neither by the question nor by
        the conditions of the equation that it feeds; of several, the question decides.
        """
        used = {equation.id for equation in (*hits, *completing)}
        found: list[Prerequisite] = []
        queue = [*hits[:_FIRST], *completing]
        for equation in queue:
            for symbol in equation.inputs:
                if len(found) == _AT_MOST or situation.supplied.holds(equation, symbol):
                    continue
                supplier = self._supplier(equation, symbol, used, situation)
                if supplier:
                    used.add(supplier.id)
                    found.append(Prerequisite(supplier, symbol, equation))
                    queue.append(supplier)
        return [Prerequisite(equation, equation.output) for equation in completing] + found

    def _supplier(
        self, equation: Equation, symbol: str, used: set[str], situation: Situation
    ) -> Equation | None:
        """The equation that most likely yields the symbol, unless one that is shown already yields it."""
        wanted = equation.symbols[symbol]
        offered = self._offers.get(dimension(wanted.unit), {})
        likely = self._likely(wanted.unit, wanted.desc, symbol)
        places = [(alike, place) for alike, offer in likely for place in offered[offer]]
        if any(self._equations[place].id in used for alike, place in places if alike == likely[0][0]):
            return None
        relevance = {place: situation.relevance(place) for _, place in places}
        rated = [(alike + _RELEVANCE * relevance[place], place) for alike, place in places]
        rated = sorted((pair for pair in rated if pair[0] > -math.inf), key=lambda pair: -pair[0])
        agreeing = (pair for pair in rated if _agree(equation, self._equations[pair[1]]))
        best: tuple[float, Equation | None] = (0.0, None)
        for rating, place in islice(agreeing, _WEIGHED):
            covered = situation.supplied.coverage(self._equations[place])
            if rating + covered > best[0] and (relevance[place] >= 0 or covered == 1):
                best = rating + covered, self._equations[place]
        return best[1]

    def _find_likely(self, unit: str, description: str, symbol: str) -> tuple[tuple[float, _Offer], ...]:
        """The offers that mean a quantity with their likeness, the likeliest first."""
        wanted = _Offer(_words(description), _stem(symbol))
        found = [(_likeness(wanted, offer), offer) for offer in self._offers.get(dimension(unit), ())]
        return tuple(sorted((pair for pair in found if pair[0] > 0), key=lambda pair: -pair[0]))


class Supplied:
    """Which inputs of equations the givens of one question supply; each kind of input is looked up once."""

    def __init__(self, givens: Sequence[Given]):
        self._givens = givens
        self._known: dict[tuple[str, str, str], bool] = {}
        self._of_dimension: dict[str, list[_Stated]] = {}

    def coverage(self, equation: Equation) -> float:
        """The share of an equation's inputs that the givens supply, 0 to 1."""
        inputs = equation.inputs
        if not self._givens or not inputs:
            return 0.0
        return sum(self.holds(equation, symbol) for symbol in inputs) / len(inputs)

    def holds(self, equation: Equation, symbol: str) -> bool:
        if not self._givens:
            return False
        variable = equation.symbols[symbol]
        key = (variable.unit, variable.desc, symbol)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._is_given(*key)
        return found

    def _is_given(self, unit: str, description: str, symbol: str) -> bool:
        """Whether a stated quantity has the symbol's dimension and either its letter or its description.

        Pure numbers are many, so among them the letter must be the whole stem: C_D is no chi_bar.
        """
        described, own, pure = _words(description), _stem(symbol), _is_pure(unit)
        initial = own[0].lower()
        for given in self._measured_in(unit):
            if given.stem and (given.stem == own or (not pure and given.stem[0].lower() == initial)):
                return True
            if len(described & given.before) * 2 >= len(described) or given.names & described:
                return True
        return False

    def _measured_in(self, unit: str) -> list[_Stated]:
        """The givens that can be converted to a unit."""
        dimensions = dimension(unit)
        if dimensions not in self._of_dimension:
            self._of_dimension[dimensions] = [
                _Stated(_stem(given.symbol), _words(given.before), _names(given.before))
                for given in self._givens
                if given.to(unit) is not None
            ]
        return self._of_dimension[dimensions]


class _Stated(NamedTuple):
    """Of a given: the stem of its symbol, the words before it, and those that name it."""

    stem: str
    before: frozenset[str]
    names: frozenset[str]


@cache
def _names(before: str) -> frozenset[str]:
    """The last two words before a number, where they are what it is a number of: "at Mach 8"."""
    clause = re.split(r"[,;:]|\band\b|\bwith\b", before)[-1]
    return frozenset(re.findall(r"[a-z]{3,}", clause.lower())[-2:]) - _FILLER - _GENERAL


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
def dimension(unit: str) -> str:
    """The dimension of a unit, spelled so that equal ones are equal. Raises UnitError."""
    return str(parse_unit(unit).dimensionality)


@cache
def _is_pure(unit: str) -> bool:
    return bool(parse_unit(unit).dimensionless)
