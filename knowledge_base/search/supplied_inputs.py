"""Find the inputs of an equation that a question gives, and the dimension of a quantity."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from importlib.metadata import version
from typing import NamedTuple

from ansatz.errors import UnitError
from ansatz.knowledge_base.equation import entry_cache
from ansatz.knowledge_base.equation.equation import Equation
from ansatz.knowledge_base.equation.library import Library
from ansatz.knowledge_base.regime.stated_quantities import WrittenQuantity, remove_symbol_markup
from ansatz.quantities.units import parse_unit

PURE = "dimensionless"
_FILLER = frozenset({"the", "and", "for", "per", "with", "from"})
# Words that many quantities share, and which therefore identify none.
_GENERAL = frozenset(
    re.findall(
        r"\w+",
        "number ratio coefficient factor parameter value about pressure temperature density speed velocity "
        "flow angle radius length area heat flux wall surface stream free nose edge total static mass rate "
        "specific gas",
    )
)


class GivenInputs:
    """The inputs of equations that the quantities of one question supply, with a cache by kind of input."""

    def __init__(self, givens: Sequence[WrittenQuantity]):
        self._known: dict[tuple[str, str, str], bool] = {}
        self._stated: dict[str | None, list[_Given]] = defaultdict(list)
        for given in givens:
            words = description_words(given.before)
            stated = _Given(symbol_stem(given.symbol), words, _read_names(given.before))
            self._stated[get_dimension(given.unit)].append(stated)

    def coverage(self, equation: Equation) -> float:
        """Return the share of an equation's inputs that the question gives, 0 to 1."""
        inputs = equation.inputs
        return sum(self.is_given(equation, symbol) for symbol in inputs) / len(inputs) if inputs else 0.0

    def is_given(self, equation: Equation, symbol: str) -> bool:
        """Whether a stated quantity has the symbol's dimension and either its letter or its description.

        For pure numbers, which are frequent, the whole stem must be equal: C_D is not chi_bar.
        """
        variable = equation.symbols[symbol]
        key = (variable.unit, variable.desc, symbol)
        if key not in self._known:
            words, stem = description_words(variable.desc), symbol_stem(symbol)
            dimension = get_dimension(variable.unit)
            is_pure, initial = dimension == PURE, stem[0].lower()
            self._known[key] = any(
                (given.stem and (given.stem == stem or (not is_pure and given.stem[0].lower() == initial)))
                or len(words & given.before) * 2 >= len(words)
                or given.names & words
                for given in self._stated.get(dimension, ())
            )
        return self._known[key]


class _Given(NamedTuple):
    """A stated quantity."""

    stem: str
    """The stem of its symbol; "" for none."""
    before: frozenset[str]
    """The words before it."""
    names: frozenset[str]
    """The words that name it."""


@cache
def _read_names(before: str) -> frozenset[str]:
    """Return the last two words before a number that name it, as in "at Mach 8"."""
    clause = re.split(r"[,;:]|\band\b|\bwith\b", before)[-1]
    return frozenset(re.findall(r"[a-z]{3,}", clause.lower())[-2:]) - _FILLER - _GENERAL


@cache
def symbol_stem(symbol: str) -> str:
    return re.split(r"[_\d]", remove_symbol_markup(symbol))[0]


@cache
def description_words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[a-z]{3,}", text.lower())) - _FILLER


_DIMENSIONS: dict[str, str | None] = {}


def get_dimension(unit: str) -> str | None:
    """Return the dimension of a unit as a text; None if the unit cannot be read."""
    if unit not in _DIMENSIONS:
        try:
            _DIMENSIONS[unit] = str(parse_unit(unit).dimensionality)
        except UnitError:
            _DIMENSIONS[unit] = None
    return _DIMENSIONS[unit]


def get_output_dimension(equation: Equation) -> str | None:
    """Return the dimension of an equation's output."""
    return get_dimension(equation.units[equation.output])


def load_dimensions(library: Library) -> None:
    """Load the dimensions of a base's units from the user's cache, because pint starts slowly."""
    units = {unit for equation in library for unit in equation.units.values()}
    digest = entry_cache.make_key(library.digest, version("pint")) if library.digest else ""
    _DIMENSIONS.update(
        entry_cache.load_or_make(digest, "dimensions", lambda: {unit: get_dimension(unit) for unit in units})
    )
