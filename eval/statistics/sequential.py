"""Interim analyses of a study: boundaries of success, and levels at which an effect is given up."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ansatz.eval.statistics.resampling import is_exact

Floats = NDArray[np.float64]
_NODES = 128  # points of an integral over the score process
_WIDE = 9.0  # standard deviations
_FARTHEST = 38.0  # standard deviations at which a normal tail is about the smallest number
_NEVER = 1e-250  # a chance
_LOST_POWER = 0.2  # share of studies with the named difference that may give it up


def spent_alpha(fraction: float, alpha: float = 0.05) -> float:
    """Return the share of alpha that is spent at a fraction of the information.

    2 − 2 Φ(z / √t) on each side, which is close to the boundaries of O'Brien and Fleming for any number
    of interim analyses (K. K. G. Lan and D. L. DeMets, Biometrika 70, 1983, 659-663).
    """
    from scipy.special import ndtr, ndtri

    return float(4 * ndtr(ndtri(alpha / 4) / np.sqrt(fraction)))


def spent_beta(fraction: float, beta: float = _LOST_POWER) -> float:
    """Return the share of power that giving up has cost at a fraction of the information.

    β (eᵗ − 1)/(e − 1), with γ = −1 (I. K. Hwang, W. J. Shih and J. S. DeCani, Stat. Med. 9, 1990,
    1439-1445).
    """
    return float(beta * np.expm1(fraction) / np.expm1(1.0))


def least_p(families: int, flips: int) -> float:
    """Return the smallest p that a test by sign flips of this many families can have."""
    return 2.0 ** (1 - families) if is_exact(families) else 1 / (flips + 1)


@lru_cache(maxsize=64)
def boundaries(
    fractions: tuple[float, ...],
    alpha: float = 0.05,
    least: tuple[float, ...] = (),
    comparisons: int = 1,
) -> tuple[float, ...]:
    """Return, by interim analysis, the boundary of |z| that keeps the total error rate at alpha.

    Parameters
    ----------
    fractions
        The shares of the information at the analyses, ascending to at most 1.
    alpha
        The error rate of all analyses and comparisons together.
    least
        The smallest p that each analysis can have. A boundary that no p can pass is infinite, and its share
        of alpha goes to the next analysis.
    comparisons
        How many comparisons are adjusted together. The boundary is for z of adjusted p. Analyses of extreme
        z are less correlated, so several comparisons need a slightly higher boundary than one. The result is
        exact for independent comparisons and conservative for others.
    """
    from scipy.special import ndtr, ndtri

    share = (1 - (1 - alpha) ** (1 / comparisons)) / alpha  # of each comparison, after Šidák
    walk, spent, found = _Walk(), 0.0, []
    for at, fraction in enumerate(fractions):
        allowed = share * spent_alpha(fraction, alpha) - spent
        z = walk.find_boundary(fraction, allowed, two_sided=True)
        adjusted = -float(np.expm1(comparisons * np.log1p(-2 * ndtr(-z))))
        if least and adjusted < least[at]:
            adjusted, z = 0.0, np.inf
        else:
            spent += allowed
        found.append(-float(ndtri(adjusted / 2)))
        walk = walk.go_on(fraction, min(z, _WIDE), two_sided=True)
    return tuple(found)


@lru_cache(maxsize=64)
def giving_up_levels(fractions: tuple[float, ...], beta: float = _LOST_POWER) -> tuple[float, ...]:
    """Return, by interim analysis, the level of the interval that gives up a difference it excludes.

    The study gives up as soon as the interval at this level lies below the difference. If the difference is
    true, this happens in at most a share `beta` of cases, over all analyses together. The study may also go
    on: success does not depend on the rule. The levels come from the one-sided boundaries of `spent_beta`.
    """
    from scipy.special import ndtr

    walk, spent, found = _Walk(), 0.0, []
    for fraction in fractions:
        z = walk.find_boundary(fraction, spent_beta(fraction, beta) - spent, two_sided=False)
        spent = spent_beta(fraction, beta)
        found.append(float(1 - 2 * ndtr(-z)))
        walk = walk.go_on(fraction, z, two_sided=False)
    return tuple(found)


@dataclass(frozen=True, eq=False)
class _Walk:
    """The score process B(t) = z √t where it has crossed no boundary so far.

    Its increments are normal and independent (P. Armitage, C. K. McPherson and B. C. Rowe, J. R. Stat. Soc.
    A 132, 1969, 235-244). Integrals are Gauss-Legendre sums over the region between the boundaries.
    """

    time: float = 0.0
    places: Floats = field(default_factory=lambda: np.zeros(1))
    chances: Floats = field(default_factory=lambda: np.ones(1))
    """The chance of each place, of shape (places,)."""

    def find_boundary(self, time: float, allowed: float, *, two_sided: bool) -> float:
        """Return the boundary of z that the process exceeds at `time` with the chance `allowed`."""
        from scipy.special import ndtr

        if allowed <= _NEVER:
            return float("inf")
        spread, scale = np.sqrt(time - self.time), np.sqrt(time)
        low, high = (0.0 if two_sided else -_FARTHEST), _FARTHEST
        while (z := (low + high) / 2) not in (low, high):  # until the ends are neighbouring numbers
            beyond = ndtr((self.places - z * scale) / spread)
            if two_sided:
                beyond = beyond + ndtr((-z * scale - self.places) / spread)
            low, high = (z, high) if float(beyond @ self.chances) > allowed else (low, z)
        return float(z)

    def go_on(self, time: float, z: float, *, two_sided: bool) -> _Walk:
        """Return the process at `time`, where it has not exceeded z either."""
        spread, high = np.sqrt(time - self.time), z * np.sqrt(time)
        low = -high if two_sided else -_WIDE * np.sqrt(time)
        nodes, weights = _quadrature()
        places = low + (high - low) * (nodes + 1) / 2
        away = (places[:, None] - self.places[None, :]) / spread
        density = np.exp(-(away**2) / 2) @ self.chances / (spread * np.sqrt(2 * np.pi))
        return _Walk(time, places, density * weights * (high - low) / 2)


@lru_cache(maxsize=1)
def _quadrature() -> tuple[Floats, Floats]:
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    return nodes, weights
