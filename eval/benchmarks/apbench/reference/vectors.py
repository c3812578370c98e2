"""Vectors of three components, rotations of axes, places on the Earth, and attitude.

Sources: Vallado 2013, chapter 3; Wie 2008, chapter 5. Metres, radians. An attitude matrix converts
components in reference axes to body axes. The scalar of a quaternion is last.
"""

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
    """The same direction in [0, 2π)."""
    return angle % (2 * math.pi)


def rotate_1(of: Vector, angle: float) -> Vector:
    """The components of a vector after a rotation of the axes about the first axis."""
    x, y, z = of
    return vector(x, math.cos(angle) * y + math.sin(angle) * z, -math.sin(angle) * y + math.cos(angle) * z)


def rotate_2(of: Vector, angle: float) -> Vector:
    """The components of a vector after a rotation of the axes about the second axis."""
    x, y, z = of
    return vector(math.cos(angle) * x - math.sin(angle) * z, y, math.sin(angle) * x + math.cos(angle) * z)


def rotate_3(of: Vector, angle: float) -> Vector:
    """The components of a vector after a rotation of the axes about the third axis."""
    x, y, z = of
    return vector(math.cos(angle) * x + math.sin(angle) * y, -math.sin(angle) * x + math.cos(angle) * y, z)


def geodetic_position(latitude: float, longitude: float, height: float, radius: float, f: float) -> Vector:
    """Earth-fixed position over an ellipsoid of equatorial `radius` and flattening `f`."""
    e2 = f * (2 - f)
    normal = radius / math.sqrt(1 - e2 * math.sin(latitude) ** 2)
    level = (normal + height) * math.cos(latitude)
    return vector(
        level * math.cos(longitude),
        level * math.sin(longitude),
        (normal * (1 - e2) + height) * math.sin(latitude),
    )


def east_north_up(of: Vector, latitude: float, longitude: float) -> Vector:
    """An Earth-fixed vector in the horizon axes of a place (geodetic latitude)."""
    sin_lat, cos_lat = math.sin(latitude), math.cos(latitude)
    sin_lon, cos_lon = math.sin(longitude), math.cos(longitude)
    axes = np.array(
        [
            [-sin_lon, cos_lon, 0.0],
            [-sin_lat * cos_lon, -sin_lat * sin_lon, cos_lat],
            [cos_lat * cos_lon, cos_lat * sin_lon, sin_lat],
        ]
    )
    return np.asarray(axes @ of)


def from_east_north_up(of: Vector, latitude: float, longitude: float) -> Vector:
    """A vector of horizon axes in Earth-fixed axes."""
    axes = np.column_stack([east_north_up(axis, latitude, longitude) for axis in np.eye(3)])
    return np.asarray(axes.T @ of)


def matrix_321(yaw: float, pitch: float, roll: float) -> Vector:
    """The 3 × 3 matrix of rotations about the third, then the second, then the first body axis."""
    columns = [rotate_1(rotate_2(rotate_3(axis, yaw), pitch), roll) for axis in np.eye(3)]
    return np.column_stack(columns)


def entry(matrix: Vector, row: float, column: float) -> float:
    """An entry of a matrix, counted from 1."""
    return float(matrix[round(row) - 1, round(column) - 1])


def turned(matrix: Vector, of: Vector) -> Vector:
    """Body components of a reference vector."""
    return np.asarray(matrix @ of)


def quaternion_of(axis: Vector, angle: float) -> Vector:
    """(q1, q2, q3, q4) of a rotation about an axis; q4 = cos(angle/2)."""
    return np.append(unit(axis) * math.sin(angle / 2), math.cos(angle / 2))


def quaternion_matrix(q: Vector) -> Vector:
    """The direction cosine matrix of a unit quaternion."""
    part, scalar = q[:3], q[3]
    skew = np.array([[0, -part[2], part[1]], [part[2], 0, -part[0]], [-part[1], part[0], 0]])
    return np.asarray((scalar**2 - part @ part) * np.eye(3) + 2 * np.outer(part, part) - 2 * scalar * skew)


def quaternion_product(second: Vector, first: Vector) -> Vector:
    """The quaternion of a rotation `first`, followed by `second` about the rotated axes."""
    a, b = first[:3], second[:3]
    part = second[3] * a + first[3] * b - np.cross(b, a)
    return np.append(part, second[3] * first[3] - b @ a)


def triad_matrix(body_1: Vector, body_2: Vector, reference_1: Vector, reference_2: Vector) -> Vector:
    """Attitude from two directions known in both frames; it reproduces the first exactly (Black 1964)."""
    return np.asarray(_triad(body_1, body_2) @ _triad(reference_1, reference_2).T)


def _triad(first: Vector, second: Vector) -> Vector:
    middle = unit(np.cross(first, second))
    return np.column_stack([unit(first), middle, np.cross(unit(first), middle)])
