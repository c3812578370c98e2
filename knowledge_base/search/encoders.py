"""Encoders turn texts into vectors, and rerankers compare a question with texts one by one.

Both are chosen by name. "default" is all-MiniLM-L6-v2 without PyTorch. "sentence-transformers:NAME" is a
model of that library by its name or folder (extra `[embeddings]`). "package.module:object" is your own:

    class LengthEncoder:
        def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
            return np.array([[1, len(text) / 100] for text in texts], dtype=np.float32)

A class is called without arguments.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Hashable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np

from ansatz.errors import SettingError
from ansatz.knowledge_base.regime.stated_quantities import find_asking_sentence, remove_givens
from ansatz.knowledge_base.search.minilm import TRAINED_TOKENS, TokenizedText, embed_texts, embed_tokens
from ansatz.knowledge_base.search.sentence_models import LIBRARY, BiEncoder, CrossEncoderReranker
from ansatz.knowledge_base.search.tokenizing import ASKED

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

DEFAULT = "default"
_BATCH = 64  # texts between two reports of progress
_TINY = np.float32(1e-12)  # the least size of a vector
OnProgress = Callable[[str, int, int], None]
"""Called with the name of the work, the number of items done, and the number of all items."""


@runtime_checkable
class Encoder(Protocol):
    """Turns texts into vectors. If questions need another treatment, an encoder also has `encode_query`."""

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
    """all-MiniLM-L6-v2 in NumPy: 384 numbers for each text.

    It reads the first 128 tokens. With 256, passages of 150 words are found no better.
    """

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return embed_texts(texts, TRAINED_TOKENS)

    def encode_tokens(self, texts: Sequence[str]) -> list[TokenizedText]:
        """Return each text with the vectors of its tokens; it takes as long as `encode`."""
        return embed_tokens(texts, TRAINED_TOKENS)


@lru_cache(maxsize=4)
def find_encoder(name: str) -> Encoder:
    """Return the encoder of a name; see above. Raises SettingError."""
    if name == DEFAULT:
        return DefaultEncoder()
    library, _, model = name.partition(":")
    if library == LIBRARY:
        return BiEncoder(model)
    encoder: Encoder = _load_object(name, Encoder, "encoder", [DEFAULT, f"{LIBRARY}:NAME"])
    return encoder


@lru_cache(maxsize=4)
def find_reranker(name: str) -> Reranker:
    """Return the reranker of a name; see above. Raises SettingError."""
    library, _, model = name.partition(":")
    if library == LIBRARY:
        return CrossEncoderReranker(model)
    reranker: Reranker = _load_object(name, Reranker, "reranker", [f"{LIBRARY}:NAME"])
    return reranker


def encode_unit(
    encoder: Encoder,
    texts: Sequence[str],
    on_progress: OnProgress | None = None,
    on_tokens: Callable[[str, TokenizedText], None] | None = None,
) -> Vectors:
    """Return a unit row for each text; report progress after each batch. Raises SettingError.

    `on_tokens` is called with each text and its tokens, if the encoder returns vectors of tokens.
    """
    rows = [np.empty((0, 0), dtype=np.float32)]
    for start in range(0, len(texts), _BATCH):
        batch = texts[start : start + _BATCH]
        if on_tokens and isinstance(encoder, DefaultEncoder):
            tokenized = encoder.encode_tokens(batch)
            rows.append(np.stack([each.vector for each in tokenized]))
            for text, each in zip(batch, tokenized, strict=True):
                on_tokens(text, each)
        else:
            rows.append(_encode_batch(encoder.encode, batch))
        if on_progress:
            on_progress("encode", min(start + _BATCH, len(texts)), len(texts))
    return np.concatenate(rows[1:] or rows)


def encode_question(encoder: Encoder, question: str) -> Vectors:
    """Return the unit vector of a question without its numbers, moved towards the asking sentence."""
    return _read_question(encoder, question)[0]


def tokenize_question(encoder: Encoder, question: str) -> TokenizedText | None:
    """Return a question with the vectors of its tokens, or None if the encoder has none."""
    return _read_question(encoder, question)[1]


def _read_question(encoder: Encoder, question: str) -> tuple[Vectors, TokenizedText | None]:
    if isinstance(encoder, Hashable):
        return _read_once(encoder, question)
    return _encode_question(encoder, question)


def _encode_question(encoder: Encoder, question: str) -> tuple[Vectors, TokenizedText | None]:
    texts = list(dict.fromkeys(remove_givens(text) for text in (question, find_asking_sentence(question))))
    tokens = None
    if isinstance(encoder, DefaultEncoder):  # one pass for all texts
        every = list(dict.fromkeys([*texts, question]))
        read = dict(zip(every, encoder.encode_tokens(every), strict=True))
        vectors, tokens = np.stack([read[text].vector for text in texts]), read[question]
    else:
        vectors = _encode_batch(getattr(encoder, "encode_query", encoder.encode), texts)
    mixed = (
        vectors[0] + np.float32(ASKED) * vectors[-1]
    )  # one row if the question is only the asking sentence
    unit: Vectors = mixed / max(np.linalg.norm(mixed), _TINY)
    return unit, tokens


_read_once = lru_cache(maxsize=1024)(_encode_question)


def _encode_batch(encode: Callable[[Sequence[str]], Any], texts: Sequence[str]) -> Vectors:
    """Return a unit row for each text."""
    rows = np.asarray(encode(texts), dtype=np.float32)
    if rows.ndim != 2 or len(rows) != len(texts) or not np.isfinite(rows).all():
        raise SettingError(
            f"the encoder returns an array of shape {rows.shape} for {len(texts)} texts; it needs a row of "
            "finite numbers for each"
        )
    unit: Vectors = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), _TINY)
    return unit


def _load_object(name: str, kind: type, word: str, known: Sequence[str]) -> Any:
    """Create the object at "package.module:object", and check that it is of a kind."""
    module, _, attribute = name.partition(":")
    if not attribute:
        raise SettingError(f"there is no {word} {name!r}; name {', '.join(known)} or package.module:object")
    try:
        found = getattr(importlib.import_module(module), attribute)
        made = found() if isinstance(found, type) else found
    except (ImportError, AttributeError, TypeError, ValueError) as error:
        raise SettingError(f"there is no {word} {name!r}: {error}") from error
    if not isinstance(made, kind):
        raise SettingError(f"{word} {name!r} has no method of {kind.__name__}")
    return made
