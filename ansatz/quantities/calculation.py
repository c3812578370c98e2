"""Read a calculation in a text: its expressions, stated values and dimensions."""

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
_FEWEST_DIGITS, _SURE_DIGITS = 2, 3  # digits that may identify a quantity, and that certainly do
_PREFIXES = (1e3, 1e-3, 1e6, 1e-6)
_EQUAL = 1e-6  # relative: for equal numbers, without rounding
_ELSEWHERE = -1  # the position of quantities in the question
_LONGEST = 20_000  # characters; only the end of a longer text is read
_SHORTEST_COPY = 30  # characters; a longer sentence that is also in the question counts as copied
_CUT = re.compile(
    r"[-+*/^(<>]\s*$|\b(?:of|times|plus|minus|by|and|or|than|the|per|at|for|to|from)\s*$", re.IGNORECASE
)


@dataclass(frozen=True)
class Term:
    """A side of an equality that is an expression."""

    names: tuple[str, ...]
    """The symbols that the equality defines."""
    formula: Formula
    claimed: Quantity | None
    """The value that the text states for it; None if there is none."""
    result: str
    """The text of the stated value."""
    position: int
    """The offset of its clause in the plain text."""
    following: tuple[str, ...] = ()
    """All sides after it."""

    @property
    def quote(self) -> str:
        return f"{self.formula.text} = {self.result}" if self.result else self.formula.text

    @property
    def is_numeric(self) -> bool:
        """Whether it is an operation on numbers only."""
        return not self.formula.names and self.formula.operations > 0


@dataclass(frozen=True)
class Calculation:
    """The calculation in a model's answer, without sentences that are copied from the question."""

    answer: str
    question: str = ""
    givens: tuple[tuple[str, float, str], ...] = ()
    """Name, value and unit of the given quantities, where they are known."""

    @cached_property
    def text(self) -> str:
        """The end of the answer in plain notation."""
        question = _normalize_spaces(to_plain_text(self.question))

        def is_original(part: str) -> bool:
            return len(part) < _SHORTEST_COPY or _normalize_spaces(part).strip() not in question

        lines = to_plain_text(self.answer[-_LONGEST:]).split("\n")
        return "\n".join(" ".join(filter(is_original, re.split(r"(?<=[.!?]) ", line))) for line in lines)

    @cached_property
    def chains(self) -> tuple[Chain, ...]:
        return find_chains(self.text)

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        return collect_statements(self.chains)

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        """The expressions of the text, in reading order."""
        in_question = (name for chain in self._question_chains for name in chain.names)
        return find_terms(self.chains, (*(name for name, _, _ in self.givens), *in_question))

    @cached_property
    def _question_chains(self) -> tuple[Chain, ...]:
        return find_chains(to_plain_text(self.question))

    @cached_property
    def stated(self) -> Mapping[str, list[Statement]]:
        """The statements by normalized symbol."""
        stated: dict[str, list[Statement]] = {}
        for statement in self.statements:
            stated.setdefault(normalize_symbol(statement.symbol), []).append(statement)
        return stated

    @cached_property
    def _measured(self) -> list[tuple[tuple[str, ...], float, str, int, int]]:
        """The quantities of the question and the answer: symbols, value, unit, digits, position.

        Unit conversions such as 1 m = 100 cm are left out.
        """
        measured: list[tuple[tuple[str, ...], float, str, int, int]]
        measured = [((name,), value, unit, 0, _ELSEWHERE) for name, value, unit in self.givens]
        in_question = [replace(chain, position=_ELSEWHERE) for chain in self._question_chains]
        for chain in (*in_question, *self.chains):
            if chain.names or not any(quantity.value == 1 for quantity in chain.values):
                measured += [(chain.names, *quantity, chain.position) for quantity in chain.values]
        return measured

    @cached_property
    def _dimensions(self) -> tuple[Mapping[str, set[tuple[Dimension, int]]], set[float]]:
        """Dimensions and positions by normalized symbol or by figures; and all numbers with a unit."""
        found: dict[str, set[tuple[Dimension, int]]] = {}
        for names, value, unit, digits, place in self._measured:
            if known := find_written_scale(unit):
                for name in map(normalize_symbol, names):
                    found.setdefault(name, set()).add((known.dimension, _ELSEWHERE))
                if digits >= _FEWEST_DIGITS:
                    found.setdefault(_format_figures(value, digits), set()).add((known.dimension, place))
        return found, {value for _, value, unit, _, _ in self._measured if unit not in ("", "-")}

    def dimensions(self, term: Term) -> list[Dimension | None]:
        """Return the dimension of an expression in each of its readings; None where it is unknown.

        Symbols and bare numbers have the dimension of the same symbol or figures elsewhere. Equal figures may
        be a coincidence, so each number that is not certainly that quantity adds a reading without it.

        Raises:
            DimensionError: Terms of different dimensions are added in every reading.
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
        """Return the units that a bare number may have: those of equal quantities elsewhere.

        A quantity may be equal in SI units or with another prefix: 100 may be 0.1 MPa in kPa. The units have
        no offset: 80 °C may be a difference of 80 K, or 353.15 K.
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
        """The quantities of the question that have a symbol, by normalized symbol."""
        given = (quantity for quantity in self._measured if quantity[-1] == _ELSEWHERE)
        return {
            normalize_symbol(name): Quantity(value, unit, digits)
            for names, value, unit, digits, _ in given
            for name in names
        }

    @cached_property
    def _quantities(self) -> Mapping[tuple[float, UnitScale], set[int]]:
        """The positions of the quantities of question (also in prose) and answer, by value and unit."""
        prose = (
            (number.value, unit, _ELSEWHERE) for number, unit in read_quantities(to_plain_text(self.question))
        )
        found = (*((value, unit, place) for _, value, unit, _, place in self._measured), *prose)
        places: dict[tuple[float, UnitScale], set[int]] = {}
        for value, unit, place in found:
            if known := find_written_scale(unit):
                places.setdefault((value, known), set()).add(place)
        return places

    def _is_surely_known(self, number: Numeral) -> bool:
        """Whether a bare number has enough digits: three if the question has the quantity, otherwise four."""
        dimensions, quantities = self._dimensions
        known = dimensions.get(_format_figures(number.value, number.digits), ())
        if any(place == _ELSEWHERE for _, place in known):
            return number.digits >= _SURE_DIGITS
        return number.digits > _SURE_DIGITS and number.value in quantities

    def _dimension_of(self, leaf: Numeral | Name, *, term: Term, without: Numeral | None) -> Dimension | None:
        """Return the dimension that a symbol or a bare number has elsewhere; None if it is unknown.

        1, 2 and 1/2 are pure numbers. Powers of ten are conversion factors, and pure, unless they are a
        quantity elsewhere (100 m/s) or a term of a sum (10000 - 30).
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
    """Return the first 200 expressions in chains; `symbols` are further symbols in use."""
    return tuple(islice(_iterate_terms(found, symbols), _MOST_TERMS))


def _format_figures(value: float, digits: int) -> str:
    """Format the digits that identify a number, with its power of ten if there are few."""
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
                # The next chain continues this one if both have the same left side.
                left = () if chain.names else chain.terms[:1]
                sides = next_chain.terms[len(left) :] if next_chain.terms[: len(left)] == left else ()
            claimed = _read_claimed_value(sides[0], chain) if sides else None
            yield Term(chain.names, formula, claimed, sides[0] if claimed else "", chain.position, sides)


def _read_side(text: str, chain: Chain, place: int, symbols: frozenset[str]) -> Formula | None:
    """Parse a side as an expression. The first side of a chain without a name may follow other words."""
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
    """Read the value of a side, also if it is a numeric expression."""
    if value := read_value(side):
        return value._replace(unit=value.unit or chain.unit)
    fraction = read_formula(side) if re.fullmatch(r"[-\d/() ]{3,20}", side) else None
    exact = fraction.value() if fraction else None
    return None if exact is None else Quantity(exact, "")


def _normalize_spaces(text: str) -> str:
    return re.sub(r"\s+", " ", text).lower()
