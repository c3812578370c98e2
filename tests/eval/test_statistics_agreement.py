"""Agreement: published examples, other libraries, simulation, and what is not defined."""

import itertools
import math
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

RATING = st.sampled_from([0, 1, 2, 3])
MISSING = RATING | st.none()
PAIRS = st.lists(st.tuples(RATING, RATING), min_size=2, max_size=40)
NUMBERS = st.integers(0, 6).map(float)

# Twelve items by four raters, five categories (K. L. Gwet, Handbook of Inter-Rater Reliability, 2014).
_ = None
FOUR_RATERS = [
    [1, 1, _, 1], [2, 2, 3, 2], [3, 3, 3, 3], [3, 3, 3, 3], [2, 2, 2, 2], [1, 2, 3, 4],
    [4, 4, 4, 4], [1, 1, 2, 1], [2, 2, 2, 2], [_, 5, 5, 5], [_, _, 1, 1], [_, _, 3, _],
]  # fmt: skip
# Two abstractors' diagnoses of 100 pregnancies, as a table (same source).
ABSTRACTORS = [[13, 0, 0], [0, 20, 7], [0, 4, 56]]
# Six psychiatrists' diagnoses of the first 15 of Fleiss's patients, as counts (same source).
PSYCHIATRISTS = [
    [0, 0, 0, 6, 0], [0, 3, 0, 0, 3], [0, 1, 4, 0, 1], [0, 0, 0, 0, 6], [0, 3, 0, 3, 0],
    [2, 0, 4, 0, 0], [0, 0, 4, 0, 2], [2, 0, 3, 1, 0], [2, 0, 0, 4, 0], [0, 0, 0, 0, 6],
    [1, 0, 0, 5, 0], [1, 1, 0, 4, 0], [0, 3, 3, 0, 0], [1, 0, 0, 5, 0], [0, 2, 0, 3, 1],
]  # fmt: skip


def columns(pairs):
    return [one for one, _ in pairs], [other for _, other in pairs]


def from_table(table):
    return [
        (row, column) for row, counts in enumerate(table) for column, n in enumerate(counts) for _ in range(n)
    ]


def test_gwets_four_raters_with_missing_ratings():
    found = gwet_ac(FOUR_RATERS, weights="identity")
    assert found.value == pytest.approx(0.77544, abs=5e-6)
    assert (found.observed, found.chance) == pytest.approx((0.8181818, 0.1903212), abs=5e-8)
    assert found.items == 11


def test_gwets_two_abstractors():
    first, second = columns(from_table(ABSTRACTORS))
    assert cohen_kappa(first, second, weights="identity").value == pytest.approx(0.7964094, abs=5e-8)
    assert gwet_ac(list(zip(first, second, strict=True)), weights="identity").value == pytest.approx(
        0.8493305, abs=5e-8
    )


def weight_by_definition(kind, one, other, scale):
    span = max(scale) - min(scale)
    return {
        "identity": float(one == other),
        "linear": 1 - abs(one - other) / span,
        "quadratic": 1 - (one - other) ** 2 / span**2,
        "ordinal": 1
        - math.comb(abs(scale.index(one) - scale.index(other)) + 1, 2) / math.comb(len(scale), 2),
    }[kind]


@pytest.mark.parametrize("kind", WEIGHTINGS)
@settings(max_examples=60)
@given(pairs=PAIRS)
def test_kappa_from_every_pair_of_items(kind, pairs):
    """Chance agreement as the mean weight over all pairings of one rater's items with the other's."""
    first, second = columns(pairs)
    scale = [0, 1, 2, 3]
    observed = math.fsum(weight_by_definition(kind, one, other, scale) for one, other in pairs) / len(pairs)
    crossed = [weight_by_definition(kind, one, other, scale) for one in first for other in second]
    chance = math.fsum(crossed) / len(crossed)
    found = cohen_kappa(first, second, scale, kind)
    if chance == 1:
        assert found.value is None and found.reason
    else:
        assert found.value == pytest.approx((observed - chance) / (1 - chance), abs=1e-9)


@pytest.mark.parametrize("kind", WEIGHTINGS)
@settings(max_examples=60)
@given(rows=st.lists(st.lists(MISSING, min_size=3, max_size=3), min_size=1, max_size=25))
def test_gwets_ac_from_pairs_of_raters(kind, rows):
    """Agreement as the mean over each item's ordered pairs of raters, chance from their prevalences."""
    scale = [0, 1, 2, 3]
    rated = [[value for value in row if value is not None] for row in rows]
    shared = [
        math.fsum(weight_by_definition(kind, *pair, scale) for pair in itertools.permutations(row, 2))
        / (len(row) * (len(row) - 1))
        for row in rated
        if len(row) > 1
    ]
    found = gwet_ac(rows, scale, kind)
    assert found.items == len(shared)
    if not shared:
        assert found == Coefficient(None, 0, reason="no item has two ratings")
        return
    seen = [row for row in rated if row]
    prevalence = [math.fsum(row.count(k) / len(row) for row in seen) / len(seen) for k in scale]
    total = math.fsum(weight_by_definition(kind, k, m, scale) for k in scale for m in scale)
    chance = total / 12 * math.fsum(p * (1 - p) for p in prevalence)
    observed = math.fsum(shared) / len(shared)
    assert found.value == pytest.approx((observed - chance) / (1 - chance), abs=1e-9)


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
def test_missing_ratings_are_as_if_the_item_were_not_there(pairs):
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
def test_what_is_not_defined_says_why(found, reason):
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


@pytest.mark.parametrize(
    ("rows", "error"),
    [
        (
            [[k for k, count in enumerate(counts) for _ in range(count)] for counts in PSYCHIATRISTS],
            0.08418757,
        ),
        ([list(pair) for pair in from_table(ABSTRACTORS)], 0.04321747),
    ],
)
def test_the_interval_of_ac_agrees_with_gwets_standard_error(rows, error):
    """His is linearised, the jackknife estimates the same quantity."""
    found = with_interval(partial(gwet_ac, weights="identity"), [rows], range(len(rows)))
    assert (found.value - found.low) / stats.t.ppf(0.975, len(rows) - 1) == pytest.approx(error, rel=0.05)


def test_items_of_one_family_count_as_one():
    """The same answers twice over tell no more than once."""
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
