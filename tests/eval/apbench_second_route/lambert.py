import numpy as np
from scipy.optimize import brentq

from tests.eval.apbench_second_route.motion import circular, shoot, sweep_time


def minimum_energy(g):
    first = np.array([g.r_1, 0.0])
    second = g.r_2 * np.array([np.cos(g.theta), np.sin(g.theta)])
    chord = np.linalg.norm(second - first)
    a = brentq(lambda a: (2 * a - g.r_1) + (2 * a - g.r_2) - chord, g.r_1 / 2, g.r_1 + g.r_2)
    empty = first + (2 * a - g.r_1) * (second - first) / chord  # the other focus is on the chord
    e = np.linalg.norm(empty) / (2 * a)
    nu = -np.arctan2(-empty[1], -empty[0])

    def mismatch(nu_1):
        return g.r_1 * (1 + np.cos(nu_1)) - g.r_2 * (1 + np.cos(nu_1 + g.theta))

    nu_1 = brentq(mismatch, -np.pi, np.pi - g.theta)
    p = g.r_1 * (1 + np.cos(nu_1))
    return {
        "c": chord,
        "s": (g.r_1 + g.r_2 + chord) / 2,
        "a_min": a,
        "t_min": sweep_time(g.mu_Earth, a * (1 - e**2), e, nu, nu + g.theta),
        "t_par": sweep_time(g.mu_Earth, p, 1, nu_1, nu_1 + g.theta),
    }


def two_fixes(g):
    v_1, v_2 = shoot(g.mu_Earth, g.r_1, g.r_2, g.dt)
    cosine = g.r_1 @ g.r_2 / np.linalg.norm(g.r_1) / np.linalg.norm(g.r_2)
    return {
        "theta": np.arccos(cosine),
        "v_1": v_1,
        "v_2": v_2,
        "a": -g.mu_Earth / (v_2 @ v_2 - 2 * g.mu_Earth / np.linalg.norm(g.r_2)),
    }


def _at(radius, angle):
    return radius * np.array([np.cos(angle), np.sin(angle), 0])


def _relative(mu, v, radius, angle):
    return np.linalg.norm(v - circular(mu, radius) * np.array([-np.sin(angle), np.cos(angle), 0]))


def _flat_shoot(mu, r1, r2, time):
    """Shooting works in three dimensions; a plane needs its pole named."""
    tilt = np.array([[1, 0, 0], [0, np.cos(0.3), -np.sin(0.3)], [0, np.sin(0.3), np.cos(0.3)]])
    first, second = shoot(mu, tilt @ r1, tilt @ r2, time)
    return tilt.T @ first, tilt.T @ second


def planet_to_planet(g):
    target = _at(g.a_Mars, g.theta)
    v_1, v_2 = _flat_shoot(g.mu_Sun, _at(g.a_Earth, 0), target, g.dt)
    leave = _relative(g.mu_Sun, v_1, g.a_Earth, 0)
    turned = circular(g.mu_Sun, g.a_Mars) / g.a_Mars * g.dt
    return {
        "x_2": target[0],
        "y_2": target[1],
        "v_1x": v_1[0],
        "v_1y": v_1[1],
        "v_inf_1": leave,
        "C_3": leave**2,
        "v_inf_2": _relative(g.mu_Sun, v_2, g.a_Mars, g.theta),
        "lead": g.theta - turned,
    }


def intercept(g):
    near, far = g.R_Earth + g.h_1, g.R_Earth + g.h_2
    theta = g.lead + circular(g.mu_Earth, far) / far * g.dt
    v_1, v_2 = _flat_shoot(g.mu_Earth, _at(near, 0), _at(far, theta), g.dt)
    return {
        "theta": theta,
        "v_1x": v_1[0],
        "v_1y": v_1[1],
        "dv_1": _relative(g.mu_Earth, v_1, near, 0),
        "dv_2": _relative(g.mu_Earth, v_2, far, theta),
    }
