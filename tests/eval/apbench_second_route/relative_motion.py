"""Relative motion by integration of its differential equations, targets by shooting."""

import numpy as np
from scipy.integrate import solve_ivp

from tests.eval.apbench_second_route.motion import circular


def mean_motion(g):
    return circular(g.mu_Earth, g.R_Earth + g.h) / (g.R_Earth + g.h)


def moved(n, r, v, time):
    def rates(_, s):
        return [*s[3:], 3 * n**2 * s[0] + 2 * n * s[4], -2 * n * s[3], -(n**2) * s[2]]

    state = solve_ivp(rates, (0, time), [*r, *v], "DOP853", rtol=1e-11, atol=1e-9).y[:, -1]
    return state[:3], state[3:]


def velocity_to(n, r, target, time):
    free = moved(n, r, np.zeros(3), time)[0]
    effect = np.column_stack([moved(n, r, kick, time)[0] - free for kick in np.eye(3)])
    return np.linalg.solve(effect, target - free)


def drift_and_return(g):
    n = mean_motion(g)
    r, v = moved(n, g.r_0, g.v_0, g.t)
    period = 2 * np.pi / n

    def drift(vy):
        return moved(n, g.r_0, [g.v_0[0], vy, g.v_0[2]], period)[0][1] - g.r_0[1]

    slope = (drift(1.0) - drift(0.0)) / 1.0
    return {"n": n, "r": r, "v": v, "drift": drift(g.v_0[1]), "v_closed": -drift(0.0) / slope}


def rendezvous(g):
    n = mean_motion(g)
    first = velocity_to(n, g.r_0, np.zeros(3), g.t)
    return {
        "v_1": first,
        "dv_1": np.linalg.norm(first - g.v_0),
        "dv_2": np.linalg.norm(moved(n, g.r_0, first, g.t)[1]),
        "r_half": moved(n, g.r_0, first, g.t / 2)[0],
    }


def v_bar_hop(g):
    n = mean_motion(g)
    period = 2 * np.pi / n
    start = np.array([0, -g.L, 0])
    tangential = g.L / (moved(n, start, [0, 1, 0], period)[0][1] + g.L)
    radial = g.L / (moved(n, start, [1, 0, 0], period / 2)[0][1] + g.L)
    return {
        "dv_t": tangential,
        "x_t": moved(n, start, [0, tangential, 0], period / 2)[0][0],
        "dv_r": radial,
        "ratio": radial / tangential,
    }


def safety_ellipse(g):
    n = mean_motion(g)
    start = np.array([g.b, 0, 0])
    effect = moved(n, start, [0, 1, 0], 2 * np.pi / n)[0][1] - moved(n, start, [0, 0, 0], 2 * np.pi / n)[0][1]
    closing = -moved(n, start, [0, 0, 0], 2 * np.pi / n)[0][1] / effect
    r, v = moved(n, start, [0, closing, 0], g.t)
    tilted, _ = moved(n, [g.b, 0, g.tilt], [0, closing, 0], g.t)
    quarter, _ = moved(n, start, [0, closing, 0], np.pi / (2 * n))
    return {
        "half_y": abs(quarter[1]),
        "v_y0": closing,
        "x": r[0],
        "y": r[1],
        "speed": np.linalg.norm(v),
        "distance": np.linalg.norm(tilted),
    }
