"""Rank documents by words with rank-bm25, from a sparse matrix of counts.

`BM25Okapi` loops over every document for every term of a question. Here it defines the statistics and the
formula, and is evaluated once for each distinct pair of a count and a length. The scores of all terms in all
documents are then one sparse matrix, and a question takes the weighted sum of a few of its columns. Only a
change of documents imports `scipy.sparse`, because that takes longer than a search.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from itertools import chain, islice
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from rank_bm25 import BM25Okapi

if TYPE_CHECKING:
    from numpy.typing import NDArray

# k1 and b of Okapi BM25 (Robertson & Zaragoza, Foundations and Trends in Information Retrieval 3, 2009, who
# recommend 1.2 to 2 and 0.5 to 0.8).
SATURATION, LENGTH = 1.2, 0.6
_BLOCK = 10_000  # documents that are counted at once
_PART = 1 << 22  # numbers that are scored at once
_MOST = np.iinfo(np.uint16).max  # more occurrences in one document count as this many


class _Counts(NamedTuple):
    """The counts of terms in documents, as compressed sparse columns."""

    values: NDArray[np.uint16]
    rows: NDArray[Any]
    """The document of each count."""
    starts: NDArray[Any]
    """The first count of each term, and the number of all counts."""

    @property
    def holders(self) -> NDArray[Any]:
        """The number of documents with each term."""
        return np.diff(self.starts)


class WordIndex:
    """The counts of terms in documents, and their BM25 scores for weighted terms.

    Rows are documents in the order of addition. The scores are those of `rank_bm25.BM25Okapi`: the weighted
    sum of `get_scores([term])` over the terms of a question.

    >>> index = WordIndex()
    >>> index.add([["heat", "flux"], ["shock", "wave"], ["heat", "transfer"]])
    >>> index.scores({"shock": 1.0}).argmax()
    np.int64(1)
    """

    def __init__(self) -> None:
        self._columns: dict[str, int] = {}
        self._counts = _Counts(np.zeros(0, np.uint16), np.zeros(0, np.int32), np.zeros(1, np.int32))
        self._lengths = np.zeros(0, dtype=np.int32)
        self._scored: tuple[NDArray[np.float32], _Okapi] | None = None
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._lengths)

    def __contains__(self, term: str) -> bool:
        return self._count_holders(term) > 0

    def add(self, documents: Iterable[Sequence[str]]) -> None:
        """Append documents, each as the list of its terms; existing ones are not counted again."""
        from scipy import sparse

        counts = self._to_matrix()
        columns = defaultdict(None, self._columns)
        columns.default_factory = columns.__len__
        blocks = list(_count_blocks(iter(documents), columns))
        self._columns = dict(columns)
        counts.resize(len(self), len(columns))
        for block, _ in blocks:
            block.resize(block.shape[0], len(columns))
        counts = sparse.vstack([counts, *(block.tocsc() for block, _ in blocks)], format="csc")
        self._counts = _Counts(counts.data, counts.indices, counts.indptr)
        self._lengths = np.concatenate([self._lengths, *(lengths for _, lengths in blocks)])
        self._scored = None

    def keep(self, rows: NDArray[np.bool_]) -> None:
        """Remove all rows but those that a mask selects; the others keep their order."""
        counts = self._to_matrix()[np.flatnonzero(rows)]
        self._counts = _Counts(counts.data, counts.indices, counts.indptr)
        self._lengths = self._lengths[rows]
        self._scored = None

    def scores(self, weights: Mapping[str, float]) -> NDArray[np.float64]:
        """Return the score of each document for weighted terms; 0 for a document without any of them."""
        known = {self._columns[term]: weight for term, weight in weights.items() if term in self}
        found = np.zeros(len(self))
        if known:
            scored, _ = self._score()
            for column, weight in known.items():
                part = slice(*self._counts.starts[column : column + 2].tolist())
                found[self._counts.rows[part]] += scored[part].astype(float) * weight
        return found

    def rarity(self, term: str) -> float:
        """Return the inverse document frequency of a term, the greatest possible for an unknown one."""
        if not len(self):
            return 0.0
        if term not in self:
            return float(np.log(len(self) + 0.5) - np.log(0.5))
        return float(self._score()[1].idf[self._columns[term]])

    def to_arrays(self) -> dict[str, Any]:
        """Return everything as arrays and the list of `terms`, to be stored."""
        counts = self._counts
        return {
            "terms": list(self._columns),
            "lengths": self._lengths,
            "counts": counts.values,
            "rows": counts.rows,
            "starts": counts.starts,
        }

    @classmethod
    def from_arrays(cls, stored: Mapping[str, Any]) -> WordIndex:
        """Return the index with the arrays of `to_arrays`; they may be plain lists."""
        index = cls()
        index._columns = {term: column for column, term in enumerate(stored["terms"])}
        index._lengths = np.asarray(stored["lengths"], dtype=np.int32)
        index._counts = _Counts(
            np.asarray(stored["counts"], dtype=np.uint16),
            np.asarray(stored["rows"]),
            np.asarray(stored["starts"]),
        )
        return index

    def _to_matrix(self) -> Any:
        """Return the counts as a matrix of scipy."""
        from scipy import sparse

        values, rows, starts = self._counts
        return sparse.csc_array((values, rows, starts), shape=(len(self), len(self._columns)))

    def _count_holders(self, term: str) -> int:
        """Return the number of documents with a term."""
        column = self._columns.get(term)
        return 0 if column is None else int(self._counts.starts[column + 1] - self._counts.starts[column])

    def _score(self) -> tuple[NDArray[np.float32], _Okapi]:
        """Return the score of each count, and the statistics, for the present documents."""
        with self._lock:
            if self._scored is None:
                okapi = _Okapi((self._counts, self._lengths), k1=SATURATION, b=LENGTH)
                self._scored = _score_counts(self._counts, self._lengths, okapi), okapi
            return self._scored


class _Okapi(BM25Okapi):  # type: ignore[misc]  # the library has no types
    """`BM25Okapi` with the statistics of a matrix of counts, the same that it counts in lists of terms."""

    def _initialize(self, corpus: Any) -> dict[int, int]:
        counts, lengths = corpus
        self.corpus_size = len(lengths)
        self.avgdl = float(lengths.mean())
        holders = counts.holders
        return {column: int(holders[column]) for column in np.flatnonzero(holders).tolist()}

    def rate_count(self, count: int, lengths: Sequence[int]) -> NDArray[np.float64]:
        """Return the scores of documents of these lengths with `count` times a term of rarity 1."""
        small = copy(self)
        small.corpus_size, small.doc_len = len(lengths), lengths
        small.doc_freqs, small.idf = [{"": count}] * len(lengths), {"": 1.0}
        rated: NDArray[np.float64] = small.get_scores([""])
        return rated


def _score_counts(counts: _Counts, lengths: NDArray[np.int32], okapi: _Okapi) -> NDArray[np.float32]:
    """Return the score of each stored count."""
    distinct, place = np.unique(lengths, return_inverse=True)
    present = np.flatnonzero(np.bincount(counts.values))
    table = np.zeros((int(present[-1]) + 1 if len(present) else 1, len(distinct)), dtype=np.float32)
    for count in present.tolist():
        table[count] = okapi.rate_count(count, distinct.tolist())
    rarity = np.zeros(len(counts.holders), dtype=np.float32)
    rarity[list(okapi.idf)] = list(okapi.idf.values())
    scores = np.repeat(rarity, counts.holders)
    for start in range(0, len(scores), _PART):
        part = slice(start, start + _PART)
        scores[part] *= table[counts.values[part], place[counts.rows[part]]]
    return scores


def _count_blocks(
    documents: Iterator[Sequence[str]], columns: Mapping[str, int]
) -> Iterator[tuple[Any, NDArray[np.int32]]]:
    """Yield the matrix of counts and the lengths of successive documents; `columns` numbers new terms."""
    from scipy import sparse

    while block := list(islice(documents, _BLOCK)):
        lengths = np.fromiter(map(len, block), dtype=np.int32, count=len(block))
        found = np.fromiter(map(columns.__getitem__, chain.from_iterable(block)), dtype=np.int32)
        ends = np.concatenate([[0], np.cumsum(lengths)])
        counts = sparse.csr_array(
            (np.ones(len(found), dtype=np.int32), found, ends), shape=(len(block), len(columns))
        )
        counts.sum_duplicates()
        counts.data = np.minimum(counts.data, _MOST).astype(np.uint16)
        yield counts, lengths
