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


def active_wall_speed(g):
    plain = g["gam_w"] * striking_speed(g["R_O"], g["T_w"])
    return {"k_w": plain / (1 - g["gam_w"] / 2)}


def binary_scaled_model(g):
    return {"rho_m": g["rho_v"] * g["L_v"] / g["L_m"]}


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


def catalytic_heating(g):
    speed = g["gamma_w"] * striking_speed(g["R_O"], g["T_w"])
    factor = goulard_factor(g, speed)
    return {"k_w": speed, "phi": factor, "q_w": catalytic_flux(g, factor)}


def catalytic_wall_temperature(g):
    def flux(temperature):
        factor = goulard_factor(g, g["gamma_w"] * striking_speed(g["R_O"], temperature))
        return 1000 * catalytic_flux(g, factor)

    def emitted(temperature):
        return g["eps_w"] * constants.sigma * temperature**4

    wall = optimize.brentq(lambda kelvin: emitted(kelvin) - flux(kelvin), 500, 4000)
    full = optimize.brentq(lambda kelvin: emitted(kelvin) - 1000 * g["q_fc"], 500, 4000)
    return {"T_w": wall, "q_w": flux(wall), "T_fc": full}


def controlling_temperature(g):
    return {"T_a": g["T"] ** 0.5 * g["T_v"] ** 0.5}


def cooling_by_vibration(g):
    heat = 3.5 * g["R_N2"]

    def excess(kelvin):
        return heat * (kelvin - g["T_1"]) + oscillator_energy(g["R_N2"], g["theta_v"], kelvin)

    later = optimize.brentq(excess, 0.7 * g["T_1"], g["T_1"])
    first, last = (
        1e6 * millikan_white(g["mu_r"], g["theta_v"], kelvin, g["p_2"]) for kelvin in (g["T_1"], later)
    )
    return {"T_2": later, "tau_1": first, "tau_2": last, "r_tau": last / first}


def dissociation_rate_two_temperature(g):
    controlling = math.sqrt(g["T"] * g["T_v"])
    return {"T_a": controlling, "k_f": arrhenius(7.0e21, -1.60, 113200, controlling)}


def graphite_sublimation(g):
    """Excess pressure over the mean momentum of the vapour, p*sqrt(M/(2*pi*R*T))."""
    vapour = constants.R / g["M_v"]
    excess = (g["p_v"] - g["p_s"]) / (vapour * g["T_w"])
    flux = g["alpha_v"] * excess * striking_speed(vapour, g["T_w"])
    return {"m_dot": flux, "s_dot": 1000 * flux / g["rho_s"]}


def high_temperature_relaxation(g):
    area = 1e-21 * (50000 / g["T"]) ** 2
    speed = math.sqrt(8 * constants.k * g["T"] / (math.pi * g["m_N2"]))
    collision = 1e6 / (area * speed * g["n_t"])
    return {"tau_P": collision, "tau_tot": g["tau_MW"] + collision}


def hydrogen_chain_rate(g):
    exponent = g["n_f"] * math.log(g["T"] / g["T_r"]) - g["theta_a"] / g["T"]
    return {"k_f": g["A_f"] * math.exp(exponent)}


def nozzle_exit_speed(g):
    flow = g["L_n"] / g["V_n"]
    locked = g["alpha_t"] * g["h_D"] + g["cp_f"] * g["T_e"] / 1e6
    return {"tau_f": flow, "Da": flow / g["tau_c"], "V_e": 1000 * math.sqrt(2 * (g["h_0"] - locked))}


def oxidation_probability(g):
    return {"a_O": 0.63 * math.exp(-1160 / g["T_w"])}


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


def oxygen_rate_models(g):
    controlling = math.sqrt(g["T"] * g["T_v"])
    first, second = (arrhenius(2.0e21, -1.5, 59500, kelvin) for kelvin in (g["T"], controlling))
    return {"T_a": controlling, "k_1": first, "k_2": second, "r_k": first / second}


def recombination_scaled_model(g):
    return {"rho_s": g["rho_f"] * (g["L_f"] / g["L_s"]) ** 0.5}


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


def relaxation_time_nitrogen(g):
    return {"tau_v": 1e6 * millikan_white(g["mu_r"], g["theta_v"], g["T"], g["p"])}


def sheath_shielding(g):
    """Thermal speed of the electrons over the plasma frequency."""
    thermal = math.sqrt(constants.k * g["T_e"] / constants.m_e)
    return {"lam_De": 1e6 * thermal / (2 * math.pi * plasma_frequency(g["n_e"]))}


def tile_atoms(g):
    """The fits of P. Kolodziej and D. A. Stewart, AIAA Paper 87-1637."""
    oxygen = 40 * math.exp(-11440 / g["T_w"]) * striking_speed(g["R_O"], g["T_w"])
    nitrogen = 0.061 * math.exp(-2480 / g["T_w"]) * striking_speed(g["R_N"], g["T_w"])
    return {"k_O": oxygen, "k_N": nitrogen, "r_ON": oxygen / nitrogen}


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


def zeldovich_steps(g):
    first, second = arrhenius(6.4e17, -1, 38400, g["T"]), arrhenius(8.4e12, 0, 19450, g["T"])
    faster = "k_a" if first > second else "k_b"
    return {"k_a": first, "k_b": second, "r_ab": first / second, "faster": faster}


ROUTES = {
    "nonequilibrium.active_wall_speed": active_wall_speed,
    "nonequilibrium.binary_scaled_model": binary_scaled_model,
    "nonequilibrium.blackout": blackout,
    "nonequilibrium.catalytic_heating": catalytic_heating,
    "nonequilibrium.catalytic_wall_temperature": catalytic_wall_temperature,
    "nonequilibrium.controlling_temperature": controlling_temperature,
    "nonequilibrium.cooling_by_vibration": cooling_by_vibration,
    "nonequilibrium.dissociation_rate_two_temperature": dissociation_rate_two_temperature,
    "nonequilibrium.graphite_sublimation": graphite_sublimation,
    "nonequilibrium.high_temperature_relaxation": high_temperature_relaxation,
    "nonequilibrium.hydrogen_chain_rate": hydrogen_chain_rate,
    "nonequilibrium.nozzle_exit_speed": nozzle_exit_speed,
    "nonequilibrium.oxidation_probability": oxidation_probability,
    "nonequilibrium.oxygen_nozzle_limits": oxygen_nozzle_limits,
    "nonequilibrium.oxygen_rate_models": oxygen_rate_models,
    "nonequilibrium.recombination_scaled_model": recombination_scaled_model,
    "nonequilibrium.relaxation_behind_shock": relaxation_behind_shock,
    "nonequilibrium.relaxation_time_nitrogen": relaxation_time_nitrogen,
    "nonequilibrium.sheath_shielding": sheath_shielding,
    "nonequilibrium.tile_atoms": tile_atoms,
    "nonequilibrium.two_temperature_regime": two_temperature_regime,
    "nonequilibrium.zeldovich_steps": zeldovich_steps,
}
