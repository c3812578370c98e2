"""Quantum mechanics: matrix exponentials, wave functions on grids, truncated number states."""

import numpy as np
from scipy.integrate import quad
from scipy.linalg import expm


def transition_probability(Omega, Delta, t):
    hamiltonian = np.array([[Delta, Omega], [Omega, -Delta]], dtype=complex) / 2
    return [abs(expm(-1j * hamiltonian * each)[1, 0]) ** 2 for each in t]


def mean_position(a, m, phi, t, hbar):
    """|psi|^2 on a grid."""
    x = np.linspace(0, a, 4001)
    found = []
    for each in t:
        waves = [np.sqrt(2 / a) * np.sin(n * np.pi * x / a) for n in (1, 2)]
        energies = [(n * np.pi * hbar / a) ** 2 / (2 * m) for n in (1, 2)]
        phases = [np.exp(-1j * energy * each / hbar) for energy in energies]
        psi = (waves[0] * phases[0] + np.exp(1j * phi) * waves[1] * phases[1]) / np.sqrt(2)
        found.append(np.trapezoid(x * abs(psi) ** 2, x))
    return found


def transmission_amplitude(k, alpha, m):
    """Continuity and the jump of the derivative, solved for r and t."""
    conditions = np.array([[-1, 1], [1j * k, 1j * k - 2 * m * alpha]], dtype=complex)
    return np.linalg.solve(conditions, [1, 1j * k])[1]


def survival_probability(theta, D, E, A, L):
    c, s = np.cos(2 * theta), np.sin(2 * theta)
    hamiltonian = D / (4 * E) * np.array([[-c, s], [s, c]], dtype=complex) + np.diag([A, 0])
    return [abs(expm(-1j * hamiltonian * each)[0, 0]) ** 2 for each in L]


def quanta_after_quenches(omega1, omega2, t):
    """Evolve the covariances of x and p by the exponential of the equations of motion."""
    squared = (complex(omega2) ** 2).real
    found = []
    for each in t:
        flow = expm(np.array([[0, 1], [-squared, 0]]) * each)
        spread = flow @ np.diag([1 / (2 * omega1), omega1 / 2]) @ flow.T
        found.append((spread[1, 1] + omega1**2 * spread[0, 0]) / (2 * omega1) - 0.5)
    return found


def mutual_information(k, g, m, beta):
    """Diagonalise the Hamiltonian in number states and trace one oscillator out."""
    size = 12
    frequency = np.sqrt((k + g) / m)
    lower = np.diag(np.sqrt(np.arange(1, size)), 1)
    x = (lower + lower.T) / np.sqrt(2 * m * frequency)
    single = np.diag((np.arange(size) + 0.5) * frequency)
    one = np.eye(size)
    hamiltonian = np.kron(single, one) + np.kron(one, single) - g * np.kron(x, x)
    energies, states = np.linalg.eigh(hamiltonian)
    weights = np.exp(-beta * (energies - energies[0])) if np.isfinite(beta) else np.eye(size * size)[0]
    weights = weights / weights.sum()
    whole = (states * weights) @ states.T
    part = np.einsum("ijkj->ik", whole.reshape(size, size, size, size))
    return -2 * np.log(np.trace(part @ part)) + np.log((weights**2).sum())


def response_rate(omega, alpha):
    """The Fourier integral along the line half a period below the real axis, where nothing is singular."""
    if alpha == 0:  # the double pole at s = i 0 is all there is
        return [max(-each, 0) / (2 * np.pi) for each in omega]
    shift = np.pi / alpha

    def at(each):
        weight = alpha**2 / (16 * np.pi**2)
        value, _ = quad(
            lambda s: np.cos(each * s) * weight / np.cosh(alpha * s / 2) ** 2, 0, 80 / alpha, limit=400
        )
        return 2 * np.exp(-each * shift) * value

    return [at(each) for each in omega]
