"""Paired comparisons: by how much one arm differs from another, and whether that is more than luck."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ansatz.eval.statistics.resampling import margins, sign_flip_p

Floats = NDArray[np.float64]
Scores = Mapping[str, Sequence[float | None]]
_ROUNDING = 1e-12


@dataclass(frozen=True)
class PairedDelta:
    """A mean difference over problems, with its confidence interval and permutation p.

    `pairs` problems were scored in every arm compared and `dropped` were not; `families` is the number
    of independent clusters behind the pairs. `estimate` is None without a pair; `low`, `high` and `p`
    are None where fewer than two families leave nothing to judge chance by.
    """

    estimate: float | None
    low: float | None
    high: float | None
    p: float | None
    pairs: int
    families: int
    dropped: int


def paired_delta(
    treated: Scores,
    control: Scores,
    families: Mapping[str, str],
    *,
    seed: int,
    resamples: int = 2000,
    level: float = 0.95,
) -> PairedDelta:
    """Mean of treated − control over the problems scored in both.

    `treated` and `control` map a problem's id to its scores, one per repeat, None where unscored;
    `families` maps a problem's id to its family. Repeats are averaged within a problem first; then whole
    families are resampled, because problems made from one template are not independent.
    """
    return contrast([(1, treated), (-1, control)], families, seed=seed, resamples=resamples, level=level)


def contrast(
    arms: Sequence[tuple[float, Scores]],
    families: Mapping[str, str],
    *,
    seed: int,
    resamples: int = 2000,
    level: float = 0.95,
) -> PairedDelta:
    """A weighted sum of arms, over the problems scored in all of them.

    The interaction of two interventions is `[(1, both), (-1, first), (-1, second), (1, neither)]`.
    """
    asked = {problem for _, scores in arms for problem in scores}
    if homeless := sorted(asked - families.keys()):
        raise ValueError(f"no family is given for {', '.join(homeless[:5])}")
    means = [(weight, problem_means(scores)) for weight, scores in arms]
    paired = [problem for problem in asked if all(problem in scored for _, scored in means)]
    differences = [math.fsum(weight * scored[problem] for weight, scored in means) for problem in paired]
    number = {family: at for at, family in enumerate({families[problem] for problem in paired})}
    return clustered_mean(
        np.array(differences, dtype=np.float64),
        np.array([number[families[problem]] for problem in paired], dtype=np.intp),
        dropped=len(asked) - len(paired),
        seed=seed,
        resamples=resamples,
        level=level,
    )


def clustered_mean(
    differences: Floats,
    families: NDArray[np.intp],
    *,
    dropped: int = 0,
    seed: int,
    resamples: int = 2000,
    level: float = 0.95,
) -> PairedDelta:
    """The mean of one difference a problem, where problems of a family are not independent.

    `differences` and `families`, a number for each problem's family, have shape (pairs,). Intervals are of
    `resampling.margins`, p of `resampling.sign_flip_p`.
    """
    present, home = np.unique(families, return_inverse=True)
    size = {"pairs": len(differences), "families": len(present), "dropped": dropped}
    if not len(differences):
        return PairedDelta(None, None, None, None, **size)
    # What rounding leaves of equal scores is no difference, however constant its sign.
    values = np.where(np.abs(differences) < _ROUNDING, 0.0, differences)
    estimate = math.fsum(values.tolist()) / len(values)
    if len(present) < 2:
        return PairedDelta(estimate, None, None, None, **size)
    sums = np.bincount(home, weights=values).astype(np.float64)
    counts = np.bincount(home).astype(np.float64)
    below, above = margins(sums, counts, seed=seed, resamples=resamples, level=level)
    low, high = float(estimate - below), float(estimate + above)
    return PairedDelta(estimate, low, high, sign_flip_p(sums, seed=seed), **size)


def mean_and_sigma(runs: Sequence[float]) -> tuple[float, float | None]:
    """The mean of some runs and their sample standard deviation, √(Σ(x − x̄)²/(n − 1)), None for one run."""
    mean = math.fsum(runs) / len(runs)
    if len(runs) < 2:
        return mean, None
    return mean, math.sqrt(math.fsum((run - mean) ** 2 for run in runs) / (len(runs) - 1))


def weighted_mean(values: Sequence[float], weights: Sequence[float]) -> float:
    """Σ wᵢ xᵢ / Σ wᵢ, such as ThermoQA's composite, whose weights are the tiers' numbers of questions."""
    total = math.fsum(weights)
    return math.fsum(value * weight for value, weight in zip(values, weights, strict=True)) / total


def problem_means(scores: Scores) -> dict[str, float]:
    """Each problem's mean over its scored repeats; problems without one are left out.

    Raises ValueError for a score that is not finite.
    """
    means = {}
    for problem, repeats in scores.items():
        scored = [value for value in repeats if value is not None]
        if not all(math.isfinite(value) for value in scored):
            raise ValueError(f"{problem} has a score that is not a finite number")
        if scored:
            means[problem] = math.fsum(scored) / len(scored)
    return means
