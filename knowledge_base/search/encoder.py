"""all-MiniLM-L6-v2 written out: six layers of BERT; the mean of what they yield is the vector of a text.

The layers: Devlin, Chang, Lee & Toutanova, NAACL 2019; the mean: Reimers & Gurevych, EMNLP 2019. Written out
it starts as soon as torch does, and multiplies by weights that oneDNN has laid out beforehand.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import torch
from torch import Tensor
from torch.nn.functional import gelu, layer_norm, linear, scaled_dot_product_attention

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

WIDTH, HEADS, LAYERS = 384, 12, 6
MOST_TOKENS = 256  # what the model was tuned for; later words are not read
_EPSILON = 1e-12


class Linear:
    """x -> x W^T + b, on weights in oneDNN's own layout where this build of torch can have them so."""

    def __init__(self, weight: Tensor, bias: Tensor):
        self._weight, self._bias = weight, bias
        self._packed = _packed(weight)

    def __call__(self, x: Tensor) -> Tensor:
        if self._packed is None:
            return linear(x, self._weight, self._bias)
        product: Tensor = torch.ops.mkldnn._linear_pointwise(x, self._packed, self._bias, "none", [], "")
        return product


@dataclass(frozen=True)
class Norm:
    """Layer normalisation over the last axis."""

    weight: Tensor
    bias: Tensor

    def __call__(self, x: Tensor) -> Tensor:
        return layer_norm(x, (WIDTH,), self.weight, self.bias, _EPSILON)


@dataclass(frozen=True)
class Layer:
    """Self-attention, then two dense maps with a GELU between, each added to its input and normalised."""

    attended: Linear
    mixed: Linear
    first_norm: Norm
    widened: Linear
    narrowed: Linear
    second_norm: Norm

    @classmethod
    def of(cls, weights: Mapping[str, Tensor], number: int) -> Layer:
        def both(name: str) -> tuple[Tensor, Tensor]:
            whole = f"encoder.layer.{number}.{name}"
            return weights[f"{whole}.weight"], weights[f"{whole}.bias"]

        heads = [both(f"attention.self.{name}") for name in ("query", "key", "value")]
        return cls(
            Linear(torch.cat([weight for weight, _ in heads]), torch.cat([bias for _, bias in heads])),
            Linear(*both("attention.output.dense")),
            Norm(*both("attention.output.LayerNorm")),
            Linear(*both("intermediate.dense")),
            Linear(*both("output.dense")),
            Norm(*both("output.LayerNorm")),
        )

    def __call__(self, x: Tensor) -> Tensor:
        """One row for each token, of 384 numbers."""
        heads = self.attended(x).view(len(x), 3, HEADS, WIDTH // HEADS).permute(1, 2, 0, 3)
        query, key, value = heads.unsqueeze(1)
        mixed = scaled_dot_product_attention(query, key, value)[0].permute(1, 0, 2).reshape(len(x), WIDTH)
        x = self.first_norm(x + self.mixed(mixed))
        return self.second_norm(x + self.narrowed(gelu(self.widened(x))))


class Encoder:
    """Built from a folder with `model.safetensors` and `tokenizer.json`."""

    def __init__(self, folder: Path):
        from safetensors.torch import load_file
        from tokenizers import Tokenizer

        torch.set_num_threads(1)  # faster than several on small machines
        weights = load_file(folder / "model.safetensors")
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(MOST_TOKENS)
        self._words = weights["embeddings.word_embeddings.weight"]
        kind = weights["embeddings.token_type_embeddings.weight"][0]
        self._places = weights["embeddings.position_embeddings.weight"] + kind
        self._norm = Norm(weights["embeddings.LayerNorm.weight"], weights["embeddings.LayerNorm.bias"])
        self._layers = [Layer.of(weights, number) for number in range(LAYERS)]

    def __call__(self, text: str, layers: int = LAYERS) -> NDArray[np.float32]:
        """The unit vector of a text, 384 numbers, after so many of the layers."""
        with torch.inference_mode():
            tokens = torch.tensor(self._tokenizer.encode(text).ids)
            x = self._norm(self._words[tokens] + self._places[: len(tokens)])
            for layer in self._layers[:layers]:
                x = layer(x)
            mean = x.mean(0)
            vector: NDArray[np.float32] = (mean / mean.norm()).numpy()
            return vector


def _packed(weight: Tensor) -> Tensor | None:
    """The weight laid out for oneDNN's products, twice as fast as plain ones; None where it has none."""
    try:
        with torch.inference_mode():
            reordered: Tensor = torch.ops.mkldnn._reorder_linear_weight(weight, None)
            return reordered
    except (AttributeError, RuntimeError):
        return None
