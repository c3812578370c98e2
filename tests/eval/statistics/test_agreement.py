"""Agreement: published examples, comparison with other libraries, and undefined statistics."""

import itertools
import math
import statistics
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from ansatz.eval.statistics.agreement import (
    WEIGHTINGS,
    Coefficient,
    agreement_shares,
    agreement_weights,
    cohen_kappa,
    gwet_ac,
    leniency,
    spearman,
    with_interval,
)

SCALE = [0, 1, 2, 3]
RATING = st.sampled_from(SCALE)
MISSING = RATING | st.none()
NUMBERS = st.integers(0, 6).map(float)

# Twelve items by four raters, five categories (K. L. Gwet, Handbook of Inter-Rater Reliability, 2014).
_ = None
FOUR_RATERS = [
    [1, 1, _, 1], [2, 2, 3, 2], [3, 3, 3, 3], [3, 3, 3, 3], [2, 2, 2, 2], [1, 2, 3, 4],
    [4, 4, 4, 4], [1, 1, 2, 1], [2, 2, 2, 2], [_, 5, 5, 5], [_, _, 1, 1], [_, _, 3, _],
]  # fmt: skip
# Two abstractors' diagnoses of 100 pregnancies, as a table (same source).
ABSTRACTORS = [[13, 0, 0], [0, 20, 7], [0, 4, 56]]


def columns(pairs):
    return [one for one, _ in pairs], [other for _, other in pairs]


def from_table(table):
    return [
        (row, column) for row, counts in enumerate(table) for column, n in enumerate(counts) for _ in range(n)
    ]


def test_gwets_four_raters_with_missing_ratings():
    found = gwet_ac(FOUR_RATERS, weights="identity")
    assert (found.items, found.value) == pytest.approx((11, 0.77544), abs=5e-6)
    assert (found.observed, found.chance) == pytest.approx((0.8181818, 0.1903212), abs=5e-8)


def test_gwets_two_abstractors_and_his_standard_error():
    """Gwet's standard error is linearised; the jackknife estimates the same quantity."""
    pairs = from_table(ABSTRACTORS)
    assert cohen_kappa(*columns(pairs), weights="identity").value == pytest.approx(0.7964094, abs=5e-8)
    found = with_interval(partial(gwet_ac, weights="identity"), [pairs], range(len(pairs)))
    assert found.value == pytest.approx(0.8493305, abs=5e-8)
    assert (found.value - found.low) / stats.t.ppf(0.975, 99) == pytest.approx(0.04321747, rel=0.05)


def weight_by_definition(kind, one, other):
    return {
        "identity": float(one == other),
        "linear": 1 - abs(one - other) / 3,
        "quadratic": 1 - (one - other) ** 2 / 9,
        "ordinal": 1 - math.comb(abs(one - other) + 1, 2) / 6,
    }[kind]


def mean_weight(kind, pairs):
    return statistics.fmean(weight_by_definition(kind, *pair) for pair in pairs)


@pytest.mark.parametrize("kind", WEIGHTINGS)
@settings(max_examples=60)
@given(pairs=st.lists(st.tuples(RATING, RATING), min_size=2, max_size=40))
def test_kappa_from_every_pair_of_items(kind, pairs):
    """Chance agreement as the mean weight over all pairings of one rater's items with the other's."""
    found = cohen_kappa(*columns(pairs), SCALE, kind)
    observed, chance = mean_weight(kind, pairs), mean_weight(kind, itertools.product(*columns(pairs)))
    if chance == 1:
        assert found.value is None and found.reason
    else:
        assert found.value == pytest.approx((observed - chance) / (1 - chance), abs=1e-9)


@pytest.mark.parametrize("kind", WEIGHTINGS)
@settings(max_examples=60)
@given(rows=st.lists(st.lists(MISSING, min_size=3, max_size=3), min_size=1, max_size=25))
def test_gwets_ac_from_pairs_of_raters(kind, rows):
    """Agreement as the mean over each item's ordered pairs of raters, chance from their prevalences."""
    rated = [[value for value in row if value is not None] for row in rows]
    shared = [mean_weight(kind, itertools.permutations(row, 2)) for row in rated if len(row) > 1]
    found = gwet_ac(rows, SCALE, kind)
    assert found.items == len(shared)
    if not shared:
        assert found == Coefficient(None, 0, reason="no item has two ratings")
        return
    seen = [row for row in rated if row]
    prevalence = [statistics.fmean(row.count(k) / len(row) for row in seen) for k in SCALE]
    total = 16 * mean_weight(kind, itertools.product(SCALE, SCALE))
    chance = total / 12 * math.fsum(p * (1 - p) for p in prevalence)
    expected = (statistics.fmean(shared) - chance) / (1 - chance)
    assert found.value == pytest.approx(expected, abs=1e-9)


@settings(max_examples=60)
@given(pairs=st.lists(st.tuples(NUMBERS, NUMBERS), min_size=3, max_size=30))
def test_the_correlation_of_ranks_is_that_of_scipy(pairs):
    first, second = columns(pairs)
    found = spearman(first, second)
    if len(set(first)) == 1 or len(set(second)) == 1:
        assert found.value is None and found.reason
    else:
        assert found.value == pytest.approx(stats.spearmanr(first, second).statistic, abs=1e-9)
        mirrored = spearman([-each for each in first], [3 * each + 7 for each in second])
        assert mirrored.value == pytest.approx(-found.value, abs=1e-9)


@settings(max_examples=40)
@given(pairs=st.lists(st.tuples(MISSING, MISSING), max_size=30))
def test_items_with_missing_ratings_are_skipped(pairs):
    whole = [pair for pair in pairs if None not in pair]
    for statistic in (cohen_kappa, spearman, agreement_shares, leniency):
        assert statistic(*columns(pairs)) == statistic(*columns(whole))


@pytest.mark.parametrize(
    ("found", "reason"),
    [
        (cohen_kappa([], []), "no item"),
        (cohen_kappa([None, 1], [1, None]), "no item"),
        (cohen_kappa([2, 2], [2, 2], [0, 1, 2]), "same rating"),
        (gwet_ac([]), "no item"),
        (gwet_ac([[1], [2]]), "no item has two"),
        (gwet_ac([[1, 1], [1, 1]]), "single category"),
        (spearman([1], [1]), "fewer than two"),
        (spearman([1, 1, 1], [0, 1, 2]), "all equal"),
    ],
)
def test_an_undefined_statistic_has_a_reason(found, reason):
    assert found.value is None
    assert reason in found.reason


def test_ratings_off_the_scale_and_uneven_lengths_are_refused():
    with pytest.raises(ValueError, match="3 is not on the scale 0, 1, 2"):
        cohen_kappa([3], [1], [0, 1, 2])
    with pytest.raises(ValueError, match="not a finite number"):
        gwet_ac([[math.nan, 1.0]])
    with pytest.raises(ValueError, match="do not pair up"):
        spearman([1, 2], [1])
    with pytest.raises(ValueError, match="weights are one of"):
        agreement_weights("cubic", [0, 1])


def test_shares_of_agreement_and_of_leniency():
    judge, human = [2, 2, 2, 1, 0], [2, 1, 0, 2, 0]
    shares, rates = agreement_shares(judge, human), leniency(judge, human)
    assert (shares.full, shares.partial, shares.none, shares.pairs) == (0.4, 0.4, 0.2, 5)
    assert (rates.lenient, rates.correct, rates.strict) == (0.4, 0.4, 0.2)
    assert agreement_shares([], []) is None and leniency([None], [1]) is None


def test_items_of_one_family_count_as_one():
    """Repeating the same answers within a family adds no information."""
    first, second = columns(from_table([[4, 1, 0], [2, 5, 1], [0, 1, 6]]))

    def interval(times):
        kappa = with_interval(cohen_kappa, [first * times, second * times], list(range(len(first))) * times)
        return kappa.low, kappa.value, kappa.high

    assert interval(2) == pytest.approx(interval(1), abs=1e-12)


def test_no_interval_from_two_items_or_without_variation():
    two = with_interval(cohen_kappa, [[0, 1], [0, 1]], range(2))
    assert (two.value, two.low) == (1.0, None)
    same = with_interval(cohen_kappa, [[0, 1] * 5, [0, 1] * 5], range(10))
    assert (same.value, same.low) == (1.0, None)
