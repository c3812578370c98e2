"""Orbits: elements and states, orbit determination, relative motion, and the three-body problem.

Sources: Vallado 2013, algorithms 9, 10, 54 and 55; Curtis 2014, chapter 5; Clohessy and Wiltshire 1960, J.
Aerospace Sci. 27:653; Szebehely 1967, Theory of Orbits, chapters 1 and 4. SI and radians.
"""

from __future__ import annotations

import math

import numpy as np

from ansatz.eval.benchmarks.apbench.reference.vectors import (
    Vector,
    angle,
    dot,
    norm,
    rotate_1,
    rotate_3,
    vector,
)

_POLE = np.array([0.0, 0.0, 1.0])


def eccentricity_vector(mu: float, r: Vector, v: Vector) -> Vector:
    """Vector to the pericentre, with the eccentricity as its length."""
    return np.asarray(np.cross(v, np.cross(r, v)) / mu - r / norm(r))


def inclination(r: Vector, v: Vector) -> float:
    """Inclination, 0 to π."""
    return angle(_POLE, np.cross(r, v))


def ascending_node(r: Vector, v: Vector) -> float:
    """Right ascension of the ascending node, 0 to 2π. The orbit must be inclined."""
    h = np.cross(r, v)
    return math.atan2(h[0], -h[1]) % (2 * math.pi)


def argument_of_pericentre(mu: float, r: Vector, v: Vector) -> float:
    """Angle from the node to the pericentre, 0 to 2π. The orbit must be inclined and not circular."""
    node = np.cross(_POLE, np.cross(r, v))
    e = eccentricity_vector(mu, r, v)
    from_node = angle(node, e)
    return from_node if e[2] >= 0 else 2 * math.pi - from_node


def true_anomaly(mu: float, r: Vector, v: Vector) -> float:
    """Angle from the pericentre to the position, 0 to 2π. The orbit must not be circular."""
    from_pericentre = angle(eccentricity_vector(mu, r, v), r)
    return from_pericentre if dot(r, v) >= 0 else 2 * math.pi - from_pericentre


def perifocal_position(p: float, e: float, nu: float) -> Vector:
    """Position (m) in the axes of the pericentre, of ν = 90°, and of the angular momentum."""
    r = p / (1 + e * math.cos(nu))
    return vector(r * math.cos(nu), r * math.sin(nu), 0.0)


def perifocal_velocity(mu: float, p: float, e: float, nu: float) -> Vector:
    """Velocity (m/s) in the same axes."""
    speed = math.sqrt(mu / p)
    return vector(-speed * math.sin(nu), speed * (e + math.cos(nu)), 0.0)


def from_perifocal(of: Vector, i: float, node: float, argument: float) -> Vector:
    """A perifocal vector in the inertial axes of the elements."""
    return rotate_3(rotate_1(rotate_3(of, -argument), -i), -node)


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


def cw_position(n: float, r: Vector, v: Vector, time: float) -> Vector:
    """Relative position after `time`; the circular orbit of mean motion `n` (rad/s) is much larger.

    x is radial (outward), y along the velocity, z along the momentum.
    """
    rr, rv, _, _ = _transition(n, time)
    return np.asarray(rr @ r + rv @ v)


def cw_velocity(n: float, r: Vector, v: Vector, time: float) -> Vector:
    """Relative velocity after `time`."""
    _, _, vr, vv = _transition(n, time)
    return np.asarray(vr @ r + vv @ v)


def cw_velocity_to(n: float, r: Vector, target: Vector, time: float) -> Vector:
    """The velocity at `r` that reaches `target` after `time`, which is no multiple of half a period."""
    rr, rv, _, _ = _transition(n, time)
    return np.asarray(np.linalg.solve(rv, target - rr @ r))


def _transition(n: float, time: float) -> tuple[Vector, Vector, Vector, Vector]:
    """The four 3 × 3 blocks of the state transition matrix."""
    s, c, nt = math.sin(n * time), math.cos(n * time), n * time
    rr = np.array([[4 - 3 * c, 0, 0], [6 * (s - nt), 1, 0], [0, 0, c]])
    rv = np.array([[s / n, 2 * (1 - c) / n, 0], [2 * (c - 1) / n, (4 * s - 3 * nt) / n, 0], [0, 0, s / n]])
    vr = np.array([[3 * n * s, 0, 0], [6 * n * (c - 1), 0, 0], [0, 0, -n * s]])
    vv = np.array([[c, 2 * s, 0], [-2 * s, 4 * c - 3, 0], [0, 0, c]])
    return rr, rv, vr, vv


def collinear_point(mu: float, which: float) -> float:
    """x of L1, L2 or L3: the root of the force along the axis. 0 < mu <= 1/2.

    The unit of length is the distance of the bodies; the larger is at −mu, the smaller at 1 − mu.
    """
    from scipy.optimize import brentq

    close = 1e-9

    def force(x: float) -> float:
        first, second = x + mu, x - 1 + mu
        return x - (1 - mu) * first / abs(first) ** 3 - mu * second / abs(second) ** 3

    ranges = {1: (-mu + close, 1 - mu - close), 2: (1 - mu + close, 2.0), 3: (-2.0, -mu - close)}
    return float(brentq(force, *ranges[round(which)], xtol=1e-15))


def potential(mu: float, position: Vector) -> float:
    """Ω = (x² + y²)/2 + (1 − mu)/r1 + mu/r2."""
    x, y, z = (float(part) for part in position)
    first = math.sqrt((x + mu) ** 2 + y**2 + z**2)
    second = math.sqrt((x - 1 + mu) ** 2 + y**2 + z**2)
    return (x**2 + y**2) / 2 + (1 - mu) / first + mu / second


def jacobi_constant(mu: float, position: Vector, velocity: Vector) -> float:
    """C = 2Ω − v², with the velocity in the rotating frame."""
    return 2 * potential(mu, position) - dot(velocity, velocity)
