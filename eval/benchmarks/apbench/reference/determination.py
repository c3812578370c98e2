"""Orbits from observations. Sources: Vallado 2013, algorithms 54 and 55; Curtis 2014, chapter 5."""

from __future__ import annotations

import math

import numpy as np

from ansatz.eval.benchmarks.apbench.reference.vectors import Vector, norm


def gibbs_velocity(mu: float, r1: Vector, r2: Vector, r3: Vector) -> Vector:
    """Velocity (m/s) at the second of three coplanar positions (m)."""
    n = norm(r1) * np.cross(r2, r3) + norm(r2) * np.cross(r3, r1) + norm(r3) * np.cross(r1, r2)
    d = np.cross(r1, r2) + np.cross(r2, r3) + np.cross(r3, r1)
    s = r1 * (norm(r2) - norm(r3)) + r2 * (norm(r3) - norm(r1)) + r3 * (norm(r1) - norm(r2))
    return np.asarray(math.sqrt(mu / (norm(n) * norm(d))) * (np.cross(d, r2) / norm(r2) + s))


def herrick_gibbs_velocity(
    mu: float, r1: Vector, r2: Vector, r3: Vector, before: float, after: float
) -> Vector:
    """Velocity at the second of three close positions, `before` and `after` it in seconds (both > 0)."""
    whole = before + after
    twelfth = mu / 12
    first = -after * (1 / (before * whole) + twelfth / norm(r1) ** 3)
    second = (after - before) * (1 / (before * after) + twelfth / norm(r2) ** 3)
    third = before * (1 / (after * whole) + twelfth / norm(r3) ** 3)
    return np.asarray(first * r1 + second * r2 + third * r3)


ALL = (gibbs_velocity, herrick_gibbs_velocity)
