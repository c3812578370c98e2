"""The arithmetic of prediction-powered differences: family totals in, tuned difference and interval out.

A row of totals is one family's; each arm has five columns: problems that the judge scored and the sum of
its scores, problems that people scored too, the sum of people's scores and that of the judge's on the same.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ansatz.eval.statistics.resampling import draw_families

Floats = NDArray[np.float64]

ASKED, JUDGE, LABELLED, HUMAN, JUDGE_LABELLED, ARM = range(6)

# Differences between the arms by people, by the judge on the same answers, and by the judge on all.
_PEOPLE = np.array([1.0, 0.0, 0.0])
_BIAS = np.array([-1.0, 1.0, 0.0])
_POWER = np.array([0.0, -1.0, 1.0])
_RATIOS = ((HUMAN, LABELLED), (JUDGE_LABELLED, LABELLED), (JUDGE, ASKED))
_ENOUGH = 10  # so many families show how much people's difference varies
_NEGLIGIBLE = 1e-12  # a spread this small beside the values is rounding


@dataclass(frozen=True)
class Difference:
    """A difference with its interval, None with an arm's labels from one family, and the judge's weight."""

    value: float
    low: float | None
    high: float | None
    tuning: float


@dataclass(frozen=True)
class _Moments:
    """The three differences, of shape (samples, 3), and each stratum's part of their covariance.

    `covariance` has shape (strata, samples, 3, 3); `sizes` are the strata's numbers of families.
    """

    values: Floats
    covariance: Floats
    sizes: tuple[int, ...]


def has_label(totals: Floats) -> NDArray[np.bool_]:
    """Which families have an answer that people scored, from totals of shape (families, 10)."""
    return np.asarray((totals[:, LABELLED] > 0) | (totals[:, ARM + LABELLED] > 0))


def tuned_difference(
    totals: Floats, *, seed: int, resamples: int, level: float
) -> tuple[Difference, Difference]:
    """The power-tuned difference and the judge's bias in its own, from totals of shape (families, 10).

    Both arms need a labelled answer. See `prediction_powered.calibrated_delta` for the method.
    """
    labelled = has_label(totals)
    strata = [totals[labelled], totals[~labelled]] if (~labelled).sum() > 1 else [totals]
    if min((totals[:, column] > 0).sum() for column in (LABELLED, ARM + LABELLED)) < 2:
        people, judged, judge = _differences(totals.sum(axis=0, keepdims=True))[0][0].tolist()
        return (
            Difference(people + judge - judged, None, None, 1.0),
            Difference(judged - people, None, None, 1.0),
        )
    sample = _moments(strata, [np.ones((1, len(stratum))) for stratum in strata])
    draws = [draw_families(len(each), resamples, 2 * seed + at) for at, each in enumerate(strata)]
    sums = np.sum([times @ each for times, each in zip(draws, strata, strict=True)], axis=0)
    usable = (sums[:, LABELLED] > 0) & (sums[:, ARM + LABELLED] > 0)  # else there is nothing to compare
    drawn = _moments(strata, [each[usable] for each in draws])
    trust = _trust(totals[labelled])

    def tuned(covariance: Floats) -> Floats:
        return np.asarray(_PEOPLE + _tuning(covariance, trust)[:, None] * _POWER)

    tuning = float(_tuning(sample.covariance, trust)[0])
    return (
        Difference(*_studentised(sample, drawn, tuned, level), tuning),
        Difference(*_studentised(sample, drawn, _bias, level), 1.0),
    )


def _tuning(covariance: Floats, trust: float) -> Floats:
    """The judge's weight in each sample, of shape (samples,): that of least variance, as far as trusted."""
    total = covariance.sum(axis=0)
    power = _POWER @ total @ _POWER
    shared = _PEOPLE @ total @ _POWER
    # a judge that adds no variance (where people scored everything) may as well count in full
    some = power > _NEGLIGIBLE * np.abs(total).max(axis=(1, 2))
    best = np.where(some, np.clip(-shared / np.where(some, power, 1.0), 0.0, 1.0), 1.0)
    return np.asarray(1.0 - trust * (1.0 - best))


def _trust(totals: Floats) -> float:
    """How far people's variance, and so the weight of least variance, is known: from 0 to 1.

    That depends on how many labelled families it comes from, counted by (Σa²)²/Σa⁴ with their influences a.
    Where an effect shows in few families, labels that happen to have little of it would make people's part
    look certain and the difference too small; a judge that counts in full has no such part.
    """
    influence = totals @ _differences(totals.sum(axis=0, keepdims=True))[1][0, 0]
    size = np.abs(influence).max()
    if size <= _NEGLIGIBLE:
        return 0.0
    squares = (influence / size) ** 2
    return min(1.0, float(squares.sum() ** 2 / (squares**2).sum()) / _ENOUGH)


def _bias(covariance: Floats) -> Floats:
    return np.broadcast_to(_BIAS, (covariance.shape[1], 3))


def _studentised(
    sample: _Moments, drawn: _Moments, combine: Callable[[Floats], Floats], level: float
) -> tuple[float, float, float]:
    """The value of a combination of the three differences, and the ends of its interval."""
    from scipy.special import stdtrit

    weights = combine(sample.covariance)[0]
    value = float(sample.values[0] @ weights)
    variances = sample.covariance[:, 0] @ weights @ weights
    error = math.sqrt(max(float(variances.sum()), 0.0))
    if error <= _NEGLIGIBLE * float(np.abs(sample.values).max()):
        return value, value, value
    again = combine(drawn.covariance)
    # Where the judge's weight is drawn anew, only departures from the sample count: what it multiplies has
    # a mean of zero over studies, not over resamples of one.
    shift = ((drawn.values - sample.values) * again).sum(axis=1)
    spread = np.einsum("ra,srab,rb->r", again, drawn.covariance, again)
    floor = error / math.sqrt(sum(sample.sizes))
    t = shift / np.maximum(np.sqrt(np.maximum(spread, 0.0)), floor)
    low, high = np.quantile(t, [(1 - level) / 2, (1 + level) / 2])
    student = float(stdtrit(_degrees(variances, sample.sizes), (1 + level) / 2))
    return value, value - max(float(high), student) * error, value + max(float(-low), student) * error


def _degrees(variances: Floats, sizes: Sequence[int]) -> float:
    """Degrees of freedom of a sum of estimated variances (F. E. Satterthwaite, Biometrics Bull. 2, 1946)."""
    parts = [variance**2 / (size - 1) for variance, size in zip(variances, sizes, strict=True)]
    return float(variances.sum()) ** 2 / math.fsum(parts)


def _moments(strata: Sequence[Floats], weights: Sequence[Floats]) -> _Moments:
    """The differences where family g of a stratum occurs weights[stratum][:, g] times, and their spread."""
    sums = np.sum([times @ totals for times, totals in zip(weights, strata, strict=True)], axis=0)
    values, gradients = _differences(sums)
    parts = []
    for times, totals in zip(weights, strata, strict=True):
        families, columns = totals.shape
        first = times @ totals
        products = (totals[:, :, None] * totals[:, None, :]).reshape(families, -1)
        second = (times @ products).reshape(-1, columns, columns)
        spread = (second - first[:, :, None] * first[:, None, :] / families) * families / (families - 1)
        parts.append(gradients @ spread @ gradients.transpose(0, 2, 1))
    return _Moments(values, np.array(parts), tuple(len(totals) for totals in strata))


def _differences(sums: Floats) -> tuple[Floats, Floats]:
    """The three differences of means, of shape (samples, 3), and their gradients by the columns of `sums`."""
    values, gradients = np.zeros((len(sums), 3)), np.zeros((len(sums), 3, sums.shape[1]))
    for start, sign in ((0, 1.0), (ARM, -1.0)):
        for row, (top, bottom) in enumerate(_RATIOS):
            count = sums[:, start + bottom]
            mean = sums[:, start + top] / count
            values[:, row] += sign * mean
            gradients[:, row, start + top] += sign / count
            gradients[:, row, start + bottom] -= sign * mean / count
    return values, gradients
