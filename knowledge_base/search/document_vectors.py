"""The vectors of documents: one of each whole text, and one of each of its parts.

A vector of a long text blurs its details, and one of a sentence lacks the subject. A document is therefore as
near to a question as the mean of its whole text and its nearest part. The vector of a part is moved towards
that of its context, such as the headings above it.

Every vector has the hash of its text as its key. Equal texts share one vector, and a document that is renamed
or moved is not encoded again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ansatz.knowledge_base.search.minilm import TokenizedText
from ansatz.knowledge_base.search.token_vectors import TokenSigns, TokenVectors
from ansatz.knowledge_base.search.vector_index import VectorIndex

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.floating[Any]]
    Vectors = NDArray[np.float32]
    Keys = NDArray[np.int64]
    Rows = NDArray[np.intp]

OnTokens = Callable[[str, TokenizedText], None]
EncodeTexts = Callable[[Sequence[str], OnTokens], "Vectors"]
"""Returns the vectors of texts, and calls a function with the tokens of each text if it has them."""
_CONTEXT = np.float32(0.3)  # weight of the context's vector in that of a part


@dataclass(frozen=True)
class EncodedTexts:
    """The texts of a document that have vectors."""

    whole: str
    parts: Sequence[str] = ()
    """Without any, the whole text is the only part."""
    context: str = ""
    """What the parts have in common, such as headings; it is encoded once."""

    @property
    def key(self) -> int:
        """The key of the whole text."""
        return _hash_text(self.whole)

    @property
    def all_keys(self) -> tuple[int, ...]:
        """The keys of the whole text and of its parts."""
        return self.key, *self.part_keys

    @property
    def part_keys(self) -> list[int]:
        """The keys of the parts in their context."""
        return [_hash_text(f"{self.context}\0{part}") for part in self.parts]


@dataclass(frozen=True)
class DocumentNearness:
    """The cosines of a question and of documents."""

    rows: Rows
    """The documents that were compared."""
    mean: Floats
    """The mean of the cosine of the whole text and of the greatest one of a part."""
    sample: Floats
    """Cosines of a sample of the index, or the means of all documents."""


@dataclass(frozen=True)
class EncodedKeys:
    """What an encoder returned, by key."""

    vectors: Mapping[int, Vectors]
    tokens: Mapping[int, TokenSigns]
    """Of the parts, if the encoder returns vectors of tokens."""


class DocumentVectors:
    """The vectors of documents by row. Rows are documents in the order of addition."""

    def __init__(self) -> None:
        self.keys: Keys = np.zeros(0, dtype=np.int64)
        """The key of the whole text of each row."""
        self._part_keys: Keys = np.zeros(0, dtype=np.int64)
        self._counts = np.zeros(0, dtype=np.int64)  # parts of each row
        self._vectors: VectorIndex | None = None
        self._tokens = TokenVectors()
        self._places: tuple[Keys, Rows] | None = None  # all keys in order, and the row of each

    def encode(self, texts: Sequence[EncodedTexts], encode: EncodeTexts) -> EncodedKeys:
        """Return the vectors that are not stored yet; each text is encoded once."""
        known = {*self.keys.tolist(), *self._part_keys.tolist()}
        missing: dict[int, tuple[str, str]] = {}
        parts: dict[int, str] = {}
        for each in texts:
            missing[each.key] = each.whole, ""
            parts |= dict(zip(each.part_keys, each.parts, strict=True))
            missing |= {
                key: (part, each.context) for key, part in zip(each.part_keys, each.parts, strict=True)
            }
        missing = {key: pair for key, pair in missing.items() if key not in known}
        pairs = ((text, context) if context else (text,) for text, context in missing.values())
        distinct = list(dict.fromkeys(chain.from_iterable(pairs)))
        tokens: dict[str, TokenSigns] = {}
        wanted = set(parts.values())

        def on_tokens(text: str, tokenized: TokenizedText) -> None:
            if text in wanted:
                tokens[text] = TokenSigns.pack(tokenized)

        rows = dict(zip(distinct, encode(distinct, on_tokens), strict=True)) if distinct else {}
        return EncodedKeys(
            {key: _add_context(rows[text], rows.get(context)) for key, (text, context) in missing.items()},
            {key: tokens[part] for key, part in parts.items() if key in missing and part in tokens},
        )

    def add(self, texts: Sequence[EncodedTexts], encoded: EncodedKeys) -> None:
        """Append rows, and store the vectors that `encode` returned for them."""
        part_keys = [each.part_keys for each in texts]
        self.keys = np.append(self.keys, np.array([each.key for each in texts], dtype=np.int64))
        self._counts = np.append(self._counts, np.array(list(map(len, part_keys)), dtype=np.int64))
        self._part_keys = np.append(self._part_keys, np.array(list(chain(*part_keys)), dtype=np.int64))
        self._places = None
        self._tokens.add(encoded.tokens)
        if encoded.vectors:
            vectors = np.stack(list(encoded.vectors.values()))
            self._vectors = self._vectors or VectorIndex(vectors.shape[1])
            self._vectors.add(np.fromiter(encoded.vectors, dtype=np.int64), vectors)

    def keep(self, rows: NDArray[np.bool_]) -> None:
        """Remove all rows but those that a mask selects; `drop_unused` then removes their vectors."""
        self._part_keys = self._part_keys[np.repeat(rows, self._counts)]
        self.keys, self._counts = self.keys[rows], self._counts[rows]
        self._places = None

    def drop_unused(self, before: Keys) -> None:
        """Remove the vectors of these keys that no row has any more."""
        if self._vectors is not None:
            unused = np.setdiff1d(before, self.all_keys)
            self._vectors.remove(unused)
            self._tokens.remove(unused)

    @property
    def all_keys(self) -> Keys:
        """The keys of all whole texts and parts."""
        return np.concatenate([self.keys, self._part_keys])

    def list_keys(self) -> list[tuple[int, ...]]:
        """Return the keys of the whole text and of the parts of each row."""
        ends, parts = np.cumsum(self._counts).tolist(), self._part_keys.tolist()
        rows = zip(self.keys.tolist(), [0, *ends], ends, strict=False)
        return [(key, *parts[start:end]) for key, start, end in rows]

    def compare(self, vector: Vectors, find_best: Callable[[int], Rows], most: int) -> DocumentNearness:
        """Compare a question with all documents, or with the best ones of a large index.

        Parameters:
            vector: That of the question.
            find_best: Returns the best rows by words, at most the given number.
            most: The number of rows by words, and of vectors, that are compared if not all are.
        """
        assert self._vectors is not None
        if self._vectors.is_exact:
            rows = np.arange(len(self.keys))
            keys, near = self._vectors.compare_all(vector)
        else:
            nearest, _ = self._vectors.search(vector, most)
            rows = np.union1d(self._find_rows(nearest), find_best(most))
            keys = np.unique(np.concatenate([self.keys[rows], self._list_part_keys(rows)]))
            near = self._vectors.compare(vector, keys)
        order = np.argsort(keys)
        keys, near = keys[order], near[order].astype(float)
        whole = near[np.searchsorted(keys, self.keys[rows])]
        parts = near[np.searchsorted(keys, self._list_part_keys(rows))]
        counts = self._counts[rows]
        has_parts, best = counts > 0, whole.copy()
        if has_parts.any():
            best[has_parts] = np.maximum.reduceat(parts, (np.cumsum(counts) - counts)[has_parts])
        mean = (whole + best) / 2
        sample = mean if self._vectors.is_exact else self._vectors.compare_sample(vector)
        return DocumentNearness(rows, mean, sample)

    def rate_tokens(self, question: TokenizedText, rows: Rows) -> NDArray[np.float64]:
        """Return the late interaction of a question with the parts of rows; see `TokenVectors`."""
        starts = np.cumsum(self._counts) - self._counts
        return self._tokens.rate(
            question, [self._part_keys[starts[row] : starts[row] + self._counts[row]] for row in rows]
        )

    @property
    def has_tokens(self) -> bool:
        """Whether the tokens of the parts have vectors."""
        return len(self._tokens) > 0

    @property
    def has_vectors(self) -> bool:
        """Whether an encoder has encoded anything."""
        return self._vectors is not None

    def to_arrays(self) -> dict[str, Any]:
        """Return the keys as arrays, to be stored."""
        parts = {"part_hashes": self._part_keys, "part_counts": self._counts}
        return {"hashes": self.keys, **parts, **self._tokens.to_arrays()}

    def save_vectors(self, folder: Path) -> None:
        """Write the vectors into a folder."""
        if self._vectors is not None:
            self._vectors.save(folder)

    @classmethod
    def load(cls, arrays: dict[str, Any], folder: Path, has_vectors: bool) -> DocumentVectors:
        """Return the vectors of a folder, and remove the arrays of `to_arrays` from the given ones."""
        loaded = cls()
        loaded.keys, loaded._part_keys = arrays.pop("hashes"), arrays.pop("part_hashes")
        loaded._counts = arrays.pop("part_counts")
        loaded._tokens = TokenVectors.load(arrays)
        if has_vectors:
            loaded._vectors = VectorIndex.load(folder)
        return loaded

    def _list_part_keys(self, rows: Rows) -> Keys:
        """Return the keys of the parts of rows, row by row."""
        if len(rows) == len(self.keys) or not len(self._part_keys):  # rows are unique and in order
            return self._part_keys
        starts = np.cumsum(self._counts) - self._counts
        keys: Keys = self._part_keys[_list_places(starts[rows], self._counts[rows])]
        return keys

    def _find_rows(self, keys: Keys) -> Rows:
        """Return the rows that have these keys; documents with the same text share a key."""
        if self._places is None:
            every = self.all_keys
            order = np.argsort(every, kind="stable")
            rows = np.arange(len(self.keys))
            self._places = every[order], np.concatenate([rows, np.repeat(rows, self._counts)])[order]
        ordered, rows = self._places
        starts = np.searchsorted(ordered, keys)
        counts = np.searchsorted(ordered, keys, side="right") - starts
        return np.unique(rows[_list_places(starts, counts)])


def _list_places(starts: Rows, counts: Rows) -> Rows:
    """Return the places of runs, given where each run starts and how long it is."""
    within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
    places: Rows = np.repeat(starts, counts) + within
    return places


def _add_context(vector: Vectors, context: Vectors | None) -> Vectors:
    """Return the unit vector of a part, moved towards that of its context."""
    if context is None:
        return vector
    moved = vector + _CONTEXT * context
    unit: Vectors = moved / max(np.linalg.norm(moved), np.float32(1e-12))
    return unit


def _hash_text(text: str) -> int:
    """Return 63 bits of the digest of a text."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8]) >> 1
