"""Secular rates from the numerically averaged potential by Lagrange's planetary equations."""

import numpy as np
from scipy.optimize import brentq

from tests.eval.apbench_second_route.motion import axis_for_period, circular

NU = np.linspace(0, 2 * np.pi, 256, endpoint=False)


def averaged(g, a, e, i, omega=0.0, j3=0.0):
    """The disturbing function over one revolution in time, with J2 and J3."""
    r = a * (1 - e**2) / (1 + e * np.cos(NU))
    weight = r**2 / np.mean(r**2)
    s = np.sin(i) * np.sin(NU + omega)
    second = g.J2_Earth * g.R_Earth**2 * (3 * s**2 - 1) / 2
    third = j3 * g.R_Earth**3 * (5 * s**3 - 3 * s) / 2 / r
    return np.mean(weight * -g.mu_Earth / r**3 * (second + third))


def _slope(of, at, step):
    return (of(at + step) - of(at - step)) / (2 * step)


def rates(g, a, e, i, omega=0.0, j3=0.0):
    """Secular rates of node, perigee and mean anomaly (beyond n)."""
    n, root = circular(g.mu_Earth, a) / a, np.sqrt(1 - e**2)
    by_i = _slope(lambda x: averaged(g, a, e, x, omega, j3), i, 1e-5)
    by_e = _slope(lambda x: averaged(g, a, x, i, omega, j3), e, min(1e-5, e / 10))
    by_a = _slope(lambda x: averaged(g, x, e, i, omega, j3), a, a * 1e-5)
    node = by_i / (n * a**2 * root * np.sin(i))
    perigee = root / (n * a**2 * e) * by_e - np.cos(i) * node
    anomaly = -(root**2) / (n * a**2 * e) * by_e - 2 / (n * a) * by_a
    return node, perigee, anomaly


def j2_drift(g):
    near, far = g.R_Earth + g.h_p, g.R_Earth + g.h_a
    a, e = (near + far) / 2, (far - near) / (far + near)
    node, perigee, anomaly = rates(g, a, e, g.i)
    return {
        "n": circular(g.mu_Earth, a) / a,
        "node_rate": node,
        "perigee_rate": perigee,
        "anomaly_rate": anomaly,
        "turn_time": 2 * np.pi / abs(node),
    }


def sun_synchronous(g):
    a = g.R_Earth + g.h
    wanted = 2 * np.pi / g.tropical_year

    def node(i):
        return rates(g, a, 1e-4, i)[0]

    i = brentq(lambda x: node(x) / wanted - 1, np.pi / 2, 2.2)
    drift = (node(i + g.error) - wanted) * g.tropical_year
    return {"rate": wanted, "i": i, "drift": drift, "shift": drift * 24 * 3600 / (2 * np.pi)}


def frozen(g):
    def perigee(e):
        return rates(g, g.a, e, g.i, np.pi / 2, g.J3_Earth)[1]

    e = brentq(perigee, 2e-4, 5e-3)
    a = axis_for_period(g.mu_Earth, g.T_m)
    critical = brentq(lambda i: rates(g, a, g.e_m, i)[1], 0.8, 1.4)
    return {
        "e": e,
        "h_p": g.a * (1 - e) - g.R_Earth,
        "h_a": g.a * (1 + e) - g.R_Earth,
        "i_c": critical,
        "node_rate": rates(g, a, g.e_m, critical)[0],
    }


def drag_decay(g):
    a = g.R_Earth + g.h
    speed = circular(g.mu_Earth, a)
    force = 0.5 * g.rho * speed**2 * g.C_D * g.A
    energy = -g.mu_Earth * g.m / (2 * a)
    lost = -g.mu_Earth * g.m / 2 / energy - -g.mu_Earth * g.m / 2 / (energy - force * 2 * np.pi * a)
    rate = lost / (2 * np.pi * a / speed)
    return {"drag": force / g.m, "da": lost, "rate": rate, "lifetime": g.H / rate}


def solar_pressure(g):
    photons = g.solar_flux * 4 * np.pi * g.AU**2 / (4 * np.pi * g.d**2)  # energy through a square metre
    pressure = photons / g.c_light
    push = pressure * g.A * (2 * g.refl + (1 - g.refl)) / g.m
    pull = g.mu_Sun / g.d**2
    return {
        "P": pressure,
        "acc": push,
        "lightness": push / pull,
        "T": 2 * np.pi * g.d / brentq(lambda v: v**2 / g.d - (pull - push), 0, 2e5),
    }


def repeat_track(g):
    a = g.R_Earth + g.h
    node, perigee, anomaly = rates(g, a, 2e-3, g.i)
    period = 2 * np.pi / (circular(g.mu_Earth, a) / a + perigee + anomaly)
    shift = period * g.omega_Earth - period * node
    return {
        "node_rate": node,
        "T_node": period,
        "shift": shift,
        "spacing": shift / (2 * np.pi) * 2 * np.pi * g.R_Earth,
    }
