"""Rankers: a score for each entry of a base, for a question. By words, by sentence vectors, and both.

A ranker of another package is found under the entry point `ansatz.list_rankers`, one of a script as
"package.module:object"; it is a callable that takes a Library and returns an object with `scores`, such as

    class ByLength:
        def __init__(self, library: Library):
            self._lengths = np.array([-float(len(equation.name)) for equation in library])

        def scores(self, question: str) -> NDArray[np.float64]:
            return self._lengths
"""

from __future__ import annotations

import importlib
from collections import Counter, defaultdict
from collections.abc import Callable
from functools import lru_cache
from importlib.metadata import entry_points, version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

from ansatz.errors import SettingError
from ansatz.knowledge_base.equation import entry_cache as cache
from ansatz.knowledge_base.regime.stated_quantities import remove_givens
from ansatz.knowledge_base.search import tokenizing
from ansatz.knowledge_base.search.embedding import (
    embed_question,
    embed_with_emphasis,
    find_weights_folder,
    list_base_parts,
    load_vectors,
)
from ansatz.knowledge_base.search.tokenizing import (
    list_entry_phrases,
    weigh_entry_parts,
    weigh_question_terms,
)
from ansatz.quantities.did_you_mean import nearest

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ansatz.knowledge_base.equation.library import Library

GROUP = "ansatz.rankers"
# Okapi BM25: how soon a repeated term counts no more, and how far a long entry is discounted
# (Robertson & Zaragoza, Foundations and Trends in Information Retrieval 3, 2009: 1.2 to 2 and 0.5 to 0.8).
_SATURATION, _LENGTH = 1.2, 0.6
_WORDS = 0.4  # of the weight of words and meaning together


@runtime_checkable
class Ranker(Protocol):
    """Scores the entries of the base it was built for."""

    def scores(self, question: str) -> NDArray[np.float64]:
        """A score for each entry in the order of the library; higher is nearer, -inf excludes the entry."""
        ...


RankerFactory = Callable[["Library"], Ranker]


def list_rankers() -> list[str]:
    """The names of the installed rankers."""
    return sorted(entry_points(group=GROUP).names)


def find_ranker(name: str) -> RankerFactory:
    """What builds the ranker `name`, or that at "package.module:object", for a library.

    Raises SettingError.
    """
    module, _, attribute = name.partition(":")
    found = entry_points(group=GROUP)
    try:
        factory: RankerFactory = (
            getattr(importlib.import_module(module), attribute) if attribute else found[name].load()
        )
    except (ImportError, AttributeError) as problem:
        raise SettingError(f"there is no ranker {name}: {problem}") from problem
    except KeyError:
        raise SettingError(f"there is no ranker {name!r}{nearest(name, list_rankers())}") from None
    return factory


def check_ranker(ranker: str | RankerFactory) -> None:
    """Raise SettingError, or WeightsError where a ranker reads meaning and the sentence model is missing."""
    factory = find_ranker(ranker) if isinstance(ranker, str) else ranker
    if getattr(factory, "reads_meaning", False):
        find_weights_folder()


class BM25:
    """BM25 over the terms of each entry: for each term the entries that have it, and what it is worth there.

    Each term of a question has a weight of its own.
    """

    def __init__(self, library: Library):
        digest = ""
        if library.digest:  # stemming the shipped base takes longer than a search
            code = [Path(file).read_bytes() for file in (__file__, tokenizing.__file__)]
            digest = cache.make_key(library.digest, version("snowballstemmer"), *code)
        found = cache.load_or_make(digest, "words", lambda: _count_words(library))
        self._count = len(library)
        lengths, holders = np.array(found["lengths"], dtype=float), np.array(found["holders"], dtype=int)
        relative = lengths / max(lengths.mean(), 1.0) if len(lengths) else lengths
        damping = _SATURATION * (1 - _LENGTH + _LENGTH * relative)
        self._places = np.array(found["places"], dtype=np.intp)
        counts = np.array(found["counts"], dtype=float)
        rarity = np.repeat(self._rarity(holders), holders)
        self._worth = rarity * counts * (_SATURATION + 1) / (counts + damping[self._places])
        ends = holders.cumsum().tolist()
        self._spans = dict(zip(found["terms"], map(slice, [0, *ends], ends), strict=True))

    def scores(self, question: str) -> NDArray[np.float64]:
        found = np.zeros(self._count)
        for term, weight in weigh_question_terms(question).items():
            if span := self._spans.get(term):
                found[self._places[span]] += weight * self._worth[span]
        return found

    def __contains__(self, term: str) -> bool:
        return term in self._spans

    def rarity(self, term: str) -> float:
        """What a term is worth for how few entries have it."""
        span = self._spans.get(term, slice(0, 0))
        return float(self._rarity(np.asarray(span.stop - span.start)))

    def _rarity(self, holders: NDArray[np.int_]) -> NDArray[np.float64]:
        worth: NDArray[np.float64] = np.log(1 + (self._count - holders + 0.5) / (holders + 0.5))
        return worth


def _count_words(library: Library) -> dict[str, list[Any]]:
    """The words of a base as plain lists: `terms`, for each its number of `holders`, and of these, one term
    after the other, their `places` and `counts`; `lengths` by place."""
    lengths: list[int] = []
    counted: dict[str, dict[int, int]] = defaultdict(dict)
    for place, terms in enumerate(map(tokenizing.list_entry_terms, library)):
        lengths.append(len(terms))
        for term, count in Counter(terms).items():
            counted[term][place] = count
    return {
        "lengths": lengths,
        "terms": list(counted),
        "holders": [len(each) for each in counted.values()],
        "places": [place for each in counted.values() for place in each],
        "counts": [count for each in counted.values() for count in each.values()],
    }


@lru_cache(maxsize=4)
def load_word_index(library: Library) -> BM25:
    """The one index of a library's words, for all who rank or judge by them."""
    return BM25(library)


class Dense:
    """Inner products of the question's sentence vector with the entries'."""

    reads_meaning = True

    def __init__(self, library: Library):
        self._vectors = load_vectors([weigh_entry_parts(one) for one in library])

    def scores(self, question: str) -> NDArray[np.float64]:
        return (self._vectors @ embed_question(remove_givens(question))).astype(float)


class PhraseIndex:
    """The nearness of an entry as a whole (`Dense`) and that of its nearest phrase, added up.

    A phrase is one way in which an entry is asked for; unlike the mean of an entry's texts, one phrase that
    fits is enough. Inner products add up as vectors do, so each phrase has one vector: its own and its
    entry's.
    """

    def __init__(self, library: Library):
        counts = [len(list_entry_phrases(equation)) for equation in library]
        vectors = load_vectors(list_base_parts(library))
        self._vectors = np.repeat(vectors[: len(counts)], counts, axis=0) + vectors[len(counts) :]
        self._first = np.cumsum([0, *counts])[:-1]

    def scores(self, question: str) -> NDArray[np.float64]:
        each = self._vectors @ embed_with_emphasis(question)
        return np.maximum.reduceat(each, self._first).astype(float) if len(each) else each.astype(float)


class Hybrid:
    """By words and by meaning: how far an entry stands out by each, in standard deviations."""

    reads_meaning = True

    def __init__(self, library: Library):
        self._words, self._meaning = load_word_index(library), PhraseIndex(library)

    def scores(self, question: str) -> NDArray[np.float64]:
        words, meaning = (standardize(each.scores(question)) for each in (self._words, self._meaning))
        return _WORDS * words + (1 - _WORDS) * meaning


def standardize(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Scores less their mean, in units of their standard deviation; excluded entries stay excluded."""
    known = np.isfinite(scores)
    if not known.any():
        return scores
    spread = scores[known].std()
    return np.where(known, (scores - scores[known].mean()) / (spread or 1.0), scores)
