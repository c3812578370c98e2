"""Thermodynamics, recomputed from energy balances, quadrature and counting of molecules.

Constants: the defining values of the SI for k_B and N_A, and sigma from Planck's law integrated over frequency.
"""

import math

from scipy import integrate, optimize

K_B, N_A, H, C = 1.380649e-23, 6.02214076e23, 6.62607015e-34, 299792458.0
ZERO_CELSIUS = 273.15


def _kelvin(celsius):
    return celsius + ZERO_CELSIUS


def kettle_heating_time(g):
    heat, _ = integrate.quad(lambda _: g["m"] * g["c"], g["T_1"], g["T_2"])
    time = optimize.brentq(lambda time: g["P"] * time - heat, 0, 1e5)
    return {"Q": heat, "t": time}


def coffee_and_milk(g):
    coffee, milk = g["m_1"] * g["c_1"], g["m_2"] * g["c_2"]

    def surplus(final):
        return coffee * (g["T_1"] - final) - milk * (final - g["T_2"])

    final = optimize.brentq(surplus, g["T_2"], g["T_1"])
    return {"T_f": final, "Q": milk * (final - g["T_2"])}


def ice_in_lemonade(g):
    def surplus(above):
        ice = g["m_i"] * (g["L"] + g["c"] * above)
        return g["m_w"] * g["c"] * (g["dT"] - above) - ice

    share = g["m_i"] * g["L"] / (g["m_w"] * g["c"] * g["dT"])
    return {"r": share, "dT_f": optimize.brentq(surplus, 0, g["dT"])}


def isothermal_expansion(g):
    def pressure(volume):
        return g["n"] * N_A * K_B * g["T"] / volume

    work, _ = integrate.quad(pressure, g["V_1"], g["V_2"])
    return {"W": work, "Q": work, "p_2": pressure(g["V_2"])}


def piston_first_law(g):
    work, _ = integrate.quad(lambda _: g["p"], g["V_1"], g["V_2"])
    change = g["Q"] - work
    return {"W": work, "dU": change, "trend": "rises" if change > 0 else "falls"}


def molecule_speeds(g):
    mass = g["M"] / 1000 / N_A
    spread = math.sqrt(K_B * g["T"] / mass)

    def moment(speed):  # Maxwell's distribution times the square of the speed, speed in units of the spread
        return math.sqrt(2 / math.pi) * speed**4 * math.exp(-(speed**2) / 2)

    square, _ = integrate.quad(moment, 0, 40)
    mean_square = square * spread**2
    return {"K_avg": mass * mean_square / 2, "v_rms": math.sqrt(mean_square)}


def _emitted(temperature):
    """Power per area of a black surface: Planck's law integrated over frequency."""
    shape, _ = integrate.quad(lambda x: x**3 / math.expm1(x) if x else 0.0, 0, 200)
    return 2 * math.pi * (K_B * temperature) ** 4 / (H**3 * C**2) * shape


def skin_radiation(g):
    net = g["epsilon"] * (_emitted(_kelvin(g["T_s"])) - _emitted(_kelvin(g["T_w"])))
    return {"q": net, "P": net * g["A"]}


def warming_curve(g):
    """Heat supplied in the time in which the temperature rises by one kelvin."""
    heat = g["P"] * optimize.brentq(lambda time: g["s"] * time - 1, 0, 1000)
    return {"C": heat, "c": heat / g["m"]}


ROUTES = {
    f"thermodynamics.{route.__name__}": route
    for route in (
        kettle_heating_time,
        coffee_and_milk,
        ice_in_lemonade,
        isothermal_expansion,
        piston_first_law,
        molecule_speeds,
        skin_radiation,
        warming_curve,
    )
}
