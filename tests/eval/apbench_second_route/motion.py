"""Two-body motion by integrating its equations, and what follows from conserved quantities alone."""

import numpy as np
from scipy.integrate import quad, solve_ivp
from scipy.optimize import brentq, root


def solve(miss, start, worst=1e-8):
    """A root of equations in units of their size; their residuals are checked, not the solver's word."""
    found = root(miss, start, tol=1e-13).x
    assert np.max(np.abs(miss(found))) < worst
    return found


def fly(mu, r, v, time):
    """Position and velocity after `time`, by integration of the equations of motion."""
    flown = _integrate(mu, r, v, time)
    return flown.y[:3, -1], flown.y[3:6, -1]


def fly_until(mu, r, v, event, longest):
    """Time, position and velocity when `event(r, v)` first turns from negative to positive."""

    def meets(_, state):
        return event(state[:3], state[3:])

    meets.terminal, meets.direction = True, 1
    flown = _integrate(mu, r, v, longest, events=meets)
    return flown.t_events[0][0], flown.y_events[0][0][:3], flown.y_events[0][0][3:]


def _integrate(mu, r, v, time, events=None):
    def rates(_, state):
        return [*state[3:], *(-mu * state[:3] / np.linalg.norm(state[:3]) ** 3)]

    scale = [np.linalg.norm(r)] * 3 + [np.linalg.norm(v)] * 3
    start = np.array([*r, *v])
    return solve_ivp(
        rates, (0, time), start, "DOP853", rtol=1e-11, atol=np.array(scale) * 1e-12, events=events
    )


def extremes(mu, r, v):
    """Pericentre and apocentre distances: the roots of the radial speed at this energy and momentum."""
    energy, h = v @ v / 2 - mu / np.linalg.norm(r), np.linalg.norm(np.cross(r, v))
    return np.sort(np.roots([2 * energy, 2 * mu, -(h**2)]).real)


def pericentre(mu, r, v):
    """The position and velocity at the next pericentre, flown to."""
    low, high = extremes(mu, r, v)
    longest = 2.2 * np.pi * np.sqrt(((low + high) / 2) ** 3 / mu)
    time, where, velocity = fly_until(mu, r, v, lambda x, u: x @ u, longest)
    return time, where, velocity


def apse_speeds(mu, near, far):
    """Speeds at both apses from conservation of energy and momentum."""

    def kept(scaled):
        first, second = scaled * np.sqrt(mu / near)
        energy = (first**2 - second**2) / 2 - mu / near + mu / far
        return [energy * near / mu, (near * first - far * second) / np.sqrt(mu * near)]

    return solve(kept, np.array([1.2, 0.5])) * np.sqrt(mu / near)


def circular(mu, r):
    """The speed at which the attraction is the centripetal acceleration."""
    unit = np.sqrt(mu / r)
    return brentq(lambda v: (v * unit) ** 2 / r - mu / r**2, 0.1, 10) * unit


def fall_speed(mu, r, v_inf=0.0):
    """The speed at r of a body that has `v_inf` far away: the work of the attraction added."""
    work, _ = quad(lambda s: mu / r * np.exp(-s), 0, np.inf)
    return np.sqrt(v_inf**2 + 2 * work)


def half_period(mu, near, far):
    """The time from one apse to the other, flown."""
    speed, _ = apse_speeds(mu, near, far)
    longest = 2 * np.pi * np.sqrt(((near + far) / 2) ** 3 / mu)
    start = np.array([near, 0, 0]), np.array([0, speed, 0])
    time, _, _ = fly_until(mu, *start, lambda x, u: -(x @ u) if x[0] < 0 else -1.0, longest)
    return time


def axis_for_period(mu, period):
    """The semi-major axis whose areal law gives the period, by a root."""
    guess = (mu * period**2) ** (1 / 3)
    return guess * brentq(lambda k: 2 * np.pi * k * guess / circular(mu, k * guess) / period - 1, 0.05, 2)


def sweep_time(mu, p, e, start, end):
    """The time from one true anomaly to another: the integral of r²/h."""
    swept, _ = quad(lambda nu: 1 / (1 + e * np.cos(nu)) ** 2, start, end, epsabs=0, epsrel=1e-11, limit=200)
    return swept * np.sqrt(p**3 / mu)


def shoot(mu, r1, r2, time):
    """Velocities at both ends of the prograde path of less than a turn, by shooting."""
    length = np.linalg.norm(r1)
    pole = np.cross(r1, r2)
    pole *= np.sign(pole[2]) / np.linalg.norm(pole)
    ahead = np.cross(pole, r1 / length)
    speed = np.sqrt(mu / length)

    def miss(v):
        return (fly(mu, r1, v * speed, time)[0] - r2) / length

    found = solve(miss, ahead + 0.1 * r1 / length)
    return found * speed, fly(mu, r1, found * speed, time)[1]


def outbound(mu, near, v_inf):
    """True anomaly of the asymptote and the aiming radius, from a flight out from the pericentre."""
    speed = fall_speed(mu, near, v_inf)
    r, v = fly(mu, np.array([near, 0, 0]), np.array([0, speed, 0]), 3e6 * near / v_inf)
    return np.arctan2(v[1], v[0]), np.linalg.norm(np.cross(r, v)) / np.linalg.norm(v)
