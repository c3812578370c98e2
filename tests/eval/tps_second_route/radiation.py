"""Radiation, recomputed from transfer along rays, networks of surfaces and the published correlations.

Slabs are integrated over directions, rays along their path, plates summed over reflections or solved as a
network, and line widths measured on the profiles themselves (M. F. Modest, Radiative Heat Transfer, 3rd
ed.). Correlations are M. E. Tauber and K. Sutton's in W/cm2 (J. Spacecraft Rockets 28, 1991), with the
cooling factor of M. E. Tauber and R. M. Wakefield (J. Spacecraft Rockets 8, 1971).
"""

import math

import numpy as np
from scipy import constants, integrate, optimize, special

from tests.eval.tps_second_route.equilibrium import saha_electrons

PER_SQUARE_METRE = 1e4


def black(temperature):
    """Emissive power in W/m2: pi times the integral of Planck's law over all frequencies."""
    power, _ = integrate.quad(lambda x: x**3 / math.expm1(x), 0, 60)
    energy = constants.k * temperature
    return 2 * math.pi * energy**4 / (constants.h**3 * constants.c**2) * power


def thin_slab(absorption, thickness, temperature):
    """Integral over the hemisphere of what thin rays of length L/cos(theta) emit, in W/m2."""
    path = absorption * thickness
    share, _ = integrate.quad(lambda angle: 2 * math.sin(angle) * path, 0, math.pi / 2)
    return black(temperature) * share


def kernel_slab(optical_thickness, temperature):
    return -black(temperature) * math.expm1(-1.66 * optical_thickness)


def between_plates(first, second, emissivities):
    """Net flux between two plates, summed over the reflections between them."""
    one, two = emissivities
    absorbed = sum(two * ((1 - two) * (1 - one)) ** bounce for bounce in range(3000))
    return one * absorbed * (black(first) - black(second))


def tauber_sutton_earth(radius, density, speed, limit, velocity_function):
    """Exponent of the radius and heat flux in W/m2."""
    exponent = min(limit, 1.072e6 / speed**1.88 / density**0.325)
    flux = 4.736e4 * radius**exponent * density**1.22 * velocity_function
    return exponent, PER_SQUARE_METRE * flux


def sutton_graves(radius, density, speed):
    return 1.7415e-4 * math.sqrt(density / radius) * speed**3


def cooled(flux, density, speed):
    """Goulard number, of radiation to both sides over half the flux of energy, and the reduced flux."""
    number = 2 * flux / (density * speed**3 / 2)
    return number, flux / (1 + 3.45 * number**0.7)


def full_width(profile, guess):
    """Full width at half maximum of a symmetric profile."""
    return 2 * optimize.brentq(lambda x: profile(x) / profile(0) - 0.5, 0, 20 * guess)


def coating_choice(g):
    def wall(emissivity):
        def excess(kelvin):
            return emissivity * constants.sigma * kelvin**4 - g["h_c"] * (g["T_aw"] - kelvin)

        return optimize.brentq(excess, 100, g["T_aw"])

    bare, coated = wall(g["eps_a"]), wall(g["eps_b"])
    return {"T_a": bare, "T_b": coated, "r_h": (g["T_aw"] - coated) / (g["T_aw"] - bare)}


def coupled_return(g):
    _, flux = tauber_sutton_earth(g["R_n"], g["rho_inf"], g["V_inf"], g["a_max"], g["f_V"])
    number, reduced = cooled(flux, g["rho_inf"], g["V_inf"])
    wall = optimize.brentq(lambda kelvin: g["eps_w"] * black(kelvin) - reduced, 500, 9000)
    return {"q_ad": flux / 1e6, "Gamma": number, "q_c": reduced / 1e6, "T_w": wall}


def facing_plates(g):
    return {"q_12": between_plates(g["T_1"], g["T_2"], (g["eps_1"], g["eps_2"]))}


def fumes_in_gap(g):
    """The P1 equations dG/dtau = -3*q with Marshak's conditions G + 2*q and G - 2*q at the walls."""
    tau = g["kappa"] * g["L_g"]
    hot, cold = black(g["T_h"]), black(g["T_c"])
    _, flux = np.linalg.solve([[1, 2], [1, -3 * tau - 2]], [4 * hot, 4 * cold])
    return {"tau": tau, "q_0": hot - cold, "q_g": flux, "r_q": flux / (hot - cold)}


def glowing_wall(g):
    incident = kernel_slab(g["kappa"] * g["L_g"], g["T_g"])

    def excess(kelvin):
        heating = g["eps_w"] * incident + g["h_c"] * (g["T_aw"] - kelvin)
        return g["eps_w"] * constants.sigma * kelvin**4 - heating

    return {"q_g": incident, "T_w": optimize.brentq(excess, 300, 4000)}


def line_width(g):
    """Widths of the profiles themselves; the published formula for the Voigt width is good to 0.02 %."""
    spread = g["lambda_0"] * math.sqrt(constants.k * g["T"] / (g["m_a"] * constants.c**2))
    electrons = saha_electrons(g)
    half = g["w_S"] * electrons / g["n_ref"]
    guess = spread + half
    return {
        "n_e": electrons,
        "dl_D": full_width(lambda x: math.exp(-((x / spread) ** 2) / 2), guess),
        "dl_S": full_width(lambda x: 1 / (1 + (x / half) ** 2), guess),
        "dl_V": full_width(lambda x: special.voigt_profile(x, spread, half), guess),
    }


def nose_radius_choice(g):
    def total(radius, limit):
        _, radiative = tauber_sutton_earth(radius, g["rho_inf"], g["V_inf"], limit, g["f_V"])
        return (radiative + sutton_graves(radius, g["rho_inf"], g["V_inf"])) / 1000

    small, large = total(g["R_1"], g["a_1"]), total(g["R_2"], g["a_2"])
    return {"q_1": small, "q_2": large, "r_q": large / small, "cooler": "R_1" if small < large else "R_2"}


def ray_through_layer(g):
    ray = integrate.solve_ivp(
        lambda _, intensity: g["S_g"] - intensity, (0, g["tau_L"]), [g["I_b"]], rtol=1e-10
    )
    return {"I_out": float(ray.y[0, -1])}


def self_absorbing_slab(g):
    tau = g["kappa"] * g["L_g"]
    return {"tau": tau, "q_w": kernel_slab(tau, g["T_g"]) / 1e6}


def shielded_instrument(g):
    """Temperatures of the shields from equal fluxes across every gap."""
    bare = between_plates(g["T_1"], g["T_2"], (g["eps"], g["eps"]))
    gaps = int(g["N_sh"]) + 1
    powers = np.linspace(black(g["T_1"]), black(g["T_2"]), gaps + 1)
    shield = (powers[1] / constants.sigma) ** 0.25
    flux = between_plates(g["T_1"], shield, (g["eps"], g["eps"]))
    return {"q_0": bare, "q_s": flux, "r_s": bare / flux}


def thick_core(g):
    """Gradient of the emissive power over three quarters of the absorption coefficient."""
    step = 1e-3 * g["T"]
    slope = (black(g["T"] + step) - black(g["T"] - step)) / (2 * step)
    return {"q_x": -4 / (3 * g["kappa_R"]) * slope * g["dTdx"] / 1000}


def thin_shock_layer(g):
    return {"q_r": thin_slab(g["kappa"], g["delta"], g["T_s"]) / 1000}


def two_band_gas(g):
    mean = float(np.average([g["k_1"], g["k_2"]], weights=[g["f_1"], 1 - g["f_1"]]))
    return {"kappa_m": mean, "q_r": thin_slab(mean, g["delta"], g["T_g"]) / 1000}


def wall_emission(g):
    return {"q_out": g["eps_w"] * black(g["T_w"]) / 1000}


ROUTES = {
    "radiation.coating_choice": coating_choice,
    "radiation.coupled_return": coupled_return,
    "radiation.facing_plates": facing_plates,
    "radiation.fumes_in_gap": fumes_in_gap,
    "radiation.glowing_wall": glowing_wall,
    "radiation.line_width": line_width,
    "radiation.nose_radius_choice": nose_radius_choice,
    "radiation.ray_through_layer": ray_through_layer,
    "radiation.self_absorbing_slab": self_absorbing_slab,
    "radiation.shielded_instrument": shielded_instrument,
    "radiation.thick_core": thick_core,
    "radiation.thin_shock_layer": thin_shock_layer,
    "radiation.two_band_gas": two_band_gas,
    "radiation.wall_emission": wall_emission,
}
