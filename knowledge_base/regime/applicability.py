"""Whether equations that a text names by their ids apply to a question."""

from __future__ import annotations

from collections.abc import Iterator

from ansatz.knowledge_base.equation import Equation, library
from ansatz.knowledge_base.regime.inference import facts
from ansatz.knowledge_base.regime.three_valued import Judgement, judge

_AROUND = "()[]{}.,;:*_`'\"“”"


def named_entries(text: str) -> tuple[Equation, ...]:
    """The entries of the base whose ids stand in a text, each once, in order."""
    words = dict.fromkeys(word.strip(_AROUND) for word in text.split() if "." in word.strip(_AROUND))
    entries = library() if any(word.islower() for word in words) else None
    return tuple(entries.get(word) for word in words if word in entries) if entries else ()


def applicability(equation: Equation, question: str) -> tuple[Judgement, ...]:
    """For each condition that an entry requires: whether the question meets it, and why."""
    known = facts(question, library())
    return tuple(judge(needed, known, equation) for needed in equation.regime.require)


def contradictions(text: str, question: str) -> Iterator[tuple[str, str]]:
    """Ids that a text names, with what their entries need and the question surely contradicts."""
    for equation in named_entries(text):
        for found in applicability(equation, question):
            if found.holds is False:
                yield equation.id, found.reason
