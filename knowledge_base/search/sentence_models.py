"""Encoders and rerankers of the library sentence-transformers, which chooses the device."""

from __future__ import annotations

import importlib
import logging
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ansatz.errors import SettingError

if TYPE_CHECKING:
    from numpy.typing import NDArray

LIBRARY = "sentence-transformers"
INSTALL = "pip install 'ansatz-eval[embeddings]'"


class BiEncoder:
    """A model that turns texts into vectors, such as "BAAI/bge-m3" or a folder.

    Models with different prompts for questions and documents get both.
    """

    def __init__(self, model: str):
        self._model = _load_model("SentenceTransformer", model)

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return a row for each document."""
        return np.asarray(self._model.encode_document(list(texts), show_progress_bar=False), dtype=np.float32)

    def encode_query(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return a row for each question."""
        return np.asarray(self._model.encode_query(list(texts), show_progress_bar=False), dtype=np.float32)


class CrossEncoderReranker:
    """A model that reads a question together with a text, such as "cross-encoder/ms-marco-MiniLM-L6-v2"."""

    def __init__(self, model: str):
        self._model = _load_model("CrossEncoder", model)

    def rate(self, question: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return a score for each text; a greater one answers the question better."""
        pairs = [(question, text) for text in texts]
        return np.asarray(self._model.predict(pairs, show_progress_bar=False), dtype=np.float32).reshape(
            len(texts), -1
        )[:, 0]


def _load_model(kind: str, model: str) -> Any:
    """Load a model by its name or folder. Raises SettingError."""
    if not model:
        raise SettingError(
            f'"{LIBRARY}:" needs the name of a model or a folder, as in "{LIBRARY}:BAAI/bge-m3"'
        )
    try:
        library = importlib.import_module("sentence_transformers")
    except ImportError as error:
        raise SettingError(f"{LIBRARY}:{model} needs {LIBRARY}: {INSTALL}") from error
    is_path = model.startswith((".", "/", "~"))
    path = Path(model).expanduser()
    if is_path and not path.is_dir():
        raise SettingError(f"{LIBRARY}:{model}: there is no folder {path}")
    # The library for downloads logs each retry; the error below has the cause.
    logging.getLogger("huggingface_hub").setLevel(logging.ERROR)
    try:
        return getattr(library, kind)(str(path) if is_path else model)
    except (OSError, ValueError, RuntimeError, KeyError) as error:
        cause = str(error).strip().partition("\n")[0] or type(error).__name__
        raise SettingError(f"{LIBRARY}:{model} cannot be loaded as a {kind}: {cause}") from error
