"""Attitude as direction cosines and quaternions (scalar last). Source: Wie 2008, ch. 5.

A matrix here takes components of the reference axes to those of the body. Radians.
"""

from __future__ import annotations

import math

import numpy as np

from ansatz.eval.benchmarks.apbench.reference.frames import rotate_1, rotate_2, rotate_3
from ansatz.eval.benchmarks.apbench.reference.vectors import Vector, unit


def matrix_321(yaw: float, pitch: float, roll: float) -> Vector:
    """The 3 × 3 matrix of turns about the third, then the second, then the first body axis."""
    columns = [rotate_1(rotate_2(rotate_3(axis, yaw), pitch), roll) for axis in np.eye(3)]
    return np.column_stack(columns)


def entry(matrix: Vector, row: float, column: float) -> float:
    """An entry of a matrix, counted from 1."""
    return float(matrix[round(row) - 1, round(column) - 1])


def turned(matrix: Vector, of: Vector) -> Vector:
    """Body components of a reference vector."""
    return np.asarray(matrix @ of)


def transposed(matrix: Vector) -> Vector:
    return np.asarray(matrix.T)


def quaternion_of(axis: Vector, angle: float) -> Vector:
    """(q1, q2, q3, q4) of a turn about an axis; q4 = cos(angle/2)."""
    return np.append(unit(axis) * math.sin(angle / 2), math.cos(angle / 2))


def quaternion_matrix(q: Vector) -> Vector:
    """The direction cosine matrix of a unit quaternion."""
    part, scalar = q[:3], q[3]
    skew = np.array([[0, -part[2], part[1]], [part[2], 0, -part[0]], [-part[1], part[0], 0]])
    return np.asarray((scalar**2 - part @ part) * np.eye(3) + 2 * np.outer(part, part) - 2 * scalar * skew)


def quaternion_product(second: Vector, first: Vector) -> Vector:
    """The quaternion of a turn `first` followed by a turn `second` about the turned axes."""
    a, b = first[:3], second[:3]
    part = second[3] * a + first[3] * b - np.cross(b, a)
    return np.append(part, second[3] * first[3] - b @ a)


def triad_matrix(body_1: Vector, body_2: Vector, reference_1: Vector, reference_2: Vector) -> Vector:
    """Attitude from two directions known in both frames; the first is met exactly (Black 1964)."""
    return np.asarray(_triad(body_1, body_2) @ _triad(reference_1, reference_2).T)


def _triad(first: Vector, second: Vector) -> Vector:
    middle = unit(np.cross(first, second))
    return np.column_stack([unit(first), middle, np.cross(unit(first), middle)])


ALL = (
    matrix_321,
    entry,
    turned,
    transposed,
    quaternion_of,
    quaternion_matrix,
    quaternion_product,
    triad_matrix,
)
