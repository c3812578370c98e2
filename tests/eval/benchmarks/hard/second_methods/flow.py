"""Flow: integration in time and along pipes, and roots in other unknowns than those of the set."""

import math
from itertools import pairwise

import numpy as np
from scipy.integrate import quad, solve_ivp
from scipy.optimize import brentq

from tests.eval.benchmarks.hard.second_methods.thermal_protection import _panel_drag

GAS = 8.314462618


def _turbulent(Re, roughness):
    """Return the friction factor that fulfils Colebrook's equation."""

    def residual(f):
        return 1 / math.sqrt(f) + 2 * math.log10(roughness / 3.7 + 2.51 / (Re * math.sqrt(f)))

    return brentq(residual, 1e-4, 1, xtol=1e-14)


def pipe_diameter(L, eps, Q, rho, mu, dp):
    D = (128 * mu * Q * L / (math.pi * dp)) ** 0.25
    if 4 * rho * Q / (math.pi * D * mu) > 2300:
        for _ in range(200):
            f = _turbulent(4 * rho * Q / (math.pi * D * mu), eps / D)
            D = (8 * f * L * rho * Q**2 / (math.pi**2 * dp)) ** 0.2
    return {"D": D, "V": 4 * Q / (math.pi * D**2)}


def _water(T):
    from CoolProp.CoolProp import PropsSI

    return [PropsSI(each, "T", T, "Q", 0, "Water") for each in ("D", "V", "P")]


def siphon_crest(T, H, D, eps, L, L_1, K, p_a, g):
    rho, mu, p_v = _water(T)
    V = 1.0
    for _ in range(200):
        f = _turbulent(rho * V * D / mu, eps / D)
        V = math.sqrt(2 * g * H / (1 + K + f * L / D))
    gradient = f / D * V**2 / 2 * rho
    crest = p_a - p_v - rho * V**2 / 2 * (1 + K) - gradient * L_1
    return {"z": crest / (rho * g)}


def hot_water_pump(T, H, p_a, H_0, c, N_0, d, D, eps, L, L_s, K_s, K_d, g):
    rho, mu, p_v = _water(T)
    area = math.pi * D**2 / 4

    def losses(V, length, K):
        return (_turbulent(rho * V * D / mu, eps / D) * length / D + K) * V**2 / (2 * g)

    V = brentq(lambda V: H_0 - c * (V * area) ** 2 - H - losses(V, L, K_s + K_d), 0.05, 15)
    needed = N_0 + d * (V * area) ** 2
    return {"z": (p_a - p_v) / (rho * g) - losses(V, L_s, K_s) - needed}


def tank_vent(V, M, gamma, p_1, A, p_b, T, p_2):
    R = GAS / M

    def flow(p):
        """Return the mass flow: the largest over all pressures at the outlet from p_b upwards."""
        outlet = max(p_b, p * (2 / (gamma + 1)) ** (gamma / (gamma - 1)))
        ratio = outlet / p
        speed2 = 2 * gamma / (gamma - 1) * R * T * (1 - ratio ** ((gamma - 1) / gamma))
        return A * p / (R * T) * ratio ** (1 / gamma) * math.sqrt(speed2)

    def reached(_, p):
        return p[0] - p_2

    reached.terminal = True
    run = solve_ivp(
        lambda _, p: [-flow(p[0]) * R * T / V], (0, 1e7), [p_1], events=reached, rtol=1e-9, max_step=2e3
    )
    return {"t": run.t_events[0][0]}


def nozzle_back_pressure(gamma, p_0, T_0, A_t, A_e, p_b):
    def area(M):
        return (2 / (gamma + 1) * (1 + (gamma - 1) / 2 * M**2)) ** ((gamma + 1) / (2 * (gamma - 1))) / M

    def outlet(M):
        """Return Mach number, pressure and total pressure at the outlet, with the shock at Mach number M."""
        first = ((gamma + 1) * M**2 / ((gamma - 1) * M**2 + 2)) ** (gamma / (gamma - 1))
        total = p_0 * first * ((gamma + 1) / (2 * gamma * M**2 - (gamma - 1))) ** (1 / (gamma - 1))
        wanted = A_e / (A_t * p_0 / total)
        M_e = brentq(lambda m: area(m) - wanted, 1e-3, 1)
        return M_e, total * (1 + (gamma - 1) / 2 * M_e**2) ** (-gamma / (gamma - 1)), total

    M_max = brentq(lambda m: area(m) - A_e / A_t, 1, 8)
    M_e, _, total = outlet(brentq(lambda M: outlet(M)[1] - p_b, 1.0001, M_max))
    return {"M_e": M_e, "p_0e": total}


LAYERS = ((0, 288.15, -6.5e-3), (11e3, 216.65, 0), (20e3, 216.65, 1e-3), (32e3, 228.65, 2.8e-3))
LAYERS += ((47e3, 270.65, 0), (51e3, 270.65, -2.8e-3), (71e3, 214.65, -2e-3), (85e3, 0, 0))


def _atmosphere(z):
    """Return temperature and pressure of the standard atmosphere, layer by layer."""
    h = 6356766 * z / (6356766 + z)
    p, constant = 101325.0, 9.80665 * 28.9644e-3 / 8.31432
    for (base, T_b, lapse), (top, _, _) in pairwise(LAYERS):
        rise = min(h, top) - base
        T = T_b + lapse * rise
        p *= (T / T_b) ** (-constant / lapse) if lapse else math.exp(-constant * rise / T_b)
        if h <= top:
            return T, p
    raise ValueError(z)


def pitot_speed(p, p_t, gamma, R):
    T = _atmosphere(brentq(lambda z: _atmosphere(z)[1] - p, 8e3, 40e3))[0]

    def ratio(M):
        if M <= 1:
            return (1 + 0.2 * M**2) ** 3.5
        return (1.2 * M**2) ** 3.5 * (6 / (7 * M**2 - 1)) ** 2.5

    M = brentq(lambda M: ratio(M) - p_t / p, 0.01, 8)
    return {"V": M * math.sqrt(gamma * R * T), "T_0": T * (1 + 0.2 * M**2)}


def mesospheric_dust(r, rho_p, z, g, R):
    T, p = _atmosphere(z)
    slow = 0.002 * math.sqrt(2 * R * T)
    drag = _panel_drag(slow, p / (R * T), R, T, T) * r**2 / slow
    m = 4 / 3 * math.pi * r**3 * rho_p
    return {"V": m * g / drag, "t_r": m / drag}


def valve_closure(V, L, D, p_s, t_c, K, rho, E, sigma):
    """Superpose the waves: each change of speed at the valve returns from the reservoir with its sign changed."""

    def highest(e):
        a = math.sqrt(1 / (rho * (1 / K + D / (E * e))))
        times = np.linspace(0, t_c + 6 * L / a, 20_001)

        def change(t):
            return V * np.clip(t / t_c, 0, 1)

        echoes = int((t_c + 6 * L / a) / (2 * L / a)) + 1
        total = change(times)
        for k in range(1, echoes + 1):
            total = total + 2 * (-1) ** k * change(times - 2 * L / a * k)
        return p_s + rho * a * np.max(total)

    e = brentq(lambda e: highest(e) * D / (2 * e) - sigma, 1e-3, 60e-3)
    return {"e": e, "p_m": highest(e)}


def channel_step_down(b, S, Q, rho, n, g):
    def carried(y):
        return b * y / n * (b * y / (b + 2 * y)) ** (2 / 3) * math.sqrt(S / 100)

    y_1 = brentq(lambda y: carried(y) - Q, 1e-3, 40)

    def thrust(y):
        return b * y**2 / 2 + Q**2 / (g * b * y)

    critical = (Q**2 / (g * b**2)) ** (1 / 3)
    y_2 = brentq(lambda y: thrust(y) - thrust(y_1), critical, 60)

    def energy(y):
        return y + Q**2 / (2 * g * (b * y) ** 2)

    return {"y_2": y_2, "P": rho * g * Q * (energy(y_1) - energy(y_2))}


def gas_line(L, D, eps, M, mu, T, p_1, p_2):
    RT, area = GAS / M * T, math.pi * D**2 / 4

    def arrives(flow):
        G = flow / area
        f = _turbulent(G * D / mu, eps / D)

        def lost(u):  # length used up to the pressure u
            return (1 - G**2 * RT / u**2) * 2 * D * u / (f * G**2 * RT)

        return quad(lost, p_2, p_1)[0] - L

    flow = brentq(arrives, 0.5, 2000)
    return {"mdot": flow, "V_2": flow * RT / (area * p_2)}


def capillary_leak(d, L, T, p_1, p_2, M, mu, V):
    R, a = GAS / M, d / 2
    c = math.sqrt(8 * R * T / math.pi)
    if mu / ((p_1 + p_2) / 2) * math.sqrt(math.pi * R * T / 2) > d:
        q = (
            (p_1 - p_2) * math.pi * a**2 * c / 4 * 8 * a / (3 * L)
        )  # effusion times the probability to get through
    else:
        profile = quad(lambda r: (a**2 - r**2) / (4 * mu) * 2 * math.pi * r, 0, a)[0]
        q = profile * quad(lambda p: p, p_2, p_1)[0] / L
    return {"q": q, "t": 0.01 * p_1 * V / q}
