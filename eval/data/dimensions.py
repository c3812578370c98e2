"""Stage 3: units that fit what they measure, givens that are stated, dimensions that can come of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import numpy as np

from ansatz.eval.data.candidate import Candidate, Note
from ansatz.eval.problem import Given, NumberTarget
from ansatz.knowledge_base.equation import library
from ansatz.knowledge_base.regime import givens
from ansatz.quantities.notation import read_number
from ansatz.quantities.scales import BASE, find_scale, is_close
from ansatz.quantities.tree import Dimension
from ansatz.quantities.units import registry

_SAME = 1e-6  # relative difference below which two stated values are one
_DIGITS = re.compile(r"(?<![\w.])[-+−]?\.?\d")
_PREPOSITION = re.compile(
    r"\b(?:of|at|in|on|for|to|by|with|from|after|before|behind|between|over|under|through)\b"
)


def notes(candidate: Candidate) -> Iterator[Note]:
    """What needs a reviewer's eye."""
    numbers = [target for target in candidate.item.targets if isinstance(target, NumberTarget)]
    for target in numbers:
        if wrong := misnamed(target, candidate.text):
            yield Note("unit", wrong)
    if unstated := unstated_givens(candidate):
        yield Note("self_contained", f"the question does not state the value of {', '.join(unstated)}")
    known = _known(candidate)
    if outside := [f"{each.name} [{each.unit}]" for each in numbers if not _spans(known, each.unit)]:
        message = f"the givens do not span the dimensions of {', '.join(outside)}"
        yield Note("dimensions", f"{message}; perhaps a constant or a table supplies it")


def unstated_givens(candidate: Candidate) -> tuple[str, ...]:
    """The declared givens whose number the text does not hold, in their unit or another."""
    text = candidate.text
    numbers = set(_numbers(text))
    missing = [
        given
        for given in candidate.item.given
        if not isinstance(given.value, str)
        and not any(is_close(each, given.value, _SAME) for each in numbers)
    ]
    return tuple(given.name for given in missing if not _stated_in_other_unit(given, text))


def misnamed(target: NumberTarget, text: str) -> str | None:
    """Why a target's unit cannot be that of what it is called, such as a power in metres; None where it can.

    What it is called is the noun of its description or its name, or that with an article before its symbol in
    the text. It has the dimensions that pint defines for the word, and all those of the knowledge base's
    symbols that are called so, since there are powers per area and per mass.
    """
    before = re.search(rf"\b(?:[Tt]he|its|an?) ((?:[\w-]+ ){{1,3}}){re.escape(target.name)}(?!\w)", text)
    for words in (target.description, target.name.replace("_", " "), before[1] if before else ""):
        noun = _noun(words)
        known = _dimensions_called(noun) if noun else frozenset()
        if known and _exponents(target.unit) not in known:
            return f"{target.name}: {noun} is not measured in {target.unit}"
    return None


def _exponents(unit: str) -> Dimension:
    """The powers of the base dimensions in a unit."""
    known = find_scale(unit)
    return known.dimension if known else (0.0,) * len(BASE)


def _numbers(text: str) -> Iterator[float]:
    """Every number in a text, powers of ten included."""
    place = 0
    while found := _DIGITS.search(text, place):
        number = read_number(text, found.start())
        if number:
            yield number.value
        place = number.end if number else found.end()


def _stated_in_other_unit(given: Given, text: str) -> bool:
    found = (each.to(given.unit) for each in givens(text) if each.unit != "-")
    return any(number is not None and is_close(number, float(given.value), _SAME) for number in found)


def _noun(words: str) -> str:
    """The last word before the first preposition; "" where something is counted per something."""
    phrase = _PREPOSITION.split(words, maxsplit=1)
    return "" if " per " in f" {words} " else (re.findall(r"[a-z]+", phrase[0].lower()) or [""])[-1]


@cache
def _dimensions_called(noun: str) -> frozenset[Dimension]:
    """The dimensions of what is called so; none for words that pint has no dimension for."""
    try:
        own = registry().get_dimensionality(f"[{noun}]")
    except Exception:  # pint raises a KeyError and several of its own
        return frozenset()
    symbols = (symbol for equation in library() for symbol in equation.symbols.values())
    called = {
        _exponents(each.unit) for each in symbols if re.search(rf"\b{noun}\b", each.desc, re.IGNORECASE)
    }
    return frozenset({tuple(float(str(own.get(base, 0))) for base in BASE), *called})


def _known(candidate: Candidate) -> list[Dimension]:
    """Dimensions of the numeric givens and of the constants in the equations that the item names.

    Where the item lists no numeric given, of the quantities that its text states.
    """
    item = candidate.item
    units = [given.unit for given in item.given if not isinstance(given.value, str)]
    units = units or [each.unit for each in givens(candidate.text)]
    named = [
        *item.gold_equations,
        *(step.equation for step in item.reference_solution.steps if step.equation),
    ]
    for id in dict.fromkeys(named):
        units += [constant.unit for constant in library().get(id).constants.values()]
    return [row for row in dict.fromkeys(map(_exponents, units)) if any(row)]


def _spans(rows: list[Dimension], unit: str) -> bool:
    """Whether products of powers of the rows have a unit's dimensions; a pure number always does."""
    wanted = _exponents(unit)
    if not any(wanted) or not rows:
        return not any(wanted)
    return bool(np.linalg.matrix_rank(np.array([*rows, wanted])) == np.linalg.matrix_rank(np.array(rows)))
