import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from tests.eval.apbench_second_route.motion import (
    apse_speeds,
    axis_for_period,
    circular,
    extremes,
    fall_speed,
    fly,
    fly_until,
    sweep_time,
)


def kepler_forward(g):
    near, far = g.a * (1 - g.e), g.a * (1 + g.e)
    speed, _ = apse_speeds(g.mu_Earth, near, far)
    r, v = fly(g.mu_Earth, np.array([near, 0, 0]), np.array([0, speed, 0]), g.t)
    eccentric = np.arctan2(r[1] / np.sqrt(1 - g.e**2), r[0] + g.a * g.e) % (2 * np.pi)
    return {
        "M": eccentric - g.e * np.sin(eccentric),
        "E": eccentric,
        "nu": np.arctan2(r[1], r[0]) % (2 * np.pi),
        "r": np.linalg.norm(r),
        "r_rate": r @ v / np.linalg.norm(r),
    }


def between_anomalies(g):
    a = axis_for_period(g.mu_Earth, g.T)
    p = a * (1 - g.e**2)
    service = sweep_time(g.mu_Earth, p, g.e, g.nu_1, 2 * np.pi - g.nu_1)
    count = 1
    while count * service < g.T:
        count += 1
    radius = p / (1 + g.e * np.cos(g.nu_1))
    return {"a": a, "E_1": np.arccos((1 - radius / a) / g.e), "service": service, "count": count}


def hyperbolic_leg(g):
    near = g.R_Earth + g.h_p
    speed = fall_speed(g.mu_Earth, near, g.v_inf)
    e, p = near * speed**2 / g.mu_Earth - 1, (near * speed) ** 2 / g.mu_Earth
    a = g.mu_Earth / g.v_inf**2
    radius = p / (1 + e * np.cos(g.nu))
    start = np.array([near, 0, 0]), np.array([0, speed, 0])
    t_2, _, _ = fly_until(g.mu_Earth, *start, lambda x, _: np.linalg.norm(x) / g.r_out - 1, 3e6)
    return {
        "e": e,
        "F_1": brentq(lambda f: a * (e * np.cosh(f) - 1) - radius, 0, 5),
        "t_1": sweep_time(g.mu_Earth, p, e, 0, g.nu),
        "t_2": t_2,
        "nu_limit": brentq(lambda nu: 1 + e * np.cos(nu), np.pi / 2, np.pi),
    }


def universal(g):
    low, high = extremes(g.mu_Earth, g.r_0, g.v_0)
    r, v = fly(g.mu_Earth, g.r_0, g.v_0, g.dt)

    def rates(_, state):
        distance = np.linalg.norm(state[:3])
        return [*state[3:6], *(-g.mu_Earth * state[:3] / distance**3), np.sqrt(g.mu_Earth) / distance]

    flown = solve_ivp(rates, (0, g.dt), [*g.r_0, *g.v_0, 0], "DOP853", rtol=1e-10)
    return {"alpha": 2 / (low + high), "chi": flown.y[6, -1], "r": r, "v": v}


def parabolic_comet(g):
    speed = fall_speed(g.mu_Sun, g.q)
    r, v = fly(g.mu_Sun, np.array([g.q, 0, 0]), np.array([0, speed, 0]), g.t)
    return {
        "v_q": speed,
        "nu": np.arctan2(r[1], r[0]),
        "r": np.linalg.norm(r),
        "v": np.linalg.norm(v),
        "inside": 2 * sweep_time(g.mu_Sun, 2 * g.q, 1, 0, np.pi / 2),
    }


def eclipse(g):
    r = g.R_Earth + g.h
    sun = np.array([np.cos(g.beta), 0, np.sin(g.beta)])

    def beyond_shadow(from_middle):
        place = -r * np.array([np.cos(from_middle), np.sin(from_middle), 0])
        return np.linalg.norm(np.cross(place, sun)) - g.R_Earth

    period = 2 * np.pi * r / circular(g.mu_Earth, r)
    dark = period * brentq(beyond_shadow, 0, np.pi / 2) / np.pi
    return {
        "T": period,
        "beta_limit": brentq(lambda beta: r * np.sin(beta) - g.R_Earth, 0, np.pi / 2),
        "eclipse": dark,
        "energy": g.power * dark,
    }
