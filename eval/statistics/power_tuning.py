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

from ansatz.eval.statistics.resampling import draw_families, unseen

Floats = NDArray[np.float64]

ASKED, JUDGE, LABELLED, HUMAN, JUDGE_LABELLED, ARM = range(6)

# Differences between the arms by people, by the judge on the same answers, and by the judge on all.
_PEOPLE = np.array([1.0, 0.0, 0.0])
_BIAS = np.array([-1.0, 1.0, 0.0])
_POWER = np.array([0.0, -1.0, 1.0])
_RATIOS = ((HUMAN, LABELLED), (JUDGE_LABELLED, LABELLED), (JUDGE, ASKED))
_FEWEST = 4  # labelled families show whether the judge agrees with people at all
_ENOUGH = 10  # so many families show how much people's difference varies
_NEGLIGIBLE = 1e-12  # a spread this small beside the values is rounding


@dataclass(frozen=True)
class Difference:
    """A difference with its interval, None where nothing tells of one, and the judge's weight."""

    value: float
    low: float | None
    high: float | None
    tuning: float


@dataclass(frozen=True)
class _Moments:
    """The three differences, of shape (samples, 3), and each stratum's part of their covariance.

    `covariance` has shape (strata, samples, 3, 3), the labelled stratum first; `sizes` are the strata's
    numbers of families.
    """

    values: Floats
    covariance: Floats
    sizes: tuple[int, ...]


@dataclass(frozen=True)
class _Resampled:
    """The sample's moments and those of its resamples, from which intervals come at a level.

    A variance of no more than `least` is rounding; `missed` is how far the mean of labelled families may be
    off that are all alike, where scores are bounded.
    """

    sample: _Moments
    drawn: _Moments
    level: float
    least: float
    missed: tuple[float, float] | None

    def interval(self, weigh: Callable[[Floats], Floats]) -> tuple[float, float | None, float | None]:
        """The value of a combination of the three differences, and the ends of its interval.

        `weigh` finds its weights, of shape (samples, 3) or (3,), from covariances. Where labelled families
        are all alike, what they may have missed is added to each side as the root of the sum of squares (R.
        G. Newcombe, Stat. Med. 17, 1998, 873-890).
        """
        weights = np.atleast_2d(weigh(self.sample.covariance))[0]
        value = float(self.sample.values[0] @ weights)
        variances = self.sample.covariance[:, 0] @ weights @ weights
        below = above = 0.0
        if variances.sum() > self.least:
            below, above = self._sides(variances, weigh(self.drawn.covariance))
        if variances[0] <= self.least and self.missed:
            below, above = math.hypot(below, self.missed[0]), math.hypot(above, self.missed[1])
        return (value, value - below, value + above) if below or above else (value, None, None)

    def _sides(self, variances: Floats, again: Floats) -> tuple[float, float]:
        """How far the interval reaches, by the studentised bootstrap and at least Student's way, with degrees
        of freedom of a sum of estimated variances (F. E. Satterthwaite, Biometrics Bull. 2, 1946).
        """
        from scipy.special import stdtrit

        drawn, sizes = self.drawn, np.array(self.sample.sizes)
        error = math.sqrt(float(variances.sum()))
        degrees = float(variances.sum()) ** 2 / float((variances**2 / (sizes - 1)).sum())
        again = np.broadcast_to(again, drawn.values.shape)
        # Where the judge is weighed anew, only departures from the sample count: what that multiplies has
        # a mean of zero over studies, not over resamples of one.
        shift = ((drawn.values - self.sample.values) * again).sum(axis=1)
        spread = np.einsum("ra,srab,rb->r", again, drawn.covariance, again)
        t = shift / np.maximum(np.sqrt(np.maximum(spread, 0.0)), error / math.sqrt(sizes.sum()))
        low, high = np.quantile(t, [(1 - self.level) / 2, (1 + self.level) / 2])
        student = float(stdtrit(degrees, (1 + self.level) / 2))
        return max(float(high), student) * error, max(float(-low), student) * error


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
    strata = [totals[labelled], totals[~labelled]] if (~labelled).sum() > 1 else [totals]
    if one_family(totals):
        people, judged, judge = _differences(totals.sum(axis=0, keepdims=True))[0][0].tolist()
        return (
            Difference(people + judge - judged, None, None, 1.0),
            Difference(judged - people, None, None, 1.0),
        )
    draws = [draw_families(len(each), resamples, 2 * seed + at) for at, each in enumerate(strata)]
    sums = np.sum([times @ each for times, each in zip(draws, strata, strict=True)], axis=0)
    usable = (sums[:, LABELLED] > 0) & (sums[:, ARM + LABELLED] > 0)  # else there is nothing to compare
    trust, known = _trust(totals[labelled]), totals[labelled]
    least = (_NEGLIGIBLE * float(np.abs(totals).max())) ** 2
    missed = _missed(known, level) if bounded else None

    def resampled(parts: Sequence[Floats]) -> _Resampled:
        sample = _moments(parts, [np.ones((1, len(each))) for each in parts])
        drawn = _moments(parts, [times[usable] for times, _ in zip(draws, parts, strict=False)])
        return _Resampled(sample, drawn, level, least, missed)

    def tuned(covariance: Floats) -> Floats:
        return np.asarray(_PEOPLE + _tuning(covariance, trust)[:, None] * _POWER)

    both = resampled(strata)
    bias = Difference(*both.interval(lambda _: _BIAS), 1.0)
    if not _agrees(known):
        return Difference(*resampled(strata[:1]).interval(lambda _: _PEOPLE), 0.0), bias
    with_judge = Difference(*both.interval(tuned), float(_tuning(both.sample.covariance, trust)[0]))
    people = Difference(*both.interval(lambda _: _PEOPLE), 0.0)
    return min(with_judge, people, key=_length), bias


def _length(found: Difference) -> float:
    return math.inf if found.low is None or found.high is None else found.high - found.low


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


def _missed(totals: Floats, level: float) -> tuple[float, float]:
    """What labelled families leave open that are all alike; an error strikes one answer of a pair."""
    counts = totals[:, LABELLED] + totals[:, ARM + LABELLED]
    return unseen(0.0, float(counts.sum() ** 2 / (counts**2).sum()), (-1.0, 1.0), level)


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
