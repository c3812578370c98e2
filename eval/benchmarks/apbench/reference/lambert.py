"""Lambert's problem: the orbit between two positions in a given time.

Source: Curtis 2014, Orbital Mechanics for Engineering Students, section 5.3 (universal variables), with
bisection in z in place of Newton's iteration. Less than one revolution, prograde, transfer angle not 180°.
"""

from __future__ import annotations

import math

import numpy as np

from ansatz.eval.benchmarks.apbench.reference.kepler import stumpff_c, stumpff_s
from ansatz.eval.benchmarks.apbench.reference.vectors import Vector, angle, norm


def transfer_angle(r1: Vector, r2: Vector) -> float:
    """Angle of a prograde transfer (counter-clockwise seen from +z), 0 to 2π."""
    between = angle(r1, r2)
    return between if float(np.cross(r1, r2)[2]) >= 0 else 2 * math.pi - between


def lambert_departure(mu: float, r1: Vector, r2: Vector, time: float) -> Vector:
    """Velocity (m/s) at `r1` (m) of the transfer that reaches `r2` after `time` (s)."""
    f, g, _ = _lagrange(mu, r1, r2, time)
    return np.asarray((r2 - f * r1) / g)


def lambert_arrival(mu: float, r1: Vector, r2: Vector, time: float) -> Vector:
    """Velocity (m/s) at `r2` (m) of the same transfer."""
    _, g, g_rate = _lagrange(mu, r1, r2, time)
    return np.asarray((g_rate * r2 - r1) / g)


def _lagrange(mu: float, r1: Vector, r2: Vector, time: float) -> tuple[float, float, float]:
    """f, g (s) and the rate of g, from the root of the time equation."""
    first, second, theta = norm(r1), norm(r2), transfer_angle(r1, r2)
    a = math.sin(theta) * math.sqrt(first * second / (1 - math.cos(theta)))

    def y(z: float) -> float:
        return first + second + a * (z * stumpff_s(z) - 1) / math.sqrt(stumpff_c(z))

    def flight_time(z: float) -> float:
        if y(z) < 0:
            return 0.0
        chi = math.sqrt(y(z) / stumpff_c(z))
        return (chi**3 * stumpff_s(z) + a * math.sqrt(y(z))) / math.sqrt(mu)

    low, high = -100.0, 4 * math.pi**2 * (1 - 1e-9)
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if flight_time(middle) < time else (low, middle)
    found = y((low + high) / 2)
    return 1 - found / first, a * math.sqrt(found / mu), 1 - found / second


ALL = (transfer_angle, lambert_departure, lambert_arrival)
