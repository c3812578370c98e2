import numpy as np
from scipy.optimize import brentq

from tests.eval.apbench_second_route.motion import (
    apse_speeds,
    axis_for_period,
    circular,
    extremes,
    fall_speed,
    fly,
    fly_until,
    half_period,
    outbound,
    sweep_time,
)


def parking_orbit(g):
    near, far = g.R_Earth + g.h_p, g.R_Earth + g.h_a
    v_p, v_a = apse_speeds(g.mu_Earth, near, far)
    period = 2 * half_period(g.mu_Earth, near, far)
    start = np.array([near, 0, 0]), np.array([0, v_p, 0])
    _, r, v = fly_until(g.mu_Earth, *start, lambda x, _: np.arctan2(x[1], x[0]) - g.nu, period / 2)
    return {
        "a": -g.mu_Earth / (v_p**2 - 2 * g.mu_Earth / near),
        "e": near * v_p**2 / g.mu_Earth - 1,
        "T": period,
        "v_p": v_p,
        "v_a": v_a,
        "r": np.linalg.norm(r),
        "v": np.linalg.norm(v),
        "gamma": np.arcsin(r @ v / np.linalg.norm(r) / np.linalg.norm(v)),
    }


def state_energy(g):
    roots = extremes(g.mu_Earth, g.r, g.v)
    near = min(root for root in roots if root > 0)
    other = sum(roots) - near  # negative on a hyperbola
    p = 2 * near * other / (near + other)
    _, later = fly(g.mu_Earth, g.r, g.v, 900.0)
    where, _ = fly(g.mu_Earth, g.r, g.v, 600.0)
    pole = np.linalg.svd(np.array([g.r, where, later]))[2][2]
    pole *= np.sign(pole @ np.cross(g.r, where))
    return {
        "energy": -g.mu_Earth / (near + other),
        "h": pole * np.sqrt(g.mu_Earth * p),
        "e": (other - near) / (other + near),
        "p": p,
        "h_p": near - g.R_Earth,
        "choice": "an ellipse" if other > 0 else "a hyperbola",
    }


def escape(g):
    r = g.R_Earth + g.h
    v_c, v_esc = circular(g.mu_Earth, r), fall_speed(g.mu_Earth, r)
    v_inf = np.sqrt(g.C_3)
    return {
        "v_c": v_c,
        "dv_esc": v_esc - v_c,
        "v_inf": v_inf,
        "dv": fall_speed(g.mu_Earth, r, v_inf) - v_c,
        "dv_split": v_esc - v_c + v_inf,
    }


def hyperbolic_pass(g):
    near = g.R_Venus + g.h_p
    limit, aim = outbound(g.mu_Venus, near, g.v_inf)
    speed = fall_speed(g.mu_Venus, near, g.v_inf)
    start = np.array([near, 0, 0]), np.array([0, speed, 0])
    _, _, v = fly_until(g.mu_Venus, *start, lambda x, _: np.arctan2(x[1], x[0]) - g.nu, 1e6)
    return {
        "e": -1 / np.cos(limit),
        "a_size": near / (-1 / np.cos(limit) - 1),
        "turn": 2 * limit - np.pi,
        "B": aim,
        "v_p": speed,
        "v": np.linalg.norm(v),
    }


def two_sightings(g):
    lines = np.array([[g.r_1 * np.cos(g.nu_1), -1], [g.r_2 * np.cos(g.nu_2), -1]])
    e, p = np.linalg.solve(lines, [-g.r_1, -g.r_2])

    def radius(nu):
        return p / (1 + e * np.cos(nu))

    slope = (radius(g.nu_2 + 1e-5) - radius(g.nu_2 - 1e-5)) / 2e-5
    return {
        "e": e,
        "p": p,
        "a": (radius(0) + radius(np.pi)) / 2,
        "v_r": slope * np.sqrt(g.mu_Earth * p) / g.r_2**2,
        "dt": sweep_time(g.mu_Earth, p, e, g.nu_1, g.nu_2),
    }


def synchronous_orbit(g):
    r = axis_for_period(g.mu_Mars, g.day)

    def line_of_sight(latitude):
        up = np.array([np.cos(latitude), np.sin(latitude)])
        return up, np.array([r, 0]) - g.R_Mars * up

    def elevation(latitude):
        up, line = line_of_sight(latitude)
        return np.arcsin(up @ line / np.linalg.norm(line))

    latitude = brentq(lambda x: elevation(x) - g.eps, 0.1, 1.55)
    dark = brentq(lambda x: r * np.sin(x) - g.R_Mars, 0, 1)
    return {
        "r": r,
        "v": circular(g.mu_Mars, r),
        "latitude": latitude,
        "slant": np.linalg.norm(line_of_sight(latitude)[1]),
        "shadow": 2 * dark * r / circular(g.mu_Mars, r),
    }
