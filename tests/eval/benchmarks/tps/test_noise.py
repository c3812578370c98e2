"""Noise on purpose: what it damages and what not, and the statistics of the shift it causes."""

import re
from collections import Counter

import numpy as np
import pytest

from ansatz.eval.benchmarks.tps.noise import CLEAN, CLEAN_ID, KINDS, corrupt, corrupt_some, load
from ansatz.eval.problem import Formulation, Given, NumberTarget, Problem, ReferenceSolution
from ansatz.eval.statistics.ranks import rank_shifts, set_shift

pytestmark = pytest.mark.xdist_group("tps")

TEXT = "A cone of theta_c = 12 deg at M = 8.5 sees q = 1.4e7 Pa. Find the drag D.\n\nReport your answers as:\nD = ___ N"
CONE = Problem(
    id="cone#0",
    family="cone",
    benchmark="tps",
    question=TEXT,
    givens=(
        Given(name="theta_c", value=12.0, unit="deg"),
        Given(name="M", value=8.5, unit="-"),
        Given(name="q", value=1.4e7, unit="Pa"),
    ),
    targets=(NumberTarget(name="D", unit="N", weight=1, value=3.0),),
    reference=ReferenceSolution(
        formulation=Formulation(
            given="angle: theta_c = 12 deg; Mach: M = 8.5; pressure: q = 1.4e7 Pa",
            find="D",
            approach="",
            assumptions="",
        )
    ),
)


@pytest.fixture(scope="module")
def noisy():
    return load()


def test_the_set_has_the_published_counts_and_even_kinds(noisy):
    kinds = Counter(problem.tags["corruption"] for problem in noisy)
    assert len(noisy) == 810 and kinds[CLEAN] == 420
    assert {kind for kind in kinds if kind != CLEAN} == set(KINDS)
    assert max(kinds[kind] for kind in KINDS) - min(kinds[kind] for kind in KINDS) <= 2
    assert len({problem.id for problem in noisy}) == 810


@pytest.mark.slow
def test_only_the_text_is_damaged(noisy):
    clean = {problem.id: problem for problem in noisy if problem.tags["corruption"] == CLEAN}
    for damaged in [problem for problem in noisy if problem.id not in clean]:
        original = clean[damaged.tags["clean_id"]]
        assert damaged.question != original.question
        assert damaged.question.split("Report your")[1:] == original.question.split("Report your")[1:]
        texts = {field: getattr(original, field) for field in ("id", "question", "tags")}
        reference = {"formulation": original.reference.formulation}
        restored = texts | {"reference": damaged.reference.model_copy(update=reference)}
        assert damaged.model_copy(update=restored) == original


@pytest.mark.parametrize("key", list("abcdefghij"))
def test_each_kind_does_what_it_says(key):
    stated = dict(re.findall(r"(theta_c|M|q)(?: = (\S+(?: (?:deg|Pa))?))", TEXT.replace(".\n", "\n")))
    for kind in KINDS:
        damaged = corrupt(CONE, kind, key)
        left = re.findall(r"(\S+) = (\S+)(?: (deg|Pa))?", damaged.question.split("\n")[0])
        assert damaged.question != TEXT and damaged.tags == {"corruption": kind, "clean_id": "cone#0"}
        if kind == "dropped_given":
            assert len(left) == 2 and all(name in damaged.question for name in stated)
        elif kind == "unit_loss":
            assert [number.rstrip(".") for _, number, _ in left] == ["12", "8.5", "1.4e7"]
            assert [unit for *_, unit in left] == ["", "", ""]
        elif kind == "misplaced_digit":
            values = [float(number.rstrip(".")) for _, number, _ in left]
            assert sum(one != other for one, other in zip(values, [12.0, 8.5, 1.4e7], strict=True)) == 1
        else:
            assert [unit for *_, unit in left] == ["deg", "", "Pa"]
        shown = re.findall(r"\S+ = \S+(?: (?:deg|Pa))?", damaged.question.split(". Find")[0])
        hinted = re.findall(r"\S+ = [^;]+", damaged.reference.formulation.given)
        assert [text.rstrip(".") for text in shown] == hinted, (
            "what an arm may show is damaged in the same way"
        )


def test_a_noisy_set_depends_on_its_seed(noisy):
    clean = [problem for problem in noisy if problem.tags["corruption"] == CLEAN]
    assert (*clean, *corrupt_some(clean, 390, 0)) == noisy
    chosen = [{each.tags[CLEAN_ID] for each in corrupt_some(clean, 50, seed)} for seed in (1, 2)]
    assert chosen[0] != chosen[1]
    bare = CONE.model_copy(update={"question": "Derive the drag D of a cone."})
    assert all(corrupt(bare, kind, "a") is None for kind in KINDS)
    with pytest.raises(ValueError, match="only 0 of 1 problems"):
        corrupt_some([bare], 1, 0)


def table(rng, families, effect, spread=0.1):
    """Scores of sound items and of damaged ones, `effect` lower, in families that differ in difficulty."""
    home = np.repeat(np.arange(families), 3)
    level = rng.normal(0.6, 0.15, families)[home]
    sound, damaged = (level + rng.normal(0, spread, len(home)) for _ in range(2))
    clean = np.repeat([True, False], len(home))
    return np.concatenate([sound, damaged - effect]), clean, np.concatenate([home, home])


def test_the_shift_of_sets_is_the_difference_of_their_means():
    scores, clean, families = table(np.random.default_rng(1), 25, 0.2)
    found = set_shift(scores, clean, families, seed=0)
    means = scores[clean].mean(), scores.mean()
    assert (found.clean, found.mixed) == pytest.approx(means)
    assert found.estimate == pytest.approx(means[0] - means[1]) and found.low < found.estimate < found.high
    assert set_shift(np.full_like(scores, np.nan), clean, families, seed=0).estimate is None
    assert set_shift(scores, clean, np.zeros_like(families), seed=0).low is None


def test_intervals_of_the_shift_of_sets_hold_the_truth():
    rng = np.random.default_rng(2)
    held = []
    for seed in range(200):
        found = set_shift(*table(rng, 40, 0.2), seed=seed, resamples=400)
        held.append(found.low <= 0.1 <= found.high)  # half of the mixed set is 0.2 lower
    assert 0.91 <= np.mean(held) <= 0.99


def test_ranks_move_if_one_model_loses_more_and_ties_share_one():
    strong, clean, families = table(np.random.default_rng(3), 30, 0.3, spread=0.01)
    robust = strong - np.where(clean, 0.02, -0.25)
    silent, half_silent = np.full_like(strong, np.nan), np.where(clean, np.nan, strong)
    systems = np.stack([strong, robust, silent, strong - 0.5, half_silent])
    found = rank_shifts(systems, clean, families, seed=0)
    moves = [each and (each.clean, each.mixed, each.moved) for each in found]
    assert moves == [(1, 2, 1), (2, 1, -1), None, (3, 3, 0), None]
    assert (found[0].low, found[0].high) == (1, 1) and found[3].kept == 1.0
    assert rank_shifts(silent[None], clean, families, seed=0) == [None]
    equal = rank_shifts(np.stack([strong, strong]), clean, families, seed=0)
    assert {(each.clean, each.mixed) for each in equal} == {(1, 1)}
