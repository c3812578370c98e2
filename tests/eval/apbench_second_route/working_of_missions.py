"""What the worked solutions pass on their way, beyond one orbit: planets, perturbations, three bodies, attitude.

In the form of `working_of_orbits`.
"""

import numpy as np
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.spatial.transform import Rotation

from tests.eval.apbench_second_route.motion import axis_for_period, circular
from tests.eval.apbench_second_route.working_of_orbits import TURN, above


def _rate(mu, radius):
    """The angular rate of a circular orbit, by its speed."""
    return circular(mu, radius) / radius


def b_plane(g, k):
    """T lies in the equator; the orbit's pole is at right angles to the aiming point and the asymptote."""
    asymptote = np.array([k.S_x, k.S_y, k.S_z])
    aim = k.BT * np.array([k.T_x, k.T_y, 0]) + k.BR * np.array([k.R_x, k.R_y, k.R_z])
    return {"T_z": 0.0, "r_p": g.R_Mars + g.h_p, "h_dir": np.cross(aim, asymptote)}


def capture(g, k):
    return {"r_p": g.R_Mars + g.h_p, "a": axis_for_period(g.mu_Mars, g.T)}


def gravity_assist(g, k):
    before = np.array([g.v_r, g.v_t - k.v_J, 0])
    return {"r_p": g.k * g.R_Jupiter, "out": Rotation.from_euler("z", k.turn).apply(before)}


def to_a_planet(g, k):
    return {"r": above(g)}


def drag_decay(g, k):
    return {"a": above(g), "B": 2 * k.drag / (g.rho * circular(g.mu_Earth, above(g)) ** 2)}


def frozen(g, k):
    return {"n_m": TURN / g.T_m, "a_m": axis_for_period(g.mu_Earth, g.T_m)}


def _bulge_rate(g, axis, e):
    """How fast J2 turns a polar node back at inclination 0, from its mean torque over an orbit."""
    p = axis * (1 - e**2)
    mean = quad(lambda nu: (1 + e * np.cos(nu)) * np.sin(nu) ** 2, 0, TURN)[0] / np.pi
    return 1.5 * g.J2_Earth * (g.R_Earth / p) ** 2 * _rate(g.mu_Earth, axis) * mean


def j2_drift(g, k):
    low, high = above(g, "h_p"), above(g, "h_a")
    axis, e = (low + high) / 2, (high - low) / (high + low)
    return {"a": axis, "e": e, "p": 2 * low * high / (low + high), "factor": _bulge_rate(g, axis, e)}


def repeat_track(g, k):
    """The rate of the argument of latitude is a turn in a nodal period."""
    axis = above(g)
    rates = {"n": _rate(g.mu_Earth, axis), "factor": _bulge_rate(g, axis, 0)}
    return rates | {"a": axis, "u_rate": TURN / k.T_node}


def sun_synchronous(g, k):
    factor = _bulge_rate(g, above(g), 0)
    return {"a": above(g), "factor": factor, "wrong_rate": k.rate * np.cos(k.i + g.error) / np.cos(k.i)}


def jacobi(g, k):
    return {"x_1": _balance(k.mu, 0.5, 1 - k.mu - 1e-3)}


def _balance(mu, low, high):
    """Where on the line of the bodies the forces balance in the turning frame."""

    def pull(x):
        first, second = x + mu, x - 1 + mu
        return x - (1 - mu) * first / abs(first) ** 3 - mu * second / abs(second) ** 3

    return brentq(pull, low, high, xtol=1e-15)


def sun_earth_l2(g, k):
    """c_2 is how fast the force across the plane grows there."""
    gamma = _balance(k.mu, 1 - k.mu + 1e-3, 1.5) - 1 + k.mu
    step = 1e-6
    across = (1 - k.mu) / ((1 + gamma) ** 2 + step**2) ** 1.5 + k.mu / (gamma**2 + step**2) ** 1.5
    return {"gamma": gamma, "c_2": across}


def triangular(g, k):
    """The planet's year from its speed; the squared frequencies differ by the root of their equation."""
    year = TURN / _rate(g.mu_Sun + g.share * g.mu_Jupiter, g.a_Jupiter)
    return {"T_planet": year, "root": k.w_short**2 - k.w_long**2}


def _low_orbit(g, k):
    return {"a": above(g), "n": _rate(g.mu_Earth, above(g))}


drift_and_return = rendezvous = safety_ellipse = v_bar_hop = ground_track = _low_orbit


def euler_angles(g, k):
    turned = Rotation.from_euler("ZYX", [g.yaw, g.pitch, g.roll]).as_matrix().T
    return {"C": turned.ravel()}


def gravity_gradient(g, k):
    return {"a": above(g), "w_pitch": TURN / k.T_pitch}


def quaternion_slew(g, k):
    first, second = Rotation.from_euler("y", g.angle_1), Rotation.from_euler("z", g.angle_2)
    return {"q_first": first.as_quat(), "q_second": second.as_quat()}


def spinning_body(g, k):
    inertia, spin = np.diag([g.I_t, g.I_t, g.I_s]), np.array([g.w_t, 0, g.spin])
    return {"H": np.linalg.norm(inertia @ spin), "energy_0": spin @ inertia @ spin / 2}


def two_directions(g, k):
    found = Rotation.from_euler("ZYX", [k.yaw_est, k.pitch_est, k.roll_est])
    return {"A": found.as_matrix().T.ravel()}


def range_fit(g, k):
    """The fitted line at the first measurement."""
    times = g.dt * np.arange(4)
    line = np.polynomial.Polynomial.fit(times, [g.rho_1, g.rho_2, g.rho_3, g.rho_4], 1)
    return {"start": line(0.0)}
