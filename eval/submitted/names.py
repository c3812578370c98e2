"""Which entries of the knowledge base a stranger's name for an equation may mean."""

from __future__ import annotations

from dataclasses import dataclass

from ansatz.knowledge_base.evaluation.questions import Names, plain
from ansatz.knowledge_base.library import Library

_GENERIC = frozenset(
    {"a", "an", "and", "at", "by", "for", "in", "of", "on", "s", "the", "to", "using", "with"}
    | {"approximation", "correlation", "equation", "equations", "expression", "formula", "law", "method"}
    | {"model", "number", "relation", "relationship", "rule", "theory"}
)
_MOST_FITTING, _MOST_MEANT = 15, 6  # entries beyond which words are too vague to mean any of them


@dataclass(frozen=True)
class Meaning:
    """The ids a name may mean, none where nothing fits. `by_words` tells that no entry is called just so."""

    ids: tuple[str, ...]
    by_words: bool = False


class EquationNames:
    """Looks names up: as ids, names and aliases first, then by the words that tell equations apart."""

    def __init__(self, base: Library) -> None:
        self._exact = Names(base)
        self._words = [
            (equation.id, frozenset(_words(name)))
            for equation in base
            for name in (equation.name, *equation.aliases)
        ]

    def find(self, name: str) -> Meaning:
        exact = self._exact.find(name)
        if exact:
            return Meaning(exact)
        return Meaning(self._by_words(frozenset(_words(name))), by_words=True)

    def _by_words(self, wanted: frozenset[str]) -> tuple[str, ...]:
        """The entries with a name that has all these words, and as few others as possible."""
        if not any(len(word) >= 4 for word in wanted):
            return ()
        extra: dict[str, int] = {}
        for id, words in self._words:
            if wanted <= words:
                extra[id] = min(extra.get(id, len(words)), len(words - wanted))
        closest = [id for id, count in extra.items() if count == min(extra.values())]
        return tuple(closest) if len(extra) <= _MOST_FITTING and len(closest) <= _MOST_MEANT else ()


def _words(name: str) -> list[str]:
    return [word for word in plain(name).split() if word not in _GENERIC]
