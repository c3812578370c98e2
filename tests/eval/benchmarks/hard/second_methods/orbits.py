"""Orbits: quadrature of the equations of motion, integration in time, and search over designs."""

import math

import numpy as np
from scipy.integrate import quad, solve_ivp
from scipy.optimize import brentq, minimize_scalar


def timed_transfer(mu, au, r_1, r_2, theta, t):
    """One conic through both points for each transverse speed; its time is the integral of r²/h."""

    def conic(v_t):
        h = r_1 * v_t
        v_r = h / math.sin(theta) * (mu / h**2 + (1 / r_1 - mu / h**2) * math.cos(theta) - 1 / r_2)
        return h, v_r

    def time(v_t):
        h, v_r = conic(v_t)

        def inverse(a):
            return mu / h**2 + (1 / r_1 - mu / h**2) * math.cos(a) - v_r / h * math.sin(a)

        if min(inverse(a) for a in np.linspace(0, theta, 200)) <= 0:
            return math.inf
        return quad(lambda a: 1 / (inverse(a) ** 2 * h), 0, theta, limit=300)[0]

    low, high = 0.3 * math.sqrt(mu / r_1), 5 * math.sqrt(mu / r_1)  # a faster start arrives earlier
    for _ in range(60):
        v_t = (low + high) / 2
        low, high = (v_t, high) if time(v_t) > t else (low, v_t)
    v_r = conic(v_t)[1]
    return {"v_inf": math.hypot(v_r, v_t - math.sqrt(mu / r_1)), "v_r": v_r}


def flyby_reach(r, V_p, R, mu_p, v_inf, phi, k, mu, au):
    def after(radius):
        """Return the speed relative to the Sun after passing at this radius; the turn from the asymptote."""
        e = 1 + radius * v_inf**2 / mu_p
        turn = 2 * math.acos(-1 / e) - math.pi
        velocity = v_inf * np.array([math.cos(phi - turn), math.sin(phi - turn)])
        return float(np.linalg.norm(velocity + np.array([V_p, 0])))

    radii = k * R * np.geomspace(1, 1e4, 200_001)
    e = 1 + radii * v_inf**2 / mu_p
    angles = phi - (2 * np.arccos(-1 / e) - math.pi)
    speeds = np.hypot(V_p + v_inf * np.cos(angles), v_inf * np.sin(angles))
    best = int(np.argmax(speeds))
    v = max(after(radii[best]), float(speeds[best]))
    return {"v": v, "E": v**2 / 2 - mu / r}


def comet_pass(mu, au, r, v, q):
    h2 = 2 * q**2 * (v**2 / 2 - mu / r + mu / q)

    def radial(s):
        """Return dr/ds over the radial speed, with r = q + s² to remove the root at the closest point."""
        x = q + s * s
        # v_r² = (x - q) (A + B/x + ...): divided by s² it is finite at s = 0.
        energy = v**2 / 2 - mu / r
        value = 2 * energy * (x * x - q * q) / (s * s) + 2 * mu * (x - q) / (s * s) if s else 0
        if not s:
            value = 4 * energy * q + 2 * mu
        return 2 * x / math.sqrt(value)

    end = math.sqrt(r - q)
    t = quad(radial, 0, end, epsrel=1e-10)[0]
    nu = quad(lambda s: radial(s) * math.sqrt(h2) / (q + s * s) ** 2, 0, end, epsrel=1e-10)[0]
    return {"t": t, "nu": nu}


def pass_duration(R, mu, eps, t):
    def elevation(r):
        """Return the elevation half the time before or after the zenith, from vectors."""
        a = math.sqrt(mu / r**3) * t / 2
        line = np.array([r * math.cos(a) - R, r * math.sin(a)])
        return math.asin(line[0] / np.linalg.norm(line))

    return {"h": brentq(lambda r: elevation(r) - eps, R + 1e5, R + 13e6) - R}


def drag_sail(m, mu, R, h_1, rho_1, h_2, H, t, C_D):
    def rates(_, r):
        return [-C_D / m * rho_1 * math.exp(-(r[0] - R - h_1) / H) * math.sqrt(mu * r[0])]

    def down(_, r):
        return r[0] - R - h_2

    down.terminal = True
    run = solve_ivp(rates, (0, 1e14), [R + h_1], events=down, rtol=1e-9, atol=1e-3)
    A = run.t_events[0][0] / t
    return {"A": A, "da": -rates(0, [R + h_1])[0] * A * 86400}


def two_stage_split(m_p, dv, c_1, c_2, e_1, e_2):
    def add_stage(carried, speed, c, e):
        """Return the mass with a stage that gives the speed, from its propellant."""
        ratio = math.exp(speed / c)
        # carried + stage = ratio (carried + e stage)
        stage = carried * (ratio - 1) / (1 - e * ratio)
        return carried + stage if stage > 0 else math.inf

    def mass(first):
        return add_stage(add_stage(m_p, dv - first, c_2, e_2), first, c_1, e_1)

    speeds = np.linspace(0.02, 0.98, 2001) * dv
    masses = np.array([mass(each) for each in speeds])
    at = int(np.argmin(masses))
    ends = speeds[at - 1], speeds[at + 1]
    found = minimize_scalar(mass, bounds=ends, method="bounded", options={"xatol": 1e-6})
    return {"dv_1": found.x, "m_0": found.fun}


def mars_capture(a_1, a_2, h, dv, mu_S, mu_M, R, au):
    momentum = math.sqrt(2 * mu_S * a_1 * a_2 / (a_1 + a_2))
    excess = math.sqrt(mu_S / a_2) - momentum / a_2
    r_p = R + h
    speed = math.hypot(excess, math.sqrt(2 * mu_M / r_p)) - dv
    e = r_p * speed**2 / mu_M - 1
    r_a = r_p * (1 + e) / (1 - e)
    half = quad(lambda E: 1 - e * math.cos(E), 0, math.pi)[0]
    return {"h_a": r_a - R, "T": 2 * half * math.sqrt(((r_p + r_a) / 2) ** 3 / mu_M)}


def tug_raise(m, mu, R, h_1, h_2, F, c):
    r_1, r_2 = R + h_1, R + h_2
    momentum = math.sqrt(2 * mu * r_1 * r_2 / (r_1 + r_2))
    speed = momentum / r_1 - math.sqrt(mu / r_1) + math.sqrt(mu / r_2) - momentum / r_2
    if m / F * speed < 0.1 * 2 * math.pi * math.sqrt(r_1**3 / mu):
        return {"m_x": m - m / math.exp(speed / c), "t": math.pi * math.sqrt(((r_1 + r_2) / 2) ** 3 / mu)}

    def rates(t, r):
        return [2 * r[0] ** 1.5 / math.sqrt(mu) * F / (m - F / c * t)]

    def there(_, r):
        return r[0] - r_2

    there.terminal = True
    run = solve_ivp(rates, (0, 0.999 * m * c / F), [r_1], events=there, rtol=1e-9, atol=1.0)
    t = run.t_events[0][0]
    return {"m_x": F / c * t, "t": t}


def phasing_limit(h, mu, R, theta, h_m):
    r = R + h
    rate = math.sqrt(mu / r**3)
    for N in range(1, 200):
        t = (2 * math.pi * N - theta) / rate  # until the target is at the place of the first burn
        a = (mu * (t / N / (2 * math.pi)) ** 2) ** (1 / 3)
        if 2 * a - r >= R + h_m:
            e = r / a - 1
            apocentre = math.sqrt(mu * a * (1 - e**2)) / r
            return {"dv": 2 * (math.sqrt(mu / r) - apocentre), "t": t}
    return {}


def binary_asteroid(d, D_1, D_2, rho_1, rho_2):
    G = 6.6743e-11
    m_1, m_2 = (rho * math.pi / 6 * D**3 for rho, D in ((rho_1, D_1), (rho_2, D_2)))
    rate2 = G * (m_1 + m_2) / d**3
    centre = d * m_2 / (m_1 + m_2)

    def pull(x):
        """Return the acceleration left over at the distance x from the first asteroid."""
        return -G * m_1 / x**2 + G * m_2 / (d - x) ** 2 + rate2 * (x - centre)

    return {"h": d - brentq(pull, 0.05 * d, 0.97 * d, xtol=1e-6) - D_2 / 2}
