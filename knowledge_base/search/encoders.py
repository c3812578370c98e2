"""Encoders turn texts into vectors, and rerankers compare a question with texts one by one.

Both are chosen by name. "default" is all-MiniLM-L6-v2 without PyTorch. "package.module:object" is your own,
such as

    class LengthEncoder:
        def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
            return np.array([[1, len(text) / 100] for text in texts], dtype=np.float32)

A class is called without arguments.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

from ansatz.errors import SettingError
from ansatz.knowledge_base.regime.stated_quantities import remove_givens
from ansatz.knowledge_base.search.tokenizing import ASKED, find_asking_sentence

if TYPE_CHECKING:
    from numpy.typing import NDArray

DEFAULT = "default"
LIBRARY = "sentence-transformers"
_BATCH = 64  # texts between two reports of progress
OnProgress = Callable[[str, int, int], None]
"""Called with the name of the work, the number of items done, and the number of all items."""


@runtime_checkable
class Encoder(Protocol):
    """Turns texts into vectors."""

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return a row for each text; rows of similar texts have a large inner product."""
        ...


@runtime_checkable
class Reranker(Protocol):
    """Compares a question with texts one by one."""

    def rate(self, question: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return a score for each text; a greater one answers the question better."""
        ...


class DefaultEncoder:
    """all-MiniLM-L6-v2 in NumPy: 384 numbers for each text."""

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        from ansatz.knowledge_base.search.embedding import embed_texts

        return embed_texts(texts)


@lru_cache(maxsize=4)
def find_encoder(name: str) -> Encoder:
    """Return the encoder of a name; see above. Raises SettingError."""
    if name == DEFAULT:
        return DefaultEncoder()
    return _load_object(name, Encoder, "encoder")


def encode_unit(
    encoder: Encoder, texts: Sequence[str], on_progress: OnProgress | None = None
) -> NDArray[np.float32]:
    """Return a unit row for each text; report progress after each batch. Raises SettingError."""
    rows = []
    for start in range(0, len(texts), _BATCH):
        batch = texts[start : start + _BATCH]
        rows.append(_check_rows(encoder, np.asarray(encoder.encode(batch), dtype=np.float32), len(batch)))
        if on_progress:
            on_progress("encode", min(start + _BATCH, len(texts)), len(texts))
    if not rows:
        return np.empty((0, 0), dtype=np.float32)
    vectors = np.concatenate(rows)
    sizes: NDArray[np.float32] = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: NDArray[np.float32] = vectors / np.maximum(sizes, np.float32(1e-12))
    return unit


@lru_cache(maxsize=1024)
def encode_question(encoder: Encoder, question: str) -> NDArray[np.float32]:
    """Return the unit vector of a question without its numbers, moved towards the asking sentence."""
    texts = dict.fromkeys(remove_givens(text) for text in (question, find_asking_sentence(question)))
    vectors = encode_unit(encoder, list(texts))  # one row if the question is only the asking sentence
    mixed = vectors[0] + np.float32(ASKED) * vectors[-1]
    unit: NDArray[np.float32] = mixed / max(np.linalg.norm(mixed), np.float32(1e-12))
    return unit


def _check_rows(encoder: Encoder, rows: NDArray[np.float32], count: int) -> NDArray[np.float32]:
    if rows.ndim != 2 or len(rows) != count or not np.isfinite(rows).all():
        name = type(encoder).__name__
        raise SettingError(
            f"encoder {name} returns shape {rows.shape} for {count} texts; it needs a finite row for each"
        )
    return rows


def _load_object(name: str, kind: type, word: str) -> Any:
    """Create the object at "package.module:object", and check that it is of a kind."""
    module, _, attribute = name.partition(":")
    try:
        found = getattr(importlib.import_module(module), attribute)
        made = found() if isinstance(found, type) else found
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        raise SettingError(f"there is no {word} {name!r}: {error}") from error
    if not isinstance(made, kind):
        raise SettingError(f"{word} {name!r} has no method of {kind.__name__}")
    return made
