"""Transient conduction in slabs, and emission of a gas layer."""

from __future__ import annotations

import math

_TERMS = 400
_SMALL = 1e-16


def slab_convection(Bi: float, Fo: float, x: float) -> float:
    """Return (T − T_gas)/(T_0 − T_gas) in a slab of half thickness L at x·L from its middle.

    The series of Carslaw and Jaeger 1959, section 3.11, with the roots of ζ tan ζ = Bi.
    """
    from scipy.optimize import brentq

    total = 0.0
    for term in range(_TERMS):
        low, high = term * math.pi, (term + 0.5) * math.pi
        root = float(brentq(lambda z: z * math.sin(z) - Bi * math.cos(z), low, high, xtol=1e-14))
        factor = math.exp(-(root**2) * Fo)
        if factor < _SMALL:
            break
        weight = 4 * math.sin(root) / (2 * root + math.sin(2 * root))
        total += weight * factor * math.cos(root * x)
    return total


def slab_flux(Fo: float, x: float) -> float:
    """Return (T − T_0) k/(q L) in a slab with the flux q at x = 1 and an insulated face at x = 0.

    Carslaw and Jaeger 1959, section 3.8, equation 3.
    """
    total = Fo + (3 * x**2 - 1) / 6
    for n in range(1, _TERMS):
        factor = math.exp(-((n * math.pi) ** 2) * Fo)
        if factor < _SMALL:
            break
        total -= 2 * (-1) ** n * factor * math.cos(n * math.pi * x) / (n * math.pi) ** 2
    return total


def ierfc(x: float) -> float:
    """Return the integral of erfc from x to infinity."""
    return math.exp(-x * x) / math.sqrt(math.pi) - x * math.erfc(x)


def layer_emissivity(tau: float) -> float:
    """Return 1 − 2 E₃(τ), the hemispherical emissivity of an isothermal grey layer.

    Modest 2013, Radiative Heat Transfer, chapter 14.
    """
    from scipy.special import expn

    return 1 - 2 * float(expn(3, tau))
