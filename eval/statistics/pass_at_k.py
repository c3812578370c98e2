"""Several attempts at each problem: pass@k, avg@k and best@k, and how much attempts scatter."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ansatz.eval.statistics.paired import PairedDelta, Scores, contrast, mean_and_sigma


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
    scores: Scores, families: Mapping[str, str], k: int, *, bar: float = 1.0, seed: int = 0
) -> Passing:
    """avg@k, best@k and pass@k of one arm; `scores` has each problem's attempts, None where unscored.

    All scored attempts are used, also where there are more than k: the average does not depend on k then, and
    best and pass are means over all draws of k. Raises ValueError for k below 1 or a problem without family.
    """
    if k < 1:
        raise ValueError(f"k is at least 1, not {k}")
    scored = {name: [one for one in tries if one is not None] for name, tries in scores.items()}
    enough = {name: tries for name, tries in scored.items() if len(tries) >= k}

    def over_problems(worth: Mapping[str, float]) -> PairedDelta:
        listed = {name: [worth[name]] if name in worth else [] for name in scores}
        return contrast([(1.0, listed)], families, seed=seed)

    sigmas = [mean_and_sigma(tries)[1] for tries in enough.values()]
    known = [sigma for sigma in sigmas if sigma is not None]
    return Passing(
        k=k,
        average=over_problems({name: mean_and_sigma(tries)[0] for name, tries in enough.items()}),
        best=over_problems({name: best_at_k(tries, k) for name, tries in enough.items()}),
        passed=over_problems(
            {name: pass_at_k(len(t), sum(x >= bar for x in t), k) for name, t in enough.items()}
        ),
        deviation=math.fsum(known) / len(known) if known else None,
        problems=len(enough),
        dropped=len(scores) - len(enough),
    )
