"""Rankers: a score for each entry of a base, for a question. By words, by sentence vectors, and rrf.

A ranker of another package is found under the entry point `ansatz.rankers`; it is a callable that takes a
Library and returns an object with `scores`, such as

    class ByLength:
        def __init__(self, library: Library):
            self._lengths = np.array([-float(len(equation.name)) for equation in library])

        def scores(self, question: str) -> NDArray[np.float64]:
            return self._lengths
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from ansatz.errors import AnsatzError
from ansatz.knowledge_base.regime.stated_quantities import without_givens
from ansatz.knowledge_base.search.tokenizing import (
    ASKED,
    asked_sentence,
    entry_parts,
    entry_phrases,
    entry_terms,
    question_terms,
)
from ansatz.quantities.did_you_mean import nearest

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ansatz.knowledge_base.equation.equation import Equation
    from ansatz.knowledge_base.equation.library import Library

GROUP = "ansatz.rankers"
# Reciprocal rank fusion: score = sum over rankings of 1/(60 + rank), Cormack, Clarke & Buettcher, SIGIR 2009.
_FUSION = 60
_RANKED = 1000  # deeper than this ranks are not told apart
# Okapi BM25: how soon a repeated term counts no more, and how far a long entry is discounted
# (Robertson & Zaragoza, Foundations and Trends in Information Retrieval 3, 2009: 1.2 to 2 and 0.5 to 0.8).
_SATURATION, _LENGTH = 1.2, 0.6
_FREQUENT = 1 / 16
_WORDS = 0.4  # of the weight of words and meaning together


class UnknownRanker(AnsatzError, LookupError):
    """No ranker of such a name is installed; the message names those that are."""


@runtime_checkable
class Ranker(Protocol):
    """Scores the entries of the base it was built for."""

    def scores(self, question: str) -> NDArray[np.float64]:
        """A score for each entry in the order of the library; higher is nearer, -inf excludes the entry."""
        ...


RankerFactory = Callable[["Library"], Ranker]


def rankers() -> list[str]:
    """The names of the installed rankers."""
    return sorted(entry_points(group=GROUP).names)


def find_ranker(name: str) -> RankerFactory:
    """What builds the ranker `name` for a library. Raises UnknownRanker."""
    found = entry_points(group=GROUP)
    if name not in found.names:
        raise UnknownRanker(f"there is no ranker {name!r}{nearest(name, rankers())}")
    factory: RankerFactory = found[name].load()
    return factory


class BM25:
    """BM25 over the terms of each entry: for each term the entries that have it, and what it is worth there.

    A term of many entries has a weight for every entry instead, which is the faster to add.
    """

    def __init__(self, library: Iterable[Equation]):
        import numpy as np

        texts = [entry_terms(equation) for equation in library]
        counted: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for place, text in enumerate(texts):
            for term, count in Counter(text).items():
                counted[term].append((place, count))
        self._count = len(texts)
        found = np.array([pair for pairs in counted.values() for pair in pairs], dtype=float).reshape(-1, 2)
        places, counts = found[:, 0].astype(np.intp), found[:, 1]
        holders = np.array([len(pairs) for pairs in counted.values()], dtype=np.intp)
        rarity = np.repeat(np.log(1 + (self._count - holders + 0.5) / (holders + 0.5)), holders)
        lengths = np.array([len(text) for text in texts], dtype=float)
        relative = lengths / max(lengths.mean(), 1.0) if len(lengths) else lengths
        damped = counts + _SATURATION * (1 - _LENGTH + _LENGTH * relative[places])
        weights = rarity * counts * (_SATURATION + 1) / damped
        self._postings: dict[str, tuple[NDArray[np.intp] | slice, NDArray[np.float64]]] = {}
        end = 0
        for term, pairs in counted.items():
            start, end = end, end + len(pairs)
            self._postings[term] = (places[start:end], weights[start:end])
            if len(pairs) > _FREQUENT * self._count:
                everywhere = np.zeros(self._count)
                everywhere[places[start:end]] = weights[start:end]
                self._postings[term] = (slice(None), everywhere)

    def scores(self, question: str) -> NDArray[np.float64]:
        import numpy as np

        found = np.zeros(self._count)
        for term, weight in question_terms(question).items():
            if term in self._postings:
                places, weights = self._postings[term]
                found[places] += weights if weight == 1 else weight * weights
        return found


class Dense:
    """Inner products of the question's sentence vector with the entries', searched exactly.

    `vectors` are the entries' own, a row of 384 numbers each, where they are not to be looked up.
    """

    def __init__(self, library: Iterable[Equation], vectors: NDArray[np.float32] | None = None):
        from ansatz.knowledge_base.search.embedding import vectors_for
        from ansatz.knowledge_base.search.vector_index import VectorIndex

        known = vectors_for([entry_parts(one) for one in library]) if vectors is None else vectors
        self._nearness = VectorIndex(known)

    def scores(self, question: str) -> NDArray[np.float64]:
        from ansatz.knowledge_base.search.embedding import question_vector

        return self._nearness(question_vector(without_givens(question)))


class Hybrid:
    """BM25 and sentence vectors, joined by reciprocal rank fusion; 1 is first in both."""

    def __init__(self, library: Library):
        self._rankers: Sequence[Ranker] = (BM25(library), Dense(library))

    def scores(self, question: str) -> NDArray[np.float64]:
        return rrf([ranker.scores(question) for ranker in self._rankers])


class PhraseIndex:
    """The nearness of an entry as a whole (`Dense`) and that of its nearest phrase, added up.

    A phrase is one way in which an entry is asked for; unlike the mean of an entry's texts, one phrase that
    fits is enough. Inner products add up as vectors do, so each phrase has one vector: its own and its
    entry's. `vectors` are those of the entries and, below them, of the phrases, where they are not looked up.
    """

    def __init__(self, library: Iterable[Equation], vectors: NDArray[np.float32] | None = None):
        import numpy as np

        from ansatz.knowledge_base.search.embedding import vectors_for
        from ansatz.knowledge_base.search.vector_index import GroupedVectorIndex

        equations = list(library)
        phrases = [entry_phrases(equation) for equation in equations]
        counts = [len(each) for each in phrases]
        if vectors is None:
            wholes = [entry_parts(equation) for equation in equations]
            vectors = vectors_for([*wholes, *({text: 1.0} for each in phrases for text in each)])
        whole = np.repeat(vectors[: len(equations)], counts, axis=0)
        self._nearness = GroupedVectorIndex(whole + vectors[len(equations) :], np.cumsum([0, *counts])[:-1])

    def scores(self, question: str) -> NDArray[np.float64]:
        return self._nearness(asking_vector(question))


def asking_vector(question: str) -> NDArray[np.float32]:
    """The sentence vector of a question, moved towards that of the sentence that asks."""
    from ansatz.knowledge_base.search.embedding import question_vector

    whole, asked = (question_vector(without_givens(text)) for text in (question, asked_sentence(question)))
    return ((whole + ASKED * asked) / (1 + ASKED)).astype(whole.dtype)


class Blend:
    """By words and by meaning: how far an entry stands out by each, in standard deviations."""

    def __init__(self, library: Library, words: Ranker | None = None, meaning: Ranker | None = None):
        self._words = words or BM25(library)
        self._meaning = meaning or PhraseIndex(library)

    def scores(self, question: str) -> NDArray[np.float64]:
        words, meaning = (standardised(each.scores(question)) for each in (self._words, self._meaning))
        return _WORDS * words + (1 - _WORDS) * meaning


def standardised(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Scores less their mean, in units of their standard deviation; excluded entries stay excluded."""
    import numpy as np

    known = np.isfinite(scores)
    finite = scores if known.all() else scores[known]
    if not len(finite):
        return scores
    mean = finite.mean()
    apart = finite - mean
    spread = math.sqrt(float(apart @ apart) / len(apart))
    if not spread:
        return np.where(known, 0.0, scores)
    return np.asarray((scores - mean if finite is not scores else apart) / spread)


def rrf(rankings: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """The mean of the rankings' reciprocal ranks, from 1 (first in all) towards 0."""
    return sum(map(reciprocal_ranks, rankings), start=0 * rankings[0]) / len(rankings)


def reciprocal_ranks(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """61/(60 + rank) for each score, the best having rank 1; equal to that of rank 1001 for all beyond it."""
    import numpy as np

    found = np.full(len(scores), (_FUSION + 1) / (_FUSION + 1 + _RANKED))
    leading = np.arange(len(scores))
    if len(scores) > _RANKED:
        leading = np.sort(np.argpartition(-scores, _RANKED)[:_RANKED])
    order = leading[np.argsort(-scores[leading], kind="stable")]
    found[order] = (_FUSION + 1) / (_FUSION + 1 + np.arange(len(order)))
    return found
