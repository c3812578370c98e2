"""Missing scores: whether arms differ in them, and how much they could change a difference."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ansatz.eval.statistics.paired import clustered_mean

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class MissingPairs:
    """Numbers of problems by the arms that have a score, with a test and bounds.

    `p` tests for equal chances of a missing score by sign flips over families. It is McNemar's exact test if
    each problem is a family (Q. McNemar, Psychometrika 12, 1947, 153-157), and None with fewer than two
    families. `low` and `high` bound the mean difference over problems scored in either arm, for any missing
    scores in [0, 1] (C. F. Manski, Am. Econ. Rev. 80, 1990, 319-323).
    """

    both: int
    treated_only: int
    control_only: int
    neither: int
    p: float | None
    low: float | None
    high: float | None


def missing_pairs(treated: Floats, control: Floats, families: NDArray[np.intp], *, seed: int) -> MissingPairs:
    """Compare the missing scores of two arms, given by problem; NaN is a missing score."""
    has, had = ~np.isnan(treated), ~np.isnan(control)
    either = has | had
    lacking = had.astype(np.float64) - has.astype(np.float64)
    found = clustered_mean(lacking, families, seed=seed, resamples=2, ends=(-1.0, 1.0))
    low = np.where(has, treated, 0.0) - np.where(had, control, 1.0)
    high = np.where(has, treated, 1.0) - np.where(had, control, 0.0)
    return MissingPairs(
        both=int((has & had).sum()),
        treated_only=int((has & ~had).sum()),
        control_only=int((had & ~has).sum()),
        neither=int((~either).sum()),
        p=found.p,
        low=float(low[either].mean()) if either.any() else None,
        high=float(high[either].mean()) if either.any() else None,
    )
