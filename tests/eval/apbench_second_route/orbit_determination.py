import numpy as np
from scipy.optimize import brentq
from scipy.spatial.transform import Rotation

from tests.eval.apbench_second_route.motion import circular, extremes, fly, solve


def _turned_up(pole):
    """Inclination and node of the plane with this pole."""
    return np.arctan2(np.hypot(pole[0], pole[1]), pole[2]), np.arctan2(pole[0], -pole[1]) % (2 * np.pi)


def gibbs(g):
    """The conic r = p − e·r through three points of a plane is linear in p and e."""
    points = np.array([g.r_1, g.r_2, g.r_3])
    pole = np.linalg.svd(points)[2][2]
    pole *= np.sign(pole @ np.cross(g.r_1, g.r_2))
    first = g.r_1 / np.linalg.norm(g.r_1)
    second = np.cross(pole, first)
    lines = np.column_stack([points @ first, points @ second, -np.ones(3)])
    x, y, p = np.linalg.solve(lines, -np.linalg.norm(points, axis=1))
    e = x * first + y * second
    v_2 = np.sqrt(g.mu_Earth / p) * np.cross(pole, e + g.r_2 / np.linalg.norm(g.r_2))
    inclination, node = _turned_up(pole)
    cosines = [a @ b / np.linalg.norm(a) / np.linalg.norm(b) for a, b in ((g.r_1, g.r_2), (g.r_2, g.r_3))]
    return {
        "theta_12": np.arccos(cosines[0]),
        "theta_23": np.arccos(cosines[1]),
        "v_2": v_2,
        "a": p / (1 - e @ e),
        "e": np.linalg.norm(e),
        "i": inclination,
        "Omega": node,
    }


def herrick_gibbs(g):
    """The mean of the two-body paths from the second position to the third and back to the first, by shooting."""
    length = np.linalg.norm(g.r_2)
    speed = np.sqrt(g.mu_Earth / length)
    guess = (g.r_3 - g.r_1) / (g.before + g.after)

    def through(time, place):
        return solve(lambda v: (fly(g.mu_Earth, g.r_2, v * speed, time)[0] - place) / length, guess / speed)

    v_2 = (through(g.after, g.r_3) + through(-g.before, g.r_1)) / 2 * speed
    low, high = extremes(g.mu_Earth, g.r_2, v_2)
    level = np.linalg.norm(np.cross(g.r_2, v_2)) / length
    radial = np.sqrt(v_2 @ v_2 - level**2) * np.sign(g.r_2 @ v_2)
    return {
        "v_2": v_2,
        "v_r": radial,
        "gamma": np.arctan2(radial, level),
        "a": (low + high) / 2,
        "i": _turned_up(np.cross(g.r_2, v_2))[0],
    }


def radar_site(g):
    def east_north_up(t):
        rho, az, el = g.rho + g.rho_rate * t, g.az + g.az_rate * t, g.el + g.el_rate * t
        return Rotation.from_euler("ZX", [-az, el]).apply([0, rho, 0])  # north, turned to the east and up

    def inertial(t):
        horizon = Rotation.from_euler("ZY", [g.lst + g.omega_Earth * t, -g.lat])  # x is up, y east, z north
        east, north, up = east_north_up(t)
        return horizon.apply([g.R_Earth + up, east, north])

    step = 0.01
    return {
        "enu": east_north_up(0),
        "enu_rate": (east_north_up(step) - east_north_up(-step)) / (2 * step),
        "r": inertial(0),
        "v": (inertial(step) - inertial(-step)) / (2 * step),
    }


def light_time(g):
    tau = brentq(lambda t: g.c_light * t - g.d, 0, 1e6)
    beta = g.v_away / g.c_light
    shift = np.sqrt((1 - beta) / (1 + beta)) - 1  # exact, of which the answers are the first order
    twice = (1 - beta) / (1 + beta) - 1
    return {
        "tau": tau,
        "growth": g.v_away * tau,
        "shift_1": g.f * shift,
        "shift_2": g.f_up * g.ratio * twice,
        "arc": np.arctan2(g.v_across * tau, g.d),
    }


def range_fit(g):
    times = g.dt * np.arange(4)
    ranges = np.array([g.rho_1, g.rho_2, g.rho_3, g.rho_4])
    (rate, start), spread = np.polyfit(times, ranges, 1, cov="unscaled")
    return {
        "rate": rate,
        "ahead": np.polyval([rate, start], 4 * g.dt),
        "rms": np.sqrt(np.mean((ranges - start - rate * times) ** 2)),
        "sigma_rate": g.sigma * np.sqrt(spread[0, 0]),
        "sigma_ahead": g.sigma * np.sqrt([4 * g.dt, 1] @ spread @ [4 * g.dt, 1]),
    }


def ground_track(g):
    a = g.R_Earth + g.h
    speed = circular(g.mu_Earth, a)
    start = np.array([a, 0, 0]), speed * np.array([0, np.cos(g.i), np.sin(g.i)])
    r, _ = fly(g.mu_Earth, *start, g.t)
    fixed = Rotation.from_euler("z", g.lon_0 - g.omega_Earth * g.t).apply(r)
    period = 2 * np.pi * a / speed
    node = Rotation.from_euler("z", g.lon_0 - g.omega_Earth * period).apply([1, 0, 0])
    return {
        "n": speed / a,
        "u": np.arccos(r[0] / a),
        "latitude": np.arctan2(fixed[2], np.hypot(fixed[0], fixed[1])),
        "longitude": np.arctan2(fixed[1], fixed[0]),
        "next_node": np.arctan2(node[1], node[0]) % (2 * np.pi),
    }
