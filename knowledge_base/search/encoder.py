"""all-MiniLM-L6-v2 written out: six layers of BERT; the mean of what they yield is the vector of a text.

The layers: Devlin, Chang, Lee & Toutanova, NAACL 2019; the mean: Reimers & Gurevych, EMNLP 2019. Written out
for NumPy, a text costs some twenty products of matrices, and no framework has to be installed or imported.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from threadpoolctl import ThreadpoolController

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float32]

WIDTH, HEADS, LAYERS = 384, 12, 6
MOST_TOKENS = 256  # what the model was tuned for; later words are not read
_EPSILON = 1e-12
_WORD_VECTORS = "embeddings.word_embeddings.weight"
_TOGETHER = 8  # texts that pass through the weights at once


class Encoder:
    """Built from the files `model.safetensors` and `tokenizer.json`."""

    def __init__(self, weights: Path, tokenizer: Path):
        from safetensors import safe_open
        from tokenizers import Tokenizer

        file: Any = safe_open(weights, framework="numpy")
        # Half of the file is this table, and a text needs only the rows of its own tokens.
        self._word_vectors = file.get_slice(_WORD_VECTORS)
        names = [name for name in file.keys() if name != _WORD_VECTORS]  # noqa: SIM118 (not a dict)
        self._weights = {name: file.get_tensor(name) for name in names}
        self._tokenizer = Tokenizer.from_file(str(tokenizer))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(MOST_TOKENS)
        self._blas = ThreadpoolController()

    def __call__(self, texts: Sequence[str]) -> Array:
        """A unit row of 384 numbers for each text."""
        rows = [np.empty((0, WIDTH), dtype=np.float32)]
        with self._blas.limit(limits=1):  # matrices this small take longer on several threads
            for batch in (texts[start : start + _TOGETHER] for start in range(0, len(texts), _TOGETHER)):
                rows.append(self._vectors([self._tokenizer.encode(text).ids for text in batch]))
        return np.concatenate(rows)

    def _vectors(self, texts: Sequence[Sequence[int]]) -> Array:
        """The vectors of texts by their tokens, which pass through the weights together: to read these from
        memory takes most of the time."""
        words = np.concatenate(
            [self._word_vectors[token : token + 1] for tokens in texts for token in tokens]
        )
        positions = self._weights["embeddings.position_embeddings.weight"]
        segment = self._weights["embeddings.token_type_embeddings.weight"][0]
        places = np.concatenate([positions[: len(tokens)] for tokens in texts])
        x = self._normed("embeddings.LayerNorm", words + places + segment)
        ends = np.cumsum([len(tokens) for tokens in texts]).tolist()
        spans = list(map(slice, [0, *ends], ends))
        for number in range(LAYERS):
            x = self._layer(f"encoder.layer.{number}", x, spans)
        means = np.stack([x[span].mean(axis=0) for span in spans])
        return np.asarray(means / np.linalg.norm(means, axis=1, keepdims=True), dtype=np.float32)

    def _layer(self, layer: str, x: Array, spans: Sequence[slice]) -> Array:
        """Self-attention within each text, then two dense maps with a GELU between, each added to its input
        and normalised."""
        query, key, value = (
            self._linear(f"{layer}.attention.self.{name}", x).reshape(len(x), HEADS, WIDTH // HEADS)
            for name in ("query", "key", "value")
        )
        mixed = np.concatenate([_attend(query[span], key[span], value[span]) for span in spans])
        mixed = self._linear(f"{layer}.attention.output.dense", mixed)
        x = self._normed(f"{layer}.attention.output.LayerNorm", x + mixed)
        widened = _gelu(self._linear(f"{layer}.intermediate.dense", x))
        return self._normed(f"{layer}.output.LayerNorm", x + self._linear(f"{layer}.output.dense", widened))

    def _linear(self, name: str, x: Array) -> Array:
        # With the wide matrix first BLAS takes a third less time than the other way round.
        found: Array = (self._weights[f"{name}.weight"] @ x.T).T + self._weights[f"{name}.bias"]
        return found

    def _normed(self, name: str, x: Array) -> Array:
        apart = x - x.mean(axis=-1, keepdims=True)
        spread = np.sqrt(np.square(apart).mean(axis=-1, keepdims=True) + _EPSILON)
        found: Array = apart / spread * self._weights[f"{name}.weight"] + self._weights[f"{name}.bias"]
        return found


def _attend(query: Array, key: Array, value: Array) -> Array:
    """What one text's tokens take from each other, head by head."""
    query, key, value = (each.transpose(1, 0, 2) for each in (query, key, value))
    heads = _softmax(query @ key.transpose(0, 2, 1) / math.sqrt(WIDTH // HEADS)) @ value
    return np.asarray(heads.transpose(1, 0, 2).reshape(-1, WIDTH))


def _softmax(x: Array) -> Array:
    raised = np.exp(x - x.max(axis=-1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=-1, keepdims=True))


def _gelu(x: Array) -> Array:
    """x Phi(x), with Phi by formula 7.1.26 of Abramowitz and Stegun for erf, right to 1.5e-7."""
    size = np.abs(x) * np.float32(math.sqrt(0.5))
    t = 1 / (1 + np.float32(0.3275911) * size)
    series: Array = np.zeros_like(x)
    for factor in (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592):
        series = np.asarray((series + np.float32(factor)) * t, dtype=np.float32)
    beyond = series * np.exp(-size * size) / 2
    return np.asarray(x * np.where(x < 0, beyond, 1 - beyond))
