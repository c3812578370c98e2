"""Boundary layers from their differential equations, and compressible friction by quadrature.

Similarity equations: H. Schlichting, Boundary-Layer Theory; density-weighted law of the wall: E. R. van
Driest, Aero. Eng. Review 15 (1956) 26; Sutherland's law from the viscosity of air at 273.15 K.
"""

import math
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy import integrate, optimize


class SimilarLayer(NamedTuple):
    """Wall slope of the velocity, displacement and momentum integral in the similarity coordinate."""

    slope: float
    displacement: float
    momentum: float


@lru_cache
def similar_layer(weight, pressure):
    """Solution of f''' + weight*f*f'' + pressure*(1 - f'**2) = 0 with f' rising from 0 to 1."""

    def slopes(_, state):
        f, velocity, shear, *_ = state
        bend = -weight * f * shear - pressure * (1 - velocity**2)
        return np.vstack([velocity, shear, bend, 1 - velocity, velocity * (1 - velocity)])

    def misses(wall, edge):
        return np.array([wall[0], wall[1], edge[1] - 1, wall[3], wall[4]])

    eta = np.linspace(0, 10, 200)
    decay = np.exp(-eta)
    guess = np.vstack([eta - 1 + decay, 1 - decay, decay, 1 - decay, (1 - decay) / 2])
    found = integrate.solve_bvp(slopes, misses, eta, guess, tol=1e-8, max_nodes=20000)
    assert found.success
    return SimilarLayer(float(found.y[2, 0]), float(found.y[3, -1]), float(found.y[4, -1]))


def blasius():
    """The flat plate, in y*sqrt(U/(nu*x))."""
    return similar_layer(0.5, 0)


def homann():
    """The axisymmetric stagnation point, in y*sqrt(a/nu)."""
    return similar_layer(2, 1)


def sutherland(temperature):
    """Viscosity of air in Pa s."""
    return 1.716e-5 * (temperature / 273.15) ** 1.5 * (273.15 + 110.4) / (temperature + 110.4)


def recovery(mach, edge, factor, gamma):
    """Adiabatic wall temperature: the factor is the part of the kinetic energy that is recovered."""
    return edge * (1 + factor * (gamma - 1) / 2 * mach**2)


def laminar_friction(reynolds, edge, reference):
    """Blasius friction with density and viscosity at a reference temperature, by the edge dynamic pressure."""
    density = edge / reference
    own_reynolds = reynolds * density * sutherland(edge) / sutherland(reference)
    return 2 * blasius().slope / math.sqrt(own_reynolds) * density


def weighted_velocity(edge, wall, adiabatic):
    """Mean root of density over wall density across the velocity profile (Crocco-Busemann)."""

    def root(z):
        temperature = 1 + (adiabatic / wall - 1) * z - (adiabatic - edge) / wall * z**2
        return temperature**-0.5

    return integrate.quad(root, 0, 1, epsabs=1e-12)[0]


def van_driest_friction(reynolds, edge, wall, adiabatic):
    """Root of the second law of van Driest."""
    effective = weighted_velocity(edge, wall, adiabatic) * math.sqrt(edge / wall)
    viscosity = sutherland(edge) / sutherland(wall)

    def excess(friction):
        return effective / math.sqrt(friction) - 4.15 * math.log10(reynolds * friction * viscosity) - 1.7

    return optimize.brentq(excess, 1e-5, 0.05, xtol=1e-15)
