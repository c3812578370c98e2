"""The vectors of the equation base; those of the default encoder are stored in one file.

python -m ansatz.knowledge_base.search      updates that file
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ansatz.knowledge_base.equation import entry_cache
from ansatz.knowledge_base.equation.library import Library
from ansatz.knowledge_base.search import tokenizing
from ansatz.knowledge_base.search.encoders import Encoder, OnProgress, encode_unit
from ansatz.knowledge_base.search.minilm import WIDTH, embed_texts
from ansatz.knowledge_base.search.tokenizing import list_entry_phrases, weigh_entry_parts

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

FILE = Path(__file__).with_name("vectors.npz")
DIMENSIONS = WIDTH
# Stored numbers are integer multiples of this step. Numbers of a unit vector are about 0.05, so the product
# of two vectors has a standard error of at most 0.003, and a packed number takes less than five bits.
_STEP = 0.01


Parts = Mapping[str, float]
"""The texts of one entry that are embedded, with their weights."""


def load_base_vectors(library: Library) -> Vectors:
    """Return a row for each text of a base, in the order of `list_base_parts`.

    Selecting the rows of the shipped base takes longer than a search, so they are in the user's cache.
    """
    if not library.digest:
        return load_vectors(list_base_parts(library))
    code = [Path(module).read_bytes() for module in (__file__, str(tokenizing.__file__))]
    digest = entry_cache.make_key(library.digest, FILE.read_bytes(), *code)
    steps = entry_cache.load_array(digest, "vectors")
    if steps is None:
        parts = list_base_parts(library)
        steps, is_stored = _select_stored(parts, FILE)
        if not is_stored.all():
            return load_vectors(parts)
        entry_cache.store_array(digest, steps, "vectors")
    found: Vectors = steps * np.float32(_STEP)
    return found


@cache
def load_background() -> Vectors:
    """Return a unit row for each text of the shipped base, by the default encoder."""
    vectors = _read_stored(FILE)[1].astype(np.float32)
    unit: Vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return unit


def load_vectors(entries: Sequence[Parts], file: Path = FILE) -> Vectors:
    """Return a row for each entry, the weighted mean of its texts' vectors; embed those not in `file`."""
    steps, is_stored = _select_stored(entries, file)
    found: Vectors = steps * np.float32(_STEP)
    if missing := np.flatnonzero(~is_stored).tolist():
        texts = list(dict.fromkeys(text for place in missing for text in entries[place]))
        found[missing] = _average(
            [entries[place] for place in missing], dict(zip(texts, embed_texts(texts), strict=True))
        )
    return found


def encode_entries(
    entries: Sequence[Parts], encoder: Encoder, on_progress: OnProgress | None = None
) -> Vectors:
    """Return a row for each entry by another encoder, from the user's cache if it is there.

    The name of a cache file is the digest of all texts and of the vector of one of them. A changed model
    therefore encodes again.
    """
    texts = list(dict.fromkeys(text for parts in entries for text in parts))
    probe = encode_unit(encoder, texts[:1])
    digest = hashlib.sha256(np.round(probe, 4).tobytes() + "\0".join(texts).encode()).hexdigest()
    vectors = entry_cache.load_array(digest, "encoded")
    if vectors is None:
        vectors = encode_unit(encoder, texts, on_progress)
        entry_cache.store_array(digest, vectors, "encoded")
    return _average(entries, dict(zip(texts, vectors, strict=True)))


def _average(entries: Sequence[Parts], vectors: Mapping[str, Vectors]) -> Vectors:
    """Return the weighted mean of the vectors of each entry's texts."""
    return np.array(
        [
            sum(weight * vectors[text] for text, weight in parts.items()) / sum(parts.values())
            for parts in entries
        ],
        dtype=np.float32,
    )


def store_vectors(entries: Sequence[Parts], file: Path = FILE) -> int:
    """Store the vectors of exactly these entries, rounded and packed; return how many were added.

    Existing vectors are reused, and a file that is up to date is not written.
    """
    distinct = {_make_key(parts): parts for parts in entries}
    known = _read_stored(file)[0].keys()
    if distinct.keys() != known:
        rounded = np.rint(load_vectors(list(distinct.values()), file) / _STEP).astype(np.int8)
        np.savez_compressed(file, keys=np.array(list(distinct), dtype=np.uint64), vectors=rounded)
    return len(distinct.keys() - known)


def list_base_parts(library: Library) -> list[Parts]:
    """Return the texts of a base that are embedded: of its entries, then of their phrases."""
    phrases: list[Parts] = [{phrase: 1.0} for equation in library for phrase in list_entry_phrases(equation)]
    return [*map(weigh_entry_parts, library), *phrases]


def _make_key(parts: Parts) -> int:
    """Return 64 bits of the digest of an entry's texts and weights."""
    written = "\n".join(f"{weight:g} {text}" for text, weight in parts.items())
    return int.from_bytes(hashlib.sha256(written.encode()).digest()[:8])


def _select_stored(entries: Sequence[Parts], file: Path) -> tuple[NDArray[np.int8], NDArray[np.bool_]]:
    """Return the vectors of entries in multiples of a step, and whether each is in the file."""
    known, stored = _read_stored(file)
    rows = np.array([known.get(_make_key(parts), -1) for parts in entries], dtype=np.intp)
    steps = np.zeros((len(rows), DIMENSIONS), dtype=np.int8)
    steps[rows >= 0] = stored[rows[rows >= 0]]
    return steps, rows >= 0


def _read_stored(file: Path) -> tuple[dict[int, int], NDArray[np.int8]]:
    """Return the row of each key in a file, and the vectors in multiples of a step."""
    if not file.exists():
        return {}, np.empty((0, DIMENSIONS), dtype=np.int8)
    with np.load(file) as stored:
        return {key: row for row, key in enumerate(stored["keys"].tolist())}, stored["vectors"]
