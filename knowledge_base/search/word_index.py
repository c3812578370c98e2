"""Rank documents by words with rank-bm25, from a sparse matrix of counts.

`BM25Okapi` loops over every document for every term of a question. Here it defines the statistics and the
formula, and is evaluated once for each distinct pair of a count and a length. The scores of all terms in all
documents are then one sparse matrix, and a question takes the weighted sum of a few of its columns.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from itertools import chain, islice
from threading import Lock
from typing import TYPE_CHECKING, Any

import numpy as np
from rank_bm25 import BM25Okapi
from scipy import sparse

if TYPE_CHECKING:
    from numpy.typing import NDArray

# k1 and b of Okapi BM25 (Robertson & Zaragoza, Foundations and Trends in Information Retrieval 3, 2009, who
# recommend 1.2 to 2 and 0.5 to 0.8).
SATURATION, LENGTH = 1.2, 0.6
_BLOCK = 10_000  # documents that are counted at once
_PART = 1 << 22  # numbers that are scored at once
_MOST = np.iinfo(np.uint16).max  # more occurrences in one document count as this many


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
        self._counts = sparse.csc_array((0, 0), dtype=np.uint16)
        self._lengths = np.zeros(0, dtype=np.int32)
        self._scored: tuple[Any, _Okapi] | None = None
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._lengths)

    def __contains__(self, term: str) -> bool:
        return self._count_holders(term) > 0

    def add(self, documents: Iterable[Sequence[str]]) -> None:
        """Append documents, each as the list of its terms; existing ones are not counted again."""
        columns = defaultdict(None, self._columns)
        columns.default_factory = columns.__len__
        blocks = list(_count_blocks(iter(documents), columns))
        self._columns = dict(columns)
        self._counts.resize(len(self), len(columns))
        for block, _ in blocks:
            block.resize(block.shape[0], len(columns))
        self._counts = sparse.vstack([self._counts, *(block.tocsc() for block, _ in blocks)], format="csc")
        self._lengths = np.concatenate([self._lengths, *(lengths for _, lengths in blocks)])
        self._scored = None

    def keep(self, rows: NDArray[np.bool_]) -> None:
        """Remove all rows but those that a mask selects; the others keep their order."""
        self._counts = self._counts[np.flatnonzero(rows)]
        self._lengths = self._lengths[rows]
        self._scored = None

    def scores(self, weights: Mapping[str, float]) -> NDArray[np.float64]:
        """Return the score of each document for weighted terms; 0 for a document without any of them."""
        known = {self._columns[term]: weight for term, weight in weights.items() if term in self}
        if not known:
            return np.zeros(len(self))
        matrix, _ = self._score()
        found: NDArray[np.float64] = matrix[:, list(known)] @ np.array(list(known.values()))
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
            "counts": counts.data,
            "rows": counts.indices,
            "starts": counts.indptr,
        }

    @classmethod
    def from_arrays(cls, stored: Mapping[str, Any]) -> WordIndex:
        """Return the index with the arrays of `to_arrays`; they may be plain lists."""
        index = cls()
        index._columns = {term: column for column, term in enumerate(stored["terms"])}
        index._lengths = np.asarray(stored["lengths"], dtype=np.int32)
        parts = np.asarray(stored["counts"], dtype=np.uint16), stored["rows"], stored["starts"]
        shape = len(index._lengths), len(index._columns)
        index._counts = sparse.csc_array(parts, shape=shape)
        return index

    def _count_holders(self, term: str) -> int:
        """Return the number of documents with a term."""
        column = self._columns.get(term)
        return 0 if column is None else int(np.diff(self._counts.indptr[column : column + 2])[0])

    def _score(self) -> tuple[Any, _Okapi]:
        """Return the scores of all terms in all documents, and the statistics, for the present documents."""
        with self._lock:
            if self._scored is None:
                okapi = _Okapi((self._counts, self._lengths), k1=SATURATION, b=LENGTH)
                data = _score_counts(self._counts, self._lengths, okapi)
                parts = data, self._counts.indices, self._counts.indptr
                self._scored = sparse.csc_array(parts, shape=self._counts.shape), okapi
            return self._scored


class _Okapi(BM25Okapi):  # type: ignore[misc]  # the library has no types
    """`BM25Okapi` with the statistics of a matrix of counts, the same that it counts in lists of terms."""

    def _initialize(self, corpus: Any) -> dict[int, int]:
        counts, lengths = corpus
        self.corpus_size = len(lengths)
        self.avgdl = float(lengths.mean())
        holders = np.diff(counts.indptr)
        return {column: int(holders[column]) for column in np.flatnonzero(holders).tolist()}

    def rate_count(self, count: int, lengths: Sequence[int]) -> NDArray[np.float64]:
        """Return the scores of documents of these lengths with `count` times a term of rarity 1."""
        small = copy(self)
        small.corpus_size, small.doc_len = len(lengths), lengths
        small.doc_freqs, small.idf = [{"": count}] * len(lengths), {"": 1.0}
        rated: NDArray[np.float64] = small.get_scores([""])
        return rated


def _score_counts(counts: Any, lengths: NDArray[np.int32], okapi: _Okapi) -> NDArray[np.float32]:
    """Return the score of each stored count, in the order of the matrix."""
    distinct, place = np.unique(lengths, return_inverse=True)
    present = np.flatnonzero(np.bincount(counts.data))
    table = np.zeros((int(present[-1]) + 1 if len(present) else 1, len(distinct)), dtype=np.float32)
    for count in present.tolist():
        table[count] = okapi.rate_count(count, distinct.tolist())
    holders = np.diff(counts.indptr)
    rarity = np.zeros(len(holders), dtype=np.float32)
    rarity[list(okapi.idf)] = list(okapi.idf.values())
    scores = np.repeat(rarity, holders)
    for start in range(0, len(scores), _PART):
        part = slice(start, start + _PART)
        scores[part] *= table[counts.data[part], place[counts.indices[part]]]
    return scores


def _count_blocks(
    documents: Iterator[Sequence[str]], columns: Mapping[str, int]
) -> Iterator[tuple[Any, NDArray[np.int32]]]:
    """Yield the matrix of counts and the lengths of successive documents; `columns` numbers new terms."""
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
