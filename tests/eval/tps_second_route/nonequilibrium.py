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

CUBIC_CENTIMETRE = 1e-6


def arrhenius(factor, exponent, activation, temperature):
    """A rate whose factor is in cm3/mol/s, in m3/mol/s."""
    logarithm = math.log(factor) + exponent * math.log(temperature) - activation / temperature
    return CUBIC_CENTIMETRE * math.exp(logarithm)


def millikan_white(reduced_mass, step, temperature, pressure):
    """Relaxation time in s: p*tau in atm*s depends on the temperature alone."""
    slope = 1.16e-3 * math.sqrt(reduced_mass) * step ** (4 / 3)
    offset = 0.015 * reduced_mass**0.25
    return math.exp(slope * (temperature ** (-1 / 3) - offset) - 18.42) / (pressure / constants.atm)


def striking_speed(gas_constant, temperature):
    """Flux of a gas at rest to a wall per unit of its density: a quarter of the mean thermal speed."""
    return math.sqrt(8 * gas_constant * temperature / math.pi) / 4


def plasma_frequency(electrons):
    charge = constants.e**2 / (constants.epsilon_0 * constants.m_e)
    return math.sqrt(electrons * charge) / (2 * math.pi)


def goulard_factor(g, wall_speed):
    """Share of the atoms that reach the wall and recombine: diffusion and recombination in series."""
    diffusion = math.sqrt(2 * g["beta"] * g["rho_e"] * g["mu_e"]) * 0.47 / g["Sc"] ** (2 / 3)
    reaction = g["rho_w"] * wall_speed
    return reaction / (reaction + diffusion)


def catalytic_flux(g, factor):
    """Heat flux over that of a fully catalytic wall, times the latter in kW/m2."""
    share = g["h_D"] / g["h_0"]
    enhanced = g["Le"] ** (2 / 3)
    return g["q_fc"] * (1 + share * (enhanced * factor - 1)) / (1 + share * (enhanced - 1))


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


def catalytic_wall_temperature(g):
    def flux(temperature):
        factor = goulard_factor(g, g["gamma_w"] * striking_speed(g["R_O"], temperature))
        return 1000 * catalytic_flux(g, factor)

    def emitted(temperature):
        return g["eps_w"] * constants.sigma * temperature**4

    wall = optimize.brentq(lambda kelvin: emitted(kelvin) - flux(kelvin), 500, 4000)
    full = optimize.brentq(lambda kelvin: emitted(kelvin) - 1000 * g["q_fc"], 500, 4000)
    return {"T_w": wall, "q_w": flux(wall), "T_fc": full}


def cooling_by_vibration(g):
    heat = 3.5 * g["R_N2"]

    def excess(kelvin):
        return heat * (kelvin - g["T_1"]) + oscillator_energy(g["R_N2"], g["theta_v"], kelvin)

    later = optimize.brentq(excess, 0.7 * g["T_1"], g["T_1"])
    first, last = (
        1e6 * millikan_white(g["mu_r"], g["theta_v"], kelvin, g["p_2"]) for kelvin in (g["T_1"], later)
    )
    return {"T_2": later, "tau_1": first, "tau_2": last, "r_tau": last / first}


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


def two_temperature_regime(g):
    vibration = oscillator_energy(g["R_N2"], g["theta_v"], g["T_v"])
    translation = (1e6 * g["e_int"] - vibration) / (5 / 2 * g["R_N2"])
    controlling = math.sqrt(translation * g["T_v"])
    rate = arrhenius(7.0e21, -1.60, 113200, controlling)
    partners = g["p_2"] / (constants.R * translation)
    chemical = 1 / (rate * partners)
    return {
        "T_tr": translation,
        "T_a": controlling,
        "k_f": rate,
        "tau_c": chemical,
        "Da": g["L_s"] / g["V_s"] / chemical,
    }


ROUTES = {
    "nonequilibrium.blackout": blackout,
    "nonequilibrium.catalytic_wall_temperature": catalytic_wall_temperature,
    "nonequilibrium.cooling_by_vibration": cooling_by_vibration,
    "nonequilibrium.oxygen_nozzle_limits": oxygen_nozzle_limits,
    "nonequilibrium.relaxation_behind_shock": relaxation_behind_shock,
    "nonequilibrium.two_temperature_regime": two_temperature_regime,
}
