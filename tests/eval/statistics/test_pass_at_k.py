"""pass@k, avg@k and best@k: against all draws, by hand, and without bias by simulation."""

import itertools
import statistics

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ansatz.eval.statistics.pass_at_k import best_at_k, pass_at_k, summarize_attempts

SCORES = st.lists(st.integers(0, 4).map(lambda value: value / 4), min_size=1, max_size=7)


@settings(max_examples=80)
@given(SCORES, st.data())
def test_best_is_the_mean_over_every_way_to_draw(scores, data):
    k = data.draw(st.integers(1, len(scores)))
    drawn = [max(some) for some in itertools.combinations(scores, k)]
    assert best_at_k(scores, k) == pytest.approx(statistics.fmean(drawn), abs=1e-12)


def test_pass_and_best_at_k_are_unbiased():
    """The mean over many samples is 1 − (1 − p)^k; the naive estimate 1 − (1 − c/n)^k is below it."""
    rng, p, n, k = np.random.default_rng(1), 0.2, 10, 5
    passes = rng.binomial(n, p, 20_000)
    truth = 1 - (1 - p) ** k
    assert np.mean([pass_at_k(n, c, k) for c in passes.tolist()]) == pytest.approx(truth, abs=0.01)
    assert np.mean(1 - (1 - passes / n) ** k) < truth - 0.03


def test_summary_of_an_arm_by_hand():
    easy, hard, short = [1.0, 1.0, 0.0], [0.0, 0.5, 0.0], [1.0]
    found = summarize_attempts([easy, hard, short], np.arange(3), 2)
    assert (found.problems, found.dropped, found.k) == (2, 1, 2)
    assert found.average.estimate == pytest.approx((2 / 3 + 1 / 6) / 2)
    assert found.best.estimate == pytest.approx((1 + (0.5 + 0.5 + 0) / 3) / 2)
    assert found.passed.estimate == pytest.approx((1 + 0) / 2)
    sigmas = [statistics.stdev([1, 1, 0]), statistics.stdev([0, 0.5, 0])]
    assert found.deviation == pytest.approx(statistics.fmean(sigmas))
    assert found.average.dropped == 1 and found.average.low <= found.average.estimate <= found.average.high


@pytest.mark.parametrize(
    ("call", "wrong"),
    [
        (lambda: pass_at_k(3, 1, 4), "needs at least 4 attempts"),
        (lambda: pass_at_k(3, 4, 1), "4 of 3"),
        (lambda: pass_at_k(3, 1, 0), "needs at least 0"),
        (lambda: best_at_k([], 1), "not 0"),
    ],
)
def test_invalid_numbers_are_refused(call, wrong):
    with pytest.raises(ValueError, match=wrong):
        call()
