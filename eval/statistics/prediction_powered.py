"""Differences between arms by a judge's scores, corrected with human scores of a random part of the answers.

The judge's scores alone are precise but biased. A bias that depends on the arm, such as one for long answers,
does not cancel in the difference. Human scores alone are unbiased but few. Prediction-powered inference
combines them: the judge's difference over all problems, minus its error on the labelled answers (A. N.
Angelopoulos et al., Science 382, 2023, 669-674).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ansatz.eval.statistics.power_tuning import (
    ARM,
    JUDGE,
    JUDGED,
    LABELLED,
    Difference,
    estimate_tuned,
    has_label,
    has_single_family,
)

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Rated:
    """One arm's scores of the same answers by a judge and by annotators, on the same scale.

    Both have the same shape, (problems,) or (problems, repeats); NaN is a missing score. Raises ValueError
    for different shapes, or a probability that is not in (0, 1].
    """

    judge: Floats
    human: Floats
    probability: Floats | None = None
    """The probability with which each answer was drawn to be labelled, in the same shape; default equal."""

    def __post_init__(self) -> None:
        if self.probability is None:
            object.__setattr__(self, "probability", np.ones(np.shape(self.judge)))
        for name in ("judge", "human", "probability"):
            array = np.asarray(getattr(self, name), dtype=np.float64)
            object.__setattr__(self, name, array.reshape(len(array), -1))
        if not self.judge.shape == self.human.shape == self.weight.shape:
            shapes = f"{self.judge.shape} and {self.human.shape}"
            raise ValueError(f"the judge's and the human scores differ in shape: {shapes}")
        drawn = self.weight[np.isfinite(self.human)]
        if not ((drawn > 0) & np.isfinite(drawn)).all():
            raise ValueError("the probability of a labelled answer is not in (0, 1]")

    @property
    def weight(self) -> Floats:
        """The weight of each answer's label: one answer for each that could have been drawn."""
        assert self.probability is not None
        with np.errstate(divide="ignore"):
            return np.asarray(1 / self.probability)


@dataclass(frozen=True)
class CalibratedDelta:
    """A difference between two arms, corrected for the judge's bias. Unknown values are None."""

    estimate: float | None = None
    """The corrected difference."""
    low: float | None = None
    high: float | None = None
    """The ends of the interval of the corrected difference."""
    judge: float | None = None
    """The difference by the judge's scores alone."""
    bias: float | None = None
    """The judge's error in that difference, from the labelled answers."""
    bias_low: float | None = None
    bias_high: float | None = None
    """The ends of the interval of the bias."""
    tuning: float | None = None
    """The judge's weight: from 0 (human scores alone) to 1 (the judge's difference minus its mean error)."""
    problems: int = 0
    """Number of problems that the judge scored in both arms."""
    families: int = 0
    labelled: int = 0
    """Number of pairs of problem and arm with a human score."""
    labelled_families: int = 0
    """Number of families with a human score."""
    dropped: int = 0
    """Number of problems without the judge's score in an arm."""
    reason: str | None = None
    """Why a value is None."""

    @property
    def largest_bias(self) -> float | None:
        """The largest size of the judge's error within its interval; None if unknown."""
        ends = (self.bias_low, self.bias_high)
        return max(abs(end or 0.0) for end in ends) if None not in ends else None

    @property
    def within_judge_error(self) -> bool | None:
        """Whether the judge's difference is smaller than its possible error; None if unknown."""
        largest = self.largest_bias
        return None if self.judge is None or largest is None else abs(self.judge) < largest


def calibrated_delta(
    treated: Rated,
    control: Rated,
    families: Sequence[Hashable],
    *,
    seed: int,
    resamples: int = 2000,
    level: float = 0.95,
) -> CalibratedDelta:
    """Estimate the mean of treated − control on the human scale.

    The estimate is H + λ(J − J'). J is the judge's difference over all problems; H and J' are the human and
    the judge's difference over the labelled answers. Repeats are averaged within a problem. The judge's mean
    error is computed for each arm separately, so labels need not be paired.

    λ in [0, 1] minimizes the estimated variance (power tuning: A. N. Angelopoulos, J. C. Duchi and T. Zrnic,
    arXiv:2311.01453, 2023). With fewer than ten effective labelled families, (Σa²)²/Σa⁴ over their influences
    a, that variance is uncertain, and λ is shrunk towards 1. If the judge's scores do not correlate with the
    human scores, or human scores alone give a shorter interval, λ is 0. A useless judge therefore never
    widens the interval.

    Families with and without labels are resampled separately, and λ is computed for each resample. The
    interval is studentised and guarded as in `resampling.spread`, with Satterthwaite's degrees of freedom. If
    all labelled families are identical and scores are in [0, 1], `degenerate_interval` widens it.

    Labelled answers must be chosen at random, or with known probabilities. Means over labelled answers are
    weighted by the inverse of these (J. Hájek, in Foundations of Statistical Inference, 1971), so answers on
    which the judge is doubtful may be labelled more often.

    Parameters
    ----------
    treated, control, families
        Row i of both arms and `families[i]` belong to one problem.

    Raises
    ------
    ValueError
        If arms and families have different lengths.
    """
    if not len(treated.judge) == len(control.judge) == len(families):
        raise ValueError(
            f"{len(treated.judge)}, {len(control.judge)} and {len(families)} problems do not pair up"
        )
    rows = np.concatenate([_build_columns(treated), _build_columns(control)], axis=1)
    paired = (rows[:, JUDGED] > 0) & (rows[:, ARM + JUDGED] > 0)
    totals = _add_families(rows[paired], list(compress(families, paired)))
    if len(totals):
        bounded = all(map(_is_bounded, (treated, control)))
        found = _calibrate(totals, bounded=bounded, seed=seed, resamples=resamples, level=level)
    else:
        found = CalibratedDelta(reason="the judge scored no problem in both arms")
    return replace(
        found,
        labelled=sum(_count_labelled(arm, paired) for arm in (treated, control)),
        problems=int(paired.sum()),
        families=len(totals),
        dropped=len(families) - int(paired.sum()),
    )


def _is_bounded(arm: Rated) -> bool:
    """Whether all scores are in [0, 1]."""
    scores = np.concatenate([arm.judge, arm.human])
    return not bool(((scores < 0) | (scores > 1)).any())


def _count_labelled(arm: Rated, paired: NDArray[np.bool_]) -> int:
    """Return the number of paired problems with a human score."""
    return int((np.isfinite(arm.human) & np.isfinite(arm.judge))[paired].any(axis=1).sum())


def _add_families(rows: Floats, families: Sequence[Hashable]) -> Floats:
    """Return the sum of the rows of each family, in the order of first appearance."""
    index = {name: at for at, name in enumerate(dict.fromkeys(families))}
    totals = np.zeros((len(index), rows.shape[1]))
    np.add.at(totals, np.array([index[name] for name in families], dtype=np.intp), rows)
    return totals


def _build_columns(arm: Rated) -> Floats:
    """Return an arm's columns (see `power_tuning`) for each problem, of shape (problems, 5)."""
    judged = np.isfinite(arm.judge)
    labelled = judged & np.isfinite(arm.human)

    mean_judge = np.where(judged, arm.judge, 0.0).sum(axis=1) / np.maximum(judged.sum(axis=1), 1)
    # A problem's labels count as their mean, with the mean of their weights.
    weights = np.where(labelled, arm.weight, 0.0) / np.maximum(labelled.sum(axis=1, keepdims=True), 1)
    human, judge = ((np.nan_to_num(values) * weights).sum(axis=1) for values in (arm.human, arm.judge))
    return np.stack([judged.any(axis=1), mean_judge, weights.sum(axis=1), human, judge], axis=1)


def _calibrate(totals: Floats, **settings: Any) -> CalibratedDelta:
    """Compute the corrected difference from family totals, of shape (families, 10)."""
    treated, control = totals[:, :ARM].sum(axis=0), totals[:, ARM:].sum(axis=0)
    known = CalibratedDelta(
        judge=float(treated[JUDGE] / treated[JUDGED] - control[JUDGE] / control[JUDGED]),
        labelled_families=int(has_label(totals).sum()),
    )
    if not treated[LABELLED] or not control[LABELLED]:
        unlabelled = "control" if treated[LABELLED] else "treated"
        return replace(known, reason=f"no answer of the {unlabelled} arm has a human score")
    difference, bias = estimate_tuned(totals, **settings)
    if settings["bounded"]:
        difference, bias = _cut_at_range(difference), _cut_at_range(bias)
    reason = None if difference.low is not None else "no score differs from any other"
    return replace(
        known,
        estimate=difference.value,
        low=difference.low,
        high=difference.high,
        tuning=difference.tuning,
        bias=bias.value,
        bias_low=bias.low,
        bias_high=bias.high,
        reason="the labelled answers of an arm come from one family" if has_single_family(totals) else reason,
    )


def _cut_at_range(found: Difference) -> Difference:
    """Cut an interval at −1 and 1, which a difference of scores in [0, 1] cannot exceed."""
    if found.low is None or found.high is None:
        return found
    low, high = min(max(found.low, -1.0), found.value), max(min(found.high, 1.0), found.value)
    return replace(found, low=low, high=high)
