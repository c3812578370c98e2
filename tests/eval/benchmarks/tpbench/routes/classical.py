"""Mechanics and electromagnetism: equations of motion, sums over sources, boundary conditions."""

import numpy as np
from scipy.integrate import quad, solve_ivp
from scipy.optimize import minimize_scalar


def leaving_angle(v0, g, R):
    """Follow theta'' = (g/R) sin theta until the normal force vanishes."""

    def normal(t, y):
        return g * np.cos(y[0]) - R * y[1] ** 2

    start = [1e-9, abs(v0) / R + 1e-9]
    if normal(0, start) <= 0:
        return 0.0
    normal.terminal = True
    tight = {"rtol": 1e-10, "atol": 1e-13}
    path = solve_ivp(lambda t, y: [y[1], g / R * np.sin(y[0])], (0, 100), start, events=normal, **tight)
    return path.y_events[0][0][0]


def susceptibility(omega, omega0, gamma):
    """Solve (-i omega - A) y = (0, 1) for the system of first order."""
    system = np.array([[0, 1], [-(omega0**2), -gamma]], dtype=complex)
    return np.linalg.solve(-1j * omega * np.eye(2) - system, [0, 1])[0]


def small_oscillation_frequency(omega, g, R):
    """The curvature of the effective potential at its minimum, found numerically."""

    def potential(theta):
        return -g / R * np.cos(theta) - omega**2 * np.sin(theta) ** 2 / 2

    grid = np.linspace(0, np.pi, 20001)
    best = grid[np.argmin(potential(grid))]
    found = minimize_scalar(potential, bounds=(best - 2e-4, best + 2e-4), method="bounded").x
    h = 1e-4
    return np.sqrt((potential(found + h) - 2 * potential(found) + potential(found - h)) / h**2)


def pericentre_advance(k, beta, m, L):
    """Integrate the radial motion from one pericentre to the next, and the angle with it."""
    start = 0.8 * (L**2 + 2 * m * beta) / (m * k)

    def motion(t, y):
        r, speed, _ = y
        return [speed, (L**2 / m + 2 * beta) / (m * r**3) - k / (m * r**2), abs(L) / (m * r**2)]

    def pericentre(t, y):
        return y[1]

    pericentre.direction = 1
    period = 2 * np.pi * np.sqrt(m * (2 * start) ** 3 / k)
    path = solve_ivp(motion, (0, 3 * period), [start, 0, 0], events=pericentre, rtol=1e-10, atol=1e-12)
    angle = next(y[2] for t, y in zip(path.t_events[0], path.y_events[0], strict=True) if t > period / 100)
    return angle - 2 * np.pi


def axial_field(sigma, R, z, eps0):
    """The field of rings, summed."""

    def ring(s, h):
        return sigma * s * h / (2 * eps0 * (h * h + s * s) ** 1.5)

    return [quad(ring, 0, R, args=(h,), points=[min(abs(h), R)])[0] for h in z]


def radial_force(q, d, R, eps0):
    """Minus the gradient of half the energy in the multipoles that the charge induces."""
    orders = np.arange(1, 400)
    if d < R:
        terms = orders * d ** (2 * orders - 1.0) / R ** (2 * orders + 1.0)
        return q**2 / (4 * np.pi * eps0) * terms.sum()
    orders = np.arange(0, 400)
    terms = (orders + 1) * (R / d) ** (2 * orders + 1.0) / d**2
    return -(q**2) / (4 * np.pi * eps0) * terms.sum()


def reflection_amplitude(n, k0, d):
    """Solve the four boundary conditions for r, the two waves inside, and t."""
    inside, outside = np.exp(1j * n * k0 * d), np.exp(1j * k0 * d)
    conditions = [
        [-1, 1, 1, 0],
        [1, n, -n, 0],
        [0, inside, 1 / inside, -outside],
        [0, n * inside, -n / inside, -outside],
    ]
    return np.linalg.solve(np.array(conditions, dtype=complex), [1, 1, 0, 0])[0]


def radiated_power(q, v, a):
    """Integrate the angular distribution dP/dOmega = q^2 |n x ((n - v) x a)|^2 / (4 pi (1 - n.v)^5)."""
    nodes, weights = np.polynomial.legendre.leggauss(120)
    angles = np.arange(120) * 2 * np.pi / 120
    cosine, angle = np.meshgrid(nodes, angles, indexing="ij")
    sine = np.sqrt(1 - cosine**2)
    n = np.stack([sine * np.cos(angle), sine * np.sin(angle), cosine], axis=-1)
    field = np.cross(n, np.cross(n - v, a))
    density = (field**2).sum(-1) / (1 - n @ v) ** 5
    return q**2 / (4 * np.pi) * (weights @ density.mean(axis=1)) * 2 * np.pi


def permittivity(omega, k, s):
    """The velocity integral along a contour that passes below the pole."""

    def slope(u):
        return -u / s**2 * np.exp(-(u**2) / (2 * s**2)) / (s * np.sqrt(2 * np.pi))

    depth = abs(omega.imag / k) + 1.0 if isinstance(omega, complex) else 1.0
    u = np.linspace(-30, 30, 60001) * s - 1j * depth
    return 1 + np.trapezoid(slope(u) / (omega - k * u), u) / k
