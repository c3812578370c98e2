"""How a judge's scores compare with people's on the same answers: agreement, bias, and where they part."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from ansatz.eval.calibration.labels import THREE_POINTS, Label
from ansatz.eval.statistics.agreement import (
    Agreement,
    Coefficient,
    Leniency,
    Weighting,
    agreement_shares,
    cohen_kappa,
    gwet_ac,
    leniency,
    spearman,
    with_interval,
)
from ansatz.eval.statistics.paired import PairedDelta, clustered_mean

OVERALL = "overall"
FEW = 30
"""Below so many answers a bias or a coefficient is only roughly known, and the report says so."""


@dataclass(frozen=True)
class Method:
    """The scale and the choices behind the statistics.

    Ratings at least `apart` from each other are listed as disagreements.
    """

    scale: tuple[float, ...] = THREE_POINTS
    kappa_weights: Weighting = "quadratic"
    ac_weights: Weighting = "ordinal"
    apart: float = 2.0
    seed: int = 0


@dataclass(frozen=True)
class DimensionCalibration:
    """A judge beside people on one dimension, or on all of them together.

    `answers` have a score of the judge and of at least one person. κ, AC2 and the shares take every pair of
    the judge and a person; ρ and the bias (judge − people, by family) take people's mean of an answer.
    Overall, κ, AC2 and the shares pool all dimensions, ρ and the bias take an answer's mean over them.
    `people` is AC2 among people themselves, the most that can be asked of a judge.
    """

    dimension: str
    answers: int
    ratings: int
    kappa: Coefficient
    ac: Coefficient
    rho: Coefficient
    bias: PairedDelta
    agreement: Agreement | None
    leniency: Leniency | None
    people: Coefficient


@dataclass(frozen=True)
class Disagreement:
    """A judge's score far from that of at least one person."""

    answer_id: str
    dimension: str
    judge: float
    human: tuple[float | None, ...]


@dataclass(frozen=True)
class Calibration:
    dimensions: tuple[DimensionCalibration, ...]
    overall: DimensionCalibration
    disagreements: tuple[Disagreement, ...]
    warnings: tuple[str, ...]


@dataclass(frozen=True)
class _Score:
    """One answer on one dimension: what the judge gave and what each person who could tell gave."""

    family: str
    answer_id: str
    judge: float
    human: tuple[float, ...]


def calibrate(labels: Sequence[Label], method: Method | None = None) -> Calibration:
    """Every dimension that both sides scored, in the order of the judge's first answers."""
    method = method or Method()
    rated = _scores(labels)
    dimensions = tuple(_one(name, scores, scores, method) for name, scores in rated.items() if scores)
    far = []
    for label in labels:
        for name, judge in label.judge.items():
            human = tuple(rater.get(name) for rater in label.human)
            if judge is not None and any(x is not None and abs(judge - x) >= method.apart for x in human):
                far.append(Disagreement(label.answer_id, name, judge, human))
    overall = _overall(OVERALL, labels, method)
    return Calibration(dimensions, overall, tuple(far), tuple(_warnings(labels, dimensions)))


def groups_by_tag(
    labels: Sequence[Label], tag: str, method: Method | None = None
) -> dict[str, DimensionCalibration]:
    """The overall comparison within each value of a tag, such as each arm or model.

    A bias that differs between arms does not cancel in their difference. Raises ValueError where no label has
    the tag.
    """
    tagged = _tagged(labels, tag)
    if not tagged:
        known = sorted({name for label in labels for name in label.tags})
        raise ValueError(f"no label has the tag {tag!r} (tags: {', '.join(known) or 'none'})")
    return {value: _overall(value, own, method or Method()) for value, own in tagged.items()}


@dataclass(frozen=True)
class JudgesCompared:
    """Judges on the same `answers`, the one that is level with people most often first.

    `judges` are beside people over all dimensions, as `Calibration.overall`, under their names; of equals the
    less lenient stands first, since leniency hides errors. `leads` tell by how much the first is level with
    people more often than each other: paired by rating, families resampled.
    """

    judges: tuple[DimensionCalibration, ...]
    leads: Mapping[str, PairedDelta]
    answers: int


def compare_judges(judges: Mapping[str, Sequence[Label]], method: Method | None = None) -> JudgesCompared:
    """Several judges, by name, each with labels that hold its scores and people's.

    Only scores of answers and dimensions count that every judge and at least one person scored. Raises
    ValueError where there are none, or where the judges' labels hold different scores of people.
    """
    method = method or Method()
    shared = _scored_by_all(judges)
    pooled = {name: _pooled(labels) for name, labels in shared.items()}
    if not any(pooled.values()):
        raise ValueError("no answer has scores of every judge and of a person on the same dimension")
    compared = [_overall(name, labels, method) for name, labels in shared.items()]
    compared.sort(
        key=lambda one: (-one.leniency.correct, one.leniency.lenient) if one.leniency else (0.0, 0.0)
    )
    level = {
        name: np.array([float(score.judge == human) for score in scores for human in score.human])
        for name, scores in pooled.items()
    }
    first, *others = (one.dimension for one in compared)
    families = np.array([score.family for score in pooled[first] for _ in score.human])
    leads = {
        name: clustered_mean(level[first] - level[name], families, seed=method.seed, ends=(-1.0, 1.0))
        for name in others
    }
    return JudgesCompared(tuple(compared), leads, compared[0].answers)


def _scored_by_all(judges: Mapping[str, Sequence[Label]]) -> dict[str, list[Label]]:
    """Each judge's labels of the same answers in the same order, with the scores that every judge gave.

    An answer is of the family that any of them names. Raises ValueError where people's scores differ.
    """
    given = [{label.answer_id: label for label in labels} for labels in judges.values()]
    kept: dict[str, list[Label]] = {name: [] for name in judges}
    for id in given[0]:
        if not all(id in own for own in given):
            continue
        same = [own[id] for own in given]
        if any(label.human != same[0].human for label in same):
            raise ValueError(f"{id}: a judge's file has scores of people; keep these in a file of their own")
        family = next((label.family for label in same if label.family), None)
        shared = [name for name in same[0].judge if all(each.judge.get(name) is not None for each in same)]
        for labels, label in zip(kept.values(), same, strict=True):
            scores = {name: label.judge[name] for name in shared}
            labels.append(label.model_copy(update={"judge": scores, "family": family}))
    return kept


def agreement_on_order(labels: Sequence[Label], tag: str) -> Coefficient:
    """Spearman's ρ between the means of a tag's values (models, arms) by the judge and by people."""
    compared = [means for own in _tagged(labels, tag).values() if (means := _means(_pooled(own)))]
    judged = [_mean([each.judge for each in means]) for means in compared]
    people = [_mean([_mean(each.human) for each in means]) for means in compared]
    return spearman(judged, people)


def _tagged(labels: Sequence[Label], tag: str) -> dict[str, list[Label]]:
    values = sorted({label.tags[tag] for label in labels if tag in label.tags})
    return {value: [label for label in labels if label.tags.get(tag) == value] for value in values}


def _pooled(labels: Sequence[Label]) -> list[_Score]:
    return [score for scores in _scores(labels).values() for score in scores]


def _overall(name: str, labels: Sequence[Label], method: Method) -> DimensionCalibration:
    pooled = _pooled(labels)
    return _one(name, pooled, _means(pooled), method)


def _scores(labels: Sequence[Label]) -> dict[str, list[_Score]]:
    """By dimension, the answers that both sides scored."""
    found: dict[str, list[_Score]] = {name: [] for label in labels for name in label.judge}
    for label in labels:
        for name, judge in label.judge.items():
            human = tuple(score for rater in label.human if (score := rater.get(name)) is not None)
            if judge is not None and human:
                found[name].append(_Score(label.family or label.answer_id, label.answer_id, judge, human))
    return found


def _means(scores: Sequence[_Score]) -> list[_Score]:
    """Each answer's mean over its dimensions, people's taken over people first."""
    by_answer: dict[str, list[_Score]] = {}
    for score in scores:
        by_answer.setdefault(score.answer_id, []).append(score)
    return [
        _Score(
            own[0].family, name, _mean([each.judge for each in own]), (_mean([_mean(e.human) for e in own]),)
        )
        for name, own in by_answer.items()
    ]


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def _one(
    name: str, scores: Sequence[_Score], answers: Sequence[_Score], method: Method
) -> DimensionCalibration:
    """Agreement over every rating in `scores`, correlation and bias over `answers`."""
    pairs = [(score.family, score.judge, human) for score in scores for human in score.human]
    families = [family for family, _, _ in pairs]
    judge, human = [one for _, one, _ in pairs], [other for _, _, other in pairs]

    kappa = partial(cohen_kappa, scale=method.scale, weights=method.kappa_weights)
    ac = partial(gwet_ac, scale=method.scale, weights=method.ac_weights)
    rated = list(zip(judge, human, strict=True))
    raters = [score.human for score in scores]
    span = max(method.scale) - min(method.scale)
    bias = clustered_mean(
        np.array([each.judge - _mean(each.human) for each in answers]),
        np.array([each.family for each in answers]),
        seed=method.seed,
        ends=(-span, span),
    )
    return DimensionCalibration(
        dimension=name,
        answers=len(answers),
        ratings=len(pairs),
        kappa=with_interval(kappa, [judge, human], families),
        ac=with_interval(ac, [rated], families),
        rho=spearman([each.judge for each in answers], [_mean(each.human) for each in answers]),
        bias=bias,
        agreement=agreement_shares(judge, human, method.apart),
        leniency=leniency(judge, human),
        people=ac(raters),
    )


def _warnings(labels: Sequence[Label], dimensions: Sequence[DimensionCalibration]) -> Iterator[str]:
    judged, compared = (
        {name for label in labels for name in label.judge},
        {each.dimension for each in dimensions},
    )
    scored = {name for label in labels for rater in label.human for name in rater}
    for name in sorted((judged | scored) - compared):
        yield f"{name}: no answer has a score of both sides"
    for side, given in (
        ("the judge", [[label.judge] for label in labels]),
        ("people", [list(label.human) for label in labels]),
    ):
        if count := sum(all(score is None for one in raters for score in one.values()) for raters in given):
            yield f"{count} of {len(labels)} answers have no score of {side}"
    few = [each for each in dimensions if each.answers < FEW]
    if few:
        listed = ", ".join(f"{each.dimension} {each.answers}" for each in few)
        yield f"fewer than {FEW} answers, so intervals are wide: {listed}"
    for each in dimensions:
        for statistic, found in (("κ", each.kappa), ("AC2", each.ac), ("ρ", each.rho)):
            if found.value is None:
                yield f"{each.dimension}: no {statistic}: {found.reason}"
        if each.bias.low is None and each.answers:
            yield f"{each.dimension}: no interval of the bias from a single family"
