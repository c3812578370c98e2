"""Position in time on a two-body orbit: Kepler's, Barker's and the universal equation; Lambert's problem.

Sources: Battin 1999, An Introduction to the Mathematics and Methods of Astrodynamics, chapters 4 and 5;
Vallado 2013, Fundamentals of Astrodynamics and Applications, chapter 2; Curtis 2014, Orbital Mechanics for
Engineering Students, section 5.3. Transfers are of less than one revolution, prograde, and not of 180°.
"""

from __future__ import annotations

import math

import numpy as np

from ansatz.eval.benchmarks.apbench.reference.vectors import Vector, angle, dot, norm

_ITERATIONS = 100

_CLOSE = 1e-14


def eccentric_anomaly(mean_anomaly: float, e: float) -> float:
    """E of Kepler's equation M = E − e sin E, by Newton's iteration; 0 <= e < 1, radians."""
    if not 0 <= e < 1:
        raise ValueError(f"an ellipse has an eccentricity from 0 to 1, not {e:g}")
    revolutions, anomaly = divmod(mean_anomaly, 2 * math.pi)
    found = anomaly if e < 0.8 else math.pi
    for _ in range(_ITERATIONS):
        change = (found - e * math.sin(found) - anomaly) / (1 - e * math.cos(found))
        found -= change
        if abs(change) < _CLOSE:
            break
    return found + 2 * math.pi * revolutions


def eccentric_from_true(true_anomaly: float, e: float) -> float:
    """E from ν in the same half revolution, 0 to 2π; 0 <= e < 1."""
    half = math.atan2(
        math.sqrt(1 - e) * math.sin(true_anomaly / 2), math.sqrt(1 + e) * math.cos(true_anomaly / 2)
    )
    return 2 * half % (2 * math.pi)


def true_from_eccentric(eccentric: float, e: float) -> float:
    """ν from E, 0 to 2π; 0 <= e < 1."""
    half = math.atan2(math.sqrt(1 + e) * math.sin(eccentric / 2), math.sqrt(1 - e) * math.cos(eccentric / 2))
    return 2 * half % (2 * math.pi)


def parabolic_true_anomaly(mu: float, q: float, time: float) -> float:
    """ν at `time` (s) since pericentre at distance `q` (m) on a parabola: Barker's equation, closed form."""
    half_mean = 1.5 * math.sqrt(mu / (2 * q**3)) * time
    root = (half_mean + math.sqrt(half_mean**2 + 1)) ** (1 / 3)
    return 2 * math.atan(root - 1 / root)


def stumpff_c(z: float) -> float:
    """C(z) = 1/2! − z/4! + z²/6! − …"""
    if z > 1e-6:
        return (1 - math.cos(math.sqrt(z))) / z
    if z < -1e-6:
        return (math.cosh(math.sqrt(-z)) - 1) / -z
    return 1 / 2 - z / 24


def stumpff_s(z: float) -> float:
    """S(z) = 1/3! − z/5! + z²/7! − …"""
    if z > 1e-6:
        return (math.sqrt(z) - math.sin(math.sqrt(z))) / math.sqrt(z) ** 3
    if z < -1e-6:
        return (math.sinh(math.sqrt(-z)) - math.sqrt(-z)) / math.sqrt(-z) ** 3
    return 1 / 6 - z / 120


def universal_anomaly(mu: float, r: Vector, v: Vector, time: float) -> float:
    """χ (m^0.5) after `time` (s) from a state, for any conic, by Newton's iteration."""
    radius, radial = norm(r), dot(r, v) / norm(r)
    alpha = 2 / radius - dot(v, v) / mu
    found = math.sqrt(mu) * abs(alpha) * time if abs(alpha) * radius > 1e-9 else math.sqrt(mu) * time / radius
    for _ in range(_ITERATIONS):
        z = alpha * found**2
        c, s = stumpff_c(z), stumpff_s(z)
        lead = radius * radial / math.sqrt(mu)
        value = lead * found**2 * c + (1 - alpha * radius) * found**3 * s + radius * found
        slope = lead * found * (1 - z * s) + (1 - alpha * radius) * found**2 * c + radius
        change = (value - math.sqrt(mu) * time) / slope
        found -= change
        if abs(change) <= _CLOSE * abs(found):
            break
    return found


def propagated_position(mu: float, r: Vector, v: Vector, time: float) -> Vector:
    """Position (m) after `time` (s) of two-body motion, by the f and g functions."""
    chi, z = _chi_and_z(mu, r, v, time)
    f = 1 - chi**2 / norm(r) * stumpff_c(z)
    g = time - chi**3 * stumpff_s(z) / math.sqrt(mu)
    return f * r + g * v


def propagated_velocity(mu: float, r: Vector, v: Vector, time: float) -> Vector:
    """Velocity (m/s) after `time` (s) of two-body motion, by the f and g functions."""
    chi, z = _chi_and_z(mu, r, v, time)
    distance = norm(propagated_position(mu, r, v, time))
    f_rate = math.sqrt(mu) / (distance * norm(r)) * chi * (z * stumpff_s(z) - 1)
    g_rate = 1 - chi**2 / distance * stumpff_c(z)
    return np.asarray(f_rate * r + g_rate * v)


def _chi_and_z(mu: float, r: Vector, v: Vector, time: float) -> tuple[float, float]:
    chi = universal_anomaly(mu, r, v, time)
    return chi, (2 / norm(r) - dot(v, v) / mu) * chi**2


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
    from scipy.optimize import brentq

    first, second, theta = norm(r1), norm(r2), transfer_angle(r1, r2)
    a = math.sin(theta) * math.sqrt(first * second / (1 - math.cos(theta)))

    def y(z: float) -> float:
        return first + second + a * (z * stumpff_s(z) - 1) / math.sqrt(stumpff_c(z))

    def flight_time(z: float) -> float:
        if y(z) < 0:
            return 0.0
        chi = math.sqrt(y(z) / stumpff_c(z))
        return (chi**3 * stumpff_s(z) + a * math.sqrt(y(z))) / math.sqrt(mu)

    latest = 4 * math.pi**2 * (1 - 1e-6)  # a complete revolution takes infinitely long
    found = y(brentq(lambda z: flight_time(z) - time, -100.0, latest, xtol=1e-14, rtol=1e-14))
    return 1 - found / first, a * math.sqrt(found / mu), 1 - found / second
