"""Which equations yield the inputs that a question leaves open.

A prerequisite yields the same quantity as the input it is for, its own conditions are met by what the
question states or by what its consumer requires, and the question gives a larger share of its inputs.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from typing import NamedTuple

from ansatz.knowledge_base.equation import entry_cache
from ansatz.knowledge_base.equation.axes import WORDS
from ansatz.knowledge_base.equation.equation import Equation
from ansatz.knowledge_base.equation.library import Library
from ansatz.knowledge_base.equation.predicate import Predicate
from ansatz.knowledge_base.regime.facts import Facts
from ansatz.knowledge_base.regime.judgement import judge
from ansatz.knowledge_base.regime.stated_quantities import WrittenQuantity, plain_symbol
from ansatz.knowledge_base.search.retrieved import Prerequisite
from ansatz.quantities.units import UnitError, parse_unit

_CONSUMERS = 3  # the first hits, whose inputs are looked for
_AT_MOST = 4
_LEAST_GIVEN = 0.5  # of a prerequisite's inputs
# The share of common words that makes two descriptions alike: for the same stem (mu), letter, or neither.
_ALIKE_STEM, _ALIKE_LETTER, _ALIKE = 0.25, 0.4, 0.75
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
        "maximum critical effective transition radiation",
    )
)


class _Named(NamedTuple):
    """A quantity by the words that describe it and the stem of its symbol."""

    words: frozenset[str]
    stem: str


@dataclass(frozen=True)
class Situation:
    """What a question states and gives, and for the place of an entry its relevance in standard deviations.

    An entry that the question excludes has the relevance -inf.
    """

    known: Facts
    supplied: Supplied
    relevance: Callable[[int], float]


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
        self, hits: Sequence[Equation], completing: Sequence[Equation], situation: Situation
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
                if supplier := self._supplier(consumer, symbol, shown, situation):
                    found.append(Prerequisite(supplier, symbol, consumer))
                    shown.append(supplier)
                    queue.append(supplier)
        return found

    def _supplier(
        self, consumer: Equation, symbol: str, shown: Sequence[Equation], situation: Situation
    ) -> Equation | None:
        """The equation that yields a symbol which is not given, unless one that is shown yields it."""
        if situation.supplied.holds(consumer, symbol):
            return None
        alike = self._yielding(dimension(consumer.units[symbol]), _named(consumer, symbol))
        if any(self._places[each.id] in alike for each in shown):
            return None
        least = max(_LEAST_GIVEN, situation.supplied.coverage(consumer))
        for place in sorted(alike, key=lambda place: (-alike[place], -situation.relevance(place))):
            supplier = self._equations[place]
            given = situation.supplied.coverage(supplier)
            if (
                given >= least
                and situation.relevance(place) > 0
                and _is_met(supplier, consumer, situation.known)
            ):
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
        accepted = first.accepted_words
        wanted = accepted <= second.accepted_words if second.accepted else True
        return bool(accepted) and wanted and not accepted & second.refused_words
    low, high, low_refused, high_refused = first.interval
    least, most, least_refused, most_refused = second.interval
    above = low > least or (low == least and low_refused >= least_refused)
    below = high < most or (high == most and high_refused >= most_refused)
    return above and below and not second.refused


class Supplied:
    """Which inputs of equations the givens of one question supply; each kind of input is looked up once."""

    def __init__(self, givens: Sequence[WrittenQuantity]):
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
        described, own, pure = _words(description), _stem(symbol), dimension(unit) == "dimensionless"
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


@cache
def _stem(symbol: str) -> str:
    return re.split(r"[_\d]", plain_symbol(symbol))[0]


def _named(equation: Equation, symbol: str) -> _Named:
    return _Named(_words(equation.symbols[symbol].desc), _stem(symbol))


def _same_quantity(wanted: _Named, offered: _Named) -> float:
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


_DIMENSIONS: dict[str, str] = {}


def dimension(unit: str) -> str:
    """The dimension of a unit, spelled so that equal ones are equal. Raises UnitError."""
    if unit not in _DIMENSIONS:
        _DIMENSIONS[unit] = str(parse_unit(unit).dimensionality)
    return _DIMENSIONS[unit]


def remember_dimensions(library: Library) -> None:
    """Have the dimensions of a base's units at hand: from the user's cache, since pint starts slowly."""
    digest = entry_cache.key([library.digest, version("pint")], [b"", b""]) if library.digest else ""
    if kept := digest and entry_cache.load(digest, "dimensions"):
        _DIMENSIONS.update(kept)
        return
    for unit in {unit for equation in library for unit in equation.units.values()}:
        with contextlib.suppress(UnitError):
            dimension(unit)
    if digest:
        entry_cache.store(digest, _DIMENSIONS, "dimensions")
