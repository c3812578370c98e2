"""Which gas an instance of a family is for, and which a question speaks of."""

from __future__ import annotations

import re

from ansatz.knowledge_base.equation import Equation

# Spellings in prose of the names that instances bear.
_CALLED = {
    "n2": "nitrogen", "n": "nitrogen", "o2": "oxygen", "o": "oxygen", "h2": "hydrogen", "h": "hydrogen",
    "ar": "argon", "he": "helium", "co2": "carbon dioxide", "earth": "air", "mars": "martian", "air": "air",
    "venus": "venus", "titan": "titan",
}  # fmt: skip
SPECIES = frozenset([*_CALLED, "no", "co", "cn", "c", "c2", "c3", "ch4"])


def species_of(equation: Equation) -> frozenset[str]:
    """The species or planets that an instance of a family is named after."""
    if equation.family is None:
        return frozenset()
    return frozenset(re.split(r"[_\W]+", equation.family.instance.lower())) & SPECIES


def spoken_of(question: str) -> frozenset[str]:
    """The species and planets that a question names, by formula or in words."""
    lowered = question.lower()
    formulas = {found.lower() for found in re.findall(r"\b[A-Z][A-Za-z]?\d?(?![a-z])", question)}
    called = {
        short for short, name in _CALLED.items() if name in lowered or (len(short) > 3 and short in lowered)
    }
    return frozenset((formulas & SPECIES) | called)
