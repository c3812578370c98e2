"""The computation behind prediction-powered differences: from family totals to a tuned difference.

Each row of totals is a family. Each arm has five columns: the number of problems that the judge scored, the
sum of its scores, the number of labelled problems, and the sums of the human scores and of the judge's scores
on these problems.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from ansatz.eval.statistics.resampling import degenerate_interval, draw_families

Floats = NDArray[np.float64]

JUDGED, JUDGE, LABELLED, HUMAN, JUDGE_LABELLED, ARM = range(6)

# Weights of three differences between the arms: by human scores, by the judge's scores of the same answers,
# and by the judge's scores of all answers.
_HUMAN_WEIGHTS = np.array([1.0, 0.0, 0.0])
_BIAS_WEIGHTS = np.array([-1.0, 1.0, 0.0])
_JUDGE_WEIGHTS = np.array([0.0, -1.0, 1.0])
_RATIOS = ((HUMAN, LABELLED), (JUDGE_LABELLED, LABELLED), (JUDGE, JUDGED))
_MIN_LABELLED = 4  # with fewer labelled families, the judge's correlation with human scores is not tested
_ENOUGH = 10  # effective families from which the variance of the human difference is reliable
_BLOCK = 100_000  # families of samples in memory at once
_NEGLIGIBLE = 1e-12  # relative to the values: a smaller spread is rounding


@dataclass(frozen=True)
class Difference:
    """A difference with its interval."""

    value: float
    low: float | None
    high: float | None
    """The ends are None if nothing varies."""
    tuning: float
    """The judge's weight."""


@dataclass(frozen=True)
class _Resampled:
    """The three differences in the sample and in its resamples; the sample comes first."""

    values: Floats
    """The differences, of shape (1 + resamples, 3)."""
    covariance: Floats
    """Their covariance by stratum, of shape (strata, 1 + resamples, 3, 3). The labelled stratum is first."""
    sizes: NDArray[np.intp]
    """Number of families in each stratum."""
    level: float
    least: float
    """A variance up to this value is rounding."""
    missed: tuple[float, float] | None
    """Possible error of the mean, on each side, if all labelled families are identical and scores bounded."""

    def interval(self, weights: Floats, families: int) -> Difference:
        """Combine the three differences with weights of shape (3,) or of the values' shape.

        The interval is that of the studentised bootstrap, but at least Student's interval with the degrees of
        freedom of a sum of estimated variances (F. E. Satterthwaite, Biometrics Bull. 2, 1946). If all
        labelled families are identical, `missed` is added to each side as the root of the sum of squares
        (R. G. Newcombe, Stat. Med. 17, 1998, 873-890).
        """
        from scipy.special import stdtrit

        weights = np.broadcast_to(weights, self.values.shape)
        in_sample, in_resamples = weights[0], weights[1:]
        value = float(self.values[0] @ in_sample)
        variances = self.covariance[:, 0] @ in_sample @ in_sample
        below = above = 0.0
        if variances.sum() > self.least:
            error = math.sqrt(float(variances.sum()))
            degrees = float(variances.sum()) ** 2 / float((variances**2 / (self.sizes - 1)).sum())
            # Resamples have different weights of the judge. J − J' has a mean of zero over studies, but not
            # over the resamples of one study, so the weights apply to deviations from the sample.
            shift = ((self.values[1:] - self.values[0]) * in_resamples).sum(axis=1)
            spread = np.einsum("ra,srab,rb->r", in_resamples, self.covariance[:, 1:], in_resamples)
            t = shift / np.maximum(np.sqrt(np.maximum(spread, 0.0)), error / math.sqrt(families))
            lowest, highest = np.quantile(t, [(1 - self.level) / 2, (1 + self.level) / 2]).tolist()
            student = float(stdtrit(degrees, (1 + self.level) / 2))
            below, above = max(highest, student) * error, max(-lowest, student) * error
        if variances[0] <= self.least and self.missed:
            below, above = math.hypot(below, self.missed[0]), math.hypot(above, self.missed[1])
        low, high = (value - below, value + above) if below or above else (None, None)
        return Difference(value, low, high, tuning=float(in_sample[2]))


def has_label(totals: Floats) -> NDArray[np.bool_]:
    """Return which families have a labelled answer, from totals of shape (families, 10)."""
    return np.asarray((totals[:, LABELLED] > 0) | (totals[:, ARM + LABELLED] > 0))


def has_single_family(totals: Floats) -> bool:
    """Whether all labelled answers of one of the arms come from a single family."""
    return bool(min((totals[:, column] > 0).sum() for column in (LABELLED, ARM + LABELLED)) < 2)


def estimate_tuned(
    totals: Floats, *, seed: int, resamples: int, level: float, bounded: bool
) -> tuple[Difference, Difference]:
    """Estimate the power-tuned difference, and the bias of the judge's difference.

    See `prediction_powered.calibrated_delta` for the method.

    Parameters
    ----------
    totals
        Family totals, of shape (families, 10). Both arms need a labelled answer.
    bounded
        Whether scores are in [0, 1].
    """
    labelled = has_label(totals)
    known = totals[labelled]
    if has_single_family(totals):
        human, judge_labelled, judge = _compute_differences(totals.sum(axis=0, keepdims=True))[0][0].tolist()
        return (
            Difference(human + judge - judge_labelled, None, None, 1.0),
            Difference(judge_labelled - human, None, None, 1.0),
        )
    strata = [known, totals[~labelled]] if (~labelled).sum() > 1 else [totals]
    counts = known[:, LABELLED] + known[:, ARM + LABELLED]
    # An unobserved error changes one answer of a pair.
    missed = degenerate_interval(0.0, float(counts.sum() ** 2 / (counts**2).sum()), (-1.0, 1.0), level)
    found = _Resampled(
        *_compute_moments(strata, resamples, seed),
        np.array([len(each) for each in strata]),
        level,
        (_NEGLIGIBLE * float(np.abs(totals).max())) ** 2,
        missed if bounded else None,
    )
    bias = found.interval(_BIAS_WEIGHTS, len(totals))
    if not _is_correlated(known):
        return found.interval(_HUMAN_WEIGHTS, len(strata[0])), bias
    tuning = _compute_tuning(found.covariance, _compute_trust(known))
    with_judge = found.interval(_HUMAN_WEIGHTS + tuning[:, None] * _JUDGE_WEIGHTS, len(totals))
    human_only = found.interval(_HUMAN_WEIGHTS, len(totals))
    lengths = [
        math.inf if each.low is None else (each.high or 0.0) - each.low for each in (human_only, with_judge)
    ]
    return human_only if lengths[0] < lengths[1] * (1 - 1e-9) else with_judge, bias


def _is_correlated(totals: Floats) -> bool:
    """Whether the judge's scores correlate with the human scores of the labelled answers (p < 0.05).

    The one-sided test uses Pearson's r over families and arms, after subtracting each arm's mean. It depends
    only on differences within arms, not between them, so selecting by it does not bias the interval.
    Selecting by the length of intervals alone would favour labels that happen to show little of an effect.
    """
    from scipy.special import stdtr

    arms = []
    for start in (0, ARM):
        labelled = totals[totals[:, start + LABELLED] > 0, start : start + ARM]
        means = labelled[:, [HUMAN, JUDGE_LABELLED]] / labelled[:, [LABELLED]]
        arms.append(means - means.mean(axis=0))
    human, judge = np.concatenate(arms).T
    spread = math.sqrt(float((human**2).sum() * (judge**2).sum()))
    if len(totals) < _MIN_LABELLED or np.allclose(human, judge, atol=_NEGLIGIBLE):
        return True
    if not spread:
        return False
    r = min(float(human @ judge) / spread, 1 - _NEGLIGIBLE)
    degrees = len(totals) - 2
    return bool(stdtr(degrees, r * math.sqrt(degrees / (1 - r**2))) > 0.95)


def _compute_tuning(covariance: Floats, trust: float) -> Floats:
    """Compute the judge's weight with the least variance in each sample, shrunk to 1: shape (samples,)."""
    total = covariance.sum(axis=0)
    power = _JUDGE_WEIGHTS @ total @ _JUDGE_WEIGHTS
    shared = _HUMAN_WEIGHTS @ total @ _JUDGE_WEIGHTS
    # A judge that adds no variance, such as when all answers are labelled, counts in full.
    some = power > _NEGLIGIBLE * np.abs(total).max(axis=(1, 2))
    best = np.where(some, np.clip(-shared / np.where(some, power, 1.0), 0.0, 1.0), 1.0)
    return np.asarray(1.0 - trust * (1.0 - best))


def _compute_trust(totals: Floats) -> float:
    """Compute how reliable the variance of the human difference, and so the optimal weight, is: from 0 to 1.

    It grows with the effective number of labelled families, (Σa²)²/Σa⁴ over their influences a. If an effect
    occurs in few families, the labels may happen to contain little of it. The human difference would then
    seem certain and be too small. With a weight of 1 this does not occur.
    """
    influence = totals @ _compute_differences(totals.sum(axis=0, keepdims=True))[1][0, 0]
    size = np.abs(influence).max()
    if size <= _NEGLIGIBLE:
        return 0.0
    squares = (influence / size) ** 2
    return min(1.0, float(squares.sum() ** 2 / (squares**2).sum()) / _ENOUGH)


def _compute_moments(strata: Sequence[Floats], resamples: int, seed: int) -> tuple[Floats, Floats]:
    """Compute the differences and their covariance in the sample and in resamples with labels in both arms.

    Families are resampled within each stratum.
    """
    rows = max(1, _BLOCK // max(map(len, strata)))
    drawn = [draw_families(len(each), resamples, 2 * seed + at, rows) for at, each in enumerate(strata)]
    whole = [np.ones((1, len(each))) for each in strata]
    values, parts = [], []
    for times in chain([whole], zip(*drawn, strict=True)):
        sums = np.sum([block @ each for block, each in zip(times, strata, strict=True)], axis=0)
        usable = (sums[:, LABELLED] > 0) & (sums[:, ARM + LABELLED] > 0)
        differences, gradients = _compute_differences(sums[usable])
        values.append(differences)
        covariances = [
            _compute_covariance(block[usable], each, gradients)
            for block, each in zip(times, strata, strict=True)
        ]
        parts.append(np.array(covariances))
    return np.concatenate(values), np.concatenate(parts, axis=1)


def _compute_covariance(times: Floats, totals: Floats, gradients: Floats) -> Floats:
    """Compute the covariance of the differences; `times` is how often each family occurs in each sample."""
    families = len(totals)
    influence = gradients @ totals.T  # of each family on each difference
    counted = influence * times[:, None, :]
    first = counted.sum(axis=2)
    second = counted @ influence.transpose(0, 2, 1)
    return np.asarray((second - first[:, :, None] * first[:, None, :] / families) * families / (families - 1))


def _compute_differences(sums: Floats) -> tuple[Floats, Floats]:
    """Compute the three differences of means, (samples, 3), and their gradients by the columns of `sums`."""
    values, gradients = np.zeros((len(sums), 3)), np.zeros((len(sums), 3, sums.shape[1]))
    for start, sign in ((0, 1.0), (ARM, -1.0)):
        for row, (top, bottom) in enumerate(_RATIOS):
            count = sums[:, start + bottom]
            mean = sums[:, start + top] / count
            values[:, row] += sign * mean
            gradients[:, row, start + top] += sign / count
            gradients[:, row, start + bottom] -= sign * mean / count
    return values, gradients
