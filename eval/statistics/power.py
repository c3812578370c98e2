"""What a comparison could have shown: detectable effects, largest ones, and where scatter comes from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ansatz.eval.statistics.paired import PairedDelta

Floats = NDArray[np.float64]


def minimum_detectable(delta: PairedDelta, *, level: float = 0.95, power: float = 0.8) -> float | None:
    """The difference that a study of this size and scatter finds with a chance of `power` at this level.

    (t at (1 + level)/2 + t at power) × the standard error, with its degrees of freedom (J. Bloom, Eval. Rev.
    19, 1995, 547-556). None where nothing is known of the scatter.
    """
    from scipy.special import stdtrit

    if not delta.error or not delta.degrees:
        return None
    quantiles = stdtrit(delta.degrees, np.array([(1 + level) / 2, power]))
    return float(quantiles.sum() * delta.error)


def largest_effect(delta: PairedDelta, *, level: float = 0.95) -> float | None:
    """The least x for which two one-sided tests show that the difference lies within ±x.

    The farther end of the interval at 2·level − 1 (D. J. Schuirmann, J. Pharmacokinet. Biopharm. 15, 1987,
    657-680); None without an interval.
    """
    ends = delta.ends_at(2 * level - 1)
    return None if ends is None else max(abs(ends[0]), abs(ends[1]))


@dataclass(frozen=True)
class Variance:
    """Of the per-problem differences: what repeats leave, as a share, and what doubling either would do.

    `more_repeats` and `more_problems` are by what the standard error would be multiplied.
    """

    repeats: float
    more_repeats: float
    more_problems: float = 2**-0.5


def variance_split(noise: Floats, differences: Floats) -> Variance | None:
    """How much of the scatter between problems is a model's own noise; None without several repeats.

    `differences`, of shape (problems,), are of means over repeats; `noise` the variances of these means that
    repeats show, Σ s²/r over both arms, NaN for a problem without two repeats in an arm.
    """
    known = noise[~np.isnan(noise)]
    total = float(differences.var(ddof=1)) if len(differences) > 1 else 0.0
    if not len(known) or not total:
        return None
    share = min(1.0, float(known.mean()) / total)
    return Variance(share, (1 - share / 2) ** 0.5)
