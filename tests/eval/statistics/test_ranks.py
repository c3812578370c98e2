"""Ranges of ranks: their width in simulated studies, and ties."""

import numpy as np

from ansatz.eval.statistics.ranks import rank_means, rank_ranges


def test_more_families_narrow_the_ranges():
    rng = np.random.default_rng(0)
    means = np.array([0.9, 0.6, 0.3, 0.0])[:, None]
    few, many = (
        rank_ranges(means + rng.normal(size=(4, count)), np.arange(count), seed=0) for count in (10, 2_000)
    )
    assert many.tolist() == [[1, 1], [2, 2], [3, 3], [4, 4]]
    assert np.ptp(few, axis=1).sum() > 4


def test_equal_systems_share_a_rank_in_every_resample():
    own = np.random.default_rng(1).random(20)
    scores = np.stack([own, own, own + 1, np.where(np.arange(20) < 5, np.nan, own - 1)])
    assert rank_means(np.nanmean(scores, axis=1)).tolist() == [2, 2, 1, 4]
    assert rank_ranges(scores, np.arange(20), seed=0).tolist() == [[2, 2], [2, 2], [1, 1], [4, 4]]


def test_one_family_gives_no_range():
    assert rank_ranges(np.ones((2, 3)), np.array(["a"] * 3), seed=0) is None
