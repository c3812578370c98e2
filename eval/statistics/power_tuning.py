"""The arithmetic of prediction-powered differences: family totals in, tuned difference and interval out.

A row of totals is one family's; each arm has five columns: problems that the judge scored and the sum of
its scores, problems that people scored too, the sum of people's scores and that of the judge's on the same.
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

ASKED, JUDGE, LABELLED, HUMAN, JUDGE_LABELLED, ARM = range(6)

# Differences between the arms by people, by the judge on the same answers, and by the judge on all.
_PEOPLE = np.array([1.0, 0.0, 0.0])
_BIAS = np.array([-1.0, 1.0, 0.0])
_POWER = np.array([0.0, -1.0, 1.0])
_RATIOS = ((HUMAN, LABELLED), (JUDGE_LABELLED, LABELLED), (JUDGE, ASKED))
_FEWEST = 4  # labelled families show whether the judge agrees with people at all
_ENOUGH = 10  # so many families show how much people's difference varies
_BLOCK = 100_000  # families of samples in memory at once
_NEGLIGIBLE = 1e-12  # a spread this small beside the values is rounding


@dataclass(frozen=True)
class Difference:
    """A difference with its interval, None where nothing tells of one, and the judge's weight."""

    value: float
    low: float | None
    high: float | None
    tuning: float


@dataclass(frozen=True)
class _Resampled:
    """The three differences in the sample, which comes first, and in its resamples.

    `values` has shape (1 + resamples, 3); `covariance`, each stratum's part of theirs with the labelled
    stratum first, shape (strata, 1 + resamples, 3, 3); `sizes` are the strata's numbers of families. A
    variance of no more than `least` is rounding; `missed` is how far the mean of labelled families may be off
    that are all alike, where scores are bounded.
    """

    values: Floats
    covariance: Floats
    sizes: NDArray[np.intp]
    level: float
    least: float
    missed: tuple[float, float] | None

    def interval(self, weights: Floats, families: int) -> Difference:
        """A combination of the three differences, by weights of shape (3,) or of the values' shape.

        It reaches as far as the studentised bootstrap over so many families, and at least as Student's
        interval with degrees of freedom of a sum of estimated variances (F. E. Satterthwaite, Biometrics
        Bull. 2, 1946). Where labelled families are all alike, what they may have missed is added to each side
        as the root of the sum of squares (R. G. Newcombe, Stat. Med. 17, 1998, 873-890).
        """
        from scipy.special import stdtrit

        weights = np.broadcast_to(weights, self.values.shape)
        own, again = weights[0], weights[1:]
        value, variances = float(self.values[0] @ own), self.covariance[:, 0] @ own @ own
        below = above = 0.0
        if variances.sum() > self.least:
            error = math.sqrt(float(variances.sum()))
            degrees = float(variances.sum()) ** 2 / float((variances**2 / (self.sizes - 1)).sum())
            # Where the judge is weighed anew, only departures from the sample count: what that multiplies has
            # a mean of zero over studies, not over resamples of one.
            shift = ((self.values[1:] - self.values[0]) * again).sum(axis=1)
            spread = np.einsum("ra,srab,rb->r", again, self.covariance[:, 1:], again)
            t = shift / np.maximum(np.sqrt(np.maximum(spread, 0.0)), error / math.sqrt(families))
            lowest, highest = np.quantile(t, [(1 - self.level) / 2, (1 + self.level) / 2]).tolist()
            student = float(stdtrit(degrees, (1 + self.level) / 2))
            below, above = max(highest, student) * error, max(-lowest, student) * error
        if variances[0] <= self.least and self.missed:
            below, above = math.hypot(below, self.missed[0]), math.hypot(above, self.missed[1])
        low, high = (value - below, value + above) if below or above else (None, None)
        return Difference(value, low, high, tuning=float(own[2]))


def has_label(totals: Floats) -> NDArray[np.bool_]:
    """Which families have an answer that people scored, from totals of shape (families, 10)."""
    return np.asarray((totals[:, LABELLED] > 0) | (totals[:, ARM + LABELLED] > 0))


def one_family(totals: Floats) -> bool:
    """Whether the labelled answers of an arm come from a single family."""
    return bool(min((totals[:, column] > 0).sum() for column in (LABELLED, ARM + LABELLED)) < 2)


def tuned_difference(
    totals: Floats, *, seed: int, resamples: int, level: float, bounded: bool
) -> tuple[Difference, Difference]:
    """The power-tuned difference and the judge's bias in its own, from totals of shape (families, 10).

    Both arms need a labelled answer; scores that are `bounded` lie within 0 and 1. See
    `prediction_powered.calibrated_delta` for the method.
    """
    labelled = has_label(totals)
    known = totals[labelled]
    if one_family(totals):
        people, judged, judge = _differences(totals.sum(axis=0, keepdims=True))[0][0].tolist()
        return (
            Difference(people + judge - judged, None, None, 1.0),
            Difference(judged - people, None, None, 1.0),
        )
    strata = [known, totals[~labelled]] if (~labelled).sum() > 1 else [totals]
    counts = known[:, LABELLED] + known[:, ARM + LABELLED]
    # An error strikes one answer of a pair.
    missed = degenerate_interval(0.0, float(counts.sum() ** 2 / (counts**2).sum()), (-1.0, 1.0), level)
    found = _Resampled(
        *_moments(strata, resamples, seed),
        np.array([len(each) for each in strata]),
        level,
        (_NEGLIGIBLE * float(np.abs(totals).max())) ** 2,
        missed if bounded else None,
    )
    bias = found.interval(_BIAS, len(totals))
    if not _agrees(known):
        return found.interval(_PEOPLE, len(strata[0])), bias
    with_judge = found.interval(
        _PEOPLE + _tuning(found.covariance, _trust(known))[:, None] * _POWER, len(totals)
    )
    people = found.interval(_PEOPLE, len(totals))
    lengths = [
        math.inf if each.low is None else (each.high or 0.0) - each.low for each in (people, with_judge)
    ]
    return people if lengths[0] < lengths[1] * (1 - 1e-9) else with_judge, bias


def _agrees(totals: Floats) -> bool:
    """Whether the judge's scores of the labelled answers rise with people's by more than luck.

    Pearson's r over families and arms, apart from the arms' means, one-sided at 5 %. It rests on how answers
    differ within an arm and not on how the arms do, so that to go by it leaves intervals what they are; to
    go by the length of intervals alone would favour labels that happen to show little of an effect.
    """
    from scipy.special import stdtr

    arms = []
    for start in (0, ARM):
        own = totals[totals[:, start + LABELLED] > 0, start : start + ARM]
        means = own[:, [HUMAN, JUDGE_LABELLED]] / own[:, [LABELLED]]
        arms.append(means - means.mean(axis=0))
    people, judge = np.concatenate(arms).T
    spread = math.sqrt(float((people**2).sum() * (judge**2).sum()))
    if len(totals) < _FEWEST or np.allclose(people, judge, atol=_NEGLIGIBLE):
        return True
    if not spread:
        return False
    r = min(float(people @ judge) / spread, 1 - _NEGLIGIBLE)
    degrees = len(totals) - 2
    return bool(stdtr(degrees, r * math.sqrt(degrees / (1 - r**2))) > 0.95)


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


def _moments(strata: Sequence[Floats], resamples: int, seed: int) -> tuple[Floats, Floats]:
    """The differences and their spread, in the sample and in each resample in which both arms have labels.

    Families are drawn within each stratum.
    """
    rows = max(1, _BLOCK // max(map(len, strata)))
    drawn = [draw_families(len(each), resamples, 2 * seed + at, rows) for at, each in enumerate(strata)]
    whole = [np.ones((1, len(each))) for each in strata]
    values, parts = [], []
    for times in chain([whole], zip(*drawn, strict=True)):
        sums = np.sum([block @ each for block, each in zip(times, strata, strict=True)], axis=0)
        usable = (sums[:, LABELLED] > 0) & (sums[:, ARM + LABELLED] > 0)  # else there is nothing to compare
        found, gradients = _differences(sums[usable])
        own = [_spread(block[usable], each, gradients) for block, each in zip(times, strata, strict=True)]
        values.append(found)
        parts.append(np.array(own))
    return np.concatenate(values), np.concatenate(parts, axis=1)


def _spread(times: Floats, totals: Floats, gradients: Floats) -> Floats:
    """The covariance of the differences from families that occur so many times in each sample."""
    families = len(totals)
    influence = gradients @ totals.T  # of each family on each difference
    counted = influence * times[:, None, :]
    first = counted.sum(axis=2)
    second = counted @ influence.transpose(0, 2, 1)
    return np.asarray((second - first[:, :, None] * first[:, None, :] / families) * families / (families - 1))


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
