"""What is to be believed of few right and wrong answers: against moments, a grid and simulation."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import gammaln

from ansatz.eval.statistics import clustered_mean, with_prior
from ansatz.eval.statistics.posterior import posterior


@pytest.mark.parametrize(("better", "worse", "same"), [(0, 0, 30), (3, 1, 26), (9, 0, 3)])
def test_with_a_problem_a_family_it_is_a_dirichlet(better, worse, same):
    values = np.repeat([1.0, -1.0, 0.0], [better, worse, same])
    drawn = posterior(values, np.arange(len(values)), 0.5)
    total = len(values) + 1.5
    p, q = (better + 0.5) / total, (worse + 0.5) / total
    spread = (p * (1 - p) + q * (1 - q) + 2 * p * q) / (total + 1)
    assert drawn.mean() == pytest.approx(p - q, abs=4 * (spread / len(drawn)) ** 0.5)
    assert drawn.var() == pytest.approx(spread, rel=0.05)


def by_grid(counts, prior):
    """Mean and variance of m₁ − m₂ by summing over a grid of m and of the correlation within families."""
    steps = (np.arange(60) + 0.5) / 60
    mass = first = second = 0.0
    for p, q in itertools.product(steps, steps):
        if p + q >= 1:
            continue
        m = np.array([p, q, 1 - p - q])
        for alike in (np.arange(24) + 0.5) / 24:
            a = m * (1 - alike) / alike
            log = ((prior - 1) * np.log(m)).sum()
            log += (gammaln(a + counts) - gammaln(a)).sum()
            log += (gammaln(a.sum()) - gammaln(a.sum() + counts.sum(axis=1))).sum()
            weight = np.exp(log)
            mass, first, second = mass + weight, first + weight * (p - q), second + weight * (p - q) ** 2
    return first / mass, second / mass - (first / mass) ** 2


def test_problems_of_a_family_are_weighed_as_a_grid_has_it():
    counts = np.array([[3, 0, 0], [0, 0, 3], [2, 0, 1], [0, 1, 2], [0, 0, 3]])
    values = np.concatenate([np.repeat([1.0, -1.0, 0.0], row) for row in counts])
    drawn = posterior(values, np.repeat(np.arange(5), 3), 1.0)
    mean, variance = by_grid(counts, 1.0)
    assert drawn.mean() == pytest.approx(mean, abs=0.01)
    assert drawn.var() == pytest.approx(variance, rel=0.06)


@settings(max_examples=20)
@given(st.lists(st.sampled_from([-1.0, 0.0, 1.0]), min_size=4, max_size=20), st.integers(1, 3), st.randoms())
def test_neither_names_nor_the_side_matter(values, size, shuffler):
    families = np.arange(len(values)) // size
    drawn = posterior(np.array(values), families, 0.5)
    order = list(range(len(values)))
    shuffler.shuffle(order)
    other = posterior(-np.array(values)[order], families[order] + 7, 0.5)
    if sum(values):
        assert np.array_equal(drawn, -other[::-1])


def test_what_is_neither_right_nor_wrong_keeps_its_interval():
    values = np.array([0.3, 0.0, 0.7, -0.3, 1.0])
    plain = clustered_mean(values, np.arange(5), seed=0, ends=(-1, 1))
    assert with_prior(plain, values, np.arange(5), 0.5) is plain
