"""Which phase an answer finally names."""

from __future__ import annotations

import re

from ansatz.eval.benchmarks.thermoqa.published_reading import phase
from ansatz.quantities.markup import plain

_LABEL = re.compile(
    r"\b(?:final |thermodynamic )?phase(?: \(?(?:region|state|name)\)?)?(?: of (?:the )?\w+)?"
    r"\b[\"')*]* ?(?:[:=|;]|(?:is|was)\b) ?(?P<named>[^\n]+)",
    re.IGNORECASE,
)
_SAID = re.compile(
    r"\b(?:is|are|exists?|remains?|be|as|thus|therefore|hence|so)\b:?"
    r" (?:(?:in|at|a|an|the|as|still|now|thus) )*(?P<named>[^\n.;]{1,60})",
    re.IGNORECASE,
)
_ASIDE = re.compile(r"[(,;.|]")
_DENIED = re.compile(
    r"\b(?:not|no|never|nor|neither|rather than|instead of|unlike|below|above|than|between|from|if)\b"
    "|n't|would be",
    re.IGNORECASE,
)


def phase_from_text(answer: str) -> str:
    """The phase named last after a label "phase"; failing that, the last that something is said to be."""
    text = plain(answer).replace("_", " ").replace("vapour", "vapor").replace("Vapour", "Vapor")
    for pattern in (_LABEL, _SAID):
        named = ""
        for found in pattern.finditer(text):
            named = _first_named(found["named"]) or named
        if named:
            return named
    return _first_named(text) if len(text) < 60 else ""


def _first_named(words: str) -> str:
    """The phase of the first part that names one; what is denied or compared with is not named."""
    for part in _ASIDE.split(words):
        affirmed = _DENIED.split(part)[0]
        named = phase(affirmed)
        if named:
            return named
        if affirmed != part and phase(part):
            return ""
    return ""
