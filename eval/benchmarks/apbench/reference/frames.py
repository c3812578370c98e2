"""Rotations of axes, and places on the Earth. Source: Vallado 2013, chapter 3. Metres, radians."""

from __future__ import annotations

import math

import numpy as np

from ansatz.eval.benchmarks.apbench.reference.vectors import Vector, vector


def rotate_1(of: Vector, angle: float) -> Vector:
    """The components of a vector in axes turned about the first axis."""
    x, y, z = of
    return vector(x, math.cos(angle) * y + math.sin(angle) * z, -math.sin(angle) * y + math.cos(angle) * z)


def rotate_2(of: Vector, angle: float) -> Vector:
    """The components of a vector in axes turned about the second axis."""
    x, y, z = of
    return vector(math.cos(angle) * x - math.sin(angle) * z, y, math.sin(angle) * x + math.cos(angle) * z)


def rotate_3(of: Vector, angle: float) -> Vector:
    """The components of a vector in axes turned about the third axis."""
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


ALL = (rotate_1, rotate_2, rotate_3, geodetic_position, east_north_up, from_east_north_up)
