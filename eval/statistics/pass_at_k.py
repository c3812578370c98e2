"""Several attempts at each problem: pass@k, avg@k and best@k, and how much attempts scatter."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ansatz.eval.statistics.paired import PairedDelta, clustered_mean, mean_and_sigma


@dataclass(frozen=True)
class Passing:
    """What k attempts are worth, over the problems with at least k scored attempts; `dropped` had fewer.

    `average` and `best` are avg@k and best@k, with intervals over families as elsewhere (their p, of a mean
    of zero, says nothing here); `passed` is pass@k for attempts that reach the `bar`. `deviation` is the mean
    over problems of the attempts' sample standard deviation, None where no problem has two attempts.
    """

    k: int
    average: PairedDelta
    best: PairedDelta
    passed: PairedDelta
    deviation: float | None
    problems: int
    dropped: int


def pass_at_k(attempts: int, passes: int, k: int) -> float:
    """The chance that k of n attempts, drawn without replacement, hold a pass: 1 − C(n − c, k)/C(n, k).

    An unbiased estimate of the chance that k fresh attempts hold one (M. Chen et al., arXiv:2107.03374, 2021,
    section 2.1). Raises ValueError unless 1 ≤ k ≤ n and 0 ≤ c ≤ n.
    """
    if not (1 <= k <= attempts and 0 <= passes <= attempts):
        raise ValueError(f"pass@{k} needs at least {k} attempts, of which {passes} of {attempts} passed")
    return 1.0 - math.comb(attempts - passes, k) / math.comb(attempts, k)


def best_at_k(scores: Sequence[float], k: int) -> float:
    """The mean over all ways to draw k of the attempts of the best of them.

    Of n scores in ascending order the j-th is the best of C(j − 1, k − 1) of the C(n, k) draws; an unbiased
    estimate of the expected best of k fresh attempts, and pass@k where scores are 0 or 1. Raises ValueError
    unless 1 ≤ k ≤ n.
    """
    if not 1 <= k <= len(scores):
        raise ValueError(f"best@{k} needs at least {k} attempts, not {len(scores)}")
    draws = math.comb(len(scores), k)
    return math.fsum(
        math.comb(place, k - 1) / draws * score
        for place, score in enumerate(sorted(scores))
        if place >= k - 1
    )


def passing(
    tries: Sequence[Sequence[float]],
    families: NDArray[np.generic],
    k: int,
    *,
    bar: float = 1.0,
    seed: int = 0,
) -> Passing:
    """avg@k, best@k and pass@k of one arm; `tries` has the scores of each problem's scored attempts.

    All scored attempts are used, also where there are more than k: the average does not depend on k then, and
    best and pass are means over all draws of k. `families` has shape (problems,).
    """
    enough = np.array([len(each) >= k for each in tries])
    kept = [each for each in tries if len(each) >= k]
    bounded = all(0 <= score <= 1 for each in kept for score in each)

    def over_problems(worth: Iterable[float]) -> PairedDelta:
        values, ends = np.array(list(worth)), (0.0, 1.0) if bounded else None
        found = clustered_mean(values, families[enough], seed=seed, ends=ends)
        return replace(found, dropped=len(tries) - len(kept))

    sigmas = [sigma for each in kept if (sigma := mean_and_sigma(each)[1]) is not None]
    return Passing(
        k=k,
        average=over_problems(mean_and_sigma(each)[0] for each in kept),
        best=over_problems(best_at_k(each, k) for each in kept),
        passed=over_problems(pass_at_k(len(each), sum(x >= bar for x in each), k) for each in kept),
        deviation=math.fsum(sigmas) / len(sigmas) if sigmas else None,
        problems=len(kept),
        dropped=len(tries) - len(kept),
    )
