"""What a comparison could have shown, what one of another size would, and where its scatter comes from."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ansatz.eval.statistics.paired import PairedDelta
from ansatz.eval.statistics.resampling import cluster_error

Floats = NDArray[np.float64]


def minimum_detectable(delta: PairedDelta, *, level: float = 0.95, power: float = 0.8) -> float | None:
    """The difference that a study of this size and scatter finds with a chance of `power` at this level.

    (t at (1 + level)/2 + t at power) × the standard error, with its degrees of freedom (J. Bloom, Eval. Rev.
    19, 1995, 547-556). None where nothing is known of the scatter. That is for Student's test: a report's
    intervals, at least as long, find it in some 78 % of studies for the 80 asked.
    """
    return _found(delta.error, delta.degrees, level, power) if delta.error and delta.degrees else None


def _found(error: float, degrees: float, level: float, power: float) -> float:
    from scipy.special import stdtrit

    return float(stdtrit(degrees, np.array([(1 + level) / 2, power])).sum() * error)


def largest_effect(delta: PairedDelta, *, level: float = 0.95) -> float | None:
    """The least x for which two one-sided tests show that the difference lies within ±x.

    The farther end of the interval at 2·level − 1 (D. J. Schuirmann, J. Pharmacokinet. Biopharm. 15, 1987,
    657-680); None without an interval.
    """
    ends = delta.ends_at(2 * level - 1)
    return None if ends is None else max(abs(ends[0]), abs(ends[1]))


@dataclass(frozen=True)
class Variance:
    """Of the per-problem differences: what repeats leave, as a share, and what doubling these would do.

    `more_repeats` is by what the standard error would be multiplied; with twice the problems it is √½.
    """

    repeats: float
    more_repeats: float


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


@dataclass(frozen=True)
class Components:
    """Variances of the difference of two arms on one problem: between families, between the problems of one,
    and of a single repeat in both arms together. `repeats` is None where nobody asked twice.

    `problems` then holds what repeats would have told apart.
    """

    families: float
    problems: float
    repeats: float | None = None

    @classmethod
    def of(
        cls, differences: Floats, families: NDArray[np.generic], noise: Floats, repeats: int
    ) -> Components:
        """From differences of means over so many repeats; `noise` are the variances of these means.

        `differences`, `families` and `noise`, NaN where a problem has no two repeats, have shape (problems,).
        By the analysis of variance of one random factor with unequal groups (S. R. Searle, G. Casella and
        C. E. McCulloch, Variance Components, 1992, section 3.6). Raises ValueError for fewer than two
        families.
        """
        _, home, counts = np.unique(families, return_inverse=True, return_counts=True)
        items, groups = len(differences), len(counts)
        if groups < 2:
            raise ValueError("one family tells nothing of how families differ")
        means = np.bincount(home, weights=differences) / counts
        if items == groups:  # a problem a family: what is between the one is between the other
            within, between = float(differences.var(ddof=1)), 0.0
        else:
            within = float(((differences - means[home]) ** 2).sum()) / (items - groups)
            squares = float((counts * (means - differences.mean()) ** 2).sum()) / (groups - 1)
            size = (items - float((counts**2).sum()) / items) / (groups - 1)
            between = max(0.0, (squares - within) / size)
        known = noise[~np.isnan(noise)]
        if not len(known):
            return cls(between, within)
        of_means = float(known.mean())
        return cls(between, max(0.0, within - of_means), of_means * repeats)

    def error(self, sizes: Floats, repeats: int) -> float:
        """The standard error of the mean difference over families of these sizes, asked so many times."""
        items = sizes.sum()
        own = self.problems + (self.repeats or 0.0) / repeats
        return math.sqrt(self.families * float((sizes**2).sum()) / items**2 + own / items)


def detectable(
    components: Components, sizes: Floats, repeats: int, *, level: float = 0.95, power: float = 0.8
) -> float | None:
    """As `minimum_detectable`, for a study of so many problems by family, asked so many times.

    The error is that which the components predict; None for fewer than two families, or where nothing varies.
    """
    if len(sizes) < 2:
        return None
    _, degrees = cluster_error(np.zeros(len(sizes)), sizes)
    return _found(components.error(sizes, repeats), degrees, level, power) or None
