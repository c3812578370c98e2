"""Electricity and magnetism again: nodal equations, complex impedances, sums over current elements, paths followed.

Constants are those of scipy (CODATA), not of the knowledge base.
"""

import cmath
import math

import numpy as np
from scipy import constants

from tests.eval.physbench_second_route.motion import area, follow, root

K = 1 / (4 * math.pi * constants.epsilon_0)
MU = constants.mu_0


def two_charged_spheres(g):
    def energy(distance):
        return K * g["q_1"] * g["q_2"] * 1e-18 / distance

    def force(distance):  # as the slope of the energy
        step = 1e-4 * distance
        return (energy(distance - step) - energy(distance + step)) / (2 * step) * 1e3

    return {"F": force(g["r"] / 100), "F_2": force(g["r"] / 200)}


def field_free_point(g):
    distance = g["d"] / 100

    def field(x):
        return g["q_1"] / x**2 - g["q_2"] / (distance - x) ** 2

    place = root(field, 1e-3 * distance, 0.999 * distance)
    potential = K * 1e-9 * (g["q_1"] / place + g["q_2"] / (distance - place))
    return {"x": place * 100, "V": potential}


def electron_gun(g):
    """Followed through a uniform field 1 cm long."""
    length = 0.01
    push = g["q_e"] * g["V"] / length / g["m_e"]
    _, _, speed = follow(lambda t, x, v: [push], 0, 0, lambda t, x, v: length - x[0], longest=1e-7)
    return {"K": g["m_e"] * speed[0] ** 2 / 2, "v": speed[0]}


def mixed_capacitors(g):
    """The voltage of the node where the charges balance."""
    pair = root(lambda u: g["C_1"] * (g["V"] - u) - (g["C_2"] + g["C_3"]) * u, 0, g["V"])
    charge = g["C_1"] * (g["V"] - pair)
    return {"C_t": charge / g["V"], "Q": charge, "V_p": pair}


def defibrillator(g):
    farad = g["C"] * 1e-6
    voltage = root(lambda v: area(lambda u: farad * u, 0, v) - g["U"], 1, 1e5)
    return {"V": voltage, "P": g["U"] / (g["t"] / 1000) / 1000}


def battery_internal_resistance(g):
    current = root(lambda i: g["V_0"] - i * g["r"] - i * g["R"], 0, 100)
    return {"I": current, "V_t": g["V_0"] - current * g["r"], "P_r": current * g["V_0"] - current**2 * g["R"]}


def extension_cord(g):
    """The field in the wire from the density of the current, integrated along it."""
    field = g["rho"] * g["I"] / (g["A"] * 1e-6)
    drop = area(lambda s: field, 0, 2 * g["L"])
    return {"R": drop / g["I"], "V_d": drop}


def camera_flash_charging(g):
    """The charge followed in time."""
    farad, ohm = g["C"] * 1e-6, g["R"] * 1e3
    # The first-order equation as the velocity of a body: dv/dt = (V_0 - v)/(R C).
    time, _, _ = follow(
        lambda t, x, v: [(g["V_0"] - v[0]) / (ohm * farad)], 0, 0, lambda t, x, v: g["q"] * g["V_0"] - v[0]
    )
    return {"tau": ohm * farad, "t_q": time}


def two_batteries_kirchhoff(g):
    """Two loop currents."""
    first, second = np.linalg.solve(
        [[g["R_1"] + g["R_3"], g["R_3"]], [g["R_3"], g["R_2"] + g["R_3"]]], [g["V_1"], g["V_2"]]
    )
    return {"V_3": g["R_3"] * (first + second), "I_1": first}


def design_voltage_divider(g):
    whole = g["V_b"] / (g["I"] / 1000)
    lower = root(lambda r: g["V_b"] * r / whole - g["V_s"], 0, whole)
    return {"R_1": whole - lower, "R_2": lower, "P": g["V_b"] ** 2 / whole * 1000}


def _straight(current, distance):
    """The law of Biot and Savart along a long wire."""
    return MU * current / (4 * math.pi) * area(lambda a: math.cos(a), -math.pi / 2, math.pi / 2) / distance


def parallel_wires_force(g):
    field = _straight(g["I_1"], g["d"] / 100)
    # The first wire lies at x = 0, the second at x = d; both currents flow along z, and the field along y.
    push = np.cross([0, 0, g["I_2"]], [0, field, 0])
    return {"B": field * 1e6, "f": -push[0] * 1e3}  # attraction points to the first


def proton_in_cyclotron(g):
    turn = g["q_e"] * g["B"] / g["m_p"]
    half, place, _ = follow(
        lambda t, x, v: [turn * v[1], -turn * v[0]],
        [0, 0],
        [0, g["v"]],
        lambda t, x, v: x[1] if t > 1e-9 else 1,
        longest=1e-6,
    )
    radius = abs(place[0]) / 2
    return {"F": g["m_p"] * g["v"] ** 2 / radius, "r": radius, "f_c": 1 / (2 * half) / 1e6}


def velocity_selector(g):
    speed = root(lambda v: g["q_e"] * g["E"] - g["q_e"] * v * g["B_1"], 1, 1e8)
    units = root(lambda u: u * constants.u * speed / (g["r"] / 100) / g["q_e"] / g["B_2"] - 1, 1, 1000)
    return {"v": speed, "m": units * constants.u}


def coil_in_changing_field(g):
    flux = area(lambda s: g["B_1"] * 2 * math.pi * s, 0, g["r"] / 100)
    emf = g["N"] * flux / (g["t"] / 1000)
    return {"Phi": flux * 1e3, "V_i": emf, "I": emf / g["R"]}


def bicycle_dynamo(g):
    """The flux differentiated at its zero, and the mean square of the current over a turn."""
    spin = math.tau * g["f"]
    flux = g["N"] * g["B"] * g["A"] * 1e-4
    step = 1e-6 / g["f"]
    peak = flux * (math.sin(spin * step) - math.sin(-spin * step)) / (2 * step)
    square = area(lambda t: (peak / g["R"] * math.sin(spin * t)) ** 2, 0, 1 / g["f"]) * g["f"]
    return {"omega": spin, "V_p": peak, "I_r": math.sqrt(square)}


def levitated_wire(g):
    piece = g["mu_w"] * 1e-3 * g["l"] / 100
    current = root(lambda i: i * g["B"] * g["l"] / 100 - piece * g["g"], 0, 1000)
    return {"I": current, "F": piece * g["g"] * 1e3}


def rlc_series_current(g):
    henry, farad = g["L"] * 1e-3, g["C"] * 1e-6

    def impedance(frequency):
        turn = 2j * math.pi * frequency
        return g["R"] + turn * henry + 1 / (turn * farad)

    size = abs(impedance(g["f"]))
    return {"Z": size, "I": g["V"] / size, "f_0": root(lambda f: cmath.phase(impedance(f)), 1, 1e5)}


ROUTES = {
    f"electricity_magnetism.{route.__name__}": route
    for route in list(globals().values())
    if getattr(route, "__module__", "") == __name__ and not route.__name__.startswith("_")
}
