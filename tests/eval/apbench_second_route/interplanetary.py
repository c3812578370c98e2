import numpy as np
from scipy.optimize import brentq
from scipy.spatial.transform import Rotation

from tests.eval.apbench_second_route.motion import (
    apse_speeds,
    axis_for_period,
    circular,
    fall_speed,
    half_period,
    outbound,
)


def to_a_planet(g):
    v_p, _ = apse_speeds(g.mu_Sun, g.a_1, g.a_2)
    time = half_period(g.mu_Sun, g.a_1, g.a_2)
    rates = [circular(g.mu_Sun, a) / a for a in (g.a_1, g.a_2)]
    v_inf = v_p - circular(g.mu_Sun, g.a_1)
    parking = g.R_Earth + g.h
    return {
        "t_transfer": time,
        "v_inf": v_inf,
        "dv": fall_speed(g.mu_Earth, parking, v_inf) - circular(g.mu_Earth, parking),
        "lead": np.pi - rates[1] * time,
        "synodic": brentq(lambda t: (rates[0] - rates[1]) * t - 2 * np.pi, 1e6, 1e9),
    }


def gravity_assist(g):
    v_J = circular(g.mu_Sun, g.a_Jupiter)
    before = complex(g.v_r, g.v_t - v_J)
    limit, _ = outbound(g.mu_Jupiter, g.k * g.R_Jupiter, abs(before))
    turn = 2 * limit - np.pi
    after = before * np.exp(1j * turn) + 1j * v_J
    return {
        "v_J": v_J,
        "v_inf": abs(before),
        "turn": turn,
        "v_x": after.real,
        "v_y": after.imag,
        "gain": abs(after) - abs(complex(g.v_r, g.v_t)),
    }


def b_plane(g):
    turn = Rotation.from_euler("ZY", [g.ra, -g.dec])
    s, t = turn.apply([1, 0, 0]), turn.apply([0, -1, 0])
    r = turn.apply([0, 0, -1])
    _, aim = outbound(g.mu_Mars, g.R_Mars + g.h_p, g.v_inf)
    return {
        "S": s,
        "T_x": t[0],
        "T_y": t[1],
        "R": r,
        "B": aim,
        "BT": aim * np.cos(g.theta),
        "BR": aim * np.sin(g.theta),
        "i": np.arccos(np.cos(g.theta) * np.cos(g.dec)),
    }


def capture(g):
    near = g.R_Mars + g.h_p

    def disturbance(r):
        """Of the two ways to see the motion, the ratio of the disturbing to the main attraction, compared."""
        by_sun = (g.mu_Sun * r / g.a_Mars**3) / (g.mu_Mars / r**2)
        by_planet = (g.mu_Mars / r**2) / (g.mu_Sun / g.a_Mars**2)
        return by_sun / by_planet - 1

    a = axis_for_period(g.mu_Mars, g.T)
    arrival = fall_speed(g.mu_Mars, near, g.v_inf)
    top, _ = apse_speeds(g.mu_Mars, near, 2 * a - near)
    return {
        "soi": brentq(disturbance, 1e7, 1e10),
        "v_hyp": arrival,
        "e": (a - near) / a,
        "dv": arrival - top,
        "more": top - circular(g.mu_Mars, near),
    }
