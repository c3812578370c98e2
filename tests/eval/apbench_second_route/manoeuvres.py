import numpy as np
from scipy.integrate import quad, solve_ivp
from scipy.optimize import brentq
from scipy.spatial.transform import Rotation

from tests.eval.apbench_second_route.motion import apse_speeds, axis_for_period, circular, half_period, solve


def burnt(mass, speed_change, exhaust):
    """Propellant of a burn, from dm/dv = −m/c."""
    burn = solve_ivp(lambda _, m: -m / exhaust, (0, speed_change), [mass], rtol=1e-10)
    return mass - burn.y[0, -1]


def hohmann_raise(g):
    near, far = g.R_Earth + g.h_1, g.R_Earth + g.h_2
    v_p, v_a = apse_speeds(g.mu_Earth, near, far)
    first, second = v_p - circular(g.mu_Earth, near), circular(g.mu_Earth, far) - v_a
    time = half_period(g.mu_Earth, near, far)
    return {
        "dv_1": first,
        "dv_2": second,
        "t_transfer": time,
        "propellant": burnt(g.m_0, first + second, g.Isp * g.g_0),
        "lead": np.pi - circular(g.mu_Earth, far) / far * time,
    }


def bi_elliptic(g):
    mu, near, far, top = g.mu_Earth, g.r_1, g.r_1 * g.ratio, g.r_1 * g.far
    v_p, v_a = apse_speeds(mu, near, far)
    up, up_top = apse_speeds(mu, near, top)
    down, down_top = apse_speeds(mu, far, top)
    two = v_p - circular(mu, near) + circular(mu, far) - v_a
    three = up - circular(mu, near) + down_top - up_top + down - circular(mu, far)
    return {
        "dv_hohmann": two,
        "dv_bi": three,
        "choice": "the Hohmann transfer" if two <= three else "the bi-elliptic transfer",
        "t_bi": half_period(mu, near, top) + half_period(mu, far, top),
    }


def combined_plane_change(g):
    near, far = g.R_Earth + g.h_1, axis_for_period(g.mu_Earth, g.day)
    v_p, v_a = apse_speeds(g.mu_Earth, near, far)
    equatorial = circular(g.mu_Earth, far) * np.array([0, 1, 0])
    tilt = Rotation.from_euler("x", g.i)
    once = np.linalg.norm(equatorial - tilt.apply([0, v_a, 0]))
    twice = circular(g.mu_Earth, far) - v_a + np.linalg.norm(equatorial - tilt.apply(equatorial))
    return {"r_2": far, "v_p": v_p, "v_a": v_a, "dv_apogee": once, "penalty": twice - once}


def phasing(g):
    meets = brentq(lambda t: g.shift + 2 * np.pi * t / g.day - 2 * np.pi * g.k, 0, g.day * (g.k + 1))
    ring, a = axis_for_period(g.mu_Earth, g.day), axis_for_period(g.mu_Earth, meets / g.k)
    other = 2 * a - ring
    speeds = apse_speeds(g.mu_Earth, min(ring, other), max(ring, other))
    leap = speeds[int(ring > other)] - circular(g.mu_Earth, ring)
    return {
        "T_phase": meets / g.k,
        "a_phase": a,
        "r": ring,
        "dv": 2 * abs(leap),
        "choice": "along the motion" if leap > 0 else "against the motion",
    }


def spiral(g):
    low, high = g.R_Earth + g.h_1, g.R_Earth + g.h_2
    flat, _ = quad(lambda a: np.sqrt(g.mu_Earth / a) / (2 * a), low, high)
    v_1, v_2 = circular(g.mu_Earth, low), circular(g.mu_Earth, high)

    def ends(steered):
        """Speed and inclination after a spiral with V sin(yaw) constant, the optimum of circle to circle."""
        yaw, spent = steered[0], steered[1] * v_1
        kept = v_1 * np.sin(yaw)

        def rates(s, state):
            forward = v_1 * np.cos(yaw) - s
            return [-forward / np.hypot(forward, kept), 2 / np.pi * kept / np.hypot(forward, kept) / state[0]]

        flown = solve_ivp(rates, (0, spent), [v_1, 0], rtol=1e-10, atol=1e-10)
        return [flown.y[0, -1] / v_2 - 1, flown.y[1, -1] - g.di]

    _, spent = solve(ends, np.array([0.5, 0.8])) * [1, v_1]
    used = burnt(g.m_0, spent, g.Isp * g.g_0)
    return {
        "dv_flat": flat,
        "dv": spent,
        "propellant": used,
        "duration": used / (g.thrust / (g.Isp * g.g_0)),
    }


def crossing_ellipses(g):
    def radius(p, e, nu):
        return p / (1 + e * np.cos(nu))

    def gap(nu):
        return radius(g.p_1, g.e_1, nu) - radius(g.p_2, g.e_2, nu)

    grid = np.linspace(0.001, np.pi - 0.001, 2000)
    at = next(k for k in range(1999) if gap(grid[k]) * gap(grid[k + 1]) < 0)
    nu = brentq(gap, grid[at], grid[at + 1], xtol=1e-13)
    velocities = []
    for p, e in ((g.p_1, g.e_1), (g.p_2, g.e_2)):
        slope = (radius(p, e, nu + 1e-5) - radius(p, e, nu - 1e-5)) / 2e-5
        turning = np.sqrt(g.mu_Earth * p) / radius(p, e, nu) ** 2
        velocities.append(turning * np.array([slope, radius(p, e, nu)]))
    first, second = velocities
    return {
        "nu": nu,
        "r": radius(g.p_2, g.e_2, nu),
        "gamma_1": np.arctan2(*first),
        "gamma_2": np.arctan2(*second),
        "dv": np.linalg.norm(second - first),
    }
