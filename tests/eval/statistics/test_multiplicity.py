"""Comparisons adjusted together, unequal families, missing pairs and power, against independent methods."""

import itertools
import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from ansatz.eval.statistics import adjust_familywise, clustered_mean, gate_by_primary
from ansatz.eval.statistics.paired import compare_missing
from ansatz.eval.statistics.power import largest_effect, minimum_detectable, split_variance
from ansatz.eval.statistics.ranks import rank_ranges
from ansatz.eval.statistics.resampling import cluster_error, draw_families

TABLES = arrays(np.float64, (6, 3), elements=st.integers(-4, 4).map(lambda n: n / 4))


def deltas_of(table, **settings):
    return {
        name: clustered_mean(column, np.arange(len(column)), seed=0, resamples=100, ends=(-1, 1), **settings)
        for name, column in enumerate(table.T)
    }


def stepped_down(table):
    """Westfall and Young by definition: every sign pattern, removing hypotheses one by one."""
    scale = np.sqrt((table**2).sum(axis=0))
    scale[scale == 0] = 1
    observed = np.abs(table.sum(axis=0)) / scale
    order, found, highest = sorted(range(table.shape[1]), key=lambda at: -observed[at]), {}, 0.0
    for rank, at in enumerate(order):
        left = order[rank:]
        hits = [
            max(abs(sum(s * x for s, x in zip(signs, table[:, k], strict=True))) / scale[k] for k in left)
            >= observed[at] - 1e-6
            for signs in itertools.product((1, -1), repeat=len(table))
        ]
        highest = max(highest, np.mean(hits))
        found[at] = highest
    return found


@settings(max_examples=25)
@given(TABLES)
def test_p_matches_its_definition_on_small_tables(table):
    found = adjust_familywise(deltas_of(table), seed=0).verdicts
    assert {name: each.p_adjusted for name, each in found.items()} == pytest.approx(stepped_down(table))


@settings(max_examples=25)
@given(TABLES, st.permutations(range(6)))
def test_family_order_is_irrelevant_and_intervals_only_widen(table, order):
    found = adjust_familywise(deltas_of(table), seed=0).verdicts
    other = adjust_familywise(deltas_of(table[list(order)]), seed=0).verdicts
    for name, each in found.items():
        assert each.p <= each.p_adjusted == pytest.approx(other[name].p_adjusted)
        assert each.low <= each.delta.low + 1e-9 and each.high >= each.delta.high - 1e-9


def test_five_hundred_comparisons_can_be_significant():
    rng = np.random.default_rng(1)
    verdicts = adjust_familywise(deltas_of((rng.random((60, 507)) < 0.5) * 1.0), seed=0).verdicts
    assert all(each.is_significant for each in verdicts.values())
    by_holm = adjust_familywise(
        deltas_of((rng.random((60, 4)) < 0.5) * 1.0), seed=0, correction="holm"
    ).verdicts
    assert all(each.is_significant for each in by_holm.values())


@pytest.mark.slow
def test_without_effects_few_reports_have_a_star():
    starred = 0
    for study in range(60):
        rng = np.random.default_rng(study)
        table = rng.normal(size=(40, 30)) + rng.normal(size=(40, 1))
        deltas = {k: clustered_mean(x, np.arange(40), seed=0, resamples=200) for k, x in enumerate(table.T)}
        together = adjust_familywise(deltas, seed=study, flips=2000)
        starred += any(each.is_significant for each in together.verdicts.values())
    assert starred <= 7  # 5 % of 60 are 3; more than 7 have a chance of 1 %


def test_a_gate_opens_only_with_its_primary_comparison():
    table = np.random.default_rng(2).normal(size=(40, 2)) * 0.1
    strong, none = (
        clustered_mean(table[:, 0] + 0.5, np.arange(40), seed=0),
        clustered_mean(table[:, 1] - table[:, 1].mean(), np.arange(40), seed=0),
    )
    first = adjust_familywise({"open": strong, "shut": none}, seed=0)
    rest = adjust_familywise({"behind open": strong, "behind shut": strong}, seed=0)
    found = gate_by_primary(first, rest, {"behind open": ["open"], "behind shut": ["shut"]})
    assert found.verdicts["behind open"].is_significant and not found.verdicts["behind shut"].is_significant


def test_further_comparisons_use_the_stricter_side_of_a_gate():
    deltas = deltas_of(np.random.default_rng(3).normal(size=(30, 4)))
    first, rest = (
        adjust_familywise({name: deltas[name] for name in own}, seed=0, level=0.99) for own in ([0], [1, 2])
    )
    found = gate_by_primary(first, rest, {1: [0], 2: [0]})
    assert found.level == 0.99 and found.critical == rest.critical > first.critical
    assert found.simultaneous_level(deltas[3]) == rest.simultaneous_level(deltas[3]) >= 0.99
    alone = clustered_mean(np.array([1.0, 0.0]), np.zeros(2), seed=0)  # a single family has no verdict
    none = gate_by_primary(*[adjust_familywise({name: alone}, seed=0) for name in "ab"], {"b": ["a"]})
    assert not none.verdicts and none.adjusted_p(alone) == 0 and none.simultaneous_level(alone) == alone.level


@pytest.mark.parametrize("sizes", [[3] * 8, [20, 10, 5, 2, 1, 1], [40] + [1] * 20])
def test_the_cluster_error_is_that_of_the_matrices(sizes):
    """CR2 and its degrees of freedom from hat matrix, eigenvectors and traces, as Bell and McCaffrey define them."""
    rng, family, n = np.random.default_rng(0), np.repeat(np.arange(len(sizes)), sizes), sum(sizes)
    x = np.ones((n, 1))
    hat = x @ x.T / n
    values = rng.normal(size=n)
    residuals, columns, total = values - values.mean(), [], 0.0
    for g in range(len(sizes)):
        own = family == g
        root, vectors = np.linalg.eigh(np.eye(own.sum()) - hat[np.ix_(own, own)])
        adjust = vectors @ np.diag(root**-0.5) @ vectors.T
        total += float((x[own].T @ adjust @ residuals[own])[0] ** 2)
        columns.append((np.eye(n) - hat)[:, own] @ adjust @ x[own][:, 0] / n)
    products = np.array(columns) @ np.array(columns).T
    error, degrees = cluster_error(np.bincount(family, residuals), np.array(sizes, float))
    assert error == pytest.approx(total**0.5 / n)
    assert degrees == pytest.approx(np.trace(products) ** 2 / np.trace(products @ products))


@given(st.integers(0, 8), st.integers(0, 8))
def test_binary_scores_are_tested_as_by_mcnemar(better, worse):
    differences = np.repeat([1.0, -1.0, 0.0], [better, worse, 6])
    found = clustered_mean(differences, np.arange(len(differences)), seed=0, resamples=50, ends=(-1, 1))
    exact = stats.binomtest(better, better + worse).pvalue if better + worse else 1.0
    assert found.p == pytest.approx(exact, abs=0.012 if better + worse > 13 else 1e-9)


@given(st.integers(0, 6), st.integers(0, 6))
def test_missing_scores_are_tested_as_by_mcnemar(first, second):
    treated = np.array([np.nan] * first + [1.0] * second + [1.0] * 5)
    control = np.array([0.0] * first + [np.nan] * second + [0.0] * 5)
    found = compare_missing(treated, control, np.arange(len(treated)), seed=0)
    exact = stats.binomtest(first, first + second).pvalue if first + second else 1.0
    assert found.p == pytest.approx(exact)
    assert (found.control_only, found.treated_only, found.both) == (first, second, 5)
    assert found.low <= 1 <= found.high + first


def test_bounds_hold_whatever_the_missing_scores_are():
    rng = np.random.default_rng(3)
    whole = rng.random((2, 40))
    seen = np.where(rng.random((2, 40)) < 0.3, np.nan, whole)
    found = compare_missing(*seen, np.arange(40), seed=0)
    either = ~np.isnan(seen).all(axis=0)
    assert found.low <= np.mean((whole[0] - whole[1])[either]) <= found.high


def test_the_detectable_effect_is_found_in_four_of_five_studies():
    rng = np.random.default_rng(4)
    deltas = clustered_mean(rng.normal(size=30), np.arange(30), seed=0)
    effect = minimum_detectable(deltas) / (deltas.error * 30**0.5)  # in standard deviations
    found = stats.ttest_1samp(rng.normal(effect, 1, (4000, 30)), 0, axis=1).pvalue < 0.05
    assert 0.77 <= found.mean() <= 0.82


def test_no_larger_than_is_two_one_sided_tests():
    values = np.random.default_rng(5).normal(0.01, 0.05, 60)
    found = clustered_mean(values, np.arange(60), seed=0)
    bound = largest_effect(found)
    sides = [stats.ttest_1samp(values, end).pvalue / 2 for end in (bound, -bound)]
    assert max(sides) == pytest.approx(0.05, rel=0.25)  # the interval is that of the bootstrap


def test_the_share_of_repeats_is_that_of_the_simulation():
    rng = np.random.default_rng(6)
    truth, repeats = rng.normal(0, 0.3, 400), rng.normal(0, 0.6, (400, 4))
    split = split_variance(repeats.var(axis=1, ddof=1) / 4, truth + repeats.mean(axis=1))
    assert split.repeats == pytest.approx(0.5, abs=0.08)  # 0.6²/4 of 0.3² + 0.6²/4
    assert split.more_repeats == pytest.approx(0.75**0.5, abs=0.03)


def test_memory_of_resampling_does_not_grow_with_families():
    """20,000 patterns of 2,000 signs at once are 164 MB, and 2,000 resamples of them about 100 MB."""
    families = np.arange(2000)
    tracemalloc.start()
    try:
        column = np.random.default_rng(0).normal(size=2000)
        delta = clustered_mean(column, families, seed=0)
        adjust_familywise({"one": delta}, seed=0, flips=20_000)
        rank_ranges(np.stack([column, -column]), families, seed=0)
        assert tracemalloc.get_traced_memory()[1] < 90e6
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("families", [20, 2000])
def test_the_size_of_blocks_does_not_change_the_draws(families):
    whole, pieces = (np.concatenate([*draw_families(families, 1200, 5, rows)]) for rows in (1200, 7))
    assert np.array_equal(whole, pieces)
    assert (whole.sum(axis=1) == families).all()
