"""Several attempts at each problem: pass@k, avg@k, best@k, and the deviation between attempts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ansatz.eval.statistics.paired import PairedDelta, clustered_mean, mean_and_sigma


@dataclass(frozen=True)
class AttemptSummary:
    """The results of k attempts per problem, over the problems with at least k scored attempts.

    The p of the means is that of a mean of zero and has no meaning here.
    """

    k: int
    average: PairedDelta
    """avg@k, with its interval over families."""
    best: PairedDelta
    """best@k, with its interval over families."""
    passed: PairedDelta
    """pass@k, with its interval over families."""
    deviation: float | None
    """Mean over problems of the attempts' sample standard deviation; None if no problem has two attempts."""
    problems: int
    dropped: int
    """Number of problems with fewer than k scored attempts."""


def pass_at_k(attempts: int, passes: int, k: int) -> float:
    """Compute the chance that k of n attempts, drawn without replacement, include a pass.

    With c passes this is 1 − C(n − c, k)/C(n, k), an unbiased estimate of the chance that k new attempts
    include one (M. Chen et al., arXiv:2107.03374, 2021, section 2.1). Raises ValueError unless 1 ≤ k ≤ n and
    0 ≤ c ≤ n.
    """
    if not (1 <= k <= attempts and 0 <= passes <= attempts):
        raise ValueError(f"pass@{k} needs at least {k} attempts, of which {passes} of {attempts} passed")
    return 1.0 - math.comb(attempts - passes, k) / math.comb(attempts, k)


def best_at_k(scores: Sequence[float], k: int) -> float:
    """Compute the mean of the best of k attempts, over all ways to draw k attempts.

    Of n scores in ascending order, the j-th is the best of C(j − 1, k − 1) of the C(n, k) draws. This is an
    unbiased estimate of the expected best of k new attempts. It equals pass@k if scores are 0 or 1. Raises
    ValueError unless 1 ≤ k ≤ n.
    """
    if not 1 <= k <= len(scores):
        raise ValueError(f"best@{k} needs at least {k} attempts, not {len(scores)}")
    draws = math.comb(len(scores), k)
    return math.fsum(
        math.comb(place, k - 1) / draws * score
        for place, score in enumerate(sorted(scores))
        if place >= k - 1
    )


def summarize_attempts(
    scores: Sequence[Sequence[float]],
    families: NDArray[np.generic],
    k: int,
    *,
    bar: float = 1.0,
    seed: int = 0,
) -> AttemptSummary:
    """Compute avg@k, best@k and pass@k of one arm.

    All scored attempts count, even if there are more than k: the average uses all of them, and best and pass
    are means over all draws of k.

    Parameters
    ----------
    scores
        For each problem, the scores of its scored attempts.
    families
        The family of each problem, of shape (problems,).
    bar
        The least score of a passed attempt.
    """
    enough = np.array([len(attempts) >= k for attempts in scores])
    used = [attempts for attempts in scores if len(attempts) >= k]
    is_bounded = all(0 <= score <= 1 for attempts in used for score in attempts)

    def average_problems(by_problem: Iterable[float]) -> PairedDelta:
        values, ends = np.array(list(by_problem)), (0.0, 1.0) if is_bounded else None
        found = clustered_mean(values, families[enough], seed=seed, ends=ends)
        return replace(found, dropped=len(scores) - len(used))

    sigmas = [sigma for attempts in used if (sigma := mean_and_sigma(attempts)[1]) is not None]
    counts = [(len(attempts), sum(score >= bar for score in attempts)) for attempts in used]
    return AttemptSummary(
        k=k,
        average=average_problems(mean_and_sigma(attempts)[0] for attempts in used),
        best=average_problems(best_at_k(attempts, k) for attempts in used),
        passed=average_problems(pass_at_k(attempts, passes, k) for attempts, passes in counts),
        deviation=math.fsum(sigmas) / len(sigmas) if sigmas else None,
        problems=len(used),
        dropped=len(scores) - len(used),
    )
