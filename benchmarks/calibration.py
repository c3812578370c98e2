"""Measure the coverage of intervals of corrected differences, factorial effects and Shapley values.

The tests of statistics use it; the longer ones run with `make verify`.

The studies are simulated, with known effects, families of two to four problems and three-point scores. The
judge has random errors. On G4 and G5 it also favours long answers, which the treated arm writes more often.
This bias of +0.1 on the 0-2 scale does not cancel in the difference. Humans score a third of the problems.
Each line is the share of studies whose 95 % interval contains the true effect.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ansatz.eval.statistics import clustered_mean
from ansatz.eval.statistics.factorial import effect_weights, possible_ends, shapley_weights, sum_arms
from ansatz.eval.statistics.prediction_powered import Rated, calibrated_delta

Floats = NDArray[np.float64]
Generator = np.random.Generator

LIFTED = ("G4", "G5")
DIMENSIONS = ("G1", *LIFTED)
_RESAMPLES = 400


@dataclass(frozen=True)
class Coverage:
    """Return the share of intervals that contain the truth, for each quantity and for all."""

    studies: int
    by_name: Mapping[str, float]
    widths: Mapping[str, float] = field(default_factory=dict)

    @property
    def overall(self) -> float:
        return float(np.mean(list(self.by_name.values())))


@dataclass(frozen=True)
class Judged:
    """A simulated study in which a judge scores two arms and humans score some of the problems."""

    families: int = 100
    labelled: float = 0.35
    whole_families: bool = False  # whether people score families whole or problems here and there
    bias: float = 0.1  # of the judge in the treated arm, on the 0-2 scale
    effect: float = 0.5  # of the treatment on the ability behind the scores

    def family_of_problems(self, rng: Generator) -> NDArray[np.intp]:
        return np.repeat(np.arange(self.families), rng.choice([2, 3, 4], self.families))

    def human(self, family: NDArray[np.intp], rng: Generator) -> tuple[Floats, Floats]:
        """Draw scores of 0, 1 or 2 in the treated and the control arm; problems of a family are similar."""
        ability = rng.normal(size=self.families)[family]
        response = self.effect * (1 + 0.5 * rng.normal(size=self.families))[family]
        treated, control = (
            np.digitize(each + 0.7 * rng.logistic(size=len(family)), [-0.8, 0.8]).astype(np.float64)
            for each in (ability + response, ability)
        )
        return treated, control

    def judge(self, human: Floats, lifts: bool, rng: Generator) -> Floats:
        """Judge scores: one in ten is off by one, and with a bias long answers gain a point, up to two."""
        off = np.clip(human + rng.choice([-1, 1], len(human)), 0, 2)
        judged = np.where(rng.random(len(human)) < 0.1, off, human)
        if not lifts:
            return np.asarray(judged)
        long = rng.random(len(human)) < share_of_long_answers(replace(self, families=1))
        return np.asarray(np.where(long & (judged < 2), judged + 1, judged))

    def people_scored(self, family: NDArray[np.intp], rng: Generator) -> NDArray[np.bool_]:
        if self.whole_families:
            return np.asarray((rng.random(self.families) < self.labelled)[family])
        return np.asarray(rng.random(len(family)) < self.labelled)


@cache
def share_of_long_answers(world: Judged) -> float:
    """Return the share of long treated answers that gives the bias of this world on average."""
    many, rng = replace(world, families=200_000), np.random.default_rng(98)
    judged = many.judge(many.human(many.family_of_problems(rng), rng)[0], False, rng)
    return world.bias / float(np.mean(judged < 2))


@cache
def true_difference(world: Judged) -> float:
    """Return the mean difference between the arms over very many families."""
    many, rng = replace(world, families=200_000), np.random.default_rng(99)
    treated, control = many.human(many.family_of_problems(rng), rng)
    return float(np.mean(treated - control))


def judged_coverage(world: Judged, studies: int, first_seed: int = 0) -> dict[str, Coverage]:
    """Measure the coverage of the judge's, the corrected and the human difference by dimension."""
    held: dict[str, dict[str, list[bool]]] = {kind: {name: [] for name in DIMENSIONS} for kind in _KINDS}
    widths: dict[str, dict[str, list[float]]] = {kind: {name: [] for name in DIMENSIONS} for kind in _KINDS}
    rng, truth = np.random.default_rng([11, first_seed]), true_difference(replace(world, families=1))
    for study in range(studies):
        family = world.family_of_problems(rng)
        scored = world.people_scored(family, rng)
        for dimension in DIMENSIONS:
            human = world.human(family, rng)
            judge = [
                world.judge(each, dimension in LIFTED and treated, rng)
                for each, treated in zip(human, (True, False), strict=True)
            ]
            for kind, (low, high) in _intervals(human, judge, scored, family, study).items():
                held[kind][dimension].append(low <= truth <= high)
                widths[kind][dimension].append(high - low)
    return {
        kind: Coverage(
            studies,
            {name: float(np.mean(each)) for name, each in held[kind].items()},
            {name: float(np.mean(each)) for name, each in widths[kind].items()},
        )
        for kind in _KINDS
    }


_KINDS = ("judge alone", "corrected", "people alone")


def _intervals(
    human: tuple[Floats, Floats], judge: list[Floats], scored: NDArray[np.bool_], family: Any, seed: int
) -> dict[str, tuple[float, float]]:
    arms = [Rated(each, np.where(scored, own, np.nan)) for each, own in zip(judge, human, strict=True)]
    corrected = calibrated_delta(arms[0], arms[1], family.tolist(), seed=seed, resamples=_RESAMPLES)

    def paired(first: Floats, second: Floats, rows: NDArray[np.intp]) -> tuple[float, float]:
        differences, ends = (first - second)[rows], (-1.0, 1.0)
        found = clustered_mean(differences, family[rows], seed=seed, resamples=_RESAMPLES, ends=ends)
        assert found.low is not None and found.high is not None
        return found.low, found.high

    assert corrected.low is not None and corrected.high is not None
    return {
        "judge alone": paired(judge[0], judge[1], np.arange(len(family))),
        "corrected": (corrected.low, corrected.high),
        "people alone": paired(human[0], human[1], np.flatnonzero(scored)),
    }


# Three switches A, B, C: what each adds to the ability behind a score, and what A and B add together.
_EFFECTS = {"A": 0.8, "B": 0.4, "C": 0.0, "AB": 0.5}
_ARMS = tuple(frozenset(name for bit, name in enumerate("ABC") if arm >> bit & 1) for arm in range(8))


def _factorial_study(families: int, rng: Generator) -> tuple[Floats, NDArray[np.intp]]:
    """Draw scores of 0, 0.5 or 1 in eight arms, of shape (8, problems), and the families of the problems."""
    family = np.repeat(np.arange(families), rng.choice([2, 3, 4], families))
    ability = rng.normal(size=families)[family]
    own = 1 + 0.5 * rng.normal(size=(len(_EFFECTS), families))[:, family]
    arms = []
    for arm in _ARMS:
        gains = [
            effect * own[row] for row, (term, effect) in enumerate(_EFFECTS.items()) if arm.issuperset(term)
        ]
        latent = ability + np.sum([np.zeros(len(family)), *gains], axis=0)
        arms.append(np.digitize(latent + 0.7 * rng.logistic(size=len(family)), [-0.8, 0.8]) / 2)
    return np.array(arms), family


def factorial_coverage(studies: int, families: int = 30) -> Coverage:
    """Measure the coverage of the seven effects of three switches, two of which interact."""
    weights = {"".join("ABC"[bit] for bit in term): own for term, own in effect_weights(3).items()}
    return _coverage_of(weights, studies, families, 21)


def shapley_coverage(studies: int, families: int = 30) -> Coverage:
    """Measure the coverage of the Shapley values of three switches, one of which has no effect."""
    weights = {name: shapley_weights(3, bit) for bit, name in enumerate("ABC")}
    return _coverage_of(weights, studies, families, 22)


def _coverage_of(weights: Mapping[str, Floats], studies: int, families: int, seed: int) -> Coverage:
    """Measure the coverage of weighted sums of arms; the truth is their mean over very many families."""
    many, _ = _factorial_study(100_000, np.random.default_rng(97))
    truth = {name: float(own @ many.mean(axis=1)) for name, own in weights.items()}
    rng = np.random.default_rng(seed)
    held: dict[str, list[bool]] = {name: [] for name in weights}
    for number in range(studies):
        scores, family = _factorial_study(families, rng)
        for name, own in weights.items():
            ends, differences = possible_ends(own), sum_arms(own, scores)
            found = clustered_mean(differences, family, seed=number, resamples=_RESAMPLES, ends=ends)
            assert found.low is not None and found.high is not None
            held[name].append(found.low <= truth[name] <= found.high)
    return Coverage(studies, {name: float(np.mean(each)) for name, each in held.items()})
