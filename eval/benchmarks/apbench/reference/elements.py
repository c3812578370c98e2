"""Classical orbital elements and states. Source: Vallado 2013, algorithms 9 and 10. SI and radians."""

from __future__ import annotations

import math

import numpy as np

from ansatz.eval.benchmarks.apbench.reference.frames import rotate_1, rotate_3
from ansatz.eval.benchmarks.apbench.reference.vectors import Vector, angle, dot, norm, vector

_POLE = np.array([0.0, 0.0, 1.0])


def eccentricity_vector(mu: float, r: Vector, v: Vector) -> Vector:
    """Points to the pericentre, with the eccentricity as its length."""
    return np.asarray(np.cross(v, np.cross(r, v)) / mu - r / norm(r))


def inclination(r: Vector, v: Vector) -> float:
    """0 to pi."""
    return angle(_POLE, np.cross(r, v))


def ascending_node(r: Vector, v: Vector) -> float:
    """Right ascension of the ascending node, 0 to 2π. The orbit must be inclined."""
    h = np.cross(r, v)
    return math.atan2(h[0], -h[1]) % (2 * math.pi)


def argument_of_pericentre(mu: float, r: Vector, v: Vector) -> float:
    """From the node to the pericentre, 0 to 2π. The orbit must be inclined and not circular."""
    node = np.cross(_POLE, np.cross(r, v))
    e = eccentricity_vector(mu, r, v)
    from_node = angle(node, e)
    return from_node if e[2] >= 0 else 2 * math.pi - from_node


def true_anomaly(mu: float, r: Vector, v: Vector) -> float:
    """From the pericentre to the position, 0 to 2π. The orbit must not be circular."""
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
    """A perifocal vector in the inertial axes in which the elements are given."""
    return rotate_3(rotate_1(rotate_3(of, -argument), -i), -node)


ALL = (
    eccentricity_vector,
    inclination,
    ascending_node,
    argument_of_pericentre,
    true_anomaly,
    perifocal_position,
    perifocal_velocity,
    from_perifocal,
)
