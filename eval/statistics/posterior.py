"""What to believe of a difference between right and wrong where problems are few: a Bayesian option."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Counts = NDArray[np.intp]

FEW = 100
"""From so many families on, a posterior and the bootstrap say the same, and the bootstrap is quicker."""
_DRAWS = 20_000
_ALIKE = np.linspace(1 / 32, 31 / 32, 16)  # how alike problems of a family are, each as likely beforehand
_ROOM = 2.0  # by which proposals are wider than what they stand for


def posterior(differences: Floats, families: NDArray[np.generic], prior: float) -> Floats | None:
    """Draws of the mean difference, ascending; None where a difference is not −1, 0 or 1.

    `differences` and `families`, what each problem's is called, have shape (pairs,). A problem turns right,
    turns wrong or stays with chances m that have a Dirichlet prior of weight `prior` each (½: H. Jeffreys; S.
    Bowyer et al., arXiv:2503.01747, 2025, for intervals of small evaluations). With one problem a family the
    posterior is Dirichlet too. Else each family has chances of its own around m, Dirichlet with weights
    m(1 − ρ)/ρ where ρ, the correlation within families, is as likely anywhere between 0 and 1; families then
    are Dirichlet-multinomial, and m and ρ are drawn by importance sampling. Seeded; the other way round is
    the negative.
    """
    kinds = np.array([1.0, -1.0, 0.0])
    if not np.isin(differences, kinds).all():
        return None
    _, home = np.unique(families, return_inverse=True)
    table = np.stack([np.bincount(home, weights=differences == kind) for kind in kinds], axis=1)
    better, worse, _ = table.sum(axis=0)
    upright = better >= worse
    rows = (table if upright else table[:, [1, 0, 2]]).astype(np.int64)
    found = _drawn(rows[np.lexsort(rows.T)].tobytes(), prior)
    return found if upright else np.asarray(-found[::-1])


@lru_cache(maxsize=1024)
def _drawn(table: bytes, prior: float) -> Floats:
    from scipy.special import gammaln

    counts = np.frombuffer(table, dtype=np.int64).reshape(-1, 3)
    rng, totals, sizes = np.random.default_rng(0), counts.sum(axis=0), counts.sum(axis=1)
    if sizes.max() <= 1:
        chances = rng.dirichlet(totals + prior, _DRAWS)
        return np.asarray(np.sort(chances[:, 0] - chances[:, 1]))
    heavier = float((sizes**2).sum() / sizes.sum()) - 1
    means, weights = [], []
    for alike in _ALIKE:
        proposal = totals / (1 + heavier * alike) / _ROOM + prior
        chances = np.maximum(rng.dirichlet(proposal, _DRAWS // 4), 1e-300)
        logarithms = np.log(chances)
        means.append(chances[:, 0] - chances[:, 1])
        weights.append(_likelihood(counts, chances, alike) + logarithms @ (prior - proposal))
        # less the density of the proposals, which a Dirichlet's constant is a part of
        weights[-1] += float(gammaln(proposal).sum() - gammaln(proposal.sum()))
    drawn, logs = np.concatenate(means), np.concatenate(weights)
    order = np.argsort(drawn)
    shares = np.cumsum(np.exp(logs[order] - logs.max()))
    places = np.searchsorted(shares, (np.arange(_DRAWS) + 0.5) / _DRAWS * shares[-1])
    return np.asarray(drawn[order][np.minimum(places, len(drawn) - 1)])


def _likelihood(counts: Counts, chances: Floats, alike: float) -> Floats:
    """ln of the Dirichlet-multinomial likelihood of all families, but for what no chance changes."""
    weight = (1 - alike) / alike
    found = np.zeros(len(chances))
    for step in range(int(counts.max())):
        more = (counts > step).sum(axis=0)
        found += np.log(weight * chances + step) @ more
    sizes = counts.sum(axis=1)
    for step in range(int(sizes.max())):
        found -= np.log(weight + step) * (sizes > step).sum()
    return found
