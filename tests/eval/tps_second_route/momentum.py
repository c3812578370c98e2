"""Momentum given up to surfaces by continuum and collisionless streams, by quadrature.

Rarefied coefficients are moments of a drifting Maxwellian (S. A. Schaaf and P. L. Chambre, Flow of Rarefied
Gases, 1961), similarity laws as in W. D. Hayes and R. F. Probstein, Hypersonic Flow Theory, 1966; M.
Rasmussen, Hypersonic Flow, 1994 for the cone.
"""

import math

import numpy as np
from scipy import integrate


def quad(function, low, high):
    return integrate.quad(function, low, high, epsabs=1e-12)[0]


def cap_axial(maximum, half_angle):
    """Spherical cap at zero incidence, on its base area."""
    force = quad(lambda phi: math.cos(phi) ** 2 * math.sin(2 * phi), 0, half_angle)
    return maximum * force / math.sin(half_angle) ** 2


def cone_forces(half_angle, incidence):
    """Normal and axial impact coefficients of a cone on its base area, and its centre of pressure."""
    sine, cosine = math.sin(half_angle), math.cos(half_angle)

    def pressure(around):
        return 2 * (math.cos(incidence) * sine + math.sin(incidence) * cosine * math.cos(around)) ** 2

    axial = quad(pressure, 0, 2 * math.pi) / (2 * math.pi)
    normal = (
        quad(lambda around: pressure(around) * math.cos(around), 0, 2 * math.pi)
        / (2 * math.pi)
        * cosine
        / sine
    )
    along_ray = quad(lambda s: s * s, 0, 1) / quad(lambda s: s, 0, 1) / cosine  # of the pressure, per length
    return normal, axial, along_ray / cosine


def plate_lift(incidence):
    return 2 * math.sin(incidence) ** 2 * math.cos(incidence)


def rarefied_surface(angle, speed_ratio, temperature_ratio):
    """Pressure and shear coefficient of a diffuse wall, from the normal velocities of a drifting gas."""
    drift = speed_ratio * math.sin(angle)  # velocities in units of the most probable thermal speed
    low, high = max(0.0, drift - 8), max(drift, 0.0) + 8

    def moment(order):
        return quad(lambda v: v**order * math.exp(-((v - drift) ** 2)), low, high) / math.sqrt(math.pi)

    flux, incident = moment(1), moment(2)
    emitted = flux * math.sqrt(math.pi * temperature_ratio) / 2
    pressure = 2 * (incident + emitted) / speed_ratio**2
    return pressure, 2 * flux * math.cos(angle) / speed_ratio


def rarefied_sphere_drag(speed_ratio, temperature_ratio):
    angles, weights = np.polynomial.legendre.leggauss(40)
    drag = 0.0
    for angle, weight in zip(angles * math.pi / 2, weights * math.pi / 2, strict=True):
        pressure, shear = rarefied_surface(angle, speed_ratio, temperature_ratio)
        drag += weight * 2 * math.cos(angle) * (pressure * math.sin(angle) + shear * math.cos(angle))
    return drag


def coefficient(pressure_ratio, mach, gamma):
    return (pressure_ratio - 1) / (gamma / 2 * mach**2)
