"""The circular restricted three-body problem in the usual units: distance, total mass and rate are one.

The larger body is at −mu and the smaller at 1 − mu. Source: Szebehely 1967, Theory of Orbits, chapters 1
and 4; C = 2Ω − v² without the constant mu(1 − mu).
"""

from __future__ import annotations

import math
from collections.abc import Callable

from ansatz.eval.benchmarks.apbench.reference.vectors import Vector, dot


def collinear_point(mu: float, which: float) -> float:
    """x of L1, L2 or L3: the root of the force along the axis, by bisection. 0 < mu <= 1/2."""
    close = 1e-9

    def force(x: float) -> float:
        first, second = x + mu, x - 1 + mu
        return x - (1 - mu) * first / abs(first) ** 3 - mu * second / abs(second) ** 3

    ranges = {1: (-mu + close, 1 - mu - close), 2: (1 - mu + close, 2.0), 3: (-2.0, -mu - close)}
    return _bisect(force, *ranges[round(which)])


def potential(mu: float, position: Vector) -> float:
    """Ω = (x² + y²)/2 + (1 − mu)/r1 + mu/r2."""
    x, y, z = (float(part) for part in position)
    first = math.sqrt((x + mu) ** 2 + y**2 + z**2)
    second = math.sqrt((x - 1 + mu) ** 2 + y**2 + z**2)
    return (x**2 + y**2) / 2 + (1 - mu) / first + mu / second


def jacobi_constant(mu: float, position: Vector, velocity: Vector) -> float:
    """C = 2Ω − v², with the velocity in the rotating frame."""
    return 2 * potential(mu, position) - dot(velocity, velocity)


def _bisect(of: Callable[[float], float], low: float, high: float) -> float:
    """The force rises along each of the ranges."""
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if of(middle) < 0 else (low, middle)
    return (low + high) / 2


ALL = (collinear_point, potential, jacobi_constant)
