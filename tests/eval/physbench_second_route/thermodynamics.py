"""Thermodynamics, recomputed from energy balances, quadrature and counting of molecules.

Constants: the defining values of the SI for k_B and N_A, and sigma from Planck's law integrated over frequency.
"""

import math

from scipy import integrate, optimize

K_B, N_A, H, C = 1.380649e-23, 6.02214076e23, 6.62607015e-34, 299792458.0
ZERO_CELSIUS = 273.15


def _kelvin(celsius):
    return celsius + ZERO_CELSIUS


def _molecules(pressure, volume, temperature):
    """Number of molecules that exert a pressure in Pa in a volume in m3."""
    return pressure * volume / (K_B * temperature)


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


def bridge_expansion_gap(g):
    steps = 1000
    length = g["L"] * (1 + g["alpha"] * (g["T_2"] - g["T_1"]) / steps) ** steps
    return {"dL": 1000 * (length - g["L"])}


def tyre_pressure_after_drive(g):
    cold, warm = _kelvin(g["T_1"]), _kelvin(g["T_2"])
    count = _molecules(1000 * g["p_1"], g["V"] / 1000, cold)
    return {"n": count / N_A, "p_2": g["p_1"] * warm / cold}


def diving_cylinder_air(g):
    count = _molecules(1e6 * g["p"], g["V"] / 1000, _kelvin(g["T"]))
    return {"n": count / N_A, "m": count * g["M"] / N_A}


def window_heat_loss(g):
    resistance = g["L"] / 1000 / (g["k"] * g["A"])
    flow = (g["T_1"] - g["T_2"]) / resistance
    return {"P": flow / 1000, "E": flow * 3600 * g["t"] / 3.6e6}


def insulation_thickness(g):
    flow = g["r"] * g["L_f"]
    flux = flow / g["A"]
    return {"P": flow, "d": 1000 * g["k"] * (g["T_1"] - g["T_2"]) / flux}


def isothermal_expansion(g):
    def pressure(volume):
        return g["n"] * N_A * K_B * g["T"] / volume

    work, _ = integrate.quad(pressure, g["V_1"], g["V_2"])
    return {"W": work, "Q": work, "p_2": pressure(g["V_2"])}


def piston_first_law(g):
    work, _ = integrate.quad(lambda _: g["p"], g["V_1"], g["V_2"])
    change = g["Q"] - work
    return {"W": work, "dU": change, "trend": "rises" if change > 0 else "falls"}


def _reversible_work_share(hot, cold):
    """Of each joule of heat at `hot`, what is left when the entropy is passed on at `cold`."""
    entropy = 1 / hot
    return 1 - entropy * cold


def power_plant_efficiency(g):
    waste = g["q"] - g["P"]
    return {"eta": 1 - waste / g["q"], "eta_C": _reversible_work_share(g["T_H"], g["T_L"]), "q_L": waste}


def engine_claim(g):
    limit = _reversible_work_share(g["T_H"], g["T_L"])
    entropy = (g["Q"] - g["W"]) / g["T_L"] - g["Q"] / g["T_H"]
    return {"eta": g["W"] / g["Q"], "eta_C": limit, "verdict": "possible" if entropy >= 0 else "impossible"}


def heat_pump_power(g):
    power = g["q_H"] * _reversible_work_share(_kelvin(g["T_H"]), _kelvin(g["T_L"]))
    return {"COP": g["q_H"] / power, "P_el": power}


def molecule_speeds(g):
    mass = g["M"] / 1000 / N_A
    spread = math.sqrt(K_B * g["T"] / mass)

    def moment(speed):  # Maxwell's distribution times the square of the speed, speed in units of the spread
        return math.sqrt(2 / math.pi) * speed**4 * math.exp(-(speed**2) / 2)

    square, _ = integrate.quad(moment, 0, 40)
    mean_square = square * spread**2
    return {"K_avg": mass * mean_square / 2, "v_rms": math.sqrt(mean_square)}


def entropy_of_melting(g):
    ice, air = g["m"] * g["L"] / g["T"], -g["m"] * g["L"] / g["T_a"]
    return {"dS": ice, "dS_a": air, "dS_t": ice * (1 - g["T"] / g["T_a"])}


def _emitted(temperature):
    """Power per area of a black surface: Planck's law integrated over frequency."""
    shape, _ = integrate.quad(lambda x: x**3 / math.expm1(x) if x else 0.0, 0, 200)
    return 2 * math.pi * (K_B * temperature) ** 4 / (H**3 * C**2) * shape


def skin_radiation(g):
    net = g["epsilon"] * (_emitted(_kelvin(g["T_s"])) - _emitted(_kelvin(g["T_w"])))
    return {"q": net, "P": net * g["A"]}


def sealed_helium_heating(g):
    atoms = g["n"] * N_A
    before, after = (atoms * 1.5 * K_B * g[name] for name in ("T_1", "T_2"))
    return {"U_1": before, "U_2": after, "Q": atoms * 1.5 * K_B * (g["T_2"] - g["T_1"])}


def kelvin_scale(g):
    """The scale fixed by the triple point of water, 273.16 K and 0.01 degC."""
    first, second = (273.16 + g[name] - 0.01 for name in ("T_1", "T_2"))
    return {"K_1": first, "K_2": second, "dT": g["T_2"] - g["T_1"]}


def warming_curve(g):
    """Heat supplied in the time in which the temperature rises by one kelvin."""
    heat = g["P"] * optimize.brentq(lambda time: g["s"] * time - 1, 0, 1000)
    return {"C": heat, "c": heat / g["m"]}


def pumping_a_tyre(g):
    change = sum((g["W"], -g["Q"]))
    return {"dU": change, "change": "warmer" if g["W"] > g["Q"] else "colder"}


def can_in_the_sun(g):
    density = _molecules(1000 * g["p_1"], 1.0, g["T_1"])
    pressure = density * K_B * g["T_2"] / 1000
    return {"r": pressure / g["p_1"], "p_2": pressure}


ROUTES = {
    f"thermodynamics.{route.__name__}": route
    for route in (
        kettle_heating_time,
        coffee_and_milk,
        ice_in_lemonade,
        bridge_expansion_gap,
        tyre_pressure_after_drive,
        diving_cylinder_air,
        window_heat_loss,
        insulation_thickness,
        isothermal_expansion,
        piston_first_law,
        power_plant_efficiency,
        engine_claim,
        heat_pump_power,
        molecule_speeds,
        entropy_of_melting,
        skin_radiation,
        sealed_helium_heating,
        kelvin_scale,
        warming_curve,
        pumping_a_tyre,
        can_in_the_sun,
    )
}
