"""Cycles: integration along paths, IAPWS-IF97 instead of IAPWS-95, and numerical search of optima."""

import math

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq, minimize_scalar


def _get(*arguments):
    from CoolProp.CoolProp import PropsSI  # takes two seconds

    return PropsSI(*arguments)


def co2_compressor(mdot, p_1, T_1, p_2, eta):
    def rates(p, state):
        T = state[0]
        volume = 1 / _get("D", "P", p, "T", T, "CO2")
        expansion = _get("ISOBARIC_EXPANSION_COEFFICIENT", "P", p, "T", T, "CO2")
        return [T * volume * expansion / _get("C", "P", p, "T", T, "CO2"), volume]

    work = solve_ivp(rates, (p_1, p_2), [T_1, 0.0], rtol=1e-8, atol=1e-6).y[1, -1] / eta
    h_1 = _get("H", "P", p_1, "T", T_1, "CO2")
    T_2 = brentq(lambda T: _get("H", "P", p_2, "T", T, "CO2") - h_1 - work, T_1, T_1 + 200)
    return {"W": mdot * work, "T_2": T_2}


def reheat_for_dryness(p_1, T_1, p_c, eta, x):
    water = "IF97::Water"

    def quality(p):
        h, s = (_get(each, "P", p, "T", T_1, water) for each in "HS")
        liquid, vapour = ([_get(each, "P", p_c, "Q", q, water) for each in "HS"] for q in (0, 1))
        x_s = (s - liquid[1]) / (vapour[1] - liquid[1])
        h_4 = h - eta * (h - liquid[0] - x_s * (vapour[0] - liquid[0]))
        return (h_4 - liquid[0]) / (vapour[0] - liquid[0])

    p_r = math.exp(brentq(lambda u: quality(math.exp(u)) - x, math.log(1.5e5), math.log(6.5e6)))
    h_1, s_1 = (_get(each, "P", p_1, "T", T_1, water) for each in "HS")
    liquid, vapour = ([_get(each, "P", p_r, "Q", q, water) for each in "HS"] for q in (0, 1))
    if s_1 > vapour[1]:
        T = brentq(
            lambda T: _get("S", "P", p_r, "T", T, water) - s_1, _get("T", "P", p_r, "Q", 1, water) + 1e-3, T_1
        )
        h_s = _get("H", "P", p_r, "T", T, water)
    else:
        h_s = liquid[0] + (s_1 - liquid[1]) / (vapour[1] - liquid[1]) * (vapour[0] - liquid[0])
    return {"p_r": p_r, "q_r": _get("H", "P", p_r, "T", T_1, water) - h_1 + eta * (h_1 - h_s)}


def limited_gas_turbine(T_1, T_3, eta_c, eta_t, c_p, gamma, T_max):
    k = (gamma - 1) / gamma

    def temperatures(r):
        return T_1 + T_1 * (r**k - 1) / eta_c, T_3 - eta_t * T_3 * (1 - r**-k)

    def loss(r):
        T_2, T_4 = temperatures(r)
        return -c_p * (T_3 - T_4 - T_2 + T_1)

    top = brentq(lambda r: temperatures(r)[0] - T_max, 1, 200)
    r = minimize_scalar(loss, bounds=(1, top), method="bounded", options={"xatol": 1e-10}).x
    T_2, T_4 = temperatures(r)
    return {"r": r, "eta": 1 - (T_4 - T_1) / (T_3 - T_2)}


def supercritical_heater(p, T_a, T_b, T_h, m_w, c, dT):
    h_b = _get("H", "P", p, "T", T_b, "CO2")
    temperatures = np.linspace(T_a, T_b, 4001)
    h = _get("H", "P", np.full(4001, p), "T", temperatures, "CO2")

    def least_difference(flow):
        return np.min(T_h - flow * (h_b - h) / (m_w * c) - temperatures) - dT

    return {"mdot": brentq(least_difference, 0.01, 5 * m_w)}


def two_stage_air(p_1, T_1, p_2, eta, T_i, f, gamma, c_p):
    k = (gamma - 1) / gamma

    def work(p):
        return T_1 * ((p / p_1) ** k - 1) + T_i * ((p_2 / (p * (1 - f))) ** k - 1)

    p = minimize_scalar(work, bounds=(p_1, p_2), method="bounded", options={"xatol": 1e-3}).x
    return {"p_i": p, "T_d": T_1 + T_1 * ((p / p_1) ** k - 1) / eta}


def flash_gas_balance(T_r, T_c, V, eta_v, eta, U):
    liquid = _get("H", "T", T_c, "Q", 0, "R134a")

    def surplus(Q):
        T = T_r - Q / U
        flow = eta_v * V * _get("D", "T", T, "Q", 1, "R134a")
        return flow * (_get("H", "T", T, "Q", 1, "R134a") - liquid) - Q

    Q = brentq(surplus, 1.0, U * (T_r - 225))
    T = T_r - Q / U
    h, s, density = (_get(each, "T", T, "Q", 1, "R134a") for each in "HSD")
    p = _get("P", "T", T_c, "Q", 1, "R134a")
    return {"Q": Q, "W": eta_v * V * density * (_get("H", "P", p, "S", s, "R134a") - h) / eta}


def sealed_vessel(V, T_1, phi, T_2):
    water = "IF97::Water"
    density = phi * _get("D", "T", T_1, "Q", 0, water) + (1 - phi) * _get("D", "T", T_1, "Q", 1, water)
    boiling = _get("P", "T", T_2, "Q", 0, water)
    ends = (boiling * 1.0001, 99e6) if density > 322 else (1e3, boiling * 0.9999)
    return {"p_2": brentq(lambda p: _get("D", "P", p, "T", T_2, water) - density, *ends)}


def charged_bottle(V, p_1, T_1, p_0, T_0, p_2):
    h = _get("H", "P", p_0, "T", T_0, "Methane")
    density, u = (_get(each, "P", p_1, "T", T_1, "Methane") for each in "DU")
    m = V * density

    def reached(added):
        inner = (m * u + added * h) / (m + added)
        return [_get(each, "D", (m + added) / V, "U", inner, "Methane") for each in "PT"]

    added = brentq(lambda added: reached(added)[0] - p_2, 0.01 * V, 300 * V)
    return {"T_2": reached(added)[1], "m_a": added}


def condenser_size(Q_e, T_e, eta, dT, p_max, T_a):
    h, s = (_get(each, "T", T_e, "Q", 1, "R134a") for each in "HS")
    T_c = _get("T", "P", p_max, "Q", 1, "R134a")
    flow = Q_e / (h - _get("H", "P", p_max, "T", T_c - dT, "R134a"))
    work = flow * (_get("H", "P", p_max, "S", s, "R134a") - h) / eta
    return {"U": (Q_e + work) / (T_c - T_a)}


def wet_compressed_air(V, p_1, T_1, phi, T_2, p_2, p_3, T_3):
    """Count moles: the share of vapour in the wet air behind the cooler is its saturation pressure's share."""

    def saturation(T):
        return _get("P", "T", T, "Q", 1, "IF97::Water")

    total = p_1 * V / (8.314462618 * T_1)
    water = total * phi * saturation(T_1) / p_1
    dry = total - water
    left = min(water, dry * saturation(T_2) / (p_2 - saturation(T_2)))
    molar = 0.62198 * 8.314462618 / 287.05
    return {"mdot": (water - left) * molar, "phi_3": left / (left + dry) * p_3 / saturation(T_3)}


def _pure(fluid):
    """A function of the property's letter, pressure and temperature."""
    return lambda name, p, T: _get(name, "P", p, "T", T, fluid)


def _compress(get, p_1, T_1, p_2, rtol=1e-8):
    """Integrate along the isentrope from density and heat capacity: final temperature and work without losses."""
    step = 1e-3

    def rates(p, state):
        T = state[0]
        slope = (1 / get("D", p, T + step) - 1 / get("D", p, T - step)) / (2 * step)
        return [T * slope / get("C", p, T), 1 / get("D", p, T)]

    return solve_ivp(rates, (p_1, p_2), [T_1, 0.0], rtol=rtol, atol=1e-6).y[:, -1]


def _heat(get, p, T_1, T_2):
    """Integrate the heat capacity at constant pressure."""
    nodes, weights = np.polynomial.legendre.leggauss(40)
    middle, half = (T_1 + T_2) / 2, (T_2 - T_1) / 2
    return half * sum(w * get("C", p, middle + half * x) for x, w in zip(nodes, weights, strict=True))


def impure_co2_compressor(V, p_1, T_1, y, p_2, eta, T_3):
    import CoolProp.CoolProp as CP

    mixture = CP.AbstractState("HEOS", "CarbonDioxide&Nitrogen")
    mixture.set_mole_fractions([1 - y, y])
    mixture.specify_phase(CP.iphase_supercritical_gas)

    def get(name, p, T):
        mixture.update(CP.PT_INPUTS, p, T)
        return {"D": mixture.rhomass, "C": mixture.cpmass}[name]()

    T_s, work = _compress(get, p_1, T_1, p_2)
    flow = V * get("D", p_1, T_1)
    return {"W": flow * work / eta, "Q": flow * (work * (1 / eta - 1) + _heat(get, p_2, T_3, T_s))}


def coldest_heat_pump(dT, eta_v, eta, T_m, p_c, T_3):
    fluid, get = "R410A", _pure("R410A")

    def hottest(T_e):
        p_e = _get("P", "T", T_e, "Q", 1, fluid)
        T_s, work = _compress(get, p_e, T_e + dT, p_c, rtol=1e-7)
        rest = work * (1 / eta - 1)
        return brentq(lambda T: _heat(get, p_c, T_s, T) - rest, T_s, T_s + 150) - T_m

    T_e = brentq(hottest, 228, 290, xtol=1e-4)
    density = _get("D", "P", _get("P", "T", T_e, "Q", 1, fluid), "T", T_e + dT, fluid)
    boiling, dew = (_get("T", "P", p_c, "Q", x, fluid) for x in (0, 1))
    latent = _get("H", "P", p_c, "Q", 1, fluid) - _get("H", "P", p_c, "Q", 0, fluid)
    liquid, vapour = _heat(get, p_c, T_3, boiling - 1e-3), _heat(get, p_c, dew + 1e-3, T_m)
    return {"T_e": T_e, "q": eta_v * density * (liquid + latent + vapour)}


def mixed_refrigerant_chiller(p_e, dT_e, p_c, dT_c, eta_v, eta, Q):
    fluid, get = "R407C", _pure("R407C")
    dew = brentq(lambda T: _get("P", "T", T, "Q", 1, fluid) - p_e, 230, 300)
    boiling = brentq(lambda T: _get("P", "T", T, "Q", 0, fluid) - p_c, 280, 345)
    vapour = _get("H", "T", dew, "Q", 1, fluid) + _heat(get, p_e, dew + 1e-3, dew + dT_e)
    liquid = _get("H", "T", boiling, "Q", 0, fluid) - _heat(get, p_c, boiling - dT_c, boiling - 1e-3)
    _, work = _compress(get, p_e, dew + dT_e, p_c)
    flow = Q / (vapour - liquid)
    return {"V": flow / (eta_v * get("D", p_e, dew + dT_e)), "W": flow * work / eta}


def plateau_cooler(p, V, T_1, phi_1, T_w, phi_2, c):
    """Evaporate the water in small portions: count moles, and close the balance of energy by marching."""
    water = "IF97::Water"

    def saturation(T):
        return _get("P", "T", T, "Q", 1, water)

    total = p * V / (8.314462618 * T_1)
    vapour = total * phi_1 * saturation(T_1) / p
    dry = total - vapour
    ratio, mass = 8.314462618 / 287.05, 0.62198 * 8.314462618 / 287.05

    def surplus(T):
        share = phi_2 * saturation(T) / p
        moles = dry * share / (1 - share)
        steam, hot = (_get("H", "T", at, "Q", 1, water) for at in (T, T_1))
        added = (moles - vapour) * mass * (steam - _get("H", "T", T_w, "Q", 0, water))
        return dry * ratio * c * (T_1 - T) - vapour * mass * (steam - hot) - added

    T_2 = brentq(surplus, 274, T_1)
    share = phi_2 * saturation(T_2) / p
    return {"dT": T_1 - T_2, "mdot": (dry * share / (1 - share) - vapour) * mass}
