"""Viscous interaction and rarefied flow, recomputed from kinetic theory and the published relations.

Where a result follows from something more basic it is derived from that: free paths from cross sections,
fluxes and speeds from the Maxwell distribution, Knudsen numbers from their definition, and coupled
problems by bracketing. Correlations are written out from J. D. Anderson, Hypersonic and High-Temperature
Gas Dynamics, 2nd ed., ch. 7, and G. A. Bird, Molecular Gas Dynamics (1994).
"""

import math

from scipy import constants, integrate, optimize, stats


def maxwell_free_path(viscosity, density, gas_constant, temperature):
    """Free path of mu = rho*c_mean*lambda/2, with the mean speed of the Maxwell distribution."""
    return 2 * viscosity / (density * stats.maxwell.mean(scale=math.sqrt(gas_constant * temperature)))


def hard_sphere_free_path(number_density, diameter):
    return 1 / (math.sqrt(2) * number_density * math.pi * diameter**2)


def wall_jump(g, free_path, gradient):
    accommodation = (2 - g["alpha_T"]) / g["alpha_T"]
    return accommodation * 2 * g["gamma"] / ((g["gamma"] + 1) * g["Pr"]) * free_path * gradient


def flight_knudsen(g):
    """From the definition, in a gas of unit density, gas constant, temperature and length."""
    speed = g["M_inf"] * math.sqrt(g["gamma"])
    return {"Kn": maxwell_free_path(speed / g["Re_L"], 1.0, 1.0, 1.0)}


def free_path_models(g):
    """The variable hard sphere by its cross section at this temperature (Bird 1994, eq. 4.62)."""
    maxwell = maxwell_free_path(g["mu_g"], g["rho_g"], g["R_N2"], g["T_g"])
    mass = constants.k / g["R_N2"]
    exponent = (5 - 2 * g["omega"]) * (7 - 2 * g["omega"])
    area = 15 * math.sqrt(mass * constants.k * g["T_g"] / math.pi) / (2 * exponent * g["mu_g"])
    sphere = hard_sphere_free_path(g["rho_g"] / mass, math.sqrt(area))
    return {"lam_H": maxwell, "lam_V": sphere, "r_lam": sphere / maxwell}


def hot_gas_slip(g):
    def free_path(temperature):
        viscosity = g["mu_r"] * (temperature / g["T_r"]) ** g["omega"]
        return maxwell_free_path(viscosity, g["p_w"] / (g["R_N2"] * temperature), g["R_N2"], temperature)

    def excess(temperature):
        return temperature - g["T_w"] - wall_jump(g, free_path(temperature), g["dTdy"])

    found = optimize.brentq(excess, g["T_w"], 1600)
    return {"T_g": found, "lambda_g": free_path(found)}


def molecular_influx(g):
    """The first moment of one velocity component over half of the Maxwell distribution."""
    spread = math.sqrt(constants.k * g["T_g"] / g["m_g"])
    moment, _ = integrate.quad(lambda speed: speed * stats.norm.pdf(speed, scale=spread), 0, 12 * spread)
    return {"N_g": g["n_g"] * moment}


def plume_breakdown(g):
    """Rate at which density falls along the path over the collision rate, in a gas with R*T = 1."""
    speed = g["S_p"] * math.sqrt(2)
    collision_rate = stats.maxwell.mean() / (g["lam_p"] / 1000)
    return {"P_B": speed * g["g_rho"] / g["rho_p"] / collision_rate}


def thermal_speed(g):
    return {"c_m": stats.maxwell.mean(scale=math.sqrt(g["R_g"] * g["T_g"]))}
