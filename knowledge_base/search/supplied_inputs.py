"""Which inputs of an equation the givens of a question supply, and what dimension a quantity has."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Sequence
from functools import cache
from importlib.metadata import version
from typing import NamedTuple

from ansatz.knowledge_base.equation import entry_cache
from ansatz.knowledge_base.equation.equation import Equation
from ansatz.knowledge_base.equation.library import Library
from ansatz.knowledge_base.regime.stated_quantities import WrittenQuantity, plain_symbol
from ansatz.quantities.units import UnitError, parse_unit

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


class Supplied:
    """Which inputs of equations the givens of one question supply; each kind of input is looked up once."""

    def __init__(self, givens: Sequence[WrittenQuantity]):
        self._givens = givens
        self._known: dict[tuple[str, str, str], bool] = {}
        self._of_dimension: dict[str, list[_Stated]] = {}

    def coverage(self, equation: Equation) -> float:
        """The share of an equation's inputs that the givens supply, 0 to 1."""
        inputs = equation.inputs
        return sum(self.holds(equation, symbol) for symbol in inputs) / len(inputs) if inputs else 0.0

    def holds(self, equation: Equation, symbol: str) -> bool:
        """Whether a stated quantity has the symbol's dimension and either its letter or its description.

        Pure numbers are many, so among them the letter must be the whole stem: C_D is no chi_bar.
        """
        variable = equation.symbols[symbol]
        key = (variable.unit, variable.desc, symbol)
        if self._givens and key not in self._known:
            described, own = description_words(variable.desc), symbol_stem(symbol)
            pure, initial = dimension(variable.unit) == "dimensionless", own[0].lower()
            self._known[key] = any(
                (given.stem and (given.stem == own or (not pure and given.stem[0].lower() == initial)))
                or len(described & given.before) * 2 >= len(described)
                or given.names & described
                for given in self._measured_in(variable.unit)
            )
        return self._known.get(key, False)

    def _measured_in(self, unit: str) -> list[_Stated]:
        """The givens that can be converted to a unit."""
        dimensions = dimension(unit)
        if dimensions not in self._of_dimension:
            self._of_dimension[dimensions] = [
                _Stated(symbol_stem(given.symbol), description_words(given.before), _names(given.before))
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
def symbol_stem(symbol: str) -> str:
    return re.split(r"[_\d]", plain_symbol(symbol))[0]


@cache
def description_words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[a-z]{3,}", text.lower())) - _FILLER


_DIMENSIONS: dict[str, str] = {}


def dimension(unit: str) -> str:
    """The dimension of a unit, spelled so that equal ones are equal. Raises UnitError."""
    if unit not in _DIMENSIONS:
        _DIMENSIONS[unit] = str(parse_unit(unit).dimensionality)
    return _DIMENSIONS[unit]


def remember_dimensions(library: Library) -> None:
    """Have the dimensions of a base's units at hand: from the user's cache, since pint starts slowly."""
    digest = entry_cache.key(library.digest, version("pint")) if library.digest else ""
    if kept := digest and entry_cache.load(digest, "dimensions"):
        _DIMENSIONS.update(kept)
        return
    for unit in {unit for equation in library for unit in equation.units.values()}:
        with contextlib.suppress(UnitError):
            dimension(unit)
    if digest:
        entry_cache.store(digest, _DIMENSIONS, "dimensions")
