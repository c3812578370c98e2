"""Power: detectable effects of a study, of studies of other sizes, and components of variance."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import count

import numpy as np
from numpy.typing import NDArray

from ansatz.eval.statistics.paired import PairedDelta
from ansatz.eval.statistics.resampling import cluster_error

Floats = NDArray[np.float64]


def minimum_detectable(delta: PairedDelta, *, level: float = 0.95, power: float = 0.8) -> float | None:
    """Return the difference that a study of this size and variance detects with this power and level.

    (t at (1 + level)/2 + t at power) × the standard error, with its degrees of freedom (J. Bloom, Eval.
    Rev. 19, 1995, 547-556). None if the standard error is unknown. This holds for Student's test; the
    report's intervals are slightly longer and detect it in about 78 % of studies instead of 80 %.
    """
    return _detectable_at(delta.error, delta.degrees, level, power) if delta.error and delta.degrees else None


def _detectable_at(error: float, degrees: float, level: float, power: float) -> float:
    from scipy.special import stdtrit

    return float(stdtrit(degrees, np.array([(1 + level) / 2, power])).sum() * error)


def fewest_families(alpha: float = 0.05) -> int:
    """Return the smallest number of families for which a difference can have p < alpha.

    The smallest p of a test by joint sign flips of n families is 2/2ⁿ (R. A. Fisher, The Design of
    Experiments, 1935, section 21).
    """
    return next(n for n in count(1) if 2.0 ** (1 - n) < alpha)


def sidak_level(comparisons: int, level: float = 0.95) -> float:
    """Return the level of each interval so that all hold together (Z. Šidák, J. Am. Stat. Assoc. 62, 1967,
    626-633).
    """
    return float(level ** (1 / max(comparisons, 1)))


def largest_effect(delta: PairedDelta, *, level: float = 0.95) -> float | None:
    """Return the least x for which two one-sided tests show that the difference is within ±x.

    It is the farther end of the interval at 2·level − 1 (D. J. Schuirmann, J. Pharmacokinet. Biopharm. 15,
    1987, 657-680); None without an interval.
    """
    ends = delta.ends_at(2 * level - 1)
    return None if ends is None else max(abs(ends[0]), abs(ends[1]))


@dataclass(frozen=True)
class Variance:
    """The variance of the differences by problem, split into repeats and the rest."""

    repeats: float
    """Share of the variance that comes from repeats."""
    more_repeats: float
    """Factor of the standard error with twice the repeats; with twice the problems it is √½."""


def split_variance(noise: Floats, differences: Floats) -> Variance | None:
    """Compute the share of variance that comes from repeats; None without several repeats.

    Parameters
    ----------
    noise
        Variance of each problem's difference due to repeats: Σ s²/r over both arms. NaN without two repeats
        in an arm.
    differences
        Difference of the means over repeats, by problem. Both have shape (problems,).
    """
    known = noise[~np.isnan(noise)]
    total = float(differences.var(ddof=1)) if len(differences) > 1 else 0.0
    if not len(known) or not total:
        return None
    share = min(1.0, float(known.mean()) / total)
    return Variance(share, (1 - share / 2) ** 0.5)


@dataclass(frozen=True)
class Components:
    """Components of the variance of the difference between two arms on one problem."""

    families: float
    """Between families."""
    problems: float
    """Between the problems of a family; without repeats, it includes their variance."""
    repeats: float | None = None
    """Of a single repeat in both arms; None without several repeats."""

    @classmethod
    def estimate(
        cls, differences: Floats, families: NDArray[np.generic], noise: Floats, repeats: int
    ) -> Components:
        """Estimate the components from differences of means over `repeats`.

        The method is the analysis of variance of one random factor with unequal groups (S. R. Searle, G.
        Casella and C. E. McCulloch, Variance Components, 1992, section 3.6). `noise` is as in
        `split_variance`; all arrays have shape (problems,). Raises ValueError for fewer than two families.
        """
        _, home, counts = np.unique(families, return_inverse=True, return_counts=True)
        items, groups = len(differences), len(counts)
        if groups < 2:
            raise ValueError("the variance between families needs at least two families")
        means = np.bincount(home, weights=differences) / counts
        if items == groups:  # one problem per family
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

    def predict_error(self, sizes: Floats, repeats: int) -> float:
        """Predict the standard error of the mean difference for these family sizes and repeats."""
        items = sizes.sum()
        within = self.problems + (self.repeats or 0.0) / repeats
        return math.sqrt(self.families * float((sizes**2).sum()) / items**2 + within / items)


def variance_degrees(delta: PairedDelta) -> float | None:
    """Return the degrees of freedom of the estimated variance of a mean difference between families.

    (n − 1)/(1 + κ/2) for n families whose totals have the excess kurtosis κ (G. E. P. Box and S. L. Andersen,
    J. R. Stat. Soc. B 17, 1955, 1-34): few families that changed say little about the variance. None without
    two families, or if nothing varies.
    """
    if delta.totals is None or delta.estimate is None:
        return None
    squares = (delta.totals.sums - delta.totals.counts * delta.estimate) ** 2
    if not squares.any():
        return None
    kurtosis = float((squares**2).mean() / squares.mean() ** 2 - 3)
    return (delta.families - 1) / max(1 + kurtosis / 2, 0.5)


def scale_range(degrees: float, level: float = 0.9) -> tuple[float, float]:
    """Return the range of true / estimated standard error, if the variance has these degrees of freedom.

    It is √(degrees/χ²) at both quantiles of χ².
    """
    from scipy.special import chdtri

    upper, lower = (float(chdtri(degrees, tail)) for tail in ((1 - level) / 2, (1 + level) / 2))
    return math.sqrt(degrees / upper), math.sqrt(degrees / max(lower, 1e-9))


def degrees_of_freedom(sizes: Floats) -> float:
    """Return the degrees of freedom of a mean over families of these sizes, as `cluster_error` does."""
    return cluster_error(np.zeros(len(sizes)), sizes)[1]


def predict_detectable(
    components: Components, sizes: Floats, repeats: int, *, level: float = 0.95, power: float = 0.8
) -> float | None:
    """Predict `minimum_detectable` for a study with these numbers of problems by family, and repeats.

    None for fewer than two families, or if nothing varies.
    """
    if len(sizes) < 2:
        return None
    error, degrees = components.predict_error(sizes, repeats), degrees_of_freedom(sizes)
    return _detectable_at(error, degrees, level, power) or None
