"""Stage 3: check that units fit their quantities, givens are stated, and dimensions can result from them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import numpy as np

from ansatz.eval.curation.candidate import Candidate, Note
from ansatz.eval.problem import Given, NumberTarget
from ansatz.knowledge_base.equation import library
from ansatz.knowledge_base.regime import find_givens
from ansatz.quantities.notation import read_number
from ansatz.quantities.scales import BASE, find_scale, is_close
from ansatz.quantities.tree import Dimension
from ansatz.quantities.units import registry

_SAME = 1e-6  # relative difference below which two stated values are equal
_DIGITS = re.compile(r"(?<![\w.])[-+−]?\.?\d")
_PREPOSITION = re.compile(
    r"\b(?:of|at|in|on|for|to|by|with|from|after|before|behind|between|over|under|through)\b"
)


def check_dimensions(candidate: Candidate) -> Iterator[Note]:
    """Yield notes for a reviewer."""
    numbers = [target for target in candidate.item.targets if isinstance(target, NumberTarget)]
    for target in numbers:
        if fault := find_wrong_unit(target, candidate.text):
            yield Note("unit", fault)
    if unstated := find_unstated_givens(candidate):
        yield Note("self_contained", f"the question does not state the value of {', '.join(unstated)}")
    known = _collect_dimensions(candidate)
    if outside := [f"{each.name} [{each.unit}]" for each in numbers if not _is_spanned(each.unit, known)]:
        message = f"the givens do not span the dimensions of {', '.join(outside)}"
        yield Note("dimensions", f"{message}; perhaps a constant or a table provides it")


def find_unstated_givens(candidate: Candidate) -> tuple[str, ...]:
    """Find the declared givens whose value is not in the text, in their unit or another."""
    text = candidate.text
    numbers = set(_read_numbers(text))
    missing = [
        given
        for given in candidate.item.given
        if not isinstance(given.value, str)
        and not any(is_close(each, given.value, _SAME) for each in numbers)
    ]
    return tuple(given.name for given in missing if not _is_stated_in_other_unit(given, text))


def find_wrong_unit(target: NumberTarget, text: str) -> str | None:
    """Describe why a target's unit cannot measure its quantity, such as a power in metres; None if it can.

    The quantity is the noun of the target's description or name, or the noun phrase before its symbol in the
    text. Its dimensions are those that pint defines for the noun, and those of the knowledge base's symbols
    with this noun. There are, for example, powers per area and per mass.
    """
    before = re.search(rf"\b(?:[Tt]he|its|an?) ((?:[\w-]+ ){{1,3}}){re.escape(target.name)}(?!\w)", text)
    for words in (target.description, target.name.replace("_", " "), before[1] if before else ""):
        noun = _find_noun(words)
        known = _dimensions_of_noun(noun) if noun else frozenset()
        if known and _find_exponents(target.unit) not in known:
            return f"{target.name}: {noun} is not measured in {target.unit}"
    return None


def _find_exponents(unit: str) -> Dimension:
    """Return the powers of the base dimensions in a unit."""
    known = find_scale(unit)
    return known.dimension if known else (0.0,) * len(BASE)


def _read_numbers(text: str) -> Iterator[float]:
    """Read every number in a text, including powers of ten."""
    place = 0
    while found := _DIGITS.search(text, place):
        number = read_number(text, found.start())
        if number:
            yield number.value
        place = number.end if number else found.end()


def _is_stated_in_other_unit(given: Given, text: str) -> bool:
    numbers = (each.to(given.unit) for each in find_givens(text) if each.unit != "-")
    return any(number is not None and is_close(number, float(given.value), _SAME) for number in numbers)


def _find_noun(words: str) -> str:
    """Return the last word before the first preposition; empty if the words contain "per"."""
    phrase = _PREPOSITION.split(words, maxsplit=1)
    return "" if " per " in f" {words} " else (re.findall(r"[a-z]+", phrase[0].lower()) or [""])[-1]


@cache
def _dimensions_of_noun(noun: str) -> frozenset[Dimension]:
    """Return the dimensions that a quantity of this name may have; none if pint does not know the word."""
    try:
        defined = registry().get_dimensionality(f"[{noun}]")
    except Exception:  # pint raises KeyError and several other types
        return frozenset()
    word = re.compile(rf"\b{noun}\b", re.IGNORECASE)
    symbols = (symbol for equation in library() for symbol in equation.symbols.values())
    named = {_find_exponents(symbol.unit) for symbol in symbols if word.search(symbol.desc)}
    return frozenset({tuple(float(str(defined.get(base, 0))) for base in BASE), *named})


def _collect_dimensions(candidate: Candidate) -> list[Dimension]:
    """Collect the dimensions of the numeric givens and of the constants in the equations that the item names.

    If the item lists no numeric given, the quantities in its text replace them.
    """
    item = candidate.item
    units = [given.unit for given in item.given if not isinstance(given.value, str)]
    units = units or [each.unit for each in find_givens(candidate.text)]
    named = [
        *item.gold_equations,
        *(step.equation for step in item.reference_solution.steps if step.equation),
    ]
    for id in dict.fromkeys(named):
        units += [constant.unit for constant in library().get(id).constants.values()]
    return [row for row in dict.fromkeys(map(_find_exponents, units)) if any(row)]


def _is_spanned(unit: str, rows: list[Dimension]) -> bool:
    """Whether a product of powers of the rows has the unit's dimensions; true for a pure number."""
    wanted = _find_exponents(unit)
    if not any(wanted) or not rows:
        return not any(wanted)
    return bool(np.linalg.matrix_rank(np.array([*rows, wanted])) == np.linalg.matrix_rank(np.array(rows)))
