"""Who stands where among systems that answered the same problems, and what noise in a set does to that.

Scores are means over repeats by system and problem, NaN where there is none, of shape (systems, problems);
`families` says what each problem belongs to, `clean` which are sound, both of shape (problems,).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ansatz.eval.statistics.paired import clustered_mean
from ansatz.eval.statistics.resampling import draw_families

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
Ranks = NDArray[np.intp]
_RESAMPLES = 2000
_ROUNDING = 1e-12


def ranks(means: Floats) -> Ranks:
    """Places by the last axis, 1 the highest; what differs by rounding alone shares the better place."""
    places = [1 + (means > own[..., None] + _ROUNDING).sum(axis=-1) for own in np.moveaxis(means, -1, 0)]
    return np.asarray(np.stack(places, axis=-1), dtype=np.intp)


def rank_ranges(
    scores: Floats,
    families: NDArray[np.generic],
    *,
    seed: int,
    resamples: int = _RESAMPLES,
    level: float = 0.95,
) -> Ranks | None:
    """The least and the greatest place of each system by its mean, of shape (systems, 2), by bootstrap.

    The same families are drawn for every system, so that what makes a family hard moves no place. Each range
    leaves out at most (1 − level)/2 of the resamples on either side (P. Hall and H. Miller, Ann. Stat. 37,
    2009, 3929-3959, who also show that equal systems look more different in resamples than they are: places
    of neighbours that a range still holds are not told apart). None with fewer than two families.
    """
    sums, counts = _by_family(scores, families)
    drawn = _redrawn(sums, counts, seed, resamples)
    if counts.shape[1] < 2 or not len(drawn):
        return None
    ends = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2], axis=0, method="inverted_cdf")
    return np.asarray(ends.T, dtype=np.intp)


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


def rank_shifts(
    scores: Floats, clean: Mask, families: NDArray[np.generic], *, seed: int, resamples: int = _RESAMPLES
) -> list[RankShift | None]:
    """Each system's rank on the sound items and on all, and how sure its move is.

    Families are drawn as for `rank_ranges`. None for a system without a score in either set.
    """
    sums, counts = _by_family(_both_sets(scores, clean), families)  # (2 sets, systems, families)
    there = np.asarray(counts.any(axis=2).all(axis=0))
    if not there.any():
        return [None] * len(scores)
    sums, counts = sums[:, there], counts[:, there]
    before, after = ranks(sums.sum(axis=2) / counts.sum(axis=2))
    drawn = _redrawn(sums, counts, seed, resamples)
    moves = drawn[:, 1] - drawn[:, 0] if len(drawn) else (after - before)[None]
    found = (
        RankShift(
            clean=int(first),
            mixed=int(then),
            moved=int(then - first),
            low=int(np.quantile(own, 0.025, method="lower")),
            high=int(np.quantile(own, 0.975, method="higher")),
            kept=float(np.mean(own == 0)),
        )
        for first, then, own in zip(before, after, moves.T, strict=True)
    )
    return [next(found) if each else None for each in there]


@dataclass(frozen=True)
class SetShift:
    """The mean over the clean items minus that over all items, with a 95 % interval.

    `clean` and `mixed` are the two means, as a table of both sets shows them; None without a score. `low`
    and `high` are None with fewer than two families.
    """

    clean: float | None = None
    mixed: float | None = None
    estimate: float | None = None
    low: float | None = None
    high: float | None = None


def set_shift(
    scores: Floats, clean: Mask, families: NDArray[np.generic], *, seed: int, resamples: int = _RESAMPLES
) -> SetShift:
    """One system's mean over the sound items minus that over all, as published tables have it.

    The two sets overlap, so the interval comes from each family's influence on the difference of the two
    means (its linear part), resampled by family as elsewhere. `scores` has shape (problems,).
    """
    sums, counts = _by_family(_both_sets(scores, clean), families)  # (2 sets, families)
    sizes = counts.sum(axis=1)
    if not sizes.all():
        return SetShift()
    means = sums.sum(axis=1) / sizes
    estimate = float(means[0] - means[1])
    influence = (sums - means[:, None] * counts) / sizes[:, None]
    number = np.arange(sums.shape[1])
    totals = estimate + len(number) * (influence[0] - influence[1])
    found = clustered_mean(totals, number, seed=seed, resamples=resamples, ends=(-1.0, 1.0))
    return SetShift(float(means[0]), float(means[1]), estimate, found.low, found.high)


def _both_sets(scores: Floats, clean: Mask) -> Floats:
    """The sound items' scores, NaN for the others, and all scores, of shape (2 sets, …, problems)."""
    return np.stack([np.where(clean, scores, np.nan), scores])


def _by_family(scores: Floats, families: NDArray[np.generic]) -> tuple[Floats, Floats]:
    """Sums and numbers of scores by family, both of shape (…, families)."""
    present, home = np.unique(families, return_inverse=True)
    shape = (*scores.shape[:-1], len(present))
    systems = math.prod(scores.shape[:-1])
    places = (np.arange(systems)[:, None] * len(present) + home).ravel()
    known = ~np.isnan(scores)
    sums, counts = (
        np.bincount(places, each.ravel(), minlength=systems * len(present)).reshape(shape)
        for each in (np.where(known, scores, 0.0), known)
    )
    return sums, counts


def _redrawn(sums: Floats, counts: Floats, seed: int, resamples: int) -> Ranks:
    """Places of shape (…, systems) in each resample of families in which every system has a mean."""
    blocks = [
        np.stack([sums @ times.T, counts @ times.T])
        for times in draw_families(sums.shape[-1], resamples, seed)
    ]
    drawn, sizes = np.moveaxis(np.concatenate(blocks, axis=-1), -1, 1)
    usable = sizes.all(axis=tuple(range(1, sizes.ndim)))
    return ranks(drawn[usable] / sizes[usable])
