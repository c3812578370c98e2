"""Heat along entry trajectories and into solids.

Trajectory results come from the equations of motion in density (optima and quadratures; H. J. Allen and
A. J. Eggers, NACA Report 1381), conduction from Duhamel's integral and Fourier series (H. S. Carslaw and
J. C. Jaeger, Conduction of Heat in Solids), stagnation constants from NASA TR R-376.
"""

import math

import numpy as np
from scipy import integrate, optimize

EARTH, MARS = 1.7415e-4, 1.9027e-4  # Sutton-Graves constants of air and CO2, kg^0.5/m


def stagnation(constant, density, radius, speed):
    return constant * speed**3 * (density / radius) ** 0.5


def speed_at(density, g, angle="gamma_E"):
    """Speed on a straight drag path: d(ln V)/d(rho) = -H/(2*beta*sin(gamma))."""
    slope = -g["H"] / (2 * g["beta_m"] * math.sin(math.radians(g[angle])))
    return g["V_E"] * math.exp(integrate.quad(lambda _: slope, 0, density)[0])


def peak(function, low, high):
    """Place and value of a maximum, searched in the logarithm."""
    found = optimize.minimize_scalar(
        lambda power: -function(math.exp(power)),
        bounds=(math.log(low), math.log(high)),
        method="bounded",
        options={"xatol": 1e-9},
    )
    return math.exp(found.x), -found.fun


def hottest(g, angle="gamma_E", constant=EARTH):
    """Density and flux at the peak of stagnation heating on a straight drag path."""
    radius = g.get("R_n", 1.0)
    return peak(lambda rho: stagnation(constant, rho, radius, speed_at(rho, g, angle)), 1e-6, 1)


def heat_load(g, angle):
    """Flux over time, dt = H*d(rho)/(rho*V*sin(gamma)), summed over the root of density."""
    sine = math.sin(math.radians(g[angle]))

    def element(root):
        speed = speed_at(root**2, g, angle)
        return 2 * stagnation(g["k_s"], 1, g["R_n"], speed) * g["H"] / (speed * sine)

    return integrate.quad(element, 0, 1)[0]


def back_face(diffusivity, time, thickness):
    """Rise of the insulated face over q*L/k, with all terms of the Fourier series."""
    fourier = diffusivity * time / thickness**2
    order = np.arange(1, 60)
    transient = (-1.0) ** order / order**2 * np.exp(-((order * math.pi) ** 2) * fourier)
    return fourier - 1 / 6 - 2 / math.pi**2 * float(transient.sum())


def half_space(flux, time, depth, g):
    """Rise at a depth: Duhamel's sum of instantaneous plane sources, in the root of elapsed time."""
    diffusivity = g["k_s"] / (g["rho_s"] * g["c_s"])

    def source(root):
        return 2 * math.exp(-(depth**2) / (4 * diffusivity * root**2)) if root else 2.0 * (depth == 0)

    total = integrate.quad(source, 0, math.sqrt(time), epsabs=1e-12)[0]
    return flux * total / math.sqrt(math.pi * g["k_s"] * g["rho_s"] * g["c_s"])
