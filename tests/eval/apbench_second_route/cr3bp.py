"""Points as roots of polynomials, the constant from inertial energy and momentum, motion from eigenvalues."""

import numpy as np
from scipy.optimize import brentq

from tests.eval.apbench_second_route.motion import solve


def distance(mu, which):
    """From the smaller body (L1, L2) or the larger (L3): the root of Euler's quintic."""
    if which == 3:
        terms = [1, 2 + mu, 1 + 2 * mu, -(1 - mu), -2 * (1 - mu), -(1 - mu)]
    else:
        sign = 1 if which == 2 else -1
        terms = [1, sign * (3 - mu), 3 - 2 * mu, -mu, -sign * 2 * mu, -mu]
    found = [root.real for root in np.roots(terms) if abs(root.imag) < 1e-9 and root.real > 0]
    assert len(found) == 1
    return found[0]


def jacobi_from_inertial(mu, position, velocity):
    """C = 2 (h − E) of the motion seen without rotation."""
    inertial = velocity + np.cross([0, 0, 1], position)
    away = [np.linalg.norm(position - [-mu, 0, 0]), np.linalg.norm(position - [1 - mu, 0, 0])]
    energy = inertial @ inertial / 2 - (1 - mu) / away[0] - mu / away[1]
    return 2 * (np.cross(position, inertial)[2] - energy)


def acceleration(mu, position):
    first, second = position - [-mu, 0, 0], position - [1 - mu, 0, 0]
    pull = -(1 - mu) * first / np.linalg.norm(first) ** 3 - mu * second / np.linalg.norm(second) ** 3
    return pull + position * [1, 1, 0]


def modes(mu, position, step):
    """Eigenvalues of motion near a point, by differences of the acceleration."""
    slopes = np.column_stack(
        [
            (acceleration(mu, position + d) - acceleration(mu, position - d)) / (2 * step)
            for d in step * np.eye(3)
        ]
    )
    coriolis = np.array([[0, 2, 0], [-2, 0, 0], [0, 0, 0]])
    return np.linalg.eigvals(np.block([[np.zeros((3, 3)), np.eye(3)], [slopes, coriolis]]))


def earth_moon_points(g):
    mu = 1 / (1 + g.mu_Earth / (g.share * g.mu_Moon))
    d_1, d_2 = distance(mu, 1), distance(mu, 2)
    pulled = acceleration(mu, np.array([1 - mu - d_1 + g.kick / g.a_Moon, 0, 0]))[0]
    return {
        "mu": mu,
        "x_1": 1 - mu - d_1,
        "x_2": 1 - mu + d_2,
        "d_1": d_1 * g.a_Moon,
        "d_2": d_2 * g.a_Moon,
        "x_3": -mu - distance(mu, 3),
        "choice": "towards the companion" if pulled > 0 else "back towards L1",
    }


def jacobi(g):
    mu = 1 / (1 + g.mu_Earth / g.mu_Moon)
    c = jacobi_from_inertial(mu, np.array([g.x, g.y, 0]), np.array([g.vx, g.vy, 0]))
    point = np.array([1 - mu - distance(mu, 1), 0, 0])
    there = np.array([0.6, 0, 0])
    speed = brentq(lambda v: jacobi_from_inertial(mu, there, np.array([v, 0, 0])) - c, 0, 5)
    saddle = jacobi_from_inertial(mu, point, np.zeros(3))
    speed_there_squared = saddle - c  # at L1, where a body at rest has the saddle's constant
    neck = "yes, the neck is open" if speed_there_squared > 0 else "no, the neck is closed"
    return {"mu": mu, "C": c, "C_1": saddle, "v": speed, "choice": neck}


def triangular(g):
    mu = 1 / (1 + g.mu_Sun / (g.share * g.mu_Jupiter))
    x, y = solve(lambda p: acceleration(mu, np.array([*p, 0]))[:2], np.array([0.45, 0.9]))
    plane = sorted({round(abs(value.imag), 6) for value in modes(mu, np.array([x, y, 0]), 1e-4)})
    planet = 2 * np.pi * g.a_Jupiter / np.sqrt((g.mu_Sun + g.share * g.mu_Jupiter) / g.a_Jupiter)

    def grows(ratio):
        at = np.array([0.5 - ratio, np.sqrt(0.75), 0])
        return 1.0 if max(modes(ratio, at, 1e-4).real) > 1e-3 else -1.0

    return {
        "mu": mu,
        "x_4": x,
        "y_4": y,
        "w_long": plane[0],
        "w_short": plane[1],  # the third is one: motion across the plane
        "T_long": planet / plane[0],
        "mu_limit": brentq(grows, 0.01, 0.1, xtol=1e-6),
    }


def sun_earth_l2(g):
    small, total = g.mu_Earth + g.mu_Moon, g.mu_Sun + g.mu_Earth + g.mu_Moon
    mu, n = small / total, np.sqrt(total / g.AU) / g.AU
    gamma = distance(mu, 2)
    found = modes(mu, np.array([1 - mu + gamma, 0, 0]), gamma * 1e-4)
    growth = max(found.real) * n
    across = _across(mu, gamma)
    return {
        "mu": mu,
        "n": n,
        "d_2": gamma * g.AU,
        "T_z": 2 * np.pi / (n * across),
        "v_z": g.amp * n * across,
        "unstable": growth,
        "final": g.drift * np.exp(growth * g.days),
    }


def _across(mu, gamma):
    """Frequency along z: the pull back to the plane at a small height."""
    height = gamma * 1e-4
    return np.sqrt(-acceleration(mu, np.array([1 - mu + gamma, 0, height]))[2] / height)
