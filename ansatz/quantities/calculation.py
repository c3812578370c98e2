"""A text that calculates, read for what can be computed again: its expressions and what it states."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import islice, zip_longest

from ansatz.errors import DimensionError
from ansatz.quantities.chains import Chain, find_chains
from ansatz.quantities.markup import to_plain_text
from ansatz.quantities.notation import read_quantities
from ansatz.quantities.parser import read_formula
from ansatz.quantities.scales import PURE, Quantity, UnitScale, find_written_scale, is_close
from ansatz.quantities.statements import Statement, collect_statements
from ansatz.quantities.terms import normalize_symbol, read_value
from ansatz.quantities.tree import Dimension, Formula, Name, Numeral, find_dimension

_MOST_TERMS = 200
_FEWEST_DIGITS, _SURE_DIGITS = 2, 3  # digits that may identify, or surely identify, a quantity
_PREFIXES = (1e3, 1e-3, 1e6, 1e-6)
_EQUAL = 1e-6  # relative: as numbers are written, not as they are rounded
_ELSEWHERE = -1  # the position of what the question states
_LONGEST = 20_000  # characters; the end of a longer text is read
_SHORTEST_COPY = 30  # characters from which a sentence that stands in the question too counts as copied
_CUT = re.compile(
    r"[-+*/^(<>]\s*$|\b(?:of|times|plus|minus|by|and|or|than|the|per|at|for|to|from)\s*$", re.IGNORECASE
)


@dataclass(frozen=True)
class Term:
    """A side of an equality that is an expression.

    `names` are what it defines, `claimed` is its stated value, as the text `result`; None
    where none is stated. `following` are all sides behind it.
    """

    names: tuple[str, ...]
    formula: Formula
    claimed: Quantity | None
    result: str
    position: int
    following: tuple[str, ...] = ()

    @property
    def quote(self) -> str:
        return f"{self.formula.text} = {self.result}" if self.result else self.formula.text

    @property
    def is_numeric(self) -> bool:
        """Whether it is a substitution: numbers alone, and something to compute."""
        return not self.formula.names and self.formula.operations > 0


@dataclass(frozen=True)
class Calculation:
    """An answer as a model wrote it, and the question that it answers.

    Sentences copied from the question are left out of all of it. `givens` are what the question gives, as
    name, value and unit, where that is known.
    """

    answer: str
    question: str = ""
    givens: tuple[tuple[str, float, str], ...] = ()

    @cached_property
    def text(self) -> str:
        """The end of the answer in plain notation."""
        asked = _normalize_spaces(to_plain_text(self.question))

        def is_own(part: str) -> bool:
            return len(part) < _SHORTEST_COPY or _normalize_spaces(part).strip() not in asked

        lines = to_plain_text(self.answer[-_LONGEST:]).split("\n")
        return "\n".join(" ".join(filter(is_own, re.split(r"(?<=[.!?]) ", line))) for line in lines)

    @cached_property
    def chains(self) -> tuple[Chain, ...]:
        return find_chains(self.text)

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        return collect_statements(self.chains)

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        """The expressions of the text, in reading order."""
        asked = (name for chain in self._asked for name in chain.names)
        return find_terms(self.chains, (*(name for name, _, _ in self.givens), *asked))

    @cached_property
    def _asked(self) -> tuple[Chain, ...]:
        """The equalities of the question."""
        return find_chains(to_plain_text(self.question))

    @cached_property
    def stated(self) -> Mapping[str, list[Statement]]:
        """The statements by spelled symbol."""
        found: dict[str, list[Statement]] = {}
        for each in self.statements:
            found.setdefault(normalize_symbol(each.symbol), []).append(each)
        return found

    @cached_property
    def _measured(self) -> list[tuple[tuple[str, ...], float, str, int, int]]:
        """What the question gives and the answer states: symbols, value, unit, digits, position.

        What a unit is in another, as in 1 m = 100 cm, is left out.
        """
        measured: list[tuple[tuple[str, ...], float, str, int, int]]
        measured = [((name,), value, unit, 0, _ELSEWHERE) for name, value, unit in self.givens]
        asked = [replace(each, position=_ELSEWHERE) for each in self._asked]
        for chain in (*asked, *self.chains):
            if chain.names or not any(each.value == 1 for each in chain.values):
                measured += [(chain.names, *read, chain.position) for read in chain.values]
        return measured

    @cached_property
    def _dimensions(self) -> tuple[Mapping[str, set[tuple[Dimension, int]]], set[float]]:
        """The dimensions with which symbols, by spelling, and numbers, by figures, stand, and where.

        Also every number that has a unit.
        """
        found: dict[str, set[tuple[Dimension, int]]] = {}
        for names, value, unit, digits, place in self._measured:
            if known := find_written_scale(unit):
                for name in map(normalize_symbol, names):
                    found.setdefault(name, set()).add((known.dimension, _ELSEWHERE))
                if digits >= _FEWEST_DIGITS:
                    found.setdefault(_format_figures(value, digits), set()).add((known.dimension, place))
        return found, {value for _, value, unit, _, _ in self._measured if unit not in ("", "-")}

    def dimensions(self, term: Term) -> list[Dimension | None]:
        """The dimension of an expression in each of its readings; None for one in which it is open.

        Symbols and bare numbers have the dimensions of the units that they have elsewhere. An equal figure
        may be a coincidence, so there is a reading without each number that is not surely that quantity.
        Raises DimensionError where terms that are added differ in every reading.
        """
        bare = {number for number in term.formula.numbers if number.unit is None}
        doubtful = [number for number in bare if not self._is_surely_known(number)]
        found: list[Dimension | None] = []
        fault: DimensionError | None = None
        for tree in term.formula.trees:
            for without in (None, *doubtful):
                try:
                    found.append(
                        find_dimension(tree, partial(self._dimension_of, term=term, without=without))
                    )
                except DimensionError as error:
                    fault = error
        if fault and not found:
            raise fault
        return found

    def units_of(self, number: Numeral, position: int) -> set[UnitScale]:
        """The units that a bare number may have: those of quantities elsewhere that are equal to it.

        A quantity may also be equal in SI units, or under another prefix: 100 may be 0.1 MPa in kPa. Zeros of
        scales are left out, so that 80 °C may be 80 K of difference, or 353.15 K.
        """
        found = set()
        for (value, unit), places in self._quantities.items():
            if places == {position} or not value or not number.value:
                continue
            points = {value * unit.factor, value * unit.factor + unit.offset}
            factors = {unit.factor, *(unit.factor * prefix for prefix in _PREFIXES), 1.0, *_PREFIXES}
            found |= {
                UnitScale(factor, 0.0, unit.dimension, unit.rotation)
                for factor in factors
                if any(is_close(number.value * factor, point, _EQUAL) for point in points)
            }
        return found

    @cached_property
    def given_values(self) -> Mapping[str, Quantity]:
        """What the question gives with a symbol, by spelled name."""
        given = (each for each in self._measured if each[-1] == _ELSEWHERE)
        return {
            normalize_symbol(name): Quantity(value, unit, digits)
            for names, value, unit, digits, _ in given
            for name in names
        }

    @cached_property
    def _quantities(self) -> Mapping[tuple[float, UnitScale], set[int]]:
        """Values and units of what the question gives, also in prose, and the answer states; places."""
        prose = (
            (each.value, unit, _ELSEWHERE) for each, unit in read_quantities(to_plain_text(self.question))
        )
        found = (*((value, unit, place) for _, value, unit, _, place in self._measured), *prose)
        places: dict[tuple[float, UnitScale], set[int]] = {}
        for value, unit, place in found:
            if known := find_written_scale(unit):
                places.setdefault((value, known), set()).add(place)
        return places

    def _is_surely_known(self, number: Numeral) -> bool:
        """Whether the digits of a bare number suffice: three for a quantity of the question, else four."""
        dimensions, quantities = self._dimensions
        known = dimensions.get(_format_figures(number.value, number.digits), ())
        if any(place == _ELSEWHERE for _, place in known):
            return number.digits >= _SURE_DIGITS
        return number.digits > _SURE_DIGITS and number.value in quantities

    def _dimension_of(self, leaf: Numeral | Name, *, term: Term, without: Numeral | None) -> Dimension | None:
        """The dimension that a symbol or a bare number has elsewhere; None where it is open.

        1, 2 and 1/2 are pure numbers, and so are powers of ten that are no quantity elsewhere, unless they
        are a term of a sum: 100 may convert, or be a speed of 100 m/s, and 10000 - 30 is no conversion.
        """
        dimensions, quantities = self._dimensions
        if isinstance(leaf, Name):
            key = normalize_symbol(leaf.name)
        elif leaf.value in (0.5, 1.0, 2.0):
            return PURE
        elif leaf.value >= 100 and math.log10(leaf.value).is_integer():
            return None if leaf.value in quantities or leaf in term.formula.summands else PURE
        elif leaf == without:
            return None
        else:
            key = _format_figures(leaf.value, leaf.digits)
        found = {known for known, place in dimensions.get(key, ()) if place != term.position}
        return found.pop() if len(found) == 1 else None


def find_terms(found: tuple[Chain, ...], symbols: Iterable[str] = ()) -> tuple[Term, ...]:
    """The expressions in chains of equalities, the first 200; `symbols` are in use elsewhere."""
    return tuple(islice(_iterate_terms(found, symbols), _MOST_TERMS))


def _format_figures(value: float, digits: int) -> str:
    """Format the digits that identify a number; few digits include their power of ten."""
    written = f"{value:.{digits - 1}e}"
    return written.partition("e")[0] if digits > _SURE_DIGITS else written


def _iterate_terms(found: tuple[Chain, ...], elsewhere: Iterable[str]) -> Iterator[Term]:
    in_use = frozenset(
        map(normalize_symbol, (*elsewhere, *(name for chain in found for name in chain.names)))
    )
    for chain, next_chain in zip_longest(found, found[1:]):
        symbols = in_use.difference(map(normalize_symbol, chain.names))  # W = 2 (5 - 3) W is in watts
        for place, text in enumerate(chain.terms):
            formula = None if read_value(text) else _read_side(text, chain, place, symbols)
            if formula is None or not formula.operations:
                continue
            sides = chain.terms[place + 1 :]
            if not sides and next_chain and chain.names[:1] == next_chain.names[:1]:
                # The next chain carries this one on, if it is one of the same left side.
                left = () if chain.names else chain.terms[:1]
                sides = next_chain.terms[len(left) :] if next_chain.terms[: len(left)] == left else ()
            claimed = _read_claimed_value(sides[0], chain) if sides else None
            yield Term(chain.names, formula, claimed, sides[0] if claimed else "", chain.position, sides)


def _read_side(text: str, chain: Chain, place: int, symbols: frozenset[str]) -> Formula | None:
    """A side as an expression. The first side of a chain that names nothing may end a sentence of words."""
    formula = read_formula(text, symbols)
    if formula and any(len(name) > 5 and name.isalpha() and name.islower() for name in formula.names):
        return None  # words
    if formula or place or chain.names or len(text) > 160:
        return formula
    for found in re.finditer(r"(?<=[A-Za-z,:]) (?=[\d(√])", text):
        before, rest = text[: found.start()], text[found.end() :]
        if not _CUT.search(before) and not re.search(r"[\w)] ?[-+*/^(]", before[-11:]):
            return None if read_value(rest) else read_formula(rest, symbols)
    return None


def _read_claimed_value(side: str, chain: Chain) -> Quantity | None:
    """The value a side states, or that of an expression without symbols."""
    if value := read_value(side):
        return value._replace(unit=value.unit or chain.unit)
    fraction = read_formula(side) if re.fullmatch(r"[-\d/() ]{3,20}", side) else None
    exact = fraction.value() if fraction else None
    return None if exact is None else Quantity(exact, "")


def _normalize_spaces(text: str) -> str:
    return re.sub(r"\s+", " ", text).lower()
