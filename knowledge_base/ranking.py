"""Two rankings of the base for a question, by words (BM25) and by sentence vectors, and their fusion."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol

from ansatz.knowledge_base.equation import Equation

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Reciprocal rank fusion: score = sum over rankings of 1/(60 + rank), Cormack, Clarke & Buettcher, SIGIR 2009.
_FUSION = 60
_STOP_WORDS = frozenset(
    re.findall(
        r"\w+",
        "a an and are as at be by for from given has have in is it its of on or that the this to using what "
        "which with find calculate compute determine estimate report your answer value use assume take",
    )
)


class Ranking(Protocol):
    """A score for each entry of the base, in the order of the base; higher is closer."""

    def scores(self, question: str) -> NDArray[np.float64]: ...


class Lexical:
    """BM25 over the words of each entry, its name and aliases counted twice."""

    def __init__(self, equations: Sequence[Equation]):
        from rank_bm25 import BM25Okapi

        names = (" ".join([equation.name, *equation.aliases]) for equation in equations)
        texts = (f"{name} {name} {entry_text(one)}" for name, one in zip(names, equations, strict=True))
        self._index = BM25Okapi([tokens(text) for text in texts])

    def scores(self, question: str) -> NDArray[np.float64]:
        words = list(dict.fromkeys(tokens(question)))  # a long question repeats itself
        found: NDArray[np.float64] = self._index.get_scores(words)
        return found


class Dense:
    """Inner products of unit sentence vectors, searched exactly: at this size no index is faster."""

    def __init__(self, equations: Sequence[Equation]):
        import faiss

        from ansatz.knowledge_base.embedding import DIMENSIONS, vectors_for

        self._index = faiss.IndexFlatIP(DIMENSIONS)
        self._index.add(vectors_for([entry_text(equation) for equation in equations]))
        self._embed = lru_cache(maxsize=1024)(_embedded)

    def scores(self, question: str) -> NDArray[np.float64]:
        import numpy as np

        found = np.empty(self._index.ntotal)
        products, places = self._index.search(self._embed(question), self._index.ntotal)
        found[places[0]] = products[0]
        return found


def fused(question: str, rankings: Sequence[Ranking]) -> NDArray[np.float64]:
    """The fused score of each entry, divided by its greatest possible value so that 1 is first everywhere."""
    import numpy as np

    total = np.zeros(1)
    for ranking in rankings:
        order = np.argsort(-ranking.scores(question), kind="stable")
        ranks = np.empty(len(order))
        ranks[order] = np.arange(len(order))
        total = total + (_FUSION + 1) / (_FUSION + 1 + ranks)
    return total / len(rankings)


def entry_text(equation: Equation) -> str:
    """What is searched of an entry: what it is, what it relates, and where it holds."""
    symbols = ", ".join(variable.desc for variable in equation.symbols.values())
    conditions = ", ".join(predicate.words().replace("_", " ") for predicate in equation.regime.require)
    topic = f"{equation.domain} {equation.topic}".replace("_", " ")
    parts = [
        equation.name,
        ", ".join(equation.aliases),
        topic,
        symbols,
        "; ".join(equation.assumptions),
        conditions,
    ]
    return ". ".join(filter(None, parts))


def tokens(text: str) -> list[str]:
    """Lower-case words without numbers, stop words and the plural s."""
    words = re.findall(r"[a-z]+[a-z0-9]*", text.lower().replace("_", " "))
    kept = (word for word in words if word not in _STOP_WORDS and len(word) > 1)
    return [
        word[:-1] if len(word) > 4 and word.endswith("s") and not word.endswith("ss") else word
        for word in kept
    ]


def _embedded(text: str) -> NDArray[np.float32]:
    from ansatz.knowledge_base.embedding import embedder

    return embedder()([text])
