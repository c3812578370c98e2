"""Air as an ideal gas with variable specific heats, as in the tables of textbooks.

Coefficients: species "Air" (N2 78.084, O2 20.9476, Ar 0.9365, CO2 0.0319 mole percent) of B. J. McBride,
M. J. Zehe and S. Gordon, NASA Glenn Coefficients for Calculating Thermodynamic Properties of Individual
Species, NASA/TP-2002-211556; valid from 200 K to 6000 K (composition frozen).

Zero of the scales: the air tables of Moran and Shapiro (A-22) and of Cengel and Boles (A-17), both after
Keenan, Chao and Kaye, Gas Tables: h = 300.19 kJ/kg and s° = 1.70203 kJ/(kg·K) at 300 K.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ansatz.knowledge_base.properties.ideal_gas import IdealGas

MOLAR_MASS = 28.9651159e-3  # kg/mol, NASA/TP-2002-211556

_COLD = (
    *(1.009950160e4, -1.968275610e2, 5.009155110, -5.761013730e-3, 1.066859930e-5),
    *(-7.940297970e-9, 2.185231910e-12, -1.767967310e2, -3.921504225),
)
_HOT = (
    *(2.415214430e5, -1.257874600e3, 5.144558670, -2.138541790e-4, 7.065227840e-8),
    *(-1.071483490e-11, 6.577800150e-16, 6.462263190e3, -8.147411905),
)
_TABLE_TEMPERATURE = 300.0  # K
_TABLE_ENTHALPY = 300.19e3  # J/kg
_TABLE_ENTROPY = 1702.03  # J/(kg·K)


@dataclass(frozen=True)
class IdealGasAir(IdealGas):
    """Air with variable specific heats, on the scale of the textbook tables."""

    name: str = "air"
    limits = 200.0, 6000.0  # K
    gas_constant = 8.314510 / MOLAR_MASS  # the molar gas constant to which the coefficients were fitted

    def heat_capacity(self, T: float) -> float:
        a = _coefficients(T)
        powers = (T**-2, 1 / T, 1.0, T, T**2, T**3, T**4)
        return self.gas_constant * sum(c * power for c, power in zip(a[:7], powers, strict=True))

    def enthalpy(self, T: float) -> float:
        R = self.gas_constant
        return _TABLE_ENTHALPY + R * _enthalpy_integral(T) - R * _enthalpy_integral(_TABLE_TEMPERATURE)

    def standard_entropy(self, T: float) -> float:
        R = self.gas_constant
        return _TABLE_ENTROPY + R * _entropy_integral(T) - R * _entropy_integral(_TABLE_TEMPERATURE)

    def transport(self, T: float) -> dict[str, float]:
        return {"viscosity": viscosity(T), "conductivity": conductivity(T)}


def viscosity(T: float) -> float:
    """Compute the viscosity in Pa·s by the U.S. Standard Atmosphere 1976 (eq. 51); T in K."""
    return float(1.458e-6 * T**1.5 / (T + 110.4))


def conductivity(T: float) -> float:
    """Compute the conductivity in W/(m·K) by the U.S. Standard Atmosphere 1976 (eq. 53); T in K."""
    return float(2.64638e-3 * T**1.5 / (T + 245.4 * 10 ** (-12 / T)))


def _coefficients(T: float) -> tuple[float, ...]:
    return _COLD if T <= 1000.0 else _HOT


def _enthalpy_integral(T: float) -> float:
    a = _coefficients(T)
    polynomial = sum(a[2 + n] * T ** (n + 1) / (n + 1) for n in range(5))
    return -a[0] / T + a[1] * math.log(T) + polynomial + a[7]


def _entropy_integral(T: float) -> float:
    a = _coefficients(T)
    polynomial = sum(a[2 + n] * T**n / n for n in range(1, 5))
    return -a[0] / (2 * T**2) - a[1] / T + a[2] * math.log(T) + polynomial + a[8]
