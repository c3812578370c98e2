"""Gas in equilibrium, recomputed from energy levels, mass action and thermodynamic identities.

Energies are sums over levels, heat capacities and speeds of sound numerical derivatives of the equations
of state, compositions roots of mass action. The dissociating gas is M. J. Lighthill's (J. Fluid Mech. 2,
1957); species fits are F. G. Blottner's (Sandia SC-RR-70-754) and GRI-Mech 3.0's.
"""

import math

import numpy as np
from scipy import constants, optimize

from tests.eval.tps_second_route.dissociating_gas import (
    derivative,
    dissociation,
    enthalpy,
    equilibrium_sound_speed,
    frozen_sound_speed,
)


def oscillator_energy(gas_constant, step, temperature):
    """Mean energy of a harmonic oscillator over its ground level, summed over its levels."""
    levels = step * np.arange(4000)
    weights = np.exp(-levels / temperature)
    return gas_constant * float(levels @ weights / weights.sum())


def atom_fraction(equilibrium_constant, pressure):
    """Mass fraction of atoms at which p_A**2/p_M is the equilibrium constant."""

    def excess(alpha):
        atoms, molecules = 2 * alpha / (1 + alpha) * pressure, (1 - alpha) / (1 + alpha) * pressure
        return atoms**2 - equilibrium_constant * molecules

    return optimize.brentq(excess, 0, 1, xtol=1e-14)


def saha_ratio(g):
    """n_e*n_i/n_0 from the thermal wavelength of the electron and the weights of the ground levels."""
    wavelength = constants.h / math.sqrt(2 * math.pi * constants.m_e * constants.k * g["T"])
    return 2 * g["g_i"] / g["g_0"] * math.exp(-g["theta_i"] / g["T"]) / wavelength**3


def saha_electrons(g):
    """Electron density at which the ratio holds and electrons, ions and atoms make up the pressure."""
    total, ratio = g["p"] / (constants.k * g["T"]), saha_ratio(g)
    return optimize.brentq(lambda n: n**2 - ratio * (total - 2 * n), 0, total / 2, rtol=1e-13)


def nitrogen_polynomial():
    """Molar heat capacity of N2 and its enthalpy at 0 K of the fit (GRI-Mech 3.0, 1000 to 5000 K)."""
    heat = np.polynomial.Polynomial([2.92664, 1.4879768e-3, -5.68476e-7, 1.0097038e-10, -6.753351e-15])
    return constants.R * heat, constants.R * -922.7977


def dissociating_shock(g):
    flux, speed = g["rho_1"] * g["V_1"], g["V_1"]

    def faults(unknown):
        eps, kilokelvin, alpha = unknown
        temperature, density = 1000 * kilokelvin, g["rho_1"] / eps
        pressure = density * g["R_2"] * temperature * (1 + alpha)
        energy = enthalpy(g, alpha, temperature) + (eps * speed) ** 2 / 2 - speed**2 / 2
        action = math.log(alpha**2 / (1 - alpha) * density / g["rho_d"]) + g["theta_d"] / temperature
        return [pressure / (flux * speed) + eps - 1, energy / speed**2, action]

    eps, kilokelvin, alpha = optimize.fsolve(faults, [0.09, 3.9, 0.5], xtol=1e-12)
    return {"eps": eps, "T_2": 1000 * kilokelvin, "alpha_2": alpha}


def electronic_energy_oxygen(g):
    levels, weights = np.array([0, g["theta_1"]]), np.array([g["g_0"], g["g_1"]])
    shares = weights * np.exp(-levels / g["T"])
    return {"e_el": g["R_O2"] * float(levels @ shares / shares.sum()) / 1000}


def equilibrium_mach(g):
    speed = equilibrium_sound_speed(g, g["T"], g["rho"])
    return {
        "alpha": dissociation(g["rho_d"], g["rho"], g["theta_d"], g["T"]),
        "a_e": speed,
        "M_e": g["V_loc"] / speed,
        "mu_M": math.degrees(math.asin(speed / g["V_loc"])),
    }


def fast_and_slow_sound(g):
    alpha = dissociation(g["rho_d"], g["rho_0"], g["theta_d"], g["T_0"])
    fast = frozen_sound_speed(alpha, g["R_2"], g["T_0"])
    slow = equilibrium_sound_speed(g, g["T_0"], g["rho_0"])
    return {"alpha": alpha, "a_f": fast, "a_e": slow, "r_a": fast / slow}


def heated_nitrogen_temperature(g):
    heat, at_zero = nitrogen_polynomial()
    molar = heat.integ() + at_zero
    found = optimize.brentq(lambda kelvin: molar(kelvin) - 1000 * g["h_N2"], 1000, 5000)
    return {"T_h": found, "cp_h": heat(found)}


def hot_nitrogen_heat_capacity(g):
    vibration = derivative(lambda kelvin: oscillator_energy(g["R_N2"], g["theta_v"], kelvin), g["T"])
    return {"c_p": (1 + 3 / 2 + 1) * g["R_N2"] + vibration}


def nitrogen_plasma(g):
    total, electrons = g["p"] / (constants.k * g["T"]), saha_electrons(g)
    return {"S_a": saha_ratio(g), "x_i": electrons / (total - electrons)}


def oxygen_dissociation_pressure(g):
    alpha = atom_fraction(g["Kp"], g["p"])
    share = 2 * alpha / (1 + alpha)  # mole fraction of atoms, each half as heavy as a molecule
    return {"alpha": alpha, "rho": 1000 * g["p"] * (1 - share / 2) / (g["R_O2"] * g["T"])}


def sound_speed_room(g):
    """From p = const*rho**gamma by its slope."""
    density = 1.2
    pressure = density * g["R_air"] * g["T"]
    return {"a": math.sqrt(derivative(lambda rho: pressure * (rho / density) ** g["gamma"], density))}


def stagnation_enthalpy_oxygen(g):
    alpha = dissociation(g["rho_d"], g["rho_0"], g["theta_d"], g["T_0"])
    return {"alpha": alpha, "h_0": enthalpy(g, alpha, g["T_0"]) / 1e6}


def temperature_from_enthalpy(g):
    def state(temperature):
        alpha = (1e6 * g["h_0"] / g["R_2"] - 4 * temperature) / (temperature + g["theta_d"])
        return alpha, 1000 * g["p_0"] / (g["R_2"] * temperature * (1 + alpha))

    def excess(temperature):
        alpha, density = state(temperature)
        return alpha - dissociation(g["rho_d"], density, g["theta_d"], temperature)

    found = optimize.brentq(excess, 2000, 6500)
    alpha, density = state(found)
    return {"T_eq": found, "alpha": alpha, "rho_eq": density}


def vibrational_energy_nitrogen(g):
    return {"e_v": oscillator_energy(g["R_N2"], g["theta_v"], g["T"]) / 1000}
