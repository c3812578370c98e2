"""Habits of careful work: each comes from an instruction in the conversation, none by itself."""

from __future__ import annotations

import re
from functools import lru_cache

_EVERY = r"\b(?:every|each|all)\b[^.\n]*"
# A habit's words, all of which stand in one item of the instructions.
_HABITS = {
    # The ideal end state has the entropy of the beginning, for liquids and for air as well.
    "isentropes": (r"isentrop|ideal (?:end|exit)", r"(?:same|equal) entropy|entropy of the|by its entropy"),
    "heat additions": (rf"{_EVERY}\bheat (?:addition|input)",),
    "boundaries": (r"entropy|second[- ]law", r"boundary", r"temperature"),
    "streams": (rf"{_EVERY}\bstreams?\b", r"leav|exhaust|stack"),
    "effectiveness": (r"effectiveness", r"enthalp"),
    "closing": (r"energy balance", r"\bclos(?:e|es|ed|ing)\b"),
}
_ITEM = re.compile(r"\n(?=\s*(?:\d+[.)]|[-*]|#)\s)|\n\s*\n")
REPAIRS = frozenset(("heat additions", "streams", "effectiveness"))
"""What someone looks for whose energy balance does not close: a heat or a stream that was left out."""


@lru_cache(maxsize=256)
def habits_in(instructions: str) -> frozenset[str]:
    """The habits that single items of the instructions ask for: all of a habit's words stand in one item."""
    items = _ITEM.split(instructions)
    return frozenset(
        name
        for name, words in _HABITS.items()
        if any(all(re.search(word, item, re.IGNORECASE) for word in words) for item in items)
    )


def treats_liquid_as_incompressible(question: str) -> bool:
    """The question itself asks for pump work as volume times pressure rise."""
    return bool(
        re.search(r"incompressible|v[_\s]?\w*\s*[*·(]\s*\(?(?:Delta ?P|P_)|\bv\w* ?Delta ?P", question)
    )
