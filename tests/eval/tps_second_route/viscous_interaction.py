"""Viscous interaction and rarefied flow, recomputed from kinetic theory and the published relations.

Where a result follows from something more basic it is derived from that: free paths from cross sections,
fluxes and speeds from the Maxwell distribution, Knudsen numbers from their definition, and coupled
problems by bracketing. Correlations are written out from J. D. Anderson, Hypersonic and High-Temperature
Gas Dynamics, 2nd ed., ch. 7, and G. A. Bird, Molecular Gas Dynamics (1994).
"""

import math

import numpy as np
from scipy import constants, integrate, optimize, special, stats


def maxwell_free_path(viscosity, density, gas_constant, temperature):
    """Free path of mu = rho*c_mean*lambda/2, with the mean speed of the Maxwell distribution."""
    return 2 * viscosity / (density * stats.maxwell.mean(scale=math.sqrt(gas_constant * temperature)))


def hard_sphere_free_path(number_density, diameter):
    return 1 / (math.sqrt(2) * number_density * math.pi * diameter**2)


def interaction_parameter(mach, chapman_rubesin, reynolds):
    return mach**3 * chapman_rubesin**0.5 / reynolds**0.5


def sine_squared(continuum, free_molecular, knudsen):
    return continuum + (free_molecular - continuum) * math.sin(math.pi * (3 + math.log10(knudsen)) / 8) ** 2


def temperature_jump(g, free_path, gradient):
    accommodation = (2 - g["alpha_T"]) / g["alpha_T"]
    return accommodation * 2 * g["gamma"] / ((g["gamma"] + 1) * g["Pr"]) * free_path * gradient


def blunt_or_viscous(g):
    def viscous(x):
        return 0.759 + 0.514 * interaction_parameter(g["M_inf"], g["C"], g["Re_1"] * x)

    def blunt(x):
        return 0.56 + 0.121 * g["M_inf"] ** 2 * (g["CD_n"] / (x / g["t_n"])) ** (2 / 3)

    ratio = viscous(g["x"]) / blunt(g["x"])
    return {
        "p_visc": viscous(g["x"]),
        "p_blunt": blunt(g["x"]),
        "r_vb": ratio,
        "governs": "viscosity" if ratio > 1 else "bluntness",
        "x_c": optimize.brentq(lambda x: viscous(x) - blunt(x), 1e-3, 100),
    }


def bridged_drag(g):
    by_sine = sine_squared(g["CD_c"], g["CD_fm"], g["Kn"])
    decades = math.log10(g["Kn"]) - math.log10(g["Kn_m"])
    share = special.ndtr(math.sqrt(2 * math.pi) / g["w_b"] * decades)
    by_erf = (1 - share) * g["CD_c"] + share * g["CD_fm"]
    higher = "CD_erf" if by_erf > by_sine else "CD_sin"
    return {"CD_sin": by_sine, "CD_erf": by_erf, "r_CD": by_erf / by_sine, "higher": higher}


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
        return temperature - g["T_w"] - temperature_jump(g, free_path(temperature), g["dTdy"])

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


def slip_speed(g):
    free_path = maxwell_free_path(g["mu_w"], g["rho_w"], g["R_gas"], g["T_w"])
    return {"lambda_w": free_path, "u_s": (2 / g["sigma_t"] - 1) * free_path * g["dudy"]}


def station_of_pressure_rise(g):
    chi = max(np.roots([0.05, 0.31, 1 - g["p_ratio"]]).real)
    stagnation = g["T_inf"] * (1 + (g["gamma"] - 1) / 2 * g["M_inf"] ** 2)
    return {
        "chi_bar": chi,
        "x_p": g["C"] * (g["M_inf"] ** 3 / chi) ** 2 / g["Re_1"],
        "T_aw": g["T_inf"] + math.sqrt(g["Pr"]) * (stagnation - g["T_inf"]),
    }


def thermal_speed(g):
    return {"c_m": stats.maxwell.mean(scale=math.sqrt(g["R_g"] * g["T_g"]))}


def free_molecular_sphere(speed_ratio, wall_ratio):
    """Drag coefficient from pressure and shear on every ring (Schaaf and Chambre, diffuse reflection)."""

    def ring(angle):
        normal = speed_ratio * math.cos(angle)
        flux = math.exp(-(normal**2)) + math.sqrt(math.pi) * normal * (1 + math.erf(normal))
        incident = flux * normal / math.sqrt(math.pi) + (1 + math.erf(normal)) / 2
        pressure = (incident + math.sqrt(wall_ratio) * flux / 2) / speed_ratio**2
        shear = math.sin(angle) * flux / (math.sqrt(math.pi) * speed_ratio)
        return 2 * math.sin(angle) * (pressure * math.cos(angle) + shear * math.sin(angle))

    drag, _ = integrate.quad(ring, 0, math.pi, limit=200, points=[math.pi / 2])
    return drag


def transitional_drag(g):
    knudsen = hard_sphere_free_path(g["n_inf"], g["d_mol"]) / g["L_ref"]
    limit = free_molecular_sphere(g["s_inf"], g["T_w"] / g["T_inf"])
    return {"Kn": knudsen, "CD_fm": limit, "CD": sine_squared(g["CD_c"], limit, knudsen)}


ROUTES = {
    "viscous_interaction.blunt_or_viscous": blunt_or_viscous,
    "viscous_interaction.bridged_drag": bridged_drag,
    "viscous_interaction.flight_knudsen": flight_knudsen,
    "viscous_interaction.free_path_models": free_path_models,
    "viscous_interaction.hot_gas_slip": hot_gas_slip,
    "viscous_interaction.molecular_influx": molecular_influx,
    "viscous_interaction.plume_breakdown": plume_breakdown,
    "viscous_interaction.slip_speed": slip_speed,
    "viscous_interaction.station_of_pressure_rise": station_of_pressure_rise,
    "viscous_interaction.thermal_speed": thermal_speed,
    "viscous_interaction.transitional_drag": transitional_drag,
}
