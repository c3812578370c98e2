"""Nearness: inner products, of which those of the leading rows are exact however many rows there are."""

import numpy as np
import pytest

from ansatz.knowledge_base import nearness


@pytest.fixture
def rows():
    found = np.random.default_rng(7).standard_normal((9000, 384)).astype(np.float32)
    return found / np.linalg.norm(found, axis=1, keepdims=True)


def test_the_leading_of_many_are_exact_and_the_others_near(rows):
    vector = rows[4] + 0.5 * rows[5]
    vector /= np.linalg.norm(vector)
    found, exact = nearness.Nearness(rows)(vector), rows @ vector
    leading = np.argsort(-exact)[:60]
    assert found[leading] == pytest.approx(exact[leading], abs=1e-6)
    assert np.abs(found - exact).max() < 0.005


def test_few_are_compared_in_single_precision(rows, monkeypatch):
    monkeypatch.setattr(nearness, "_Rough", None)
    few = rows[:50]
    assert nearness.Nearness(few)(few[3]) == pytest.approx(few @ few[3], abs=1e-6)
    assert nearness.Nearness(few[:0])(few[3]).shape == (0,)
