"""Nearness: inner products, of which those of the leading rows are exact however many rows there are."""

import numpy as np
import pytest

from ansatz.knowledge_base.search import vector_index


@pytest.fixture
def rows():
    found = np.random.default_rng(7).standard_normal((9000, 384)).astype(np.float32)
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def test_the_leading_of_many_are_exact_and_the_others_near(rows):
    vector = rows[4] + 0.5 * rows[5]
    vector /= np.linalg.norm(vector)
    found, exact = vector_index.VectorIndex(rows)(vector), rows @ vector
    leading = np.argsort(-exact)[:60]
    assert found[leading] == pytest.approx(exact[leading], abs=1e-6)
    assert np.abs(found - exact).max() < 0.005


def test_few_are_compared_in_single_precision(rows, monkeypatch):
    monkeypatch.setattr(vector_index, "_Rough", None)
    few = rows[:50]
    assert vector_index.VectorIndex(few)(few[3]) == pytest.approx(few @ few[3], abs=1e-6)
    assert vector_index.VectorIndex(few[:0])(few[3]).shape == (0,)


def groups(count, rng, size=4):
    """Groups of vectors that lie about one of their own each, as the phrases of an entry do."""
    centres = np.repeat(rng.standard_normal((count, 384)), size, axis=0)
    found = (centres + 0.7 * rng.standard_normal(centres.shape)).astype(np.float32)
    return found / np.linalg.norm(found, axis=1, keepdims=True), np.arange(0, count * size, size)


@pytest.mark.parametrize("count", [60, 4200])
def test_a_group_is_as_near_as_its_nearest_and_the_leading_groups_are_the_same_however_many(count):
    rng = np.random.default_rng(3)
    vectors, first = groups(count, rng)
    nearest_of = vector_index.GroupedVectorIndex(vectors, first)
    for places in rng.integers(len(vectors), size=(20, 3)):
        vector = vectors[places].sum(axis=0)
        vector /= np.linalg.norm(vector)
        found, exact = nearest_of(vector), np.maximum.reduceat(vectors @ vector, first)
        leading = np.argsort(-exact)[: len(set(places // 4))]
        assert set(np.argsort(-found)[: len(leading)]) == set(leading) == set(places // 4)
        assert found[leading] == pytest.approx(exact[leading], abs=1e-6)
        assert np.all(found <= exact + 0.01)
