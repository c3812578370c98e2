"""Pairs of a screening design, and least squares on them: by hand, and coverage in simulated studies."""

from random import Random

import numpy as np
import pytest

from ansatz.eval.statistics import clustered_mean
from ansatz.eval.statistics.screening import draw_pairs, effect_values, interaction_values
from benchmarks.screening import WORLDS, World, detect_interactions, measure_coverage


@pytest.mark.parametrize(("switches", "block"), [(3, 4), (4, 4), (6, 8), (16, 16)])
def test_blocks_of_pairs_are_orthogonal(switches, block):
    signs = draw_pairs(3 * block, switches, Random(1)).astype(int)
    assert set(np.unique(signs)) == {-1, 1}
    for part in signs.reshape(3, block, switches):
        assert (part.T @ part == block * np.eye(switches)).all()


def test_every_setting_is_equally_likely():
    """Also the settings that one Hadamard matrix does not have, so that no three switches are confounded."""
    drawn = np.concatenate([draw_pairs(4, 4, Random(seed)) for seed in range(2000)])
    _, counts = np.unique(drawn, axis=0, return_counts=True)
    assert len(counts) == 16 and counts.min() > 0.8 * counts.max()


def test_values_have_the_coefficients_and_errors_of_least_squares():
    """With one pair in each family the error is HC2: residuals over √(1 − h), by the definition."""
    rng, signs = np.random.default_rng(3), draw_pairs(40, 4, Random(2))
    x = signs.astype(float)[:37]
    y = x @ [0.5, -0.2, 0.0, 0.1] + rng.normal(size=37)
    values = effect_values(y, signs[:37], np.arange(37))
    assert values.mean(axis=0) == pytest.approx(np.linalg.lstsq(x, y, rcond=None)[0])
    inverse = np.linalg.inv(x.T @ x)
    residuals = y - x @ inverse @ x.T @ y
    adjusted = residuals / np.sqrt(1 - np.einsum("ij,jk,ik->i", x, inverse, x))
    errors = np.sqrt(np.diag(inverse @ (x.T * adjusted**2) @ x @ inverse))
    found = [clustered_mean(values[:, at], np.arange(37), seed=0).error for at in range(4)]
    assert found == pytest.approx(errors * np.sqrt(37 / 36), rel=0.02)


def test_the_means_of_pairs_show_interactions_only():
    signs = draw_pairs(32, 4, Random(4))
    score = 0.5 + signs @ [0.1, 0.05, 0.0, 0.0] + 0.05 * signs[:, 0] * signs[:, 1]
    rest = 0.5 - signs @ [0.1, 0.05, 0.0, 0.0] + 0.05 * signs[:, 0] * signs[:, 1]
    means = (score + rest) / 2
    found = interaction_values(means, signs)
    assert found.mean(axis=0)[0] == pytest.approx(0.2, abs=0.02)
    assert effect_values(score - rest, signs, np.arange(32)).mean(axis=0) == pytest.approx([0.2, 0.1, 0, 0])


@pytest.mark.slow
def test_the_test_for_lack_of_fit_keeps_its_level():
    """28 interactions of 8 switches, none of which exists; the bound has two standard errors."""
    assert detect_interactions(World(8), studies=600) <= 0.068


def test_too_few_pairs_have_no_effects():
    assert effect_values(np.ones(4), draw_pairs(4, 4, Random(0)), np.arange(4)) is None


@pytest.mark.slow
@pytest.mark.parametrize("name", WORLDS)
def test_intervals_of_effects_cover_the_truth(name):
    found = measure_coverage(WORLDS[name], studies=300)
    assert 0.93 <= found.coverage <= 0.975 and found.false_stars <= 0.06
