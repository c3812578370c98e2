"""What the worked solutions of the astrodynamics sets pass on their way: every step that is not an answer.

One function for each set that has any: from the stated givens `g` and the answers `k` of the second route, in SI
units and radians, to the values between them, by their names in the solution.
"""

import numpy as np
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.spatial.transform import Rotation

from tests.eval.apbench_second_route.motion import (
    apse_speeds,
    circular,
    fall_speed,
    fly,
    half_period,
    shoot,
    sweep_time,
)

TURN = 2 * np.pi


def above(g, name="h"):
    return g.R_Earth + getattr(g, name)


def _speed_on(mu, r, p, e):
    """The speed where an orbit passes r, from that at its pericentre and the work of the attraction."""
    near = p / (1 + e)
    fast = np.sqrt(mu * p) / near
    return np.sqrt(fast**2 - 2 * quad(lambda s: mu / s**2, near, r, epsabs=0)[0])


def escape(g, k):
    r = above(g)
    return {"r": r, "v_esc": fall_speed(g.mu_Earth, r), "v_0": fall_speed(g.mu_Earth, r, np.sqrt(g.C_3))}


def hyperbolic_pass(g, k):
    near = g.R_Venus + g.h_p
    time = sweep_time(g.mu_Venus, near * (1 + k.e), k.e, 0, g.nu)
    there, _ = fly(g.mu_Venus, [near, 0, 0], [0, k.v_p, 0], time)
    return {"r_p": near, "r": np.linalg.norm(there)}


def parking_orbit(g, k):
    near = above(g, "h_p")
    return {"r_p": near, "r_a": above(g, "h_a"), "p": (near * k.v_p) ** 2 / g.mu_Earth}


def state_energy(g, k):
    return {"r_p": g.R_Earth + k.h_p}


def synchronous_orbit(g, k):
    """The angle at the satellite, in the triangle of satellite, station and centre."""
    station = g.R_Mars * np.array([np.cos(k.latitude), np.sin(k.latitude)])
    sight = station - [k.r, 0]
    return {"eta": np.arccos(-sight[0] / np.linalg.norm(sight))}


def two_sightings(g, k):
    def anomaly(nu, r):
        return np.arctan2(r * np.sin(nu) / np.sqrt(1 - k.e**2), k.a * k.e + r * np.cos(nu))

    return {"E_1": anomaly(g.nu_1, g.r_1), "E_2": anomaly(g.nu_2, g.r_2)}


def elements_to_state(g, k):
    return {
        "p": g.a * (1 - g.e) * (1 + g.e),
        "r_pf": np.array([k.x_pf, k.y_pf, 0]),
        "v_pf": np.array([k.vx_pf, k.vy_pf, 0]),
    }


def launch_azimuth(g, k):
    speed = circular(g.mu_Earth, above(g))
    east = speed * np.cos(g.i) / np.cos(g.lat)
    return {"v_orbit": speed, "v_east": east - k.v_site, "v_north": np.sqrt(speed**2 - east**2)}


def look_angles(g, k):
    station = Rotation.from_euler("yz", [-g.lat, g.lon]).apply([g.R_Earth, 0, 0])
    return {"rho_fixed": g.r_sat - station}


def station_position(g, k):
    step = 1.0
    here = np.array([k.r_inertial_x, k.r_inertial_y, k.r_inertial_z])
    turned = [Rotation.from_euler("z", turn * g.omega_Earth * step).apply(here) for turn in (1, -1)]
    return {"v_inertial": (turned[0] - turned[1]) / (2 * step)}


def between_anomalies(g, k):
    """The mean anomaly is the share of the period since perigee, by the areal law."""
    swept = sweep_time(g.mu_Earth, k.a * (1 - g.e**2), g.e, 0, g.nu_1)
    return {"M_1": TURN * swept / g.T, "share": k.service / g.T}


def eclipse(g, k):
    return {"r": above(g), "half": np.pi * k.eclipse / k.T}


def hyperbolic_leg(g, k):
    """The size from the speed at the pericentre, and the anomaly that the distance belongs to by a root."""
    near = above(g, "h_p")
    size = near / (k.e - 1)
    return {
        "r_p": near,
        "a_size": size,
        "F_2": brentq(lambda f: size * (k.e * np.cosh(f) - 1) / g.r_out - 1, 0.01, 20),
    }


def kepler_forward(g, k):
    return {"n": np.pi / half_period(g.mu_Earth, g.a * (1 - g.e), g.a * (1 + g.e))}


def parabolic_comet(g, k):
    """Barker's variable at the semi-latus rectum, r = q (1 + D**2) = 2 q."""
    return {"D": brentq(lambda d: 1 + d**2 - 2, 0, 3)}


def _transfer(g, mu, first, second, angle):
    start = np.array([first, 0, 0])
    end = second * np.array([np.cos(angle), np.sin(angle), 0])
    leave, arrive = shoot(mu, start, end, g.dt)
    return {"r_1": start, "r_2": end, "v_1": leave, "v_2": arrive}


def intercept(g, k):
    low, high = above(g, "h_1"), above(g, "h_2")
    return {"r_c": low, "r_t": high} | _transfer(g, g.mu_Earth, low, high, k.theta)


def minimum_energy(g, k):
    return {"beta_min": brentq(lambda beta: 1 - np.cos(beta) - 2 * (k.s - k.c) / k.s, 0, np.pi)}


def planet_to_planet(g, k):
    speeds = {"v_Earth": circular(g.mu_Sun, g.a_Earth), "v_Mars": circular(g.mu_Sun, g.a_Mars)}
    return speeds | _transfer(g, g.mu_Sun, g.a_Earth, g.a_Mars, g.theta)


def bi_elliptic(g, k):
    mu, low, high, top = g.mu_Earth, g.r_1, g.r_1 * g.ratio, g.r_1 * g.far
    first, first_top = apse_speeds(mu, low, top)
    second, second_top = apse_speeds(mu, high, top)
    inner, outer = circular(mu, low), circular(mu, high)
    places = {"r_2": high, "r_b": top, "v_1": inner, "v_2": outer}
    return places | {"dv_a": first - inner, "dv_b": second_top - first_top, "dv_c": second - outer}


def combined_plane_change(g, k):
    high = circular(g.mu_Earth, k.r_2)
    turned = Rotation.from_euler("x", g.i).apply([0, high, 0])
    two = high - k.v_a + np.linalg.norm(turned - [0, high, 0])
    return {"r_1": above(g, "h_1"), "v_2": high, "dv_two": two}


def crossing_ellipses(g, k):
    return {
        "v_1": _speed_on(g.mu_Earth, k.r, g.p_1, g.e_1),
        "v_2": _speed_on(g.mu_Earth, k.r, g.p_2, g.e_2),
    }


def hohmann_raise(g, k):
    return {"r_1": above(g, "h_1"), "r_2": above(g, "h_2")}


def phasing(g, k):
    other = 2 * k.a_phase - k.r
    speeds = apse_speeds(g.mu_Earth, min(k.r, other), max(k.r, other))
    return {"v_r": circular(g.mu_Earth, k.r), "v_phase": speeds[0 if k.r < other else 1]}


def spiral(g, k):
    return {f"v_{n}": circular(g.mu_Earth, above(g, f"h_{n}")) for n in (1, 2)}
