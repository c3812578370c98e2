"""What noise in a set does to its conclusions: shifts of scores and ranks, clean minus noisy.

Pure functions on score tables, as a report has them: a table maps a problem's id to its scores, one per
repeat, None where unscored. KPI, outcome and each rubric dimension are tables of their own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ansatz.eval.data.noise import CLEAN, CLEAN_ID, KIND
from ansatz.eval.problem import Problem
from ansatz.eval.statistics import PairedDelta, Scores, paired_delta
from ansatz.eval.statistics.ranks import ranks
from ansatz.eval.statistics.resampling import spread

_RESAMPLES = 2000


@dataclass(frozen=True)
class NoisePair:
    """A damaged item, its sound original, the kind of damage and the family of both."""

    noisy: str
    clean: str
    kind: str
    family: str


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


def noise_pairs(problems: Sequence[Problem]) -> tuple[NoisePair, ...]:
    """The damaged items of a set with their originals, from the tags that noise.py leaves."""
    return tuple(
        NoisePair(problem.id, str(problem.tags[CLEAN_ID]), str(problem.tags[KIND]), problem.family)
        for problem in problems
        if problem.tags.get(KIND, CLEAN) != CLEAN
    )


def paired_shift(scores: Scores, pairs: Sequence[NoisePair], *, seed: int) -> PairedDelta:
    """Mean of original minus damaged item over the pairs scored on both sides, with its interval and p.

    Families are resampled, as wherever items of one template are compared.
    """
    clean = {pair.noisy: scores.get(pair.clean, ()) for pair in pairs}
    noisy = {pair.noisy: scores.get(pair.noisy, ()) for pair in pairs}
    return paired_delta(clean, noisy, {pair.noisy: pair.family for pair in pairs}, seed=seed)


def paired_shift_by_kind(scores: Scores, pairs: Sequence[NoisePair], *, seed: int) -> dict[str, PairedDelta]:
    """The same for each kind of damage."""
    kinds = sorted({pair.kind for pair in pairs})
    return {
        kind: paired_shift(scores, [pair for pair in pairs if pair.kind == kind], seed=seed) for kind in kinds
    }


def set_shift(
    scores: Scores,
    clean: Sequence[str],
    families: Mapping[str, str],
    *,
    seed: int,
    resamples: int = _RESAMPLES,
) -> SetShift:
    """The mean over the `clean` ids minus that over all that `families` names, as published tables have it.

    The two sets overlap, so the interval comes from each family's influence on the difference of the two
    means (its linear part), resampled by family as elsewhere.
    """
    sums, counts = _by_family(scores, set(clean), families)
    means, sizes = _means(sums, counts)
    if means is None or sizes is None:
        return SetShift(None, None, None, None, None)
    estimate = float(means[0] - means[1])
    number = sums.shape[1]
    if number < 2:
        return SetShift(float(means[0]), float(means[1]), estimate, None, None)
    influence = (sums - means[:, None] * counts) / sizes[:, None]
    totals = estimate + number * (influence[0] - influence[1])
    found = spread(totals, np.ones(number), seed=seed, resamples=resamples, level=0.95, ends=(-1.0, 1.0))
    low, high = (found.below, found.above)
    if low is None or high is None:
        return SetShift(float(means[0]), float(means[1]), estimate, None, None)
    return SetShift(float(means[0]), float(means[1]), estimate, estimate - low, estimate + high)


def rank_shifts(
    scores: Mapping[str, Scores],
    clean: Sequence[str],
    families: Mapping[str, str],
    *,
    seed: int,
    resamples: int = _RESAMPLES,
) -> dict[str, RankShift]:
    """Each model's rank on the clean items and on all, and how sure its move is.

    The same families are drawn for every model, so that what makes a family hard does not move ranks.
    Models without a score in either set are left out.
    """
    tables = {model: _by_family(table, set(clean), families) for model, table in scores.items()}
    tables = {model: table for model, table in tables.items() if table[1].sum(axis=1).all()}
    if not tables:
        return {}
    sums = np.stack([table[0] for table in tables.values()])  # (models, 2 sets, families)
    counts = np.stack([table[1] for table in tables.values()])
    observed = ranks((sums.sum(axis=2) / counts.sum(axis=2)).T).T
    number = sums.shape[2]
    drawn = np.random.default_rng(seed).integers(0, number, (resamples, number))
    times = np.zeros((number, resamples))
    np.add.at(times, (drawn.T, np.arange(resamples)), 1.0)
    sizes = counts @ times  # (models, 2 sets, resamples)
    usable = sizes.all(axis=(0, 1))
    places = ranks(((sums @ times)[:, :, usable] / sizes[:, :, usable]).T).T
    moves = (places[:, 1] - places[:, 0]).T if usable.any() else (observed[:, 1] - observed[:, 0])[None]
    return {
        model: RankShift(
            clean=int(observed[place, 0]),
            mixed=int(observed[place, 1]),
            moved=int(observed[place, 1] - observed[place, 0]),
            low=int(np.quantile(moves[:, place], 0.025, method="lower")),
            high=int(np.quantile(moves[:, place], 0.975, method="higher")),
            kept=float(np.mean(moves[:, place] == 0)),
        )
        for place, model in enumerate(tables)
    }


def _by_family(
    scores: Scores, clean: set[str], families: Mapping[str, str]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Sums and numbers of scored items, each of shape (2, families): over the clean items and over all."""
    place = {family: index for index, family in enumerate(sorted(set(families.values())))}
    sums, counts = np.zeros((2, len(place))), np.zeros((2, len(place)))
    for problem, family in families.items():
        scored = [value for value in scores.get(problem, ()) if value is not None]
        if not scored:
            continue
        mean = sum(scored) / len(scored)
        for row in (0, 1) if problem in clean else (1,):
            sums[row, place[family]] += mean
            counts[row, place[family]] += 1
    return sums, counts


def _means(
    sums: NDArray[np.float64], counts: NDArray[np.float64]
) -> tuple[NDArray[np.float64] | None, NDArray[np.float64] | None]:
    sizes = counts.sum(axis=1)
    return (sums.sum(axis=1) / sizes, sizes) if sizes.all() else (None, None)
