"""Relative motion near a circular orbit. x is radial (outward), y along the velocity, z along the momentum.

Source: Clohessy and Wiltshire 1960, J. Aerospace Sci. 27:653. Metres, seconds; separations are small
against the orbit's radius.
"""

from __future__ import annotations

import math

import numpy as np

from ansatz.eval.benchmarks.apbench.reference.vectors import Vector


def cw_position(n: float, r: Vector, v: Vector, time: float) -> Vector:
    """Relative position after `time`, at mean motion `n` (rad/s)."""
    rr, rv, _, _ = _transition(n, time)
    return np.asarray(rr @ r + rv @ v)


def cw_velocity(n: float, r: Vector, v: Vector, time: float) -> Vector:
    """Relative velocity after `time`."""
    _, _, vr, vv = _transition(n, time)
    return np.asarray(vr @ r + vv @ v)


def cw_velocity_to(n: float, r: Vector, target: Vector, time: float) -> Vector:
    """The velocity at `r` that leads to `target` after `time`, not a multiple of half a period."""
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


ALL = (cw_position, cw_velocity, cw_velocity_to)
