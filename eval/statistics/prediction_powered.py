"""Differences between arms that a judge scored, corrected by the answers that people scored as well.

A judge scores every answer, people a random part of them. The judge alone is precise but off by its bias,
and a bias that treats arms differently (say, by the length of answers) does not cancel in their difference.
People alone are right but few. Prediction-powered inference joins the two: the judge's difference over all
problems, minus its error on human labels (A. N. Angelopoulos et al., Science 382, 2023, 669-674).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ansatz.eval.statistics.power_tuning import (
    ARM,
    ASKED,
    JUDGE,
    LABELLED,
    has_label,
    one_family,
    tuned_difference,
)

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Rated:
    """One arm's scores, each of shape (problems,) or (problems, repeats); NaN where there is none.

    `human` scores the same answers as `judge`, on the same scale. Raises ValueError for unequal shapes.
    """

    judge: Floats
    human: Floats

    def __post_init__(self) -> None:
        for name in ("judge", "human"):
            array = np.asarray(getattr(self, name), dtype=np.float64)
            object.__setattr__(self, name, array.reshape(len(array), -1))
        if self.judge.shape != self.human.shape:
            raise ValueError(f"the judge's scores {self.judge.shape} and people's {self.human.shape} differ")


@dataclass(frozen=True)
class CalibratedDelta:
    """A difference between two arms corrected for the judge's bias, with its confidence interval.

    `judge` is the judge's own difference over `problems` pairs (`dropped` lacked its score in an arm), `bias`
    the judge's error in that difference where people scored too, with its interval, and `tuning` the weight
    of the judge, from 0 (people alone) to 1 (trusted but for its mean error). `labelled` counts the cells of
    problem and arm with a human score, `labelled_families` the families they come from. What cannot be
    told is None, and `reason` says why.
    """

    estimate: float | None = None
    low: float | None = None
    high: float | None = None
    judge: float | None = None
    bias: float | None = None
    bias_low: float | None = None
    bias_high: float | None = None
    tuning: float | None = None
    problems: int = 0
    families: int = 0
    labelled: int = 0
    labelled_families: int = 0
    dropped: int = 0
    reason: str | None = None

    @property
    def largest_bias(self) -> float | None:
        """How large the judge's error may be, by its interval; None where that is unknown."""
        ends = (self.bias_low, self.bias_high)
        return max(abs(end or 0.0) for end in ends) if None not in ends else None

    @property
    def within_judge_error(self) -> bool | None:
        """Whether the judge's own difference is smaller than the error it may have; None if unknown."""
        reach = self.largest_bias
        return None if self.judge is None or reach is None else abs(self.judge) < reach


def calibrated_delta(
    treated: Rated,
    control: Rated,
    families: Sequence[Hashable],
    *,
    seed: int,
    resamples: int = 2000,
    level: float = 0.95,
) -> CalibratedDelta:
    """Mean of treated − control on the human scale, from a judge's scores and people's on a part.

    Row i of both arms and `families[i]` belong to one problem. Repeats are averaged within a problem; the
    judge's mean error is taken over the answers that people scored, in each arm on its own, so labels need
    not come in pairs. The estimate is H + λ(J − J'), where J is the judge's difference over all problems, and
    H and J' are people's and the judge's over the labelled answers; λ has the least estimated variance within
    [0, 1] (power tuning: A. N. Angelopoulos, J. C. Duchi and T. Zrnic, arXiv:2311.01453, 2023), drawn towards
    1 where fewer than ten effective labelled families, (Σa²)²/Σa⁴ over their influences a, tell that variance
    (ten of equal weight; some forty to seventy where only a tenth differ at all). Where the judge's
    scores do not rise with people's, or people alone give the shorter interval, λ is 0: a useless judge does
    no harm. Families with and without labels are
    resampled apart, whole, and λ anew each time. The interval is studentised and guarded as in
    `resampling.spread`, with Satterthwaite's degrees of freedom from the two kinds of family; where labelled
    families are all alike, scores in [0, 1] have what these may have missed added (`degenerate_interval`).
    Which answers people score must be left to chance, or depend on nothing that goes with the judge's error.
    Raises ValueError for arms and families of different lengths.
    """
    if not len(treated.judge) == len(control.judge) == len(families):
        raise ValueError(
            f"{len(treated.judge)}, {len(control.judge)} and {len(families)} problems do not pair up"
        )
    rows = np.concatenate([_columns(treated), _columns(control)], axis=1)
    paired = (rows[:, ASKED] > 0) & (rows[:, ARM + ASKED] > 0)
    kept = [name for name, both in zip(families, paired, strict=True) if both]
    index = {name: at for at, name in enumerate(dict.fromkeys(kept))}
    totals = np.zeros((len(index), 2 * ARM))
    np.add.at(totals, np.array([index[name] for name in kept], dtype=np.intp), rows[paired])
    scores = np.concatenate([each for arm in (treated, control) for each in (arm.judge, arm.human)])
    settings = {"seed": seed, "resamples": resamples, "level": level}
    found = (
        _calibrated(totals, bounded=not ((scores < 0) | (scores > 1)).any(), **settings)
        if kept
        else CalibratedDelta(reason="the judge scored no problem in both arms")
    )
    return replace(found, problems=len(kept), families=len(index), dropped=len(families) - len(kept))


def _columns(arm: Rated) -> Floats:
    """Each problem's row of an arm's columns (see `power_tuning`), of shape (problems, 5)."""
    asked = np.isfinite(arm.judge)
    labelled = asked & np.isfinite(arm.human)

    def mean(values: Floats, where: NDArray[np.bool_]) -> Floats:
        return np.asarray(np.where(where, values, 0.0).sum(axis=1) / np.maximum(where.sum(axis=1), 1))

    means = (mean(arm.judge, asked), mean(arm.human, labelled), mean(arm.judge, labelled))
    counts = (asked.any(axis=1).astype(np.float64), labelled.any(axis=1).astype(np.float64))
    return np.stack([counts[0], means[0], counts[1], means[1], means[2]], axis=1)


def _calibrated(totals: Floats, **settings: Any) -> CalibratedDelta:
    """The corrected difference from family totals, of shape (families, 10)."""
    treated, control = totals[:, :ARM].sum(axis=0), totals[:, ARM:].sum(axis=0)
    known = CalibratedDelta(
        judge=float(treated[JUDGE] / treated[ASKED] - control[JUDGE] / control[ASKED]),
        labelled=int(treated[LABELLED] + control[LABELLED]),
        labelled_families=int(has_label(totals).sum()),
    )
    if not treated[LABELLED] or not control[LABELLED]:
        bare = "control" if treated[LABELLED] else "treated"
        return replace(known, reason=f"people scored no answer of the {bare} arm")
    difference, bias = tuned_difference(totals, **settings)
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
        reason="the labelled answers of an arm come from one family" if one_family(totals) else reason,
    )
