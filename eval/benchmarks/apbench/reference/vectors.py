"""Vectors of three components."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]


def vector(x: float, y: float, z: float) -> Vector:
    return np.array([x, y, z], dtype=np.float64)


def component(of: Vector, index: float) -> float:
    """The component with this index, from 1."""
    return float(of[round(index) - 1])


def norm(of: Vector) -> float:
    return float(np.linalg.norm(of))


def dot(first: Vector, second: Vector) -> float:
    return float(first @ second)


def cross(first: Vector, second: Vector) -> Vector:
    return np.cross(first, second)


def unit(of: Vector) -> Vector:
    """A vector of length one. Raises ValueError for the zero vector."""
    length = norm(of)
    if length == 0:
        raise ValueError("the zero vector has no direction")
    return of / length


def angle(first: Vector, second: Vector) -> float:
    """The angle between two vectors, 0 to pi; exact near both ends, unlike the arc cosine."""
    return math.atan2(norm(np.cross(first, second)), dot(first, second))


def wrap(angle: float) -> float:
    """The same direction from 0 up to, not including, two pi."""
    return angle % (2 * math.pi)


ALL = (vector, component, norm, dot, cross, unit, angle, wrap)
