"""Screening designs: which switches are on in pairs of attempts, and main effects and interactions from them.

Each problem is answered twice: with some switches on, and with exactly the others on (a fold-over pair).
The difference within a pair depends on main effects, but not on the problem nor on interactions of two
switches. The mean of a pair depends on interactions of two switches, but not on main effects (G. E. P. Box
and K. B. Wilson, J. R. Stat. Soc. B 13, 1951, 1-45; D. C. Montgomery, Design and Analysis of Experiments,
ch. 8).
"""

from __future__ import annotations

from itertools import combinations
from random import Random

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Signs = NDArray[np.int8]

_LEAST_EIGENVALUE = 1e-6  # of I − H; a direction that a family determines alone has 0


def draw_pairs(pairs: int, switches: int, rng: Random) -> Signs:
    """Draw the first setting of each pair: +1 for a switch that is on. The second setting is its negative.

    Every setting is equally likely for every pair, so an effect is averaged over all settings of the other
    switches. In each block of 2^m ≥ `switches` pairs the settings are rows of a Hadamard matrix (J. J.
    Sylvester, Philos. Mag. 34, 1867, 461-475) with random columns and random signs of columns: every two
    switches are in the same state as often as not.

    Returns
    -------
    array of shape (pairs, switches)
    """
    matrix = np.ones((1, 1), dtype=np.int8)
    while len(matrix) < switches:
        matrix = np.block([[matrix, matrix], [matrix, -matrix]])
    blocks = []
    for _ in range(-(-pairs // len(matrix))):
        columns, rows = (rng.sample(range(len(matrix)), count) for count in (switches, len(matrix)))
        signs = np.array([rng.choice((-1, 1)) for _ in columns], dtype=np.int8)
        blocks.append(matrix[np.ix_(rows, columns)] * signs)
    return np.concatenate(blocks)[:pairs] if blocks else np.zeros((0, switches), dtype=np.int8)


def interaction_terms(switches: int) -> list[tuple[int, int]]:
    """Return the pairs of switches, in ascending order."""
    return list(combinations(range(switches), 2))


def interaction_signs(signs: Signs) -> Signs:
    """Return the products of the signs of every two switches, of shape (pairs, interactions)."""
    terms = interaction_terms(signs.shape[1])
    return np.stack([signs[:, a] * signs[:, b] for a, b in terms], axis=1)


def interaction_values(means: Floats, signs: Signs) -> Floats:
    """Return one value per pair and interaction, whose means estimate the interactions.

    A value is 4 × the centred mean of the pair × the product of both signs. Each interaction is estimated by
    itself: settings are random, so the others average out. A joint least-squares fit would have dependent
    residuals, and sign flips of families would then find too much.

    Parameters
    ----------
    means
        The mean score of each pair, of shape (pairs,).
    signs
        The first setting of each pair, of shape (pairs, switches).
    """
    return np.asarray(4 * (means - means.mean())[:, None] * interaction_signs(signs))


def effect_values(responses: Floats, signs: Signs, families: NDArray[np.intp]) -> Floats | None:
    """Return one value per pair and column of `signs`, whose means are the least-squares coefficients.

    Their scatter between families is that of the CR2 sandwich estimator, so `clustered_mean` of a column has
    intervals and p that are robust to correlation within families (R. M. Bell and D. F. McCaffrey, Surv.
    Methodol. 28, 2002, 169-181). None if the pairs do not determine all coefficients.

    Parameters
    ----------
    responses
        One response per pair, of shape (pairs,).
    signs
        The regressors, of shape (pairs, columns). There is no intercept.
    families
        The family of each pair, of shape (pairs,).
    """
    regressors = signs.astype(np.float64)
    pairs, columns = regressors.shape
    if pairs <= columns or np.linalg.matrix_rank(regressors) < columns:
        return None
    inverse = np.asarray(np.linalg.inv(regressors.T @ regressors), dtype=np.float64)
    coefficients = inverse @ (regressors.T @ responses)
    residuals = responses - regressors @ coefficients
    adjusted = _adjust_residuals(residuals, regressors, inverse, families)
    influence = (regressors * adjusted[:, None]) @ inverse
    return np.asarray(coefficients + pairs * (influence - influence.mean(axis=0)))


def _adjust_residuals(
    residuals: Floats, regressors: Floats, inverse: Floats, families: NDArray[np.intp]
) -> Floats:
    """Multiply the residuals of each family by (I − H)^-1/2, with the family's block H of the hat matrix."""
    _, home, counts = np.unique(families, return_inverse=True, return_counts=True)
    order, adjusted = np.argsort(home, kind="stable"), np.empty_like(residuals)
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]])
    for size in np.unique(counts).tolist():  # families of one size together
        rows = order[starts[counts == size][:, None] + np.arange(size)]
        own = regressors[rows]
        values, vectors = np.linalg.eigh(np.eye(size) - own @ inverse @ own.transpose(0, 2, 1))
        scale = np.where(values > _LEAST_EIGENVALUE, 1 / np.sqrt(np.maximum(values, _LEAST_EIGENVALUE)), 0.0)
        turned = np.einsum("fij,fi->fj", vectors, residuals[rows])
        adjusted[rows] = np.einsum("fij,fj->fi", vectors, scale * turned)
    return adjusted
