"""The U.S. Standard Atmosphere 1976 up to 86 km, by geometric altitude.

Source: U.S. Standard Atmosphere, 1976 (NOAA-S/T 76-1562, NASA-TM-X-74335): layers from table 4, molar
mass above 80 km from table 8, constants from table 2. Equation numbers below are those of the source.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ansatz.errors import PropertyError
from ansatz.knowledge_base.properties.air import viscosity

EARTH_RADIUS = 6_356_766.0  # m, effective, at 45.5° latitude
GRAVITY = 9.80665  # m/s²
MOLAR_GAS_CONSTANT = 8314.32  # J/(kmol·K), of the source
MOLAR_MASS = 28.9644  # kg/kmol at sea level
TOP = 86_000.0  # m, geometric

_LAYERS = (  # base in geopotential m, lapse rate in K/m
    (0.0, -6.5e-3),
    (11_000.0, 0.0),
    (20_000.0, 1.0e-3),
    (32_000.0, 2.8e-3),
    (47_000.0, 0.0),
    (51_000.0, -2.8e-3),
    (71_000.0, -2.0e-3),
)
_LOWEST = -5_000.0  # m; the tables of the source begin at -5 km
_SEA_LEVEL = (288.15, 101_325.0)  # K, Pa
_MASS_RATIO_AT = np.linspace(80_000.0, TOP, 13)  # m, geometric
_MASS_RATIO = (  # M/M0
    *(1.0, 0.999996, 0.999989, 0.999971, 0.999941, 0.999909, 0.999870),
    *(0.999829, 0.999786, 0.999741, 0.999694, 0.999641, 0.999579),
)


@dataclass(frozen=True)
class Air:
    """Air at an altitude."""

    T: float
    """K."""
    P: float
    """Pa."""
    rho: float
    """kg/m³."""
    viscosity: float
    """Pa·s."""


def compute_air(*, geometric: float) -> Air:
    """Compute the state of air at a geometric altitude in m, from -5 km to 86 km.

    >>> round(compute_air(geometric=10_000).T, 3)
    223.252
    """
    height = EARTH_RADIUS * geometric / (EARTH_RADIUS + geometric)  # eq. 18
    if not _LOWEST <= geometric <= TOP * (1 + 1e-9):
        raise PropertyError(
            f"the standard atmosphere is known here from -5 km to 86 km geometric, not {geometric:g} m"
        )
    molecular_temperature, pressure = _layer_state(height)
    T = molecular_temperature * float(np.interp(geometric, _MASS_RATIO_AT, _MASS_RATIO))  # eq. 22
    specific = MOLAR_GAS_CONSTANT / MOLAR_MASS
    return Air(
        T=T,
        P=pressure,
        rho=pressure / (specific * molecular_temperature),  # eq. 42
        viscosity=viscosity(T),
    )


def _layer_state(height: float) -> tuple[float, float]:
    """Compute molecular-scale temperature (K) and pressure (Pa) layer by layer (eqs. 23, 33a, 33b)."""
    temperature, pressure = _SEA_LEVEL
    tops = [base for base, _ in _LAYERS[1:]] + [math.inf]
    for (base, lapse), top in zip(_LAYERS, tops, strict=True):
        rise = min(height, top) - base
        warmer = temperature + lapse * rise
        exponent = GRAVITY * MOLAR_MASS / MOLAR_GAS_CONSTANT
        if lapse == 0:
            pressure *= math.exp(-exponent * rise / temperature)
        else:
            pressure *= (temperature / warmer) ** (exponent / lapse)
        temperature = warmer
        if height <= top:
            break
    return temperature, pressure
