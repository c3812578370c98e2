"""Simulations: 95 % intervals cover the truth at their nominal rate, and false effects are rare."""

import numpy as np
import pytest

from ansatz.eval.statistics import clustered_mean
from ansatz.eval.statistics.prediction_powered import Rated, calibrated_delta
from ansatz.eval.statistics.ranks import rank_means, rank_ranges
from ansatz.eval.statistics.ratio import estimate_share
from benchmarks.calibration import LIFTED, Judged, factorial_coverage, judged_coverage, shapley_coverage
from benchmarks.worlds import ONE_LARGE, banded, discordant, few_differ, less, logarithms, normal

pytestmark = pytest.mark.long

SEEDS = 16  # studies share resamples and sign patterns, which are independent of their scores


def of_means(draw, truth=None, ends=(-1, 1)):
    """Return the studies of a world of paired differences, and the truth or what computes it."""

    def study(rng, number):
        values, family = draw(rng)
        return clustered_mean(values, family, seed=number % SEEDS, resamples=400, ends=ends)

    return study, truth


def of_bands(sizes, effect, shared=0.6):
    def truth():
        return less(banded([*set(sizes)] * 50_000, effect, shared))(np.random.default_rng(99))[0].mean()

    return of_means(less(banded(sizes, effect, shared)), truth)


def of_shares(families, truth):
    """Parts of gains; families have one to four problems."""

    def study(rng, number):
        family = np.repeat(np.arange(families), rng.integers(1, 5, families))
        size = rng.gamma(2.0, 0.1, families)[family]
        part = truth * size + rng.normal(0, 0.1, family.size)
        return estimate_share(part, part + (1 - truth) * size + rng.normal(0, 0.1, family.size), family)

    return study, truth


def of_shares_that_hardly_vary(rng, number):
    """In one family of twenty the gain comes from the rest; 15 families often include none of these."""
    rest = (rng.random(15) < 0.05) * 0.5
    return estimate_share(0.5 - rest, np.full(15, 0.5), np.arange(15), ends=lambda ratio: (-1.0, 1.0))


def of_sparse_labels(rng, number):
    """An effect in few families of three problems; a study may label hardly any of them."""
    family = np.repeat(np.arange(60), 3)
    plain = rng.integers(0, 3, len(family)) / 2
    responds = (rng.random(60) < 0.3)[family] & (rng.random(len(family)) < 0.7)
    human = np.minimum(1, plain + responds / 2), plain
    judge = [np.where(rng.random(len(family)) < 0.15, np.minimum(1, each + 0.5), each) for each in human]
    known = (rng.random(60) < 0.2)[family]
    arms = [Rated(scores, np.where(known, own, np.nan)) for scores, own in zip(judge, human, strict=True)]
    return calibrated_delta(*arms, family.tolist(), seed=number, resamples=400)


@pytest.mark.parametrize(
    ("world", "studies", "least", "most"),
    [
        pytest.param(of_bands([2, 3, 4] * 10, 0.8), 2000, 0.935, 0.97, id="30 families"),
        pytest.param(
            of_bands([2, 3, 4] * 20, 0.3, 2.0), 2000, 0.935, 0.97, id="60 that differ", marks=pytest.mark.slow
        ),
        pytest.param(
            of_bands([1, 2, 8] * 13, 0.8), 2000, 0.935, 0.97, id="unequal families", marks=pytest.mark.slow
        ),
        pytest.param(
            of_means(less(discordant(120, 0.17, 0.07)), 0.1), 2000, 0.935, 0.97, id="right or wrong"
        ),
        pytest.param(
            of_means(normal([3] * 30, 1.0), 0.0, None), 2000, 0.935, 0.97, id="normal", marks=pytest.mark.slow
        ),
        pytest.param(
            of_means(normal(ONE_LARGE, 0.5), 0.0, None),
            2000,
            0.935,
            1.0,
            id="one large family",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            of_means(logarithms(10), 0.0, None),
            2000,
            0.935,
            0.97,
            id="ratios of amounts",
            marks=pytest.mark.slow,
        ),
        pytest.param(of_shares(15, 0.8), 2000, 0.935, 0.97, id="shares of 15", marks=pytest.mark.slow),
        pytest.param(of_shares(30, 0.5), 2000, 0.935, 0.97, id="shares of 30", marks=pytest.mark.slow),
        pytest.param((of_shares_that_hardly_vary, 0.95), 400, 0.95, 1.0, id="shares that hardly vary"),
        # Tuning without shrinkage covers the truth, 0.5 · 0.3 · 0.7 · 2/3, in about 90 %.
        pytest.param((of_sparse_labels, 0.07), 300, 0.93, 1.0, id="sparse labels", marks=pytest.mark.slow),
    ],
)
def test_intervals_cover_the_truth(world, studies, least, most):
    (study, truth), rng = world, np.random.default_rng(7)
    truth = truth() if callable(truth) else truth
    found = [study(rng, number) for number in range(studies)]
    held = np.mean([each.low is None or each.low <= truth <= each.high for each in found])
    assert least <= held <= most


@pytest.mark.parametrize(("families", "part"), [(134, 0.06), (134, 0.12), (60, 0.12), (30, 0.3)])
def test_an_effect_in_few_families_is_not_overstated(families, part):
    """If only some families respond, the interval is seldom above the truth and rarely misses it."""
    study, truth = of_means(less(few_differ(families, part)), 0.7 * part)
    rng = np.random.default_rng(5)
    found = [study(rng, number) for number in range(400)]
    assert np.mean([truth < each.low for each in found]) <= 0.025
    assert np.mean([not each.low <= truth <= each.high for each in found]) <= 0.05


@pytest.mark.parametrize(
    "draw",
    [
        pytest.param(less(banded([2, 3, 4] * 10, 0.0)), id="30 families", marks=pytest.mark.slow),
        pytest.param(less(banded([2, 3, 4] * 3, 0.0)), id="9 families"),
        pytest.param(logarithms(60), id="ratios of amounts", marks=pytest.mark.slow),
    ],
)
def test_false_effects_are_rare(draw):
    rng = np.random.default_rng(9)
    found = [clustered_mean(*draw(rng), seed=number % 5, resamples=2) for number in range(2000)]
    assert np.mean([each.p < 0.05 for each in found]) <= 0.06


@pytest.mark.parametrize("families", [12, pytest.param(60, marks=pytest.mark.slow)])
def test_ranges_of_ranks_contain_the_true_rank(families):
    """Five systems, two of them equal: the range has to include one of the system's true ranks."""
    truth, studies = np.array([0.9, 0.6, 0.6, 0.4, 0.0]), 300
    best, worst = rank_means(truth), 1 + len(truth) - rank_means(-truth)
    held, widths = np.zeros(len(truth)), []
    names = np.repeat(np.arange(families), 3)
    for study in range(studies):
        rng = np.random.default_rng([3, study])
        shared = rng.normal(size=families)[names] + rng.normal(size=(5, families))[:, names]
        scores = truth[:, None] + shared + rng.normal(size=(5, len(names)))
        low, high = rank_ranges(scores, names, seed=study % 8, resamples=400).T
        held += (low <= worst) & (high >= best)
        widths.append(high - low)
    assert (held / studies >= 0.93).all(), held / studies
    assert 0 < np.mean(widths) < 4


def corrected_coverage(studies):
    return judged_coverage(Judged(families=60), studies)["corrected"]


@pytest.mark.parametrize("coverage", [factorial_coverage, shapley_coverage, corrected_coverage])
def test_intervals_cover_the_truth_in_few_studies(coverage):
    assert 0.9 <= coverage(studies=60).overall <= 0.99


@pytest.mark.slow
@pytest.mark.parametrize("coverage", [factorial_coverage, shapley_coverage])
def test_intervals_of_a_factorial_study_cover_the_truth(coverage):
    """Each quantity separately, and all together, in 500 simulated studies of 2^3 arms."""
    found = coverage(studies=500)
    assert 0.93 <= found.overall <= 0.97
    assert all(0.92 <= held <= 0.98 for held in found.by_name.values())


@pytest.mark.slow
@pytest.mark.parametrize(
    "world", [Judged(), Judged(whole_families=True), Judged(families=40), Judged(labelled=0.1)], ids=str
)
def test_corrected_intervals_cover_where_the_judges_do_not(world):
    """G4 and G5 have the same distribution, so they count together."""
    found = judged_coverage(world, studies=350)
    corrected = found["corrected"]
    assert 0.93 <= np.mean([corrected.by_name[name] for name in LIFTED]) <= 0.97
    assert 0.93 <= corrected.overall <= 0.97
    assert all(found["judge alone"].by_name[name] < 0.9 for name in LIFTED)
    assert corrected.widths["G4"] < found["people alone"].widths["G4"]
