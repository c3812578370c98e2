"""Quantum field theory: explicit spinors, parameter integrals, dimensional regularisation, mode sums."""

from itertools import pairwise

import mpmath
import numpy as np
from scipy.integrate import quad

_UNIT, _SIGMA = np.eye(2), np.array([[[0, 1], [1, 0]], [[0, -1j], [1j, 0]], [[1, 0], [0, -1]]])
_GAMMA = [np.kron([[1, 0], [0, -1]], _UNIT), *(np.kron([[0, 1], [-1, 0]], each) for each in _SIGMA)]
_GAMMA5 = np.kron([[0, 1], [1, 0]], _UNIT)


def decay_width(M, m, a, b):
    """|ubar (a + i b gamma5) v|^2 summed over explicit spinors in the Dirac representation."""
    if 2 * m >= M:
        return 0.0
    energy = M / 2
    p = np.sqrt(energy**2 - m**2) * np.array([0.36, 0.48, 0.8])

    def spinor(momentum, chi, anti):
        small = np.einsum("i,ijk->jk", momentum, _SIGMA) @ chi / (energy + m)
        return np.sqrt(energy + m) * np.concatenate([small, chi] if anti else [chi, small])

    vertex = _GAMMA[0] @ (a * np.eye(4) + 1j * b * _GAMMA5)
    basis = np.eye(2)
    total = sum(
        abs(spinor(p, one, False).conj() @ vertex @ spinor(-p, two, True)) ** 2
        for one in basis
        for two in basis
    )
    return total * np.linalg.norm(p) / (8 * np.pi * M**2)


def two_point(s, m, mu):
    """The parameter integral, the logarithm cut below the real axis."""

    def integrand(x):
        inside = (m * m - x * (1 - x) * s) / mu**2
        return -complex(np.log(abs(inside)) if inside else 0.0, -np.pi if inside < 0 else 0.0)

    ends = [0.0, 1.0]
    if s > 4 * m * m:
        middle = np.sqrt(0.25 - m * m / s)
        ends = [0.0, 0.5 - middle, 0.5 + middle, 1.0]
    elif s == 4 * m * m:
        ends = [0.0, 0.5, 1.0]
    return sum(quad(integrand, low, high, complex_func=True)[0] for low, high in pairwise(ends))


def effective_potential(phi, m2, lam, mu):
    """The integral in 4 - 2 eps dimensions less its pole, at a small eps to high precision."""
    tree, M2 = m2 * phi**2 / 2 + lam * phi**4 / 24, m2 + lam * phi**2 / 2
    if M2 == 0:
        return tree
    with mpmath.workdps(40):
        eps = mpmath.mpf(10) ** -12
        d = 4 - 2 * eps
        base = mpmath.mpc(M2, 0) if M2 > 0 else -mpmath.mpf(M2) * mpmath.exp(-1j * mpmath.pi)
        power = mpmath.exp(d / 2 * (mpmath.log(abs(mpmath.mpf(M2))) - (1j * mpmath.pi if M2 < 0 else 0)))
        scale = mpmath.power(mpmath.mpf(mu) ** 2 * mpmath.exp(mpmath.euler) / (4 * mpmath.pi), eps)
        loop = -mpmath.gamma(-d / 2) / (2 * (4 * mpmath.pi) ** (d / 2)) * power * scale
        pole = -(base**2) / (64 * mpmath.pi**2) / eps
        return tree + complex(loop - pole)


def vacuum_decay_rate(E, m, e):
    """Pairs in every mode of the transverse momentum."""
    force = abs(e * E)
    if force == 0:
        return 0.0

    def modes(p):
        return -p * np.log(-np.expm1(-np.pi * (m * m + p * p) / force))

    end = np.sqrt(12 * force)
    return force / (2 * np.pi**2) * quad(modes, 0, end, points=[end / 30, end / 5], limit=200)[0]


def form_factor(tau):
    """The inner integral by hand, the outer one numerically."""
    tau = complex(tau)
    if tau == 0:
        return 4 / 3

    def integrand(x):
        u = x * (1 - x)
        argument = 1 - 4 * tau * u
        if tau.imag == 0 and argument.real < 0:
            log = complex(np.log(-argument.real), -np.pi)
        else:
            log = np.log(argument) if argument else 0.0
        return (1 - x) / tau - (1 - 1 / tau) * log / (4 * tau * x)

    ends = [0.0, 0.5, 1.0]
    if tau.imag == 0 and tau.real > 1:
        middle = np.sqrt(0.25 - 0.25 / tau.real)
        ends = [0.0, 0.5 - middle, 0.5 + middle, 1.0]
    return 4 * sum(
        quad(integrand, low, high, complex_func=True, limit=200)[0] for low, high in pairwise(ends)
    )


def interaction_energy(L, m, lam1, lam2):
    """Determinants of 1 + V G with the free Green's function at imaginary frequency, against single mirrors."""

    def integrand(xi):
        kappa = np.hypot(xi, m)
        places = np.array([0.0, L])
        green = np.exp(-kappa * abs(places[:, None] - places)) / (2 * kappa)
        both = np.linalg.det(np.eye(2) + np.diag([lam1, lam2]) @ green)
        return np.log(both / ((1 + lam1 / (2 * kappa)) * (1 + lam2 / (2 * kappa))))

    total = sum(
        quad(integrand, low / L, high / L, limit=200)[0]
        for low, high in ((1e-9, 1e-3), (1e-3, 0.1), (0.1, 1), (1, 12))
    )
    return total / (2 * np.pi)
