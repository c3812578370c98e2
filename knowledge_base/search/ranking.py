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
from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib.metadata import entry_points, version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

from ansatz.errors import SettingError
from ansatz.knowledge_base.equation import entry_cache as cache
from ansatz.knowledge_base.regime.stated_quantities import remove_givens
from ansatz.knowledge_base.search import tokenizing, word_index
from ansatz.knowledge_base.search.embedding import (
    encode_entries,
    list_base_parts,
    load_base_vectors,
)
from ansatz.knowledge_base.search.encoders import (
    DEFAULT,
    OnProgress,
    encode_question,
    encode_unit,
    find_encoder,
)
from ansatz.knowledge_base.search.index import standardize
from ansatz.knowledge_base.search.minilm import find_weights_folder
from ansatz.knowledge_base.search.subjects import load_other_subjects
from ansatz.knowledge_base.search.tokenizing import (
    list_entry_phrases,
    weigh_question_terms,
)
from ansatz.knowledge_base.search.vector_index import VectorIndex
from ansatz.knowledge_base.search.word_index import WordIndex
from ansatz.quantities.did_you_mean import nearest

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ansatz.knowledge_base.equation.library import Library

GROUP = "ansatz.rankers"
_WORDS = 0.4  # weight of words; the rest is that of meaning


@runtime_checkable
class Ranker(Protocol):
    """Scores the entries of the base for which it was created."""

    def scores(self, question: str) -> NDArray[np.float64]:
        """Return a score for each entry in the order of the library; -inf excludes an entry."""
        ...


RankerFactory = Callable[..., Ranker]


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


def check_ranker(ranker: str | RankerFactory, encoder: str = DEFAULT) -> None:
    """Check that a ranker can be created.

    Raises:
        SettingError: There is no such ranker, or it has no encoder and one is named.
        WeightsError: The ranker needs the sentence model, which is not installed.
    """
    factory = find_ranker(ranker) if isinstance(ranker, str) else ranker
    if encoder != DEFAULT and not getattr(factory, "reads_meaning", False):
        raise SettingError(f"encoder {encoder!r} has no effect: ranker {ranker} does not read meaning")
    if encoder == DEFAULT and getattr(factory, "reads_meaning", False):
        find_weights_folder()


def make_ranker(factory: RankerFactory, library: Library, encoder: str = DEFAULT) -> Ranker:
    """Create a ranker for a base, with another encoder if it is one of those that read meaning."""
    check_ranker(factory, encoder)
    return factory(library) if encoder == DEFAULT else factory(library, encoder=encoder)


class BM25:
    """BM25 over the terms of each entry, by rank-bm25; the terms of a question are weighted."""

    def __init__(self, library: Library):
        digest = ""
        if library.digest:  # stemming the shipped base takes longer than a search
            code = [Path(str(module.__file__)).read_bytes() for module in (tokenizing, word_index)]
            digest = cache.make_key(library.digest, version("snowballstemmer"), *code)
        self._index = WordIndex.from_arrays(
            cache.load_or_make(digest, "words", lambda: _count_words(library))
        )

    def scores(self, question: str) -> NDArray[np.float64]:
        return self.scores_of_terms(weigh_question_terms(question))

    def scores_of_terms(self, weights: Mapping[str, float]) -> NDArray[np.float64]:
        """Return a score for each entry for terms with weights."""
        return self._index.scores(weights)

    def __contains__(self, term: str) -> bool:
        return term in self._index

    def rarity(self, term: str) -> float:
        """Return the inverse document frequency of a term."""
        return self._index.rarity(term)


def _count_words(library: Library) -> dict[str, list[Any]]:
    """Count the words of a base, as plain lists."""
    index = WordIndex()
    index.add(map(tokenizing.list_entry_terms, library))
    return {name: np.asarray(values).tolist() for name, values in index.to_arrays().items()}


@lru_cache(maxsize=4)
def load_word_index(library: Library) -> BM25:
    """Return the shared word index of a library."""
    return BM25(library)


class Dense:
    """Inner products of the vectors of the question and the entries, by FAISS."""

    reads_meaning = True

    def __init__(self, library: Library, encoder: str = DEFAULT):
        self._encoder = find_encoder(encoder)
        self._index = _index_rows(_load_rows(library, encoder)[: len(library)])

    def scores(self, question: str) -> NDArray[np.float64]:
        return _compare_rows(self._index, encode_unit(self._encoder, [remove_givens(question)])[0])


class PhraseIndex:
    """The sum of the similarity to an entry as a whole (`Dense`) and to its most similar phrase.

    A phrase is one way to ask for an entry, so one similar phrase is enough. Inner products are linear, so
    the vector of a phrase is the sum of its own and that of its entry.
    """

    def __init__(self, library: Library, encoder: str = DEFAULT):
        self._encoder = find_encoder(encoder)
        counts = [len(list_entry_phrases(equation)) for equation in library]
        vectors = _load_rows(library, encoder)
        entries, phrases = vectors[: len(counts)], vectors[len(counts) :]
        others = load_other_subjects(phrases, library.digest) if encoder == DEFAULT else entries[:0]
        rows = np.repeat(entries, counts, axis=0)
        rows += phrases
        self._index = _index_rows(np.concatenate([rows, entries, others]))  # one comparison for all
        self._counts, self._first = counts, np.cumsum([0, *counts])[:-1]
        self._ends = len(phrases), len(phrases) + len(entries)
        self._latest: tuple[str, NDArray[np.float64]] = ("", np.zeros(0))

    def scores(self, question: str) -> NDArray[np.float64]:
        rows, _, _ = self._compare(question)
        return np.maximum.reduceat(rows, self._first) if len(rows) else rows

    def measure_lead(self, question: str) -> float:
        """Return how much nearer a question is to a phrase than to a subject outside the base, -2 to 2.

        Subjects have vectors of the default encoder only; with another one, the lead is over none.
        """
        rows, entries, others = self._compare(question)
        phrases = rows - np.repeat(entries, self._counts)
        return float(phrases.max(initial=-1.0) - others.max(initial=-1.0))

    def _compare(self, question: str) -> list[NDArray[np.float64]]:
        """Return the similarities to the rows, the entries, and the subjects outside the base.

        One search needs them twice, and they need all vectors.
        """
        latest, found = self._latest
        if latest != question or not question:
            found = _compare_rows(self._index, encode_question(self._encoder, question))
            self._latest = question, found
        return np.split(found, self._ends)


def encode_base(library: Library, encoder: str, on_progress: OnProgress | None = None) -> None:
    """Encode a base once, with progress; rankers with this encoder then read the stored vectors."""
    if encoder != DEFAULT:
        encode_entries(list_base_parts(library), find_encoder(encoder), on_progress)


def _load_rows(library: Library, encoder: str) -> NDArray[np.float32]:
    if encoder == DEFAULT:
        return load_base_vectors(library)
    return encode_entries(list_base_parts(library), find_encoder(encoder))


def _index_rows(vectors: NDArray[np.float32]) -> VectorIndex:
    """Return an exact index whose keys are the rows."""
    index = VectorIndex(vectors.shape[1], exact=True)
    index.add(np.arange(len(vectors)), vectors)
    return index


def _compare_rows(index: VectorIndex, vector: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return the similarity to each row."""
    rows, similarities = index.compare_all(vector)
    found = np.zeros(len(index))
    found[rows] = similarities
    return found


@lru_cache(maxsize=4)
def load_phrase_index(library: Library, encoder: str) -> PhraseIndex:
    """Return the shared index by meaning of a library."""
    return PhraseIndex(library, encoder)


class Hybrid:
    """The weighted mean of standardized scores by words and by meaning."""

    reads_meaning = True

    def __init__(self, library: Library, encoder: str = DEFAULT):
        self._words, self._meaning = load_word_index(library), load_phrase_index(library, encoder)

    def scores(self, question: str) -> NDArray[np.float64]:
        words, meaning = (
            standardize(self._words.scores(question)),
            standardize(self._meaning.scores(question)),
        )
        return _WORDS * words + (1 - _WORDS) * meaning
