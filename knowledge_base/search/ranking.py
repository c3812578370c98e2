"""Rankers score the entries of a base for a question: by words, by sentence vectors, or by both.

A package registers a ranker under the entry point group `ansatz.rankers`; a script names it as
"package.module:object". A ranker is created by a callable that takes a Library and returns an object with
`scores`, such as

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
# k1 and b of Okapi BM25 (Robertson & Zaragoza, Foundations and Trends in Information Retrieval 3, 2009, who
# recommend 1.2 to 2 and 0.5 to 0.8).
_SATURATION, _LENGTH = 1.2, 0.6
_WORDS = 0.4  # weight of words; the rest is that of meaning


@runtime_checkable
class Ranker(Protocol):
    """Scores the entries of the base for which it was created."""

    def scores(self, question: str) -> NDArray[np.float64]:
        """Return a score for each entry in the order of the library; -inf excludes an entry."""
        ...


RankerFactory = Callable[["Library"], Ranker]


def list_rankers() -> list[str]:
    """Return the names of the installed rankers."""
    return sorted(entry_points(group=GROUP).names)


def find_ranker(name: str) -> RankerFactory:
    """Return the factory of the ranker `name`, or of that at "package.module:object". Raises SettingError."""
    module, _, attribute = name.partition(":")
    found = entry_points(group=GROUP)
    try:
        factory: RankerFactory = (
            getattr(importlib.import_module(module), attribute) if attribute else found[name].load()
        )
    except (ImportError, AttributeError) as error:
        raise SettingError(f"there is no ranker {name}: {error}") from error
    except KeyError:
        raise SettingError(f"there is no ranker {name!r}{nearest(name, list_rankers())}") from None
    return factory


def check_ranker(ranker: str | RankerFactory) -> None:
    """Check that a ranker can be created.

    Raises:
        SettingError: There is no such ranker.
        WeightsError: The ranker needs the sentence model, which is not installed.
    """
    factory = find_ranker(ranker) if isinstance(ranker, str) else ranker
    if getattr(factory, "reads_meaning", False):
        find_weights_folder()


class BM25:
    """BM25 over the terms of each entry; the terms of a question are weighted."""

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
        """Return the inverse document frequency of a term."""
        span = self._spans.get(term, slice(0, 0))
        return float(self._rarity(np.asarray(span.stop - span.start)))

    def _rarity(self, holders: NDArray[np.int_]) -> NDArray[np.float64]:
        worth: NDArray[np.float64] = np.log(1 + (self._count - holders + 0.5) / (holders + 0.5))
        return worth


def _count_words(library: Library) -> dict[str, list[Any]]:
    """Count the words of a base, as plain lists.

    For each of the `terms`, `holders` is the number of entries with it. `places` and `counts` list these
    entries and the occurrences in them, term by term. `lengths` are the numbers of terms of each entry.
    """
    lengths: list[int] = []
    counted: dict[str, dict[int, int]] = defaultdict(dict)
    for place, terms in enumerate(map(tokenizing.list_entry_terms, library)):
        lengths.append(len(terms))
        for term, count in Counter(terms).items():
            counted[term][place] = count
    return {
        "lengths": lengths,
        "terms": list(counted),
        "holders": [len(by_place) for by_place in counted.values()],
        "places": [place for by_place in counted.values() for place in by_place],
        "counts": [count for by_place in counted.values() for count in by_place.values()],
    }


@lru_cache(maxsize=4)
def load_word_index(library: Library) -> BM25:
    """Return the shared word index of a library."""
    return BM25(library)


class Dense:
    """Inner products of the sentence vectors of the question and the entries."""

    reads_meaning = True

    def __init__(self, library: Library):
        self._vectors = load_vectors([weigh_entry_parts(equation) for equation in library])

    def scores(self, question: str) -> NDArray[np.float64]:
        return (self._vectors @ embed_question(remove_givens(question))).astype(float)


class PhraseIndex:
    """The sum of the similarity to an entry as a whole (`Dense`) and to its most similar phrase.

    A phrase is one way to ask for an entry, so one similar phrase is enough. Inner products are linear, so
    the vector of a phrase is the sum of its own and that of its entry.
    """

    def __init__(self, library: Library):
        counts = [len(list_entry_phrases(equation)) for equation in library]
        vectors = load_vectors(list_base_parts(library))
        self._vectors = np.repeat(vectors[: len(counts)], counts, axis=0) + vectors[len(counts) :]
        self._first = np.cumsum([0, *counts])[:-1]

    def scores(self, question: str) -> NDArray[np.float64]:
        scores = self._vectors @ embed_with_emphasis(question)
        return np.maximum.reduceat(scores, self._first).astype(float) if len(scores) else scores.astype(float)


class Hybrid:
    """The weighted mean of standardized scores by words and by meaning."""

    reads_meaning = True

    def __init__(self, library: Library):
        self._words, self._meaning = load_word_index(library), PhraseIndex(library)

    def scores(self, question: str) -> NDArray[np.float64]:
        words, meaning = (
            standardize(self._words.scores(question)),
            standardize(self._meaning.scores(question)),
        )
        return _WORDS * words + (1 - _WORDS) * meaning


def standardize(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Subtract the mean and divide by the standard deviation; excluded entries stay excluded."""
    known = np.isfinite(scores)
    if not known.any():
        return scores
    spread = scores[known].std()
    return np.where(known, (scores - scores[known].mean()) / (spread or 1.0), scores)
