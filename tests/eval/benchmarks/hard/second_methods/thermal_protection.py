"""Thermal protection: quadrature over surfaces and directions, finite volumes, and integration in time."""

import math

import numpy as np
from scipy.integrate import quad, solve_ivp
from scipy.optimize import brentq, fsolve
from scipy.special import erf

SIGMA, BOLTZMANN, AVOGADRO = 5.670374419e-8, 1.380649e-23, 6.02214076e23
GAS = BOLTZMANN * AVOGADRO


def probe_sphere_drag(D, m, V, rho, T, M, d, gamma, T_w):
    free_path = 1 / (math.sqrt(2) * math.pi * d**2 * rho / M * AVOGADRO)
    R = GAS / M
    if free_path / D < 0.3:
        Ma2 = V**2 / (gamma * R * T)
        p = rho * R * T
        rayleigh = ((gamma + 1) ** 2 * Ma2 / (4 * gamma * Ma2 - 2 * (gamma - 1))) ** (gamma / (gamma - 1))
        stagnation = p * rayleigh * (1 - gamma + 2 * gamma * Ma2) / (gamma + 1)
        rings, _ = quad(lambda a: math.cos(a) ** 3 * math.sin(a), 0, math.pi / 2)
        F = (stagnation - p) * 2 * math.pi * (D / 2) ** 2 * rings
    else:
        F = _panel_drag(V, rho, R, T, T_w) * (D / 2) ** 2
    return {"F": F, "a": F / m}


def _panel_drag(V, rho, R, T, T_w):
    """Integrate the momentum that molecules bring and take over a unit sphere, panel by panel."""
    s = V / math.sqrt(2 * R * T)

    def ring(a):
        n = s * math.cos(a)
        flux = math.exp(-(n**2)) + math.sqrt(math.pi) * n * (1 + erf(n))
        unit = rho * R * T
        normal = unit * (n / math.sqrt(math.pi) * math.exp(-(n**2)) + (0.5 + n**2) * (1 + erf(n)))
        normal += unit * 0.5 * math.sqrt(T_w / T) * flux
        shear = rho * R * T * s * math.sin(a) / math.sqrt(math.pi) * flux
        return (normal * math.cos(a) + shear * math.sin(a)) * 2 * math.pi * math.sin(a)

    return quad(ring, 0, math.pi, epsabs=0, epsrel=1e-9, limit=200)[0]


def cryostat_gap(T_h, L, A, p, d, k_0, e_h, e_c):
    from CoolProp.CoolProp import PropsSI

    T_c = PropsSI("T", "P", 101325, "Q", 0, "Nitrogen")
    mean = (T_h + T_c) / 2
    if BOLTZMANN * mean / (math.sqrt(2) * math.pi * d**2 * p) > L:
        m = 4.002602e-3 / AVOGADRO
        # Two streams of equal number flux: their momentum is the pressure, their energy the heat flux.
        momentum = sum(math.sqrt(math.pi * m * BOLTZMANN * T / 2) for T in (T_h, T_c))
        gas = p / momentum * 2 * BOLTZMANN * (T_h - T_c)
    else:
        gas = quad(lambda T: k_0 * (T / 300) ** 0.7, T_c, T_h)[0] / L
    emitted = [e_h * SIGMA * T_h**4, e_c * SIGMA * T_c**4]
    hot, cold = np.linalg.solve([[1, -(1 - e_h)], [-(1 - e_c), 1]], emitted)
    Q = A * (gas + hot - cold)
    step = 0.01
    slope = (
        PropsSI("P", "T", T_c + step, "Q", 0, "Nitrogen") - PropsSI("P", "T", T_c - step, "Q", 0, "Nitrogen")
    ) / (2 * step)
    volumes = [1 / PropsSI("D", "T", T_c, "Q", x, "Nitrogen") for x in (0, 1)]
    return {"Q": Q, "mdot": Q / (T_c * (volumes[1] - volumes[0]) * slope)}


def _march(L, alpha, k, flux=0.0, h=0.0, cells=120):
    """Return a function (t, T_0, T_gas) -> (front, back) of an insulated slab, from its finite volumes."""
    dx = L / cells
    resistance = dx / (2 * k)
    half = h / (1 + h * resistance)  # from the gas to the middle of the first cell
    diagonal = np.full(cells, -2.0)
    diagonal[0] = -1 - half * dx / k
    diagonal[-1] = -1
    A = alpha / dx**2 * (np.diag(diagonal) + np.diag(np.ones(cells - 1), 1) + np.diag(np.ones(cells - 1), -1))
    rates, modes = np.linalg.eigh(A)

    def temperatures(t, T_0, T_gas):
        source = np.zeros(cells)
        source[0] = alpha / dx**2 * dx / k * (flux + half * (T_gas - T_0))
        amplitude = modes.T @ source
        safe = np.where(np.abs(rates) < 1e-14, 1, rates)
        grown = np.where(np.abs(rates) < 1e-14, t, np.expm1(rates * t) / safe)
        rise = modes @ (amplitude * grown)
        front = rise[0] + (flux + half * (T_gas - T_0 - rise[0])) * resistance
        return T_0 + front, T_0 + rise[-1]

    return temperatures


def wall_soak(L, T_0, T_g, h, k, rho, c, t):
    front, back = _march(L, k / (rho * c), k, h=h)(t, T_0, T_g)
    return {"T_s": front, "T_b": back}


def insulation_thickness(T_0, q, t, k, rho, c, T_max):
    return {"L": brentq(lambda L: _march(L, k / (rho * c), k, flux=q)(t, T_0, 0)[1] - T_max, 0.004, 0.25)}


def slug_melt(L, T_0, q, k, rho, c, T_m):
    temperatures = _march(L, k / (rho * c), k, flux=q)
    t = brentq(lambda t: temperatures(t, T_0, 0)[0] - T_m, 1e-4, 12)
    return {"t": t, "T_b": temperatures(t, T_0, 0)[1]}


def shield_count(T_1, e_1, T_2, e_2, e_a, e_b, q_max):
    for n in range(60):
        sides = [e_1, *[e_a, e_b] * n, e_2]
        gaps = [1 / sides[2 * i] + 1 / sides[2 * i + 1] - 1 for i in range(n + 1)]
        # Unknowns: sigma T^4 of the foils; the flux is the same in every gap.
        A, b = np.zeros((n, n)), np.zeros(n)
        for i in range(n):
            A[i, i] = 1 / gaps[i] + 1 / gaps[i + 1]
            if i:
                A[i, i - 1] = -1 / gaps[i]
            if i + 1 < n:
                A[i, i + 1] = -1 / gaps[i + 1]
        if n:
            b[0] += SIGMA * T_1**4 / gaps[0]
            b[-1] += SIGMA * T_2**4 / gaps[-1]
        last = np.linalg.solve(A, b)[-1] if n else SIGMA * T_1**4
        q = (last - SIGMA * T_2**4) / gaps[-1]
        if q <= q_max:
            return {"q": q}
    return {}


def relaxing_shock(W, M, p_1, T_1, theta, A, B, x):
    R = GAS / M
    rho_1 = p_1 / (R * T_1)

    def vibration(T):
        return R * theta / (math.exp(theta / T) - 1)

    def state(moving):
        def residuals(unknown):
            u, T = unknown[0] * W, unknown[1] * 1000
            p = rho_1 * W / u * R * T
            momentum = (p + rho_1 * W * u) / (p_1 + rho_1 * W**2) - 1
            inner = vibration(T) - vibration(T_1) if moving else 0
            return momentum, (3.5 * R * (T - T_1) + inner + (u**2 - W**2) / 2) / (W**2 / 2)

        u, T = fsolve(residuals, (0.17, 2.0), xtol=1e-12)
        return u * W, T * 1000

    u, T = state(False)
    p = rho_1 * W / u * R * T
    if x > u * math.exp(A * (T ** (-1 / 3) - B) - 18.42) * 101325 / p:
        u, T = state(True)
    return {"T_x": T, "rho_x": rho_1 * W / u}


def glowing_layer(delta, T, p, M, w, kappa, t):
    tau = kappa * w * p * M / (GAS * T) * delta
    emissivity = quad(lambda mu: 2 * mu * -math.expm1(-tau / mu), 0, 1, epsrel=1e-10)[0]
    q = emissivity * SIGMA * T**4
    return {"q": q, "E": q * t}


def dense_probe(m, D, C_D, V, gamma, rho_0, H):
    K = C_D * math.pi * D**2 / 4 / (2 * m)

    def rates(_, state):
        z, v = state
        return [-v * math.sin(gamma), -K * rho_0 * math.exp(-z / H) * v**2]

    def ground(_, state):
        return state[0]

    ground.terminal = True
    flown = solve_ivp(
        rates, (0, 4000), [25 * H, V], "DOP853", events=ground, rtol=1e-10, atol=1e-6, dense_output=True
    )
    times = np.linspace(0, flown.t[-1], 400_001)
    z, v = flown.sol(times)
    braking = K * rho_0 * np.exp(-z / H) * v**2
    at = int(np.argmax(braking))
    return {"a": braking[at], "V_a": v[at]}


def ablation_pulse(q_max, t, V, c_p, T_a, eps, rho, Q):
    times = np.linspace(0, t, 400_001)
    cold = q_max * (1 - np.abs(2 * times / t - 1))
    excess = np.maximum(cold * (1 - c_p * T_a / (V**2 / 2)) - eps * SIGMA * T_a**4, 0)
    return {"t_a": np.count_nonzero(excess) / 400_000 * t, "s": np.trapezoid(excess, times) / (rho * Q)}
