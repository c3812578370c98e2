"""Finite-rate chemistry, relaxation, surfaces and plasmas, recomputed from their sources.

Rates are C. Park's of 1993 (J. Thermophys. Heat Transfer 7), in his own units of cm3 and mol; relaxation
is R. C. Millikan and D. R. White's (J. Chem. Phys. 39, 1963); catalysis R. Goulard's (Jet Propulsion 28,
1958) and H. Motz and H. Wise's (J. Chem. Phys. 32, 1960). Relaxing energies are integrated in time,
vibrational temperatures found by bracketing, and plasma and wall fluxes built from basic constants.
"""

import math

from scipy import constants, integrate, optimize

from tests.eval.tps_second_route.dissociating_gas import dissociation, enthalpy
from tests.eval.tps_second_route.equilibrium import oscillator_energy


def millikan_white(reduced_mass, step, temperature, pressure):
    """Relaxation time in s: p*tau in atm*s depends on the temperature alone."""
    slope = 1.16e-3 * math.sqrt(reduced_mass) * step ** (4 / 3)
    offset = 0.015 * reduced_mass**0.25
    return math.exp(slope * (temperature ** (-1 / 3) - offset) - 18.42) / (pressure / constants.atm)


def plasma_frequency(electrons):
    charge = constants.e**2 / (constants.epsilon_0 * constants.m_e)
    return math.sqrt(electrons * charge) / (2 * math.pi)


def blackout(g):
    radio = 1e9 * g["f_t"]
    critical = optimize.brentq(lambda n: plasma_frequency(n) - radio, 1e10, 1e25, rtol=1e-13)
    plasma = plasma_frequency(g["n_e"])
    return {
        "f_p": plasma / 1e9,
        "n_c": critical,
        "r_n": g["n_e"] / critical,
        "link": "reflected" if plasma > radio else "passes",
    }


def oxygen_nozzle_limits(g):
    alpha = dissociation(g["rho_d"], g["rho_0"], g["theta_d"], g["T_0"])
    plenum = enthalpy(g, alpha, g["T_0"])
    frozen = math.sqrt(2 * (plenum - enthalpy(g, alpha, g["T_fr"])))
    shifting = math.sqrt(2 * (plenum - enthalpy(g, 0, g["T_eq"])))
    return {
        "alpha_0": alpha,
        "h_0": plenum / 1e6,
        "V_fr": frozen,
        "V_eq": shifting,
        "r_V": shifting / frozen,
    }


def relaxation_behind_shock(g):
    time = 1e6 * millikan_white(g["mu_r"], g["theta_v"], g["T_2"], g["p_2"])
    final = oscillator_energy(g["R_N2"], g["theta_v"], g["T_2"]) / 1000
    history = integrate.solve_ivp(
        lambda _, energy: (final - energy) / time, (0, g["t"]), [g["e_0"]], rtol=1e-10, atol=1e-10
    )
    energy = float(history.y[0, -1])

    def excess(kelvin):
        return oscillator_energy(g["R_N2"], g["theta_v"], kelvin) / 1000 - energy

    return {"tau_v": time, "e_v": energy, "T_v": optimize.brentq(excess, 100, g["T_2"])}
