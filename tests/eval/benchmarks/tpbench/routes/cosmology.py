"""Cosmology: integrals and differential equations in place of closed forms."""

import numpy as np
from scipy.integrate import quad, solve_ivp
from scipy.linalg import solve_banded
from scipy.optimize import brentq


def angular_diameter_distance(z, H0):
    return [quad(lambda x: (1 + x) ** -1.5 / H0, 0, each)[0] / (1 + each) for each in z]


def age(a, H0, Om):
    """int da/(a H) with a = w^2."""
    return [
        quad(lambda w: 2 * w**2 / (H0 * np.sqrt(Om + (1 - Om) * w**6)), 0, np.sqrt(each))[0] for each in a
    ]


def e_folds(phi, f):
    def slope(x):
        return -np.sin(x / f) / (f * (1 + np.cos(x / f)))

    start = abs(phi)
    end = brentq(lambda x: slope(x) ** 2 / 2 - 1, start, np.pi * f * (1 - 1e-9))
    return quad(lambda x: -1 / slope(x), start, end)[0]


def growth(a, Om):
    """The equation of growth in ln a."""

    def equation(x, y):
        matter = Om * np.exp(-3 * x)
        share = matter / (matter + 1 - Om)
        return [y[1], 1.5 * share * y[0] - (2 - 1.5 * share) * y[1]]

    start = np.log(1e-4)
    path = solve_ivp(
        equation, (start, np.log(max(a))), [1e-4, 1e-4], dense_output=True, rtol=1e-9, atol=1e-14
    )
    return path.sol(np.log(a))[0]


def field_variance(m2, lam, H):
    def weight(x):
        return np.exp(-8 * np.pi**2 * (m2 * x**2 / 2 + lam * x**4 / 4 - _depth(m2, lam)) / (3 * H**4))

    reach = 12 * H / lam**0.25 + 2 * np.sqrt(max(0.0, -m2) / lam)
    points = [np.sqrt(max(0.0, -m2) / lam)]
    moments = [quad(lambda x, n=n: x**n * weight(x), 0, reach, points=points, limit=400)[0] for n in (0, 2)]
    return moments[1] / moments[0]


def _depth(m2, lam):
    return -(m2**2) / (4 * lam) if m2 < 0 else 0.0


def collapsed_fraction(S, delta, beta):
    """Crank-Nicolson for the walk below the barrier, from an early Gaussian on."""
    found = []
    for each in S:
        start = 0.002 * each if each < 10 else 0.02
        reach = delta + 7 * np.sqrt(each) + abs(beta) * each
        y = np.linspace(0, reach, 1001)  # distance below the barrier, which drifts away with beta
        h, steps = y[1], 500
        density = np.exp(-((y - delta - beta * start) ** 2) / (2 * start)) / np.sqrt(2 * np.pi * start)
        density[0] = density[-1] = 0
        dt = (each - start) / steps
        up, down = 0.5 / h**2 - beta / (2 * h), 0.5 / h**2 + beta / (2 * h)
        bands = np.zeros((3, len(y)))
        bands[0, 1:], bands[1], bands[2, :-1] = -dt / 2 * up, 1 + dt / 2 / h**2, -dt / 2 * down
        bands[0, 1] = bands[2, -2] = 0
        bands[1, 0] = bands[1, -1] = 1
        for _ in range(steps):
            right = density * (1 - dt / 2 / h**2)
            right[:-1] += dt / 2 * up * density[1:]
            right[1:] += dt / 2 * down * density[:-1]
            right[0] = right[-1] = 0
            density = solve_banded((1, 1), bands, right)
            density[0] = density[-1] = 0
        found.append(1 - density.sum() * h)
    return found


def particle_number(k, eta1, xi):
    """Integrate the mode from deep inside the horizon and project it on plane waves."""
    found = []
    for each in k:
        start = -120 / each
        c = 2 - 12 * xi

        def mode(eta, y, k=each, c=c):
            return [y[1], (c / eta**2 - k**2) * y[0]]

        wave = np.exp(-1j * each * start) / np.sqrt(2 * each)
        z = each * start
        first = [wave * (1 - 1j * c / (2 * z)), -1j * each * wave * (1 - 1j * c / (2 * z) + c / (2 * z**2))]
        path = solve_ivp(
            mode, (start, -eta1), np.array(first, complex), rtol=1e-9, atol=1e-12, method="DOP853"
        )
        chi, slope = path.y[:, -1]
        found.append(abs(each * chi - 1j * slope) ** 2 / (2 * each))
    return found
