"""What noise in a set does to means and ranks: the sound items against all of them.

Scores are means over repeats by system and problem, NaN where there is none, of shape (systems, problems);
`clean` says which problems are sound and `families` what each belongs to, both of shape (problems,).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ansatz.eval.statistics.paired import clustered_mean
from ansatz.eval.statistics.ranks import by_family, ranks
from ansatz.eval.statistics.resampling import draw_families

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
_RESAMPLES = 2000


@dataclass(frozen=True)
class SetShift:
    """The mean over the clean items minus that over all items, with a 95 % interval.

    `clean` and `mixed` are the two means, as a table of both sets shows them; None without a score. `low`
    and `high` are None with fewer than two families.
    """

    clean: float | None
    mixed: float | None
    estimate: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True)
class RankShift:
    """Where a model ranks by its mean on the clean items and on all, 1 the highest; ties share the best rank.

    `moved` is mixed minus clean rank; `low` and `high` hold it in 95 % of the resamples of families, and
    `kept` is the share of resamples in which both sets give the model the same rank.
    """

    clean: int
    mixed: int
    moved: int
    low: int
    high: int
    kept: float


def set_shift(
    scores: Floats, clean: Mask, families: NDArray[np.generic], *, seed: int, resamples: int = _RESAMPLES
) -> SetShift:
    """One system's mean over the sound items minus that over all, as published tables have it.

    The two sets overlap, so the interval comes from each family's influence on the difference of the two
    means (its linear part), resampled by family as elsewhere. `scores` has shape (problems,).
    """
    sums, counts = by_family(_both_sets(scores, clean), families)  # (2 sets, families)
    sizes = counts.sum(axis=1)
    if not sizes.all():
        return SetShift(None, None, None, None, None)
    means = sums.sum(axis=1) / sizes
    estimate = float(means[0] - means[1])
    influence = (sums - means[:, None] * counts) / sizes[:, None]
    number = np.arange(sums.shape[1])
    totals = estimate + len(number) * (influence[0] - influence[1])
    found = clustered_mean(totals, number, seed=seed, resamples=resamples, ends=(-1.0, 1.0))
    return SetShift(float(means[0]), float(means[1]), estimate, found.low, found.high)


def rank_shifts(
    scores: Floats, clean: Mask, families: NDArray[np.generic], *, seed: int, resamples: int = _RESAMPLES
) -> list[RankShift | None]:
    """Each system's rank on the sound items and on all, and how sure its move is.

    The same families are drawn for every system, so that what makes a family hard does not move ranks. None
    for a system without a score in either set.
    """
    sums, counts = by_family(_both_sets(scores, clean), families)  # (systems, 2 sets, families)
    there = counts.sum(axis=2).all(axis=1)
    if not there.any():
        return [None] * len(scores)
    sums, counts = sums[there], counts[there]
    observed = ranks((sums.sum(axis=2) / counts.sum(axis=2)).T).T
    times = draw_families(sums.shape[2], resamples, seed).T
    sizes = counts @ times  # (systems, 2 sets, resamples)
    usable = sizes.all(axis=(0, 1))
    places = ranks(((sums @ times)[:, :, usable] / sizes[:, :, usable]).T).T
    moves = (places[:, 1] - places[:, 0]).T if usable.any() else (observed[:, 1] - observed[:, 0])[None]
    found = (
        RankShift(
            clean=int(before),
            mixed=int(after),
            moved=int(after - before),
            low=int(np.quantile(own, 0.025, method="lower")),
            high=int(np.quantile(own, 0.975, method="higher")),
            kept=float(np.mean(own == 0)),
        )
        for (before, after), own in zip(observed, moves.T, strict=True)
    )
    return [next(found) if each else None for each in there]


def _both_sets(scores: Floats, clean: Mask) -> Floats:
    """The sound items' scores, NaN for the others, and all scores, of shape (…, 2 sets, problems)."""
    return np.stack([np.where(clean, scores, np.nan), scores], axis=-2)
