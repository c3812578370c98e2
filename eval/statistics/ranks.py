"""Ranks of systems that answered the same problems, and how damaged problems in a set change them.

`scores` are means over repeats, of shape (systems, problems); NaN is a missing score. `families` is the
family of each problem, and `clean` whether it is undamaged, both of shape (problems,).
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


def rank_means(means: Floats) -> Ranks:
    """Rank along the last axis; 1 is the highest. Values equal within rounding share the better rank."""
    by_system = np.moveaxis(means, -1, 0)
    ranks = [1 + (means > mean[..., None] + _ROUNDING).sum(axis=-1) for mean in by_system]
    return np.asarray(np.stack(ranks, axis=-1), dtype=np.intp)


def rank_ranges(
    scores: Floats,
    families: NDArray[np.generic],
    *,
    seed: int,
    resamples: int = _RESAMPLES,
    level: float = 0.95,
) -> Ranks | None:
    """Compute the range of each system's rank by bootstrap, of shape (systems, 2).

    A resample has the same families for every system, so the difficulty of a family does not change ranks.
    Each range excludes at most (1 − level)/2 of the resamples on either side (P. Hall and H. Miller, Ann.
    Stat. 37, 2009, 3929-3959; they also show that equal systems differ more in resamples than they really do,
    so overlapping ranges do not distinguish systems). None with fewer than two families.
    """
    sums, counts = _by_family(scores, families)
    resampled = _resample_ranks(sums, counts, seed, resamples)
    if counts.shape[1] < 2 or not len(resampled):
        return None
    ends = np.quantile(resampled, [(1 - level) / 2, (1 + level) / 2], axis=0, method="inverted_cdf")
    return np.asarray(ends.T, dtype=np.intp)


@dataclass(frozen=True)
class RankShift:
    """A model's ranks by its mean on the clean problems and on all. 1 is the highest; ties share a rank."""

    clean: int
    mixed: int
    """Rank on all problems."""
    moved: int
    """Mixed minus clean rank."""
    low: int
    high: int
    """The ends of the range of `moved` in 95 % of the resamples of families."""
    kept: float
    """Share of resamples in which both ranks are equal."""


def rank_shifts(
    scores: Floats, clean: Mask, families: NDArray[np.generic], *, seed: int, resamples: int = _RESAMPLES
) -> list[RankShift | None]:
    """Compute each system's ranks on the clean problems and on all, and the range of the change.

    Families are resampled as in `rank_ranges`. None for a system without a score in one of the sets.
    """
    sums, counts = _by_family(_both_sets(scores, clean), families)  # (2 sets, systems, families)
    scored = np.asarray(counts.any(axis=2).all(axis=0))
    if not scored.any():
        return [None] * len(scores)
    sums, counts = sums[:, scored], counts[:, scored]
    clean_ranks, mixed_ranks = rank_means(sums.sum(axis=2) / counts.sum(axis=2))
    resampled = _resample_ranks(sums, counts, seed, resamples)
    changes = resampled[:, 1] - resampled[:, 0] if len(resampled) else (mixed_ranks - clean_ranks)[None]
    shifts = (
        RankShift(
            clean=int(first),
            mixed=int(second),
            moved=int(second - first),
            low=int(np.quantile(change, 0.025, method="lower")),
            high=int(np.quantile(change, 0.975, method="higher")),
            kept=float(np.mean(change == 0)),
        )
        for first, second, change in zip(clean_ranks, mixed_ranks, changes.T, strict=True)
    )
    return [next(shifts) if is_scored else None for is_scored in scored]


@dataclass(frozen=True)
class SetShift:
    """The mean over the clean problems minus the mean over all, with a 95 % interval."""

    clean: float | None = None
    mixed: float | None = None
    """Mean over all problems. Both means are None without a score."""
    estimate: float | None = None
    low: float | None = None
    high: float | None = None
    """The ends are None with fewer than two families."""


def set_shift(
    scores: Floats, clean: Mask, families: NDArray[np.generic], *, seed: int, resamples: int = _RESAMPLES
) -> SetShift:
    """Compute one system's mean over the clean problems minus its mean over all; `scores` is (problems,).

    The two sets overlap. The interval therefore resamples each family's influence on the difference, which is
    its linear approximation.
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
    """Stack the scores of the clean problems (NaN for others) and all scores: (2 sets, …, problems)."""
    return np.stack([np.where(clean, scores, np.nan), scores])


def _by_family(scores: Floats, families: NDArray[np.generic]) -> tuple[Floats, Floats]:
    """Compute sums and numbers of scores by family, both of shape (…, families)."""
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


def _resample_ranks(sums: Floats, counts: Floats, seed: int, resamples: int) -> Ranks:
    """Rank (…, systems) in each resample of families in which every system has a mean."""
    blocks = [
        np.stack([sums @ times.T, counts @ times.T])
        for times in draw_families(sums.shape[-1], resamples, seed)
    ]
    drawn, sizes = np.moveaxis(np.concatenate(blocks, axis=-1), -1, 1)
    usable = sizes.all(axis=tuple(range(1, sizes.ndim)))
    return rank_means(drawn[usable] / sizes[usable])
