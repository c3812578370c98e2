"""Relativity, stars and galaxies, recomputed from events in moving frames and Planck's law."""

import math

from scipy import integrate, optimize

from tests.eval.physbench_second_route.modern import ELECTRON, K_B, C, H


def fast_electron_energy(g):
    """Work done while the momentum builds up; mass of the electron in keV."""
    mass, rapidity = ELECTRON / 1000, math.atanh(g["beta"])
    kinetic, _ = integrate.quad(lambda y: math.tanh(y) * mass * math.cosh(y), 0, rapidity)
    classical, _ = integrate.quad(lambda b: mass * b, 0, g["beta"])
    return {"K": kinetic, "K_c": classical, "r": kinetic / classical}


def _spectral(wavelength, temperature):
    """Planck's law: power per area and wavelength."""
    exponent = H * C / (wavelength * K_B * temperature)
    return 2 * math.pi * H * C**2 / wavelength**5 / math.expm1(exponent)


def colour_of_a_star(g):
    """Temperature at which Planck's law has its maximum there, and its integral over all wavelengths."""
    peak = g["lam"] * 1e-9

    def slope(temperature):
        return _spectral(peak * 1.0001, temperature) - _spectral(peak * 0.9999, temperature)

    temperature = optimize.brentq(slope, 1000, 30000)
    flux, _ = integrate.quad(
        lambda scale: peak * math.exp(scale) * _spectral(peak * math.exp(scale), temperature), -3.5, 7
    )
    return {"T": temperature, "q": flux, "P": flux * 4 * math.pi * g["R"] ** 2}


ROUTES = {
    f"modern.{route.__name__}": route
    for route in (
        fast_electron_energy,
        colour_of_a_star,
    )
}
