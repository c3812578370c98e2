"""Where the scatter of paired differences comes from, and what a study of another size would leave of it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ansatz.eval.statistics.resampling import cluster_error

Floats = NDArray[np.float64]


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
    """The difference that a study of this size finds with a chance of `power`, at this level.

    `sizes` are the numbers of problems by family. As `power.minimum_detectable`, whose formula it is, with
    the error that the components predict; None for fewer than two families, or where nothing varies. That
    is for Student's test: a report's intervals, at least as long, find it in some 78 % of studies.
    """
    from scipy.special import stdtrit

    if len(sizes) < 2:
        return None
    _, degrees = cluster_error(np.zeros(len(sizes)), sizes)
    quantiles = stdtrit(degrees, np.array([(1 + level) / 2, power]))
    return float(quantiles.sum()) * components.error(sizes, repeats) or None
