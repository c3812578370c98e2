"""Impact theory and free-molecular flow, recomputed by integrating momentum over the surface (see momentum)."""

import math

from scipy import optimize

from tests.eval.tps_second_route.gas_dynamics import pitot_coefficient
from tests.eval.tps_second_route.momentum import (
    cap_axial,
    cone_forces,
    plate_lift,
    quad,
    rarefied_sphere_drag,
    rarefied_surface,
)


def aeroshell_axial_force(g):
    theta = math.radians(g["theta_c"])
    tangent = g["R_n"] * math.cos(theta)
    on_cap = quad(lambda r: (1 - (r / g["R_n"]) ** 2) * 2 * r, 0, tangent)
    on_cone = math.sin(theta) ** 2 * quad(lambda r: 2 * r, tangent, g["R_b"])
    return {"C_A": g["Cp_max"] * (on_cap + on_cone) / g["R_b"] ** 2}


def capsule_drag(g):
    maximum = pitot_coefficient(g["M_inf"], g["gamma"])
    drag = cap_axial(maximum, math.radians(g["phi_m"]))
    speed = g["M_inf"] * g["a_inf"]
    return {"Cp_max": maximum, "C_D": drag, "D": g["rho_inf"] * speed**2 / 2 * g["A_b"] * drag}


def orbiting_sphere_drag(g):
    ratio = g["V_inf"] / g["a_inf"] * math.sqrt(g["gamma"] / 2)
    drag = rarefied_sphere_drag(ratio, g["T_w"] / g["T_inf"])
    return {"s_inf": ratio, "C_D": drag, "D": g["rho_inf"] * g["V_inf"] ** 2 / 2 * g["A_f"] * drag}


def rarefied_panel(g):
    return {"Cp_p": rarefied_surface(math.radians(g["theta_p"]), g["s_m"], g["T_w"] / g["T_inf"])[0]}


def centrifugal_cylinder(g):
    phi = math.radians(g["phi_b"])
    relief = quad(lambda at: math.cos(at) * math.sin(at), 0, phi)  # momentum that the curved layer turns
    return {"Cp_w": 2 * (math.cos(phi) ** 2 - relief)}


def power_law_forebody(g):
    def element(t):  # x = L*t**3, so that the blunt tip is smooth
        x = t**3
        slope = g["R_b"] / g["L_b"] * g["n_b"] * x ** (g["n_b"] - 1)
        return 2 * slope**2 * 2 * x ** g["n_b"] * g["n_b"] * x ** (g["n_b"] - 1) * 3 * t**2

    return {"C_D": quad(element, 1e-12, 1)}


def capsule_normal_force(g):
    maximum, limit = pitot_coefficient(g["M_inf"], g["gamma"]), math.radians(g["phi_m"])
    slope = (
        quad(lambda phi: 2 * maximum * math.cos(phi) * math.sin(phi) ** 3, 0, limit) / math.sin(limit) ** 2
    )
    return {"Cp_max": maximum, "CN_a": slope, "N": slope * math.radians(g["alpha_c"]) * g["q_inf"] * g["A_b"]}


def glider_best_incidence(g):
    best = optimize.minimize_scalar(
        lambda sine: -2 * sine**2 / (2 * sine**3 + g["C_D0"]),
        bounds=(0.01, 0.8),
        method="bounded",
        options={"xatol": 1e-10},
    )
    alpha = math.asin(best.x)
    return {"alpha_b": math.degrees(alpha), "C_L": plate_lift(alpha), "E_m": -best.fun}


def inclined_cone_lift(g):
    alpha = math.radians(g["alpha_c"])
    normal, axial, centre = cone_forces(math.radians(g["theta_c"]), alpha)
    return {
        "C_N": normal,
        "C_A": axial,
        "C_L": normal * math.cos(alpha) - axial * math.sin(alpha),
        "C_D": normal * math.sin(alpha) + axial * math.cos(alpha),
        "C_m": -normal * (centre - g["x_cg"] / g["L_b"]),
    }
