"""Paired comparisons: the mean difference between two arms, its significance, and missing scores."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ansatz.eval.statistics.resampling import (
    Ends,
    Spread,
    degenerate_interval,
    digest,
    exact_upper_share,
    sign_flip_p,
    spread,
)

Floats = NDArray[np.float64]
_ROUNDING = 1e-12


@dataclass(frozen=True, eq=False)
class FamilyTotals:
    """The data behind a mean over clusters: one entry per family."""

    families: NDArray[np.generic]
    """Names of the families."""
    sums: Floats
    """Sum of each family's items."""
    counts: Floats
    """Number of each family's items."""
    seed: int
    """Seed of the sign patterns."""
    spread: Spread
    """Uncertainty of the mean."""
    ends: Ends | None = None
    """The least and the greatest possible value of an item, if items are bounded."""

    @cached_property
    def p(self) -> float:
        """p of this mean alone. Computed on first use, because families of comparisons do not need it."""
        return sign_flip_p(self.sums, seed=self.seed)

    @cached_property
    def key(self) -> bytes:
        """A key that is equal for equal quantities."""
        return digest(self.families, self.sums, self.counts, self.ends)

    def exact_bounds(self, level: float) -> Ends:
        """Return bounds of the mean from the numbers of families that lost and gained; else the `ends`.

        A family's mean is at most the greatest possible value if the family gained, and at most zero if not.
        So the expected mean is at most that value times the share of families that gain, of which
        `exact_upper_share` is an upper limit; losses bound it from below. Families need equal sizes, because
        large families may respond in another way than small ones.
        """
        least, greatest = self.ends or (-math.inf, math.inf)
        if self.ends is None or not least < 0 < greatest or self.counts.min() < self.counts.max():
            return least, greatest
        losses = int(np.count_nonzero(self.sums < -_ROUNDING))
        gains = int(np.count_nonzero(self.sums > _ROUNDING))
        one_sided, families = (1 + level) / 2, len(self.sums)
        return (
            least * exact_upper_share(losses, families, one_sided),
            greatest * exact_upper_share(gains, families, one_sided),
        )


@dataclass(frozen=True)
class PairedDelta:
    """A mean difference over problems, with its confidence interval and permutation p.

    `low`, `high` and `p` are None with fewer than two families. The ends are also None if unbounded amounts
    do not vary.
    """

    estimate: float | None
    """None without a pair."""
    low: float | None
    high: float | None
    """The ends of the interval."""
    pairs: int
    """Number of problems scored in every arm."""
    families: int
    """Number of independent clusters of pairs."""
    dropped: int
    """Number of problems that are not scored in every arm."""
    error: float | None = None
    """Standard error between families."""
    degrees: float | None = None
    """Degrees of freedom of `error`."""
    level: float = 0.95
    """Level of the interval."""
    totals: FamilyTotals | None = field(default=None, repr=False, compare=False)
    """The data behind the mean; None with fewer than two families."""

    @property
    def p(self) -> float | None:
        """Two-sided p of no difference, of this comparison alone."""
        return None if self.totals is None else self.totals.p

    def ends_at(self, level: float) -> tuple[float, float] | None:
        """Return the interval at a level. Both sides are scaled by the ratio of Student's quantiles.

        The interval is cut at `FamilyTotals.exact_bounds`. The cut never excludes zero, so it does not change
        which differences are significant.
        """
        from scipy.special import stdtrit

        if self.estimate is None or self.totals is None:
            return None
        found, ends, counts = self.totals.spread, self.totals.ends, self.totals.counts
        if not found.error:
            number = float(counts.sum() ** 2 / (counts**2).sum())
            return degenerate_interval(self.estimate, number, ends, level) if ends else None
        least, greatest = self.totals.exact_bounds(level)
        wider = float(stdtrit(found.degrees, (1 + level) / 2) / stdtrit(found.degrees, (1 + self.level) / 2))
        return (
            max(least, self.estimate - wider * found.below),
            min(greatest, self.estimate + wider * found.above),
        )


def clustered_mean(
    differences: Floats,
    families: NDArray[np.generic],
    *,
    seed: int,
    resamples: int = 2000,
    level: float = 0.95,
    ends: Ends | None = None,
) -> PairedDelta:
    """Average one difference per problem; problems of a family are not independent.

    `resampling.spread` computes the interval, and `resampling.sign_flip_p` computes p.

    Parameters
    ----------
    differences
        One difference per problem, of shape (pairs,).
    families
        A number or name of each problem's family, of shape (pairs,).
    ends
        The least and the greatest possible difference, if differences are bounded.
    """
    present, home = np.unique(families, return_inverse=True)
    size = (len(differences), len(present), 0)
    if not len(differences):
        return PairedDelta(None, None, None, *size)
    # Rounding errors of equal scores are not differences.
    values = np.where(np.abs(differences) < _ROUNDING, 0.0, differences)
    estimate = math.fsum(values.tolist()) / len(values)
    if len(present) < 2:
        return PairedDelta(estimate, None, None, *size)
    sums = np.bincount(home, weights=values).astype(np.float64)
    counts = np.bincount(home).astype(np.float64)
    found = spread(sums, counts, seed=seed, resamples=resamples, level=level)
    totals = FamilyTotals(present, sums, counts, seed, found, ends)
    delta = PairedDelta(estimate, None, None, *size, found.error, found.degrees, level, totals)
    low, high = delta.ends_at(level) or (None, None)
    return replace(delta, low=low, high=high)


def mean_and_sigma(runs: Sequence[float]) -> tuple[float, float | None]:
    """Return the mean and the sample standard deviation, √(Σ(x − x̄)²/(n − 1)), None for one run."""
    mean = math.fsum(runs) / len(runs)
    if len(runs) < 2:
        return mean, None
    return mean, math.sqrt(math.fsum((run - mean) ** 2 for run in runs) / (len(runs) - 1))


@dataclass(frozen=True)
class MissingPairs:
    """Numbers of problems by the arms that have a score, with a test and bounds."""

    both: int
    treated_only: int
    control_only: int
    neither: int
    p: float | None
    """p of equal chances of a missing score, by sign flips over families; None with fewer than two families.
    If each problem is a family, it is McNemar's exact test (Q. McNemar, Psychometrika 12, 1947, 153-157)."""
    low: float | None
    high: float | None
    """Bounds of the mean difference over problems scored in either arm, for any missing scores in [0, 1]
    (C. F. Manski, Am. Econ. Rev. 80, 1990, 319-323)."""


def compare_missing(
    treated: Floats, control: Floats, families: NDArray[np.intp], *, seed: int
) -> MissingPairs:
    """Compare the missing scores of two arms, given by problem; NaN is a missing score."""
    in_treated, in_control = ~np.isnan(treated), ~np.isnan(control)
    either = in_treated | in_control
    lost = in_control.astype(np.float64) - in_treated.astype(np.float64)
    found = clustered_mean(lost, families, seed=seed, resamples=2, ends=(-1.0, 1.0))
    low = np.where(in_treated, treated, 0.0) - np.where(in_control, control, 1.0)
    high = np.where(in_treated, treated, 1.0) - np.where(in_control, control, 0.0)
    return MissingPairs(
        both=int((in_treated & in_control).sum()),
        treated_only=int((in_treated & ~in_control).sum()),
        control_only=int((in_control & ~in_treated).sum()),
        neither=int((~either).sum()),
        p=found.p,
        low=float(low[either].mean()) if either.any() else None,
        high=float(high[either].mean()) if either.any() else None,
    )
