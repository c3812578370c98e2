"""Friction and heat transfer of boundary layers, recomputed from similarity solutions and quadratures.

Correlations with no theory behind them are written from their sources: F. M. White, Viscous Fluid Flow;
W. E. Meador and M. K. Smart, AIAA J. 43 (2005) 135; R. E. Mayle, J. Turbomach. 113 (1991) 509.
"""

import math

import numpy as np
from scipy import constants, integrate, optimize

from tests.eval.tps_second_route.layers import (
    blasius,
    homann,
    laminar_friction,
    recovery,
    sutherland,
    van_driest_friction,
)


def eckert(edge, wall, adiabatic):
    return edge + (wall - edge) / 2 + 0.22 * (adiabatic - edge)


def edge_speed(g):
    return g["M_e"] * math.sqrt(g["gamma"] * g["R_air"] * g["T_e"])


def colburn(friction, prandtl):
    return friction / (2 * prandtl ** (2 / 3))


def cold_wall_turbulent_implicit(g):
    adiabatic = recovery(g["M_e"], g["T_e"], math.cbrt(g["Pr"]), g["gamma"])
    friction = van_driest_friction(g["Re_x"], g["T_e"], g["T_w"], adiabatic)
    return {"T_aw": adiabatic, "c_f": friction, "St": colburn(friction, g["Pr"])}


def hypersonic_laminar_friction(g):
    adiabatic = recovery(g["M_e"], g["T_e"], math.sqrt(g["Pr"]), g["gamma"])
    reference = eckert(g["T_e"], g["T_w"], adiabatic)
    friction, speed = laminar_friction(g["Re_x"], g["T_e"], reference), edge_speed(g)
    shear = friction * g["rho_e"] * speed**2 / 2
    return {"U_e": speed, "T_aw": adiabatic, "T_star": reference, "c_f": friction, "tau_w": shear}


def hypersonic_transition(g):
    momentum = g["C_tr"] * g["M_e"]
    running, viscosity = (momentum / blasius().momentum) ** 2, sutherland(g["T_e"])
    distance = running * viscosity / (g["rho_e"] * g["U_e"])
    return {"Re_theta_tr": momentum, "Re_x_tr": running, "mu_e": viscosity, "x_tr": distance}


def low_speed_plate_friction(g):
    reynolds = g["rho_0"] * g["U_0"] * g["L_p"] / g["mu_0"]
    return {"Re_L": reynolds, "C_F": 2 * blasius().momentum / math.sqrt(reynolds)}  # the momentum lost


def plate_nusselt(g):
    return {"Nu_x": blasius().slope * math.sqrt(g["Re_x"]) * math.cbrt(g["Pr"])}


def radiating_plate(g):
    adiabatic = recovery(g["M_e"], g["T_e"], math.sqrt(g["Pr"]), g["gamma"])
    mass_flux = g["rho_e"] * edge_speed(g)

    def friction(wall):
        return laminar_friction(g["Re_x"], g["T_e"], eckert(g["T_e"], wall, adiabatic))

    def radiated(wall):
        return g["eps"] * constants.sigma * wall**4

    def excess(wall):
        return colburn(friction(wall), g["Pr"]) * mass_flux * g["cp"] * (adiabatic - wall) - radiated(wall)

    wall = optimize.brentq(excess, 50, adiabatic)
    return {"T_w": wall, "c_f": friction(wall), "q_w": radiated(wall)}


def temperature_profile(g):
    """The parabola through wall and edge whose slope at the wall is (T_aw - T_w)/U_e."""
    ends = np.array([[1, 0, 0], [1, g["U_e"], g["U_e"] ** 2], [0, 1, 0]])
    terms = np.linalg.solve(ends, [g["T_w"], g["T_e"], (g["T_aw"] - g["T_w"]) / g["U_e"]])
    return {"T_u": float(np.polyval(terms[::-1], g["u"]))}


def nose_layer(g):
    return {"delta_1": 1000 * homann().displacement * math.sqrt(g["nu"] / g["a_s"])}


def power_law_profile(g):
    power = g["n_u"]
    displacement = g["delta"] * integrate.quad(lambda y: 1 - y**power, 0, 1)[0]
    momentum = g["delta"] * integrate.quad(lambda y: y**power * (1 - y**power), 0, 1)[0]
    return {"delta_1": displacement, "theta_m": momentum, "H_12": displacement / momentum}


def hot_layer_displacement(g):
    """The displacement is the momentum integral plus that of the excess volume of the hot gas.

    With T/T_e = T_w/T_e + (T_aw - T_w)/T_e*u - (T_aw - T_e)/T_e*u**2 and dy stretched by the density,
    the integral of T/T_e - u splits into those of 1 - u and u*(1 - u).
    """
    adiabatic = recovery(g["M_e"], g["T_e"], math.sqrt(g["Pr"]), g["gamma"])
    chapman = sutherland(g["T_w"]) / sutherland(g["T_e"]) * g["T_e"] / g["T_w"]
    momentum = 1000 * blasius().momentum * g["x"] * math.sqrt(chapman / g["Re_x"])
    wall, heated = g["T_w"] / g["T_e"], (adiabatic - g["T_e"]) / g["T_e"]
    displacement = wall * g["H_i"] * momentum + heated * momentum
    return {"C_w": chapman, "theta_m": momentum, "H": displacement / momentum, "delta_1": displacement}
