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


def between_plates(first, second, emissivities):
    """Net flux between two plates, summed over the reflections between them."""
    one, two = emissivities
    absorbed = sum(two * ((1 - two) * (1 - one)) ** bounce for bounce in range(3000))
    return one * absorbed * (black(first) - black(second))


def full_width(profile, guess):
    """Full width at half maximum of a symmetric profile."""
    return 2 * optimize.brentq(lambda x: profile(x) / profile(0) - 0.5, 0, 20 * guess)


def facing_plates(g):
    return {"q_12": between_plates(g["T_1"], g["T_2"], (g["eps_1"], g["eps_2"]))}


def fumes_in_gap(g):
    """The P1 equations dG/dtau = -3*q with Marshak's conditions G + 2*q and G - 2*q at the walls."""
    tau = g["kappa"] * g["L_g"]
    hot, cold = black(g["T_h"]), black(g["T_c"])
    _, flux = np.linalg.solve([[1, 2], [1, -3 * tau - 2]], [4 * hot, 4 * cold])
    return {"tau": tau, "q_0": hot - cold, "q_g": flux, "r_q": flux / (hot - cold)}


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


def ray_through_layer(g):
    ray = integrate.solve_ivp(
        lambda _, intensity: g["S_g"] - intensity, (0, g["tau_L"]), [g["I_b"]], rtol=1e-10
    )
    return {"I_out": float(ray.y[0, -1])}


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


def wall_emission(g):
    return {"q_out": g["eps_w"] * black(g["T_w"]) / 1000}
