"""Whether the dimensions of a target fit what it is called, and can come from those of the givens.

The second is a rank test over base dimensions.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from ansatz.eval.curation.candidates import Candidate

BASE = ("[length]", "[mass]", "[time]", "[temperature]", "[substance]", "[current]", "[luminosity]")

_PREPOSITION = re.compile(
    r"\b(?:of|at|in|on|for|to|by|with|from|after|before|behind|between|over|under|through)\b"
)


@cache
def exponents(unit: str) -> tuple[float, ...]:
    """The powers of the base dimensions in a unit. Raises UnitError."""
    from ansatz.quantities.units import parse_unit

    dimensionality = parse_unit(unit).dimensionality
    return tuple(float(str(dimensionality.get(name, 0))) for name in BASE)


def misnamed(target: Mapping[str, Any], text: str) -> str | None:
    """Why a target's unit cannot be that of what it is called, such as a power in metres; None where it can.

    What it is called is the noun of its description or its name, or that with an article before its symbol in
    the text. It has the dimensions that pint defines for the word, and all those of the knowledge base's
    symbols that are called so, since there are powers per area and per mass.
    """
    name = str(target["name"])
    before = re.search(rf"\b(?:[Tt]he|its|an?) ((?:[\w-]+ ){{1,3}}){re.escape(name)}(?!\w)", text)
    for words in (str(target.get("description", "")), name.replace("_", " "), before[1] if before else ""):
        noun = _noun(words)
        known = _dimensions_called(noun) if noun else frozenset()
        if known and exponents(str(target["unit"])) not in known:
            return f"{name}: {noun} is not measured in {target['unit']}"
    return None


def _noun(words: str) -> str:
    """The last word before the first preposition; "" where something is counted per something."""
    phrase = _PREPOSITION.split(words, maxsplit=1)
    return "" if " per " in f" {words} " else (re.findall(r"[a-z]+", phrase[0].lower()) or [""])[-1]


@cache
def _dimensions_called(noun: str) -> frozenset[tuple[float, ...]]:
    """The dimensions of what is called so; none for words that pint has no dimension for."""
    from ansatz.knowledge_base.equation import library
    from ansatz.quantities.units import registry

    try:
        own = registry().get_dimensionality(f"[{noun}]")
    except Exception:  # pint raises a KeyError and several of its own
        return frozenset()
    found = {tuple(float(str(own.get(base, 0))) for base in BASE)}
    for equation in library():
        for symbol in equation.symbols.values():
            if re.search(rf"\b{noun}\b", symbol.desc, re.IGNORECASE):
                found.add(exponents(symbol.unit))
    return frozenset(found)


@dataclass(frozen=True)
class Span:
    """The dimensions that products of powers of some quantities can have; `rows` are their exponents."""

    rows: tuple[tuple[float, ...], ...]

    @classmethod
    def of(cls, candidate: Candidate) -> Span:
        """Of the numeric givens, and of the constants in the equations that the record names.

        Where the record lists no numeric given, of the quantities that its text states.
        """
        return cls(tuple(dict.fromkeys((*_given(candidate), *_constants(candidate)))))

    def holds(self, unit: str) -> bool:
        """Whether a unit's dimensions lie in the span; a pure number always does."""
        import numpy as np

        wanted = exponents(unit)
        if not any(wanted):
            return True
        rows = [row for row in self.rows if any(row)]
        if not rows:
            return False
        rank = np.linalg.matrix_rank(np.array(rows))
        return bool(np.linalg.matrix_rank(np.array([*rows, wanted])) == rank)


def _given(candidate: Candidate) -> Iterator[tuple[float, ...]]:
    from ansatz.knowledge_base.regime import givens
    from ansatz.quantities.units import UnitError

    numeric = [each for each in candidate.given if isinstance(each.get("value"), int | float)]
    units = [str(each.get("unit", "-")) for each in numeric]
    for unit in units or [each.unit for each in givens(candidate.text)]:
        try:
            yield exponents(unit)
        except UnitError:
            continue


def _constants(candidate: Candidate) -> Iterator[tuple[float, ...]]:
    from ansatz.knowledge_base.equation import library

    named = [
        *candidate.listed("gold_equations"),
        *(step.get("equation") for step in candidate.steps),
    ]
    for id in dict.fromkeys(str(each) for each in named if each):
        if id in library():
            for constant in library().get(id).constants.values():
                yield exponents(constant.unit)
