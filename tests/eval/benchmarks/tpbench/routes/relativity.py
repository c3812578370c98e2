"""Relativity: Lorentz matrices, radial integrals, extrema of potentials and actions."""

import numpy as np
from scipy.integrate import quad
from scipy.linalg import polar
from scipy.optimize import brentq, minimize_scalar


def _boost(b, axis):
    matrix = np.eye(3)
    matrix[0, 0] = matrix[axis, axis] = 1 / np.sqrt(1 - b**2)
    matrix[0, axis] = matrix[axis, 0] = b * matrix[0, 0]
    return matrix


def observed_angle(theta, beta):
    waves = [_boost(-beta, 1) @ [1, np.cos(each), np.sin(each)] for each in theta]
    return [np.arctan2(wave[2], wave[1]) for wave in waves]


def wigner_angle(b1, b2):
    """The polar decomposition of the product into a rotation and a symmetric matrix."""
    rotation, _ = polar(_boost(b2, 2) @ _boost(b1, 1))
    return np.arctan2(rotation[2, 1], rotation[1, 1])


def proper_time(r0, r, M):
    """int dr / sqrt(2M/r - 2M/r0), with r = r0 - w^2 against the singular start."""
    return [
        quad(
            lambda w: 2 * w / np.sqrt(2 * M * w**2 / (r0 * (r0 - w**2))) if w else np.sqrt(2 * r0 * r0 / M),
            0,
            np.sqrt(r0 - each),
        )[0]
        for each in r
    ]


def critical_impact_parameter(M, Q):
    """The maximum of F/r^2 outside of the horizon, found numerically."""
    horizon = M + np.sqrt(M**2 - Q**2)
    found = minimize_scalar(
        lambda r: -(1 - 2 * M / r + (Q / r) ** 2) / r**2,
        bounds=(horizon * 1.001, 6 * M),
        method="bounded",
        options={"xatol": 1e-9},
    )
    return 1 / np.sqrt(-found.fun)


def innermost_stable_radius(M, a):
    """Where the energy of circular orbits is least."""
    if a == M:
        return innermost_stable_radius(M, M * (1 - 1e-12)) if a < M else M * _extremal_limit()

    def energy(r):
        return (1 - 2 * M / r + a * np.sqrt(M / r**3)) / np.sqrt(1 - 3 * M / r + 2 * a * np.sqrt(M / r**3))

    photon = 2 * M * (1 + np.cos(2 / 3 * np.arccos(-a / M)))
    bounds = (photon * 1.0001, 12 * M)
    return minimize_scalar(energy, bounds=bounds, method="bounded", options={"xatol": 1e-10}).x


def _extremal_limit():
    """As the spin tends to M the root of the stability condition in sqrt(r/M) tends to 1."""
    roots = np.roots([1, 0, -6, 8, -3])
    return min(abs(roots - 1)) ** 2 + 1


def wall_radius(Vf, Vt, sigma, kappa):
    """Where the Euclidean action of the bubble is stationary, by its numerical derivative."""
    if kappa == 0:
        return 3 * sigma / (Vf - Vt) if _flat_action_is_stationary(Vf - Vt, sigma) else np.nan
    largest = min([np.sqrt(3 / (kappa * V)) for V in (Vf, Vt) if V > 0], default=50.0) * (1 - 1e-9)

    def slope(rho, sign):
        inside, outside = (np.sqrt(max(0.0, 1 - kappa * V * rho**2 / 3)) for V in (Vt, Vf))
        # d/drho of 2 pi^2 rho^3 sigma - (12 pi^2 / kappa) int rho (inside - outside) drho
        return sigma * rho**2 / 2 - rho / kappa * (inside - sign * outside)

    for sign in (1, -1):
        grid = np.linspace(1e-3, largest, 4000)
        values = [slope(rho, sign) for rho in grid]
        changes = [at for at in range(len(grid) - 1) if values[at] * values[at + 1] < 0]
        if changes:
            return brentq(slope, grid[changes[0]], grid[changes[0] + 1], args=(sign,), xtol=1e-13)
    return np.nan


def _flat_action_is_stationary(gap, sigma):
    def action(rho):
        return 2 * np.pi**2 * rho**3 * sigma - np.pi**2 * rho**4 * gap / 2

    rho, h = 3 * sigma / gap, 1e-5
    return abs(action(rho + h) - action(rho - h)) < 1e-8 * abs(action(rho))
