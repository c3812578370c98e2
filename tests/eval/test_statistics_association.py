"""Pearson's r and φ: the values against scipy and the definitions, the intervals by simulation."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from ansatz.eval.statistics.association import pearson, phi, spearman_p

NUMBERS = st.integers(-1000, 1000).map(float)
PAIRS = st.lists(st.tuples(NUMBERS, NUMBERS, st.integers(0, 5)), min_size=2, max_size=30)
ANSWERS = st.lists(st.tuples(st.booleans(), st.booleans(), st.integers(0, 5)), min_size=1, max_size=40)


def columns(rows):
    return [list(column) for column in zip(*rows, strict=True)]


@given(PAIRS)
def test_r_is_that_of_scipy(rows):
    x, y, families = columns(rows)
    found = pearson(x, y, families)
    if len(set(x)) == 1 or len(set(y)) == 1:
        assert found.value is None
        return
    assert found.value == pytest.approx(stats.pearsonr(x, y).statistic, abs=1e-9)
    assert (found.items, found.families) == (len(rows), len(set(families)))


@given(ANSWERS)
def test_phi_is_that_of_the_fourfold_table(rows):
    first, second, families = columns(rows)
    n = np.zeros((2, 2))
    for a, b in zip(first, second, strict=True):
        n[int(a), int(b)] += 1
    margins = n.sum(axis=0).prod() * n.sum(axis=1).prod()
    found = phi(first, second, families).value
    if margins == 0:
        assert found is None
    else:
        assert found == pytest.approx((n[1, 1] * n[0, 0] - n[1, 0] * n[0, 1]) / math.sqrt(margins), abs=1e-9)
        assert found**2 * len(rows) == pytest.approx(
            stats.chi2_contingency(n, correction=False).statistic, abs=1e-6
        )


@settings(max_examples=60)
@given(PAIRS, st.sampled_from([0.5, 3.0, 1000.0]), st.sampled_from([-200.0, 0.0, 70.0]))
def test_units_and_origin_do_not_matter_and_a_mirror_turns_the_sign(rows, factor, shift):
    x, y, families = columns(rows)
    first = pearson(x, y, families)
    scaled = pearson([factor * value + shift for value in x], y, families)
    mirrored = pearson([-value for value in x], y, families)
    for field in ("value", "low", "high"):
        before = getattr(first, field)
        assert getattr(scaled, field) == (None if before is None else pytest.approx(before, abs=1e-6)), field
    if first.low is not None:
        assert (mirrored.low, mirrored.high) == pytest.approx((-first.high, -first.low), abs=1e-9)
        assert -1 <= first.low <= first.value <= first.high <= 1


def test_the_leave_one_family_out_sums_are_those_of_the_rows_left():
    """The interval from sums equals the one from computing r anew for each family left out."""
    rng = np.random.default_rng(2)
    families = rng.integers(0, 9, 60)
    x = rng.normal(size=60) + rng.normal(size=9)[families]
    y = 0.5 * x + rng.normal(size=60)
    z = np.arctanh([np.corrcoef(x[families != f], y[families != f])[0, 1] for f in range(9)])
    error = math.sqrt(8 / 9 * ((z - z.mean()) ** 2).sum())
    centre = np.arctanh(np.corrcoef(x, y)[0, 1])
    ends = np.tanh([centre - stats.t.ppf(0.975, 8) * error, centre + stats.t.ppf(0.975, 8) * error])
    found = pearson(x.tolist(), y.tolist(), families.tolist())
    assert (found.low, found.high) == pytest.approx(tuple(ends), abs=1e-9)


def test_for_normal_independent_items_the_interval_is_nearly_fishers():
    rng = np.random.default_rng(4)
    x = rng.normal(size=400)
    y = 0.6 * x + 0.8 * rng.normal(size=400)
    found = pearson(x.tolist(), y.tolist())
    fisher = stats.pearsonr(x, y).confidence_interval()
    assert (found.low, found.high) == pytest.approx((fisher.low, fisher.high), abs=0.02)


@pytest.mark.parametrize(
    ("x", "y", "families", "value"),
    [
        ([], [], [], None),
        ([1.0], [2.0], [0], None),
        ([1, 1, 1], [1, 2, 3], [0, 1, 2], None),
        ([0.1 + 0.2, 0.3, 0.3], [1, 2, 3], [0, 1, 2], None),  # a spread of rounding is none
        ([1, 2, 3, 4], [2, 4, 6, 8], [0, 1, 2, 3], 1.0),
        ([1, 2, 3, 5], [1, 3, 2, 4], [0, 0, 1, 1], stats.pearsonr([1, 2, 3, 5], [1, 3, 2, 4]).statistic),
    ],
)
def test_where_nothing_can_be_said_there_is_no_interval(x, y, families, value):
    found = pearson(x, y, families)
    assert found.value == (None if value is None else pytest.approx(value))
    assert (found.low, found.high) == (None, None)


def test_unequal_lengths_are_refused():
    with pytest.raises(ValueError, match="2, 3 and 2 items"):
        pearson([1, 2], [1, 2, 3])


def clustered(rng, families, cascade):
    """Two adjacent steps of several answers per family: the second fails mostly where the first does."""
    family = np.repeat(np.arange(families), rng.integers(2, 5, families))
    ability = rng.normal(size=families)[family]
    first = ability + rng.logistic(size=family.size) > 0
    second = np.where(rng.random(family.size) < cascade, first, ability + rng.logistic(size=family.size) > 0)
    return first.tolist(), second.tolist(), family.tolist()


@pytest.mark.parametrize(("families", "cascade"), [(30, 0.0), (30, 0.5), (60, 0.7)])
def test_intervals_of_phi_hold_the_truth(families, cascade):
    rng = np.random.default_rng(11)
    truth, runs, covered = phi(*clustered(rng, 100_000, cascade)[:2]).value, 600, 0
    for _ in range(runs):
        found = phi(*clustered(rng, families, cascade))
        covered += found.low <= truth <= found.high
    assert 0.92 <= covered / runs <= 0.98


@settings(max_examples=20, deadline=None)
@given(st.lists(st.tuples(NUMBERS, NUMBERS), min_size=3, max_size=5))
def test_the_p_of_few_ranks_is_scipys_over_all_orders(rows):
    x, y = columns(rows)
    if len(set(x)) == 1 or len(set(y)) == 1:
        assert spearman_p(x, y, seed=0) is None
        return

    def statistic(shuffled):
        return abs(stats.spearmanr(shuffled, y).statistic)

    exact = stats.permutation_test(
        (x,), statistic, permutation_type="pairings", alternative="greater", n_resamples=np.inf
    )
    assert spearman_p(x, y, seed=0) == pytest.approx(exact.pvalue)


def test_the_p_of_ranks_is_small_by_chance_as_often_as_it_says():
    rng = np.random.default_rng(5)
    found = [
        spearman_p(list(rng.normal(size=9)), list(rng.normal(size=9)), seed=n, permutations=299)
        for n in range(300)
    ]
    for level in (0.05, 0.2, 0.5):
        assert np.mean(np.array(found) <= level) == pytest.approx(level, abs=3 * (level / 300) ** 0.5)


def test_ranks_in_step_have_the_least_p():
    rows = list(range(12))
    assert spearman_p(rows, [each**3 for each in rows], seed=0) == pytest.approx(1 / 10000)
    with pytest.raises(ValueError, match="pair up"):
        spearman_p([1, 2], [1], seed=0)
