"""Which of several judges to take: each held against people on the same answers, criterion by criterion.

The procedure of PhysBench (Scaria et al., appendix F): agreement with people, AC2 with ordinal weights, and
how often a judge is too lenient, right or too strict with a whole answer. The judge that is right most
often is chosen; among equals, the least lenient, since leniency hides errors.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ansatz.eval.calibration.judge_calibration import DimensionCalibration, Method, calibrate
from ansatz.eval.calibration.labels import Label
from ansatz.eval.statistics import PairedDelta, clustered_mean
from ansatz.eval.statistics.agreement import Leniency, leniency

_ROUNDING = 1e-9


@dataclass(frozen=True)
class JudgeCandidate:
    """One judge, with its `criteria` beside people.

    `gaps` are by answer, its sum of points less people's; `rates` how often that is right.
    """

    judge: str
    criteria: tuple[DimensionCalibration, ...]
    gaps: Mapping[str, float]
    rates: Leniency


@dataclass(frozen=True)
class Choice:
    """The candidates from best to worst, and by how much the best is right more often than each other.

    `leads` are paired by answer, over families; `answers` is the number that every judge and a person marked.
    """

    ranked: tuple[JudgeCandidate, ...]
    leads: Mapping[str, PairedDelta]
    answers: int

    @property
    def best(self) -> JudgeCandidate:
        return self.ranked[0]


def choose(
    judges: Mapping[str, Sequence[Label]],
    points: Mapping[str, float],
    *,
    method: Method | None = None,
    tolerance: float = 0.5,
) -> Choice:
    """Compare judges by name, each with labels that hold its scores and people's of the same answers.

    `points` are what each criterion is worth in the sum of an answer, 1 where it is not named. A judge is
    right on an answer where the sum of its points is within `tolerance` of the mean of people's, over the
    criteria that both marked. Only answers that every judge marked count, so that the comparison is paired.
    Raises ValueError where there is none.
    """
    method = method or Method()
    marked = [{label.answer_id for label in labels if _shared(label)} for labels in judges.values()]
    common = set.intersection(*marked) if marked else set()
    if not common:
        raise ValueError("no answer has marks of every judge and of a person on the same criterion")
    kept = {name: [label for label in labels if label.answer_id in common] for name, labels in judges.items()}
    within = tolerance + _ROUNDING
    candidates = [_candidate(name, labels, points, method, within) for name, labels in kept.items()]
    ranked = tuple(
        sorted(candidates, key=lambda one: (-one.rates.correct, one.rates.lenient, -_mean_ac(one)))
    )
    asked = {label.answer_id: label.family or label.answer_id for label in next(iter(kept.values()))}
    right = {
        each.judge: np.array([abs(each.gaps[id]) <= within for id in asked], dtype=np.float64)
        for each in ranked
    }
    families = np.array(list(asked.values()))
    leads = {
        each.judge: clustered_mean(
            right[ranked[0].judge] - right[each.judge], families, seed=method.seed, ends=(-1.0, 1.0)
        )
        for each in ranked[1:]
    }
    return Choice(ranked, leads, len(common))


def _candidate(
    name: str, labels: Sequence[Label], points: Mapping[str, float], method: Method, within: float
) -> JudgeCandidate:
    gaps = {label.answer_id: _gap(label, points) for label in labels}
    rates = leniency(list(gaps.values()), [0.0] * len(gaps), within)
    assert rates is not None  # there are answers
    return JudgeCandidate(name, calibrate(labels, method).dimensions, gaps, rates)


def _shared(label: Label) -> list[str]:
    """The criteria that the judge and at least one person marked."""
    return [
        name
        for name, score in label.judge.items()
        if score is not None and any(rater.get(name) is not None for rater in label.human)
    ]


def _gap(label: Label, points: Mapping[str, float]) -> float:
    apart = 0.0
    for name in _shared(label):
        given = [score for rater in label.human if (score := rater.get(name)) is not None]
        apart += points.get(name, 1.0) * ((label.judge[name] or 0.0) - math.fsum(given) / len(given))
    return apart


def _mean_ac(candidate: JudgeCandidate) -> float:
    known = [each.ac.value for each in candidate.criteria if each.ac.value is not None]
    return math.fsum(known) / len(known) if known else -1.0
