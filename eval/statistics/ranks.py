"""Who stands where among systems that answered the same problems, and how far luck could move a place."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ansatz.eval.statistics.resampling import draw_families

Floats = NDArray[np.float64]
Ranks = NDArray[np.intp]
_ROUNDING = 1e-12


def ranks(means: Floats) -> Ranks:
    """Places by the last axis, 1 the highest; what differs by rounding alone shares the better place."""
    places = [1 + (means > own[..., None] + _ROUNDING).sum(axis=-1) for own in np.moveaxis(means, -1, 0)]
    return np.asarray(np.stack(places, axis=-1), dtype=np.intp)


def by_family(scores: Floats, families: NDArray[np.generic]) -> tuple[Floats, Floats]:
    """Sums and numbers of scores by family, both of shape (…, families).

    `scores` has shape (…, problems), NaN where there is none; `families` shape (problems,).
    """
    _, home = np.unique(families, return_inverse=True)
    member = np.equal.outer(home, np.arange(home.max(initial=-1) + 1)).astype(np.float64)
    known = ~np.isnan(scores)
    return np.where(known, scores, 0.0) @ member, known.astype(np.float64) @ member


def rank_ranges(
    scores: Floats,
    families: NDArray[np.generic],
    *,
    seed: int,
    resamples: int = 2000,
    level: float = 0.95,
) -> Ranks | None:
    """The least and the greatest place of each system by its mean, of shape (systems, 2), by bootstrap.

    `scores` has shape (systems, problems), NaN where there is none; `families` shape (problems,). The same
    families are drawn for every system, so that what makes a family hard moves no place. Each range leaves
    out at most (1 − level)/2 of the resamples on either side (P. Hall and H. Miller, Ann. Stat. 37, 2009,
    3929-3959, who also show that equal systems look more different in resamples than they are: places of
    neighbours that a range still holds are not told apart). None with fewer than two families.
    """
    sums, counts = by_family(scores, families)
    if counts.shape[1] < 2:
        return None
    times = draw_families(counts.shape[1], resamples, seed)
    sums, counts = times @ sums.T, times @ counts.T
    usable = (counts > 0).all(axis=1)  # else a system has no mean
    if not usable.any():
        return None
    drawn = ranks(sums[usable] / counts[usable])
    ends = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2], axis=0, method="inverted_cdf")
    return np.asarray(ends.T, dtype=np.intp)
