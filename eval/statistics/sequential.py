"""Interim analyses of a study: boundaries of significance, and conditional power."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
_GRID = 2001  # points across the range that the process may have
_WIDE = 9.0  # standard deviations
_NEVER = 1e-250  # a chance


def spent_alpha(fraction: float, alpha: float = 0.05) -> float:
    """Return the share of alpha that is spent at a fraction of the information.

    2 − 2 Φ(z / √t) on each side, which is close to the boundaries of O'Brien and Fleming for any number
    of interim analyses (K. K. G. Lan and D. L. DeMets, Biometrika 70, 1983, 659-663).
    """
    from scipy.special import ndtr, ndtri

    return float(4 * ndtr(ndtri(alpha / 4) / np.sqrt(fraction)))


def boundaries(fractions: Sequence[float], alpha: float = 0.05) -> tuple[float, ...]:
    """Return, by interim analysis, the boundary of |z| that keeps the total error rate at alpha.

    `fractions` of the information, ascending to at most 1. The score process B(t) = z √t has independent
    normal increments; a grid carries its density, where no boundary was crossed, from analysis to analysis
    (P. Armitage, C. K. McPherson and B. C. Rowe, J. R. Stat. Soc. A 132, 1969, 235-244).
    """
    from scipy.optimize import brentq
    from scipy.special import ndtr

    points = np.linspace(-_WIDE, _WIDE, _GRID)
    step, before, found = points[1] - points[0], 0.0, []
    density = np.where(points == 0, 1 / step, 0.0)  # it starts at zero
    for fraction in fractions:
        allowed = spent_alpha(fraction, alpha) - (spent_alpha(before, alpha) if before else 0.0)
        spread, scale = np.sqrt(fraction - before), np.sqrt(fraction)

        def excess(
            z: float, edges: tuple[Floats, float, float, float] = (density, spread, scale, allowed)
        ) -> float:
            held, spread, scale, allowed = edges
            beyond = ndtr((points - z * scale) / spread) + ndtr((-z * scale - points) / spread)
            return float((held * beyond).sum() * step) - allowed

        z = float(brentq(excess, 0.0, 38.0)) if allowed > _NEVER else np.inf
        found.append(z)
        away = (points[:, None] - points[None, :]) / spread
        moved = np.exp(-(away**2) / 2) @ density * (step / spread / np.sqrt(2 * np.pi))
        density = np.where(np.abs(points) < z * scale, moved, 0.0)
        before = fraction
    return tuple(found)


def conditional_power(z: float, fraction: float, final: float) -> float:
    """Return the chance that the last analysis exceeds its boundary `final`, given the present estimate.

    With B(t) = z √t and drift z / √t (J. M. Lachin, Stat. Med. 24, 2005, 2747-2764), in the direction of z.
    """
    from scipy.special import ndtr

    if fraction >= 1:
        return float(abs(z) > final)
    ahead = abs(z) * np.sqrt(fraction) + abs(z) / np.sqrt(fraction) * (1 - fraction)
    return float(ndtr((ahead - final) / np.sqrt(1 - fraction)))
