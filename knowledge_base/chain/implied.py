"""Values that a question states in words alone, such as the emissivity of a black wall."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from ansatz.knowledge_base.chain.evidence import Supplied
from ansatz.knowledge_base.chain.meaning import words_of


class _Saying(NamedTuple):
    pattern: re.Pattern[str]
    telling: str  # a question whose givens have this word states the quantity itself
    means: Supplied


_FACE = r"(?:\w+ )?(?:walls?|plates?|panels?|surfaces?|faces?|structures?|skins?)"
_SAYINGS = (
    _Saying(
        re.compile(rf"\bblack {_FACE}\b", re.IGNORECASE),
        "emissivity",
        Supplied("black", 1.0, "-", "emissivity"),
    ),
    _Saying(
        re.compile(r"\b(?:full|complete)(?:ly)? (?:thermal |energy )?accommodat", re.IGNORECASE),
        "accommodation",
        Supplied("full accommodation", 1.0, "-", "thermal accommodation coefficient"),
    ),
    _Saying(
        re.compile(r"\bnormal incidence\b|\bperpendicular to the (?:free )?stream\b", re.IGNORECASE),
        "inclination",
        Supplied("normal incidence", 90.0, "deg", "surface inclination angle to the free stream"),
    ),
    _Saying(
        re.compile(r"\bzero (?:incidence|angle of attack)\b", re.IGNORECASE),
        "attack",
        Supplied("zero incidence", 0.0, "deg", "angle of attack"),
    ),
)


def implied(question: str, givens: Sequence[Supplied]) -> list[Supplied]:
    """What the words of a question say of quantities that none of its givens is, named by those words."""
    told = frozenset().union(*(words_of(given.description) for given in givens))
    return [
        saying.means for saying in _SAYINGS if saying.telling not in told and saying.pattern.search(question)
    ]
