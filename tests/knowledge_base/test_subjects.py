"""Subjects outside a base: questions about them are refused, unless an entry of the base covers them."""

import json

import numpy as np

from ansatz.knowledge_base.equation import library
from ansatz.knowledge_base.search import Searcher, embedding, subjects
from ansatz.knowledge_base.search.evaluation import FILE


def test_few_engineering_questions_outside_are_answered():
    searcher = Searcher(library())
    lines = FILE.with_name("outside_questions.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [row for row in map(json.loads, lines) if row["kind"] == "engineering"]
    outside = [row["question"] for row in rows if row["half"] == "held_out"]
    assert np.mean([not searcher.find_refusal(question) for question in outside]) <= 0.05


def test_subjects_are_distinct_and_stored(monkeypatch):
    parts = subjects.list_subject_parts()
    assert len({next(iter(part)) for part in parts}) == len(parts) > 500
    missing = []
    monkeypatch.setattr(
        embedding, "embed_texts", lambda texts: missing.extend(texts) or np.zeros((len(texts), 384))
    )
    embedding.load_vectors(parts, subjects.VECTORS)
    assert not missing, "run `python -m ansatz.knowledge_base.search`"


def test_subject_that_a_phrase_covers_counts_as_inside():
    vectors = embedding.load_vectors([{"buckling of columns": 1.0}], subjects.VECTORS)
    nothing = subjects.load_other_subjects(vectors[:0])
    others = subjects.load_other_subjects(vectors)
    assert len(nothing) == len(subjects.list_subject_parts())
    assert 0 < len(nothing) - len(others) <= 5
    assert (others @ vectors[0]).max() < 0.6 < (nothing @ vectors[0]).max()
