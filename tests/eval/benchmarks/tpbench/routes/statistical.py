"""Statistical mechanics: sums over states, all configurations, the equation of first passage."""

from itertools import product

import numpy as np
from scipy.linalg import solve_banded


def heat_capacity(T, eps, g0, g1):
    """The variance of the energy over the temperature squared."""
    found = []
    for each in T:
        weights = np.array([g0, g1 * np.exp(-eps / each)])
        weights /= weights.sum()
        found.append(weights[1] * weights[0] * eps**2 / each**2)
    return found


def mean_energy(beta, eps, N):
    levels = np.arange(N) * eps
    weights = np.exp(-beta * (levels - levels[np.argmin(beta * levels)]))
    return (levels * weights).sum() / weights.sum()


def _rings(N):
    spins = np.array(list(product([-1, 1], repeat=N)))
    return spins, (spins * np.roll(spins, 1, axis=1)).sum(axis=1)


def correlation(r, N, K):
    spins, bonds = _rings(N)
    weights = np.exp(K * bonds)
    return (spins[:, 0] * spins[:, r % N] * weights).sum() / weights.sum()


def partition_function(N, K, h):
    spins, bonds = _rings(N)
    return np.exp(K * bonds + h * spins.sum(axis=1)).sum()


def mean_search_time(x0, D, v, r):
    """D T'' + v T' - r T + r T(x0) = -1 by differences; T = u + r T(x0) w with u and w solved apart."""
    far = x0 + 40 * max(np.sqrt(D / r) if r else D / abs(v), D / (abs(v) + 0.1)) + (20 if r == 0 else 0)
    count = 40001
    x = np.linspace(0, far, count)
    h = x[1] - x[0]
    bands = np.zeros((3, count))
    bands[0, 2:] = D / h**2 + v / (2 * h)
    bands[1, 1:-1] = -2 * D / h**2 - r
    bands[2, :-2] = D / h**2 - v / (2 * h)
    bands[1, 0] = 1
    bands[1, -1], bands[2, -2] = 1, -1  # far away T is flat, or nearly linear without resetting
    right = np.full(count, -1.0)
    right[0], right[-1] = 0, (h / abs(v) if r == 0 else 0)
    u = np.interp(x0, x, solve_banded((1, 1), bands, right))
    return u / (1 - r * u)
