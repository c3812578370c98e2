"""Noise on purpose: what it damages and what not, and the statistics of the shift it causes."""

import re
from collections import Counter

import numpy as np
import pytest

from ansatz.eval.benchmarks import tps_noisy
from ansatz.eval.benchmarks.validation import InvalidData
from ansatz.eval.data.noise import CLEAN, KINDS, corrupt, corrupt_some
from ansatz.eval.problem import Formulation, Given, NumberTarget, Problem, ReferenceSolution
from ansatz.eval.statistics.noise_shift import (
    NoisePair,
    noise_pairs,
    paired_shift,
    paired_shift_by_kind,
    rank_shifts,
    set_shift,
)

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
    return tps_noisy.load()


def test_the_set_has_the_published_counts_and_even_kinds(noisy):
    kinds = Counter(problem.tags["corruption"] for problem in noisy)
    assert len(noisy) == 810 and kinds[CLEAN] == 420
    assert {kind for kind in kinds if kind != CLEAN} == set(KINDS)
    assert max(kinds[kind] for kind in KINDS) - min(kinds[kind] for kind in KINDS) <= 2
    assert len({problem.id for problem in noisy}) == 810


def test_only_the_text_is_damaged(noisy):
    clean = {problem.id: problem for problem in noisy if problem.tags["corruption"] == CLEAN}
    for pair in noise_pairs(noisy):
        damaged = next(problem for problem in noisy if problem.id == pair.noisy)
        original = clean[pair.clean]
        assert damaged.question != original.question
        assert damaged.question.split("Report your")[1:] == original.question.split("Report your")[1:]
        assert (damaged.targets, damaged.givens, damaged.family) == (
            original.targets,
            original.givens,
            original.family,
        )
        for field in ("steps", "gold_equations", "bounds"):
            assert getattr(damaged.reference, field) == getattr(original.reference, field)


def test_the_same_seed_gives_the_same_set_and_another_seed_another(noisy):
    clean = [problem for problem in noisy if problem.tags["corruption"] == CLEAN]
    assert (*clean, *corrupt_some(clean, 390, 0)) == noisy
    assert corrupt_some(clean, 50, 1) != corrupt_some(clean, 50, 2)


@pytest.mark.slow
def test_more_than_can_be_damaged_is_refused():
    with pytest.raises(InvalidData, match="noisy: only 420 of 420 problems can be damaged, not 421"):
        tps_noisy.load(noisy=421)


@pytest.mark.parametrize("key", list("abcdefghijklmnopqrstuvwxy"))
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


def test_the_formulation_that_an_arm_may_show_is_damaged_alike():
    for kind in KINDS:
        for key in "abcdef":
            damaged = corrupt(CONE, kind, key)
            shown = re.findall(r"\S+ = \S+(?: (?:deg|Pa))?", damaged.question.split(". Find")[0])
            hinted = re.findall(r"\S+ = [^;]+", damaged.reference.formulation.given)
            assert [text.rstrip(".") for text in shown] == hinted


def test_a_problem_without_stated_numbers_cannot_be_damaged():
    bare = CONE.model_copy(update={"question": "Derive the drag D of a cone."})
    assert all(corrupt(bare, kind, "a") is None for kind in KINDS)
    with pytest.raises(ValueError, match="only 0 of 1 problems"):
        corrupt_some([bare], 1, 0)


def table(rng, families, effect, spread=0.1):
    """Scores of clean items and of damaged ones, `effect` lower, with families that differ in difficulty."""
    scores, pairs, family_of, clean = {}, [], {}, []
    for family in range(families):
        level = rng.normal(0.6, 0.15)
        for item in range(3):
            name = f"{family}/{item}"
            clean.append(name)
            scores[name] = [level + rng.normal(0, spread)]
            scores[f"{name}~"] = [level - effect + rng.normal(0, spread)]
            kind = "unit_loss" if item else "ocr_damage"
            pairs.append(NoisePair(f"{name}~", name, kind, str(family)))
            family_of |= {name: str(family), f"{name}~": str(family)}
    return scores, pairs, family_of, clean


def test_the_paired_shift_is_the_mean_difference():
    scores, pairs, *_ = table(np.random.default_rng(0), 20, 0.2)
    found = paired_shift(scores, pairs, seed=0)
    expected = np.mean([scores[pair.clean][0] - scores[pair.noisy][0] for pair in pairs])
    assert found.estimate == pytest.approx(expected) and found.low < 0.2 < found.high
    assert (found.pairs, found.families, found.dropped) == (60, 20, 0)
    by_kind = paired_shift_by_kind(scores, pairs, seed=0)
    weighted = (by_kind["ocr_damage"].estimate * 20 + by_kind["unit_loss"].estimate * 40) / 60
    assert weighted == pytest.approx(expected)
    scores[pairs[0].noisy] = [None]
    assert paired_shift(scores, pairs, seed=0).dropped == 1


def test_the_shift_of_sets_is_the_difference_of_their_means():
    scores, _, families, clean = table(np.random.default_rng(1), 25, 0.2)
    found = set_shift(scores, clean, families, seed=0)
    means = np.mean([scores[name] for name in clean]), np.mean([scores[name] for name in families])
    assert (found.clean, found.mixed) == pytest.approx(means)
    assert found.estimate == pytest.approx(means[0] - means[1]) and found.low < found.estimate < found.high
    assert set_shift({}, clean, families, seed=0).estimate is None
    one = dict.fromkeys(families, "same")
    assert set_shift(scores, clean, one, seed=0).low is None


def test_intervals_of_the_shift_of_sets_hold_the_truth():
    rng = np.random.default_rng(2)
    held = []
    for seed in range(200):
        scores, _, families, clean = table(rng, 40, 0.2)
        found = set_shift(scores, clean, families, seed=seed, resamples=400)
        held.append(found.low <= 0.1 <= found.high)  # half of the mixed set is 0.2 lower
    assert 0.91 <= np.mean(held) <= 0.99


def test_ranks_move_where_one_model_suffers_more():
    rng = np.random.default_rng(3)
    strong, _, families, clean = table(rng, 30, 0.3, spread=0.01)
    robust = {name: [scores[0] - (0.02 if name in clean else -0.25)] for name, scores in strong.items()}
    weak = {name: [scores[0] - 0.5] for name, scores in strong.items()}
    found = rank_shifts(
        {"strong": strong, "robust": robust, "weak": weak, "silent": {}}, clean, families, seed=0
    )
    assert {model: (shift.clean, shift.mixed, shift.moved) for model, shift in found.items()} == {
        "strong": (1, 2, 1),
        "robust": (2, 1, -1),
        "weak": (3, 3, 0),
    }
    assert (found["strong"].low, found["strong"].high) == (1, 1) and found["weak"].kept == 1.0
    assert rank_shifts({"silent": {}}, clean, families, seed=0) == {}


def test_equal_models_share_a_rank():
    scores, _, families, clean = table(np.random.default_rng(4), 10, 0.2)
    found = rank_shifts({"one": scores, "other": scores}, clean, families, seed=0)
    assert {(shift.clean, shift.mixed) for shift in found.values()} == {(1, 1)}
