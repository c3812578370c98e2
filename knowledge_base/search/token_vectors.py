"""The vectors of tokens, which compare each word of a question with its nearest token of a document.

A vector of a whole text blurs its details. In late interaction (Khattab & Zaharia, SIGIR 2020), the score of
a document is the mean over the tokens of a question of their greatest cosine with a token of the document.
Rare tokens have more weight, as words in BM25. Of each number only the sign is stored, 48 bytes for a token.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from ansatz.knowledge_base.search.minilm import WIDTH, TokenizedText

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Keys = NDArray[np.int64]
    Rows = NDArray[np.intp]

_IDS = 1 << 16  # more than any id of a token


@dataclass(frozen=True)
class TokenSigns:
    """The tokens of one text."""

    ids: NDArray[np.uint16]
    signs: NDArray[np.uint8]
    """A row for each token, whose bits are the signs of the numbers of its vector."""

    @classmethod
    def pack(cls, text: TokenizedText) -> TokenSigns:
        """Return the signs of a text."""
        return cls(text.ids, np.packbits(text.vectors >= 0, axis=1))


class TokenVectors:
    """The token vectors of texts by key."""

    def __init__(self) -> None:
        self._keys: Keys = np.zeros(0, dtype=np.int64)
        self._counts = np.zeros(0, dtype=np.int64)  # tokens of each text
        self._ids = np.zeros(0, dtype=np.uint16)
        self._signs = np.zeros((0, WIDTH // 8), dtype=np.uint8)
        self._holders: NDArray[np.intp] | None = None  # the number of texts with each token

    def __len__(self) -> int:
        return len(self._keys)

    def add(self, texts: Mapping[int, TokenSigns]) -> None:
        """Append texts with new keys."""
        self._keys = np.append(self._keys, np.fromiter(texts, dtype=np.int64))
        self._counts = np.append(self._counts, [len(each.ids) for each in texts.values()]).astype(np.int64)
        self._ids = np.concatenate([self._ids, *(each.ids for each in texts.values())])
        self._signs = np.concatenate([self._signs, *(each.signs for each in texts.values())])
        self._holders = None

    def remove(self, keys: Keys) -> None:
        """Remove texts; unknown keys are ignored."""
        stays = ~np.isin(self._keys, keys)
        tokens = np.repeat(stays, self._counts)
        self._keys, self._counts = self._keys[stays], self._counts[stays]
        self._ids, self._signs = self._ids[tokens], self._signs[tokens]
        self._holders = None

    def rate(self, question: TokenizedText, documents: Sequence[Keys]) -> Floats:
        """Return the late interaction of a question with documents, each given by the keys of its texts."""
        scores = np.zeros(len(documents))
        if not len(question.ids):
            return scores
        chosen = self._find_tokens(documents)
        vectors = question.vectors / np.linalg.norm(question.vectors, axis=1, keepdims=True)
        bits = np.unpackbits(self._signs[np.concatenate(chosen)], axis=1).astype(np.float32)
        cosines = (2 * (bits @ vectors.T) - vectors.sum(axis=1)) / np.sqrt(WIDTH)
        weights = self._weigh(question.ids)
        ends = np.cumsum([len(each) for each in chosen]).tolist()
        for row, (start, end) in enumerate(pairwise([0, *ends])):
            if end > start:
                scores[row] = np.average(cosines[start:end].max(axis=0), weights=weights)
        return scores

    def _find_tokens(self, documents: Sequence[Keys]) -> list[Rows]:
        """Return the rows of the tokens of each document."""
        order = np.argsort(self._keys)
        ends = np.cumsum(self._counts)
        starts = ends - self._counts
        found: list[Rows] = []
        for keys in documents:
            texts = order[np.searchsorted(self._keys, keys, sorter=order)].tolist()
            rows = [np.arange(starts[text], ends[text]) for text in texts]
            found.append(np.concatenate(rows) if rows else np.zeros(0, dtype=np.intp))
        return found

    def to_arrays(self) -> dict[str, Any]:
        """Return everything as arrays, to be stored."""
        return {
            "token_keys": self._keys,
            "token_counts": self._counts,
            "token_ids": self._ids,
            "token_signs": self._signs,
        }

    @classmethod
    def load(cls, arrays: dict[str, Any]) -> TokenVectors:
        """Return what `to_arrays` stored, and remove it from the arrays."""
        loaded = cls()
        loaded._keys, loaded._counts = arrays.pop("token_keys"), arrays.pop("token_counts")
        loaded._ids, loaded._signs = arrays.pop("token_ids"), arrays.pop("token_signs")
        return loaded

    def _weigh(self, ids: NDArray[np.uint16]) -> Floats:
        """Return the weights of tokens: their inverse document frequency, which is never negative."""
        if self._holders is None:
            texts = np.repeat(np.arange(len(self)), self._counts)
            pairs = np.unique(texts * _IDS + self._ids)
            self._holders = np.bincount(pairs % _IDS, minlength=_IDS)
        holders = self._holders[ids]
        weights: Floats = np.log1p((len(self) - holders + 0.5) / (holders + 0.5))
        return weights
