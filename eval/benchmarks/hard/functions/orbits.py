"""Two-body times of flight and decay by drag."""

from __future__ import annotations

import math


def time_from_pericentre(mu: float, q: float, e: float, r: float) -> float:
    """Return the time between the pericentre at q and the distance r, on any conic.

    Vallado 2013, Fundamentals of Astrodynamics and Applications, section 2.2.
    """
    if abs(e - 1) < 1e-9:
        D = math.sqrt(r / q - 1)
        return math.sqrt(2 * q**3 / mu) * (D + D**3 / 3)
    a = q / (1 - e)
    if e < 1:
        E = math.acos((1 - r / a) / e)
        return math.sqrt(a**3 / mu) * (E - e * math.sin(E))
    H = math.acosh((1 - r / a) / e)
    return math.sqrt(-(a**3) / mu) * (e * math.sinh(H) - H)


def lambert_time(mu: float, r1: float, r2: float, angle: float, x: float) -> float:
    """Return the time of flight between two distances by Lancaster's parameter x, for less than a revolution.

    x = 1 is the parabola, below it are ellipses, above it hyperbolas; x = 0 is the ellipse of least energy.
    Lancaster and Blanchard 1969, NASA TN D-5368; Battin 1999, section 7.
    """
    chord = math.sqrt(r1**2 + r2**2 - 2 * r1 * r2 * math.cos(angle))
    s = (r1 + r2 + chord) / 2
    side = 1.0 if angle <= math.pi else -1.0
    if abs(x - 1) < 1e-6:
        return float(math.sqrt(2 / mu) / 3 * (s**1.5 - side * (s - chord) ** 1.5))
    a = s / 2 / (1 - x * x)
    if x < 1:
        alpha = 2 * math.acos(x)
        beta = side * 2 * math.asin(math.sqrt((s - chord) / (2 * a)))
        return math.sqrt(a**3 / mu) * (alpha - math.sin(alpha) - (beta - math.sin(beta)))
    alpha = 2 * math.acosh(x)
    beta = side * 2 * math.asinh(math.sqrt((s - chord) / (-2 * a)))
    return math.sqrt(-(a**3) / mu) * (math.sinh(alpha) - alpha - (math.sinh(beta) - beta))


def decay_integral(mu: float, r_low: float, r_high: float, H: float) -> float:
    """Return the integral of exp((r - r_high)/H)/sqrt(mu r) over r from r_low to r_high."""
    from scipy.integrate import quad

    found, _ = quad(lambda r: math.exp((r - r_high) / H) / math.sqrt(mu * r), r_low, r_high, epsrel=1e-10)
    return float(found)
