"""Paired deltas: what they must not depend on, degenerate cases, and Holm's correction."""

import math
import statistics

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from ansatz.eval.statistics import contrast, holm, mean_and_sigma, paired_delta, weighted_mean

VALUES = st.sampled_from([0.0, 0.3, 0.7, 1.0]) | st.floats(0, 1).map(lambda value: round(value, 3))
SCORES = st.lists(VALUES | st.none(), max_size=3)
PROBLEMS = st.lists(st.tuples(st.integers(0, 7), SCORES, SCORES), min_size=1, max_size=20)


def arms(rows, names=None):
    """Two arms and the families of rows of (family, treated, control)."""
    names = names or [f"problem {index}" for index in range(len(rows))]
    treated = {name: row[1] for name, row in zip(names, rows, strict=True)}
    control = {name: row[2] for name, row in zip(names, rows, strict=True)}
    return treated, control, {name: f"family {row[0]}" for name, row in zip(names, rows, strict=True)}


def delta(rows, names=None, seed=0, **settings):
    return paired_delta(*arms(rows, names), seed=seed, resamples=200, **settings)


@settings(max_examples=60)
@given(PROBLEMS)
def test_the_other_way_round_is_the_negative(rows):
    there = delta(rows)
    back = delta([(family, control, treated) for family, treated, control in rows])
    if there.estimate is None:
        assert back == there
        return
    assert back.estimate == -there.estimate
    assert (back.pairs, back.families, back.dropped) == (there.pairs, there.families, there.dropped)
    assert back.p == there.p
    if there.low is not None:
        assert (back.low, back.high) == pytest.approx((-there.high, -there.low), abs=1e-12)


@settings(max_examples=60)
@given(PROBLEMS, st.randoms(use_true_random=False))
def test_order_and_names_do_not_matter(rows, random):
    shuffled = random.sample(rows, len(rows))
    renamed = [f"item {index}" for index in random.sample(range(len(rows)), len(rows))]
    other_families = [((family * 5 + 3) % 8, *scores) for family, *scores in shuffled]
    first, second = delta(rows), delta(other_families, renamed)
    assert (first.pairs, first.families, first.dropped) == (second.pairs, second.families, second.dropped)
    for field in ("estimate", "low", "high", "p"):
        assert getattr(first, field) == pytest.approx(getattr(second, field), abs=1e-12), field


@settings(max_examples=60)
@given(PROBLEMS)
def test_pairs_and_dropped_account_for_every_problem(rows):
    both = sum(
        any(value is not None for value in treated) and any(value is not None for value in control)
        for _, treated, control in rows
    )
    found = delta(rows)
    assert (found.pairs, found.dropped) == (both, len(rows) - both)
    assert found.families <= found.pairs


def test_repeats_are_averaged_within_a_problem_before_anything_else():
    rows = [(0, [1, 0, None], [0]), (1, [1], [1, 1, 1])]
    assert delta(rows).estimate == pytest.approx((0.5 + 0.0) / 2)


def test_problems_of_a_family_do_not_count_as_independent():
    varied = [(index, [0.7 if index % 2 else 0.1], [0.2]) for index in range(12)]
    copied = [row for row in varied for _ in range(10)]
    one, ten = delta(varied), delta(copied)
    assert (ten.pairs, ten.families) == (120, 12)
    assert (ten.low, ten.high, ten.p) == pytest.approx((one.low, one.high, one.p))


def test_what_rounding_leaves_of_equal_scores_is_no_difference():
    thirds = sum([0.1] * 3) / 3  # one bit above 0.1
    assert thirds != 0.1
    found = delta([(family, [thirds], [0.1]) for family in range(12)])
    assert (found.estimate, found.error, found.p) == (0.0, 0.0, 1.0)


@pytest.mark.parametrize("families", [5, 30, 240])
def test_no_difference_anywhere_leaves_open_what_so_few_may_have_missed(families):
    """Between the one-sided and the two-sided end of Jeffreys' interval for a share never seen."""
    found = delta([(index, [0.7], [0.7]) for index in range(families)])
    assert (found.estimate, found.p) == (0, 1)
    unseen = stats.beta(0.5, families + 1)
    assert unseen.ppf(0.95) < found.high < unseen.ppf(0.975)
    assert found.low == pytest.approx(-found.high, abs=1e-12)


def test_the_same_difference_everywhere_is_not_certain():
    found = delta([(index, [0.8], [0.5]) for index in range(30)])
    assert 0 < found.low < 0.3 - 0.01 and 0.3 + 0.01 < found.high < 0.4
    assert found.p == pytest.approx(1e-4)


@pytest.mark.parametrize(("families", "p"), [(2, 0.5), (5, 2 / 32), (10, 2 / 1024)])
def test_few_families_are_tested_exactly(families, p):
    rows = [(index, [0.5 + index / 20], [0.1]) for index in range(families)]
    assert delta(rows).p == p


def test_one_family_has_an_estimate_and_nothing_to_judge_it_by():
    found = delta([(0, [1.0], [0.5]), (0, [0.5], [0.5])])
    assert (found.estimate, found.low, found.high, found.p, found.families) == (0.25, None, None, None, 1)


def test_a_problem_without_a_family_is_named():
    with pytest.raises(ValueError, match="no family is given for b"):
        paired_delta({"a": [1], "b": [1]}, {}, {"a": "A"}, seed=0)


def test_a_score_that_is_no_number_is_named():
    with pytest.raises(ValueError, match="a has a score that is not a finite number"):
        paired_delta({"a": [math.nan]}, {"a": [1]}, {"a": "A"}, seed=0)


def test_an_interaction_is_what_two_interventions_do_beyond_their_sum():
    names = [f"p{index}" for index in range(20)]
    neither = {name: [index / 40] for index, name in enumerate(names)}
    first = {name: [scores[0] + 0.1] for name, scores in neither.items()}
    second = {name: [scores[0] + 0.2] for name, scores in neither.items()}
    both = {name: [scores[0] + 0.45] for name, scores in neither.items()}
    found = contrast(
        [(1, both), (-1, first), (-1, second), (1, neither)], {name: name for name in names}, seed=0
    )
    assert found.estimate == pytest.approx(0.15)
    assert found.low < 0.15 < found.high


def test_holm_multiplies_by_the_number_of_hypotheses_that_are_left():
    # Worked by hand: 4 x 0.005, 3 x 0.01, 2 x 0.03, then 0.04 held up to the value before it.
    corrected = holm({"a": 0.01, "b": 0.04, "c": 0.03, "d": 0.005})
    assert corrected == pytest.approx({"a": 0.03, "b": 0.06, "c": 0.06, "d": 0.02})


def test_the_composite_of_the_published_leader_is_the_published_one():
    """ThermoQA, table 2: 96.4, 92.1 and 93.6 % over 110, 101 and 82 questions make 94.1 %."""
    assert weighted_mean([96.4, 92.1, 93.6], [110, 101, 82]) == pytest.approx(94.1, abs=0.05)
    assert weighted_mean([85.2, 76.2, 52.7], [110, 101, 82]) == pytest.approx(73.0, abs=0.05)


def test_sigma_is_that_of_a_sample():
    assert mean_and_sigma([0.2, 0.5, 0.9]) == pytest.approx((1.6 / 3, statistics.stdev([0.2, 0.5, 0.9])))
    assert mean_and_sigma([0.2]) == (0.2, None)
