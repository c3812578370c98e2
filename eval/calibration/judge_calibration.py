"""Compare a judge's scores with human scores of the same answers: agreement, bias and disagreements."""

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
"""With fewer answers than this, biases and coefficients are imprecise; the result then has a warning."""


@dataclass(frozen=True)
class Method:
    """The settings of a comparison."""

    scale: tuple[float, ...] = THREE_POINTS
    """The points of the scale, in rising order."""
    kappa_weights: Weighting = "quadratic"
    """Weights of κ."""
    ac_weights: Weighting = "ordinal"
    """Weights of AC2."""
    min_gap: float = 2.0
    """Scores that differ by at least this much are listed as disagreements."""
    seed: int = 0
    """Seed of the bootstrap."""


@dataclass(frozen=True)
class DimensionCalibration:
    """A judge compared with annotators on one dimension, or on all dimensions together.

    κ, AC2 and the shares use every pair of the judge and one annotator. ρ and the bias use the mean of an
    answer's annotators. Over all dimensions, κ, AC2 and the shares pool the dimensions; ρ and the bias use an
    answer's mean over its dimensions.
    """

    dimension: str
    """The dimension; of an overall comparison "overall", the judge's name or the tag's value."""
    answers: int
    """Number of answers that the judge and at least one annotator scored."""
    ratings: int
    """Number of pairs of the judge and one annotator."""
    kappa: Coefficient
    """Cohen's weighted κ."""
    ac: Coefficient
    """Gwet's AC2."""
    rho: Coefficient
    """Spearman's ρ."""
    bias: PairedDelta
    """Mean of judge − annotators in points; its interval resamples whole families."""
    agreement: Agreement | None
    """Shares of equal, close and distant scores."""
    leniency: Leniency | None
    """Shares of the judge's scores above, equal to and below the annotators' scores."""
    annotators: Coefficient
    """AC2 among the annotators: the best that a judge can be expected to reach."""


@dataclass(frozen=True)
class Disagreement:
    """A judge's score that differs from at least one annotator's score by `Method.min_gap` or more."""

    answer_id: str
    dimension: str
    judge: float
    human: tuple[float | None, ...]


@dataclass(frozen=True)
class Calibration:
    """A judge compared with annotators on every dimension."""

    dimensions: tuple[DimensionCalibration, ...]
    """One comparison per dimension."""
    overall: DimensionCalibration
    """The comparison over all dimensions."""
    disagreements: tuple[Disagreement, ...]
    """Scores that differ by `Method.min_gap` or more."""
    warnings: tuple[str, ...]
    """What limits the comparison, one text each."""


@dataclass(frozen=True)
class JudgeComparison:
    """Several judges compared with annotators on the same answers."""

    judges: tuple[DimensionCalibration, ...]
    """Each judge's overall comparison, ordered by the share of scores equal to the annotators'.

    Of two judges with equal shares, the less lenient one comes first, because leniency hides errors.
    """
    leads: Mapping[str, PairedDelta]
    """For each judge but the first, how much larger the first judge's share of equal scores is.

    Paired by score; the interval resamples families.
    """
    answers: int
    """Number of answers in the comparison."""


@dataclass(frozen=True)
class _ScoredAnswer:
    """One answer's scores on one dimension by the judge and by each annotator who decided."""

    family: str
    answer_id: str
    judge: float
    human: tuple[float, ...]


def calibrate(labels: Sequence[Label], method: Method | None = None) -> Calibration:
    """Compare a judge with annotators on every dimension that both scored, in the labels' order."""
    method = method or Method()
    by_dimension = _group_by_dimension(labels)
    dimensions = tuple(
        _compare(name, scores, scores, method) for name, scores in by_dimension.items() if scores
    )
    overall = _compare_overall(OVERALL, labels, method)
    disagreements = tuple(_find_disagreements(labels, method.min_gap))
    return Calibration(dimensions, overall, disagreements, tuple(_find_warnings(labels, dimensions)))


def calibrate_by_tag(
    labels: Sequence[Label], tag: str, method: Method | None = None
) -> dict[str, DimensionCalibration]:
    """Compare over all dimensions within each value of a tag, such as each arm or model.

    A bias that differs between arms does not cancel in their difference.

    Raises
    ------
    ValueError
        If no label has the tag.
    """
    groups = _group_by_tag(labels, tag)
    if not groups:
        tags = sorted({name for label in labels for name in label.tags})
        raise ValueError(f"no label has the tag {tag!r} (tags: {', '.join(tags) or 'none'})")
    return {value: _compare_overall(value, group, method or Method()) for value, group in groups.items()}


def rank_correlation(labels: Sequence[Label], tag: str) -> Coefficient:
    """Compute Spearman's ρ between a tag's values (models, arms) ranked by judge and by annotators."""
    groups = _group_by_tag(labels, tag).values()
    means = [scores for group in groups if (scores := _average_by_answer(_pool_scores(group)))]
    by_judge = [_mean([score.judge for score in scores]) for scores in means]
    by_annotators = [_mean([_mean(score.human) for score in scores]) for scores in means]
    return spearman(by_judge, by_annotators)


def compare_judges(judges: Mapping[str, Sequence[Label]], method: Method | None = None) -> JudgeComparison:
    """Compare several judges with annotators on the answers and dimensions that all of them scored.

    Parameters
    ----------
    judges
        For each judge by name, labels with its scores and the human scores.

    Raises
    ------
    ValueError
        If no answer has all these scores, or if the judges' labels contain different human scores.
    """
    method = method or Method()
    shared = _select_shared_scores(judges)
    pooled = {name: _pool_scores(labels) for name, labels in shared.items()}
    if not any(pooled.values()):
        raise ValueError("no answer has scores of every judge and a human score on the same dimension")
    compared = [_compare_overall(name, labels, method) for name, labels in shared.items()]
    compared.sort(
        key=lambda each: (-each.leniency.correct, each.leniency.lenient) if each.leniency else (0.0, 0.0)
    )
    is_equal = {
        name: np.array([float(score.judge == human) for score in scores for human in score.human])
        for name, scores in pooled.items()
    }
    first, *others = (each.dimension for each in compared)
    families = np.array([score.family for score in pooled[first] for _ in score.human])
    leads = {
        name: clustered_mean(is_equal[first] - is_equal[name], families, seed=method.seed, ends=(-1.0, 1.0))
        for name in others
    }
    return JudgeComparison(tuple(compared), leads, compared[0].answers)


def _select_shared_scores(judges: Mapping[str, Sequence[Label]]) -> dict[str, list[Label]]:
    """Select the answers and scores that all judges have in common, in the same order for each judge.

    The family of an answer is the first that any of the labels names. Raises ValueError if human scores
    differ.
    """
    by_answer = [{label.answer_id: label for label in labels} for labels in judges.values()]
    shared: dict[str, list[Label]] = {name: [] for name in judges}
    for id in by_answer[0]:
        if not all(id in labels for labels in by_answer):
            continue
        same = [labels[id] for labels in by_answer]
        if any(label.human != same[0].human for label in same):
            raise ValueError(f"{id}: a judge's file has human scores; move these to a separate file")
        family = next((label.family for label in same if label.family), None)
        names = [name for name in same[0].judge if all(label.judge.get(name) is not None for label in same)]
        for labels, label in zip(shared.values(), same, strict=True):
            scores = {name: label.judge[name] for name in names}
            labels.append(label.model_copy(update={"judge": scores, "family": family}))
    return shared


def _find_disagreements(labels: Sequence[Label], min_gap: float) -> Iterator[Disagreement]:
    for label in labels:
        for name, judge in label.judge.items():
            human = tuple(rater.get(name) for rater in label.human)
            if judge is not None and any(x is not None and abs(judge - x) >= min_gap for x in human):
                yield Disagreement(label.answer_id, name, judge, human)


def _group_by_tag(labels: Sequence[Label], tag: str) -> dict[str, list[Label]]:
    values = sorted({label.tags[tag] for label in labels if tag in label.tags})
    return {value: [label for label in labels if label.tags.get(tag) == value] for value in values}


def _group_by_dimension(labels: Sequence[Label]) -> dict[str, list[_ScoredAnswer]]:
    """Collect by dimension the answers that the judge and at least one annotator scored."""
    by_dimension: dict[str, list[_ScoredAnswer]] = {name: [] for label in labels for name in label.judge}
    for label in labels:
        family = label.family or label.answer_id
        for name, judge in label.judge.items():
            human = tuple(score for rater in label.human if (score := rater.get(name)) is not None)
            if judge is not None and human:
                by_dimension[name].append(_ScoredAnswer(family, label.answer_id, judge, human))
    return by_dimension


def _pool_scores(labels: Sequence[Label]) -> list[_ScoredAnswer]:
    return [score for scores in _group_by_dimension(labels).values() for score in scores]


def _average_by_answer(scores: Sequence[_ScoredAnswer]) -> list[_ScoredAnswer]:
    """Average each answer over its dimensions; human scores are first averaged over annotators."""
    by_answer: dict[str, list[_ScoredAnswer]] = {}
    for score in scores:
        by_answer.setdefault(score.answer_id, []).append(score)
    return [
        _ScoredAnswer(
            same[0].family,
            answer_id,
            _mean([score.judge for score in same]),
            (_mean([_mean(score.human) for score in same]),),
        )
        for answer_id, same in by_answer.items()
    ]


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def _compare_overall(name: str, labels: Sequence[Label], method: Method) -> DimensionCalibration:
    pooled = _pool_scores(labels)
    return _compare(name, pooled, _average_by_answer(pooled), method)


def _compare(
    name: str, scores: Sequence[_ScoredAnswer], answers: Sequence[_ScoredAnswer], method: Method
) -> DimensionCalibration:
    """Compute agreement over every pair in `scores`, and correlation and bias over `answers`."""
    pairs = [(score.judge, human) for score in scores for human in score.human]
    families = [score.family for score in scores for _ in score.human]
    judge, human = [first for first, _ in pairs], [second for _, second in pairs]
    kappa = partial(cohen_kappa, scale=method.scale, weights=method.kappa_weights)
    ac = partial(gwet_ac, scale=method.scale, weights=method.ac_weights)
    span = max(method.scale) - min(method.scale)
    bias = clustered_mean(
        np.array([answer.judge - _mean(answer.human) for answer in answers]),
        np.array([answer.family for answer in answers]),
        seed=method.seed,
        ends=(-span, span),
    )
    return DimensionCalibration(
        dimension=name,
        answers=len(answers),
        ratings=len(pairs),
        kappa=with_interval(kappa, [judge, human], families),
        ac=with_interval(ac, [pairs], families),
        rho=spearman([answer.judge for answer in answers], [_mean(answer.human) for answer in answers]),
        bias=bias,
        agreement=agreement_shares(judge, human, method.min_gap),
        leniency=leniency(judge, human),
        annotators=ac([score.human for score in scores]),
    )


def _find_warnings(labels: Sequence[Label], dimensions: Sequence[DimensionCalibration]) -> Iterator[str]:
    judged = {name for label in labels for name in label.judge}
    scored = {name for label in labels for rater in label.human for name in rater}
    for name in sorted((judged | scored) - {each.dimension for each in dimensions}):
        yield f"{name}: no answer has a judge's score and a human score"
    for kind, ratings in (
        ("judge's", [[label.judge] for label in labels]),
        ("human", [list(label.human) for label in labels]),
    ):
        missing = sum(
            all(score is None for scores in raters for score in scores.values()) for raters in ratings
        )
        if missing:
            yield f"{missing} of {len(labels)} answers have no {kind} score"
    few = [each for each in dimensions if each.answers < FEW]
    if few:
        listed = ", ".join(f"{each.dimension} {each.answers}" for each in few)
        yield f"fewer than {FEW} answers, so intervals are wide: {listed}"
    for each in dimensions:
        for statistic, coefficient in (("κ", each.kappa), ("AC2", each.ac), ("ρ", each.rho)):
            if coefficient.value is None:
                yield f"{each.dimension}: no {statistic}: {coefficient.reason}"
        if each.bias.low is None and each.answers:
            yield f"{each.dimension}: no interval of the bias from a single family"
