"""Air as an ideal gas with variable specific heats, as thermodynamics textbooks tabulate it.

Coefficients: species "Air" (N2 78.084, O2 20.9476, Ar 0.9365, CO2 0.0319 mole percent) of B. J. McBride,
M. J. Zehe and S. Gordon, NASA Glenn Coefficients for Calculating Thermodynamic Properties of Individual
Species, NASA/TP-2002-211556; valid from 200 K to 6000 K (composition frozen).

Zero of the scales: the air tables of Moran and Shapiro (A-22) and of Cengel and Boles (A-17), both after
Keenan, Chao and Kaye, Gas Tables: h = 300.19 kJ/kg, s° = 1.70203 kJ/(kg·K) and p_r = 1.386 at 300 K.
Entropy at a pressure is s°(T) - R ln(P / 100 kPa).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from ansatz.knowledge_base.properties.thermo_state import PropertyError, State

MOLAR_MASS = 28.9651159e-3  # kg/mol, NASA/TP-2002-211556
GAS_CONSTANT = 8.314510 / MOLAR_MASS  # J/(kg·K), with the molar gas constant the coefficients were fitted to
LOWEST, HIGHEST = 200.0, 6000.0  # K
REFERENCE_PRESSURE = 100e3  # Pa, at which s equals s°

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
_TABLE_RELATIVE_PRESSURE = 1.386
_TABLE_RELATIVE_VOLUME = 621.2


def heat_capacity(T: float) -> float:
    """cp, J/(kg·K), at a temperature in K."""
    a = _coefficients(T)
    powers = (T**-2, 1 / T, 1.0, T, T**2, T**3, T**4)
    return GAS_CONSTANT * sum(c * power for c, power in zip(a[:7], powers, strict=True))


def enthalpy(T: float) -> float:
    """h, J/kg, at a temperature in K, on the scale of the textbook tables."""
    return _TABLE_ENTHALPY + _enthalpy_integral(T) - _enthalpy_integral(_TABLE_TEMPERATURE)


def standard_entropy(T: float) -> float:
    """s°, J/(kg·K), at a temperature in K, on the scale of the textbook tables."""
    return _TABLE_ENTROPY + _entropy_integral(T) - _entropy_integral(_TABLE_TEMPERATURE)


def internal_energy(T: float) -> float:
    """u = h - R T, J/kg, at a temperature in K."""
    return enthalpy(T) - GAS_CONSTANT * T


def relative_pressure(T: float) -> float:
    """p_r: p2/p1 = p_r2/p_r1 along an isentrope."""
    return _TABLE_RELATIVE_PRESSURE * math.exp((standard_entropy(T) - _TABLE_ENTROPY) / GAS_CONSTANT)


def relative_volume(T: float) -> float:
    """v_r: v2/v1 = v_r2/v_r1 along an isentrope."""
    at_table = _TABLE_TEMPERATURE / _TABLE_RELATIVE_PRESSURE
    return _TABLE_RELATIVE_VOLUME * (T / relative_pressure(T)) / at_table


@dataclass(frozen=True)
class IdealGasAir:
    """Air as a fluid beside the real ones: any two independent properties give its state."""

    name: str = "air"

    def state(self, inputs: dict[str, float]) -> State:
        """The state with these two SI inputs, of T, P, h, s, rho, u."""
        if "x" in inputs:
            raise PropertyError("air is an ideal gas here and has no quality x; give two of T, P, h, s, v, u")
        thermal = inputs.keys() & {"T", "h", "u"}
        if len(thermal) == 2:
            one, other = sorted(thermal)
            raise PropertyError(
                f"{one} and {other} of an ideal gas are the same information; give one of them with P, v or s"
            )
        temperature = self._temperature(inputs)
        pressure = self._pressure(inputs, temperature)
        return self._at(temperature, pressure)

    def _temperature(self, inputs: dict[str, float]) -> float:
        if "T" in inputs:
            return _within_range(inputs["T"])
        if "h" in inputs:
            return _invert(enthalpy, inputs["h"], "h")
        if "u" in inputs:
            return _invert(internal_energy, inputs["u"], "u")
        if inputs.keys() == {"P", "rho"}:
            return _within_range(inputs["P"] / (inputs["rho"] * GAS_CONSTANT))
        if "P" in inputs:
            ratio = math.log(inputs["P"] / REFERENCE_PRESSURE)
            return _invert(standard_entropy, inputs["s"] + GAS_CONSTANT * ratio, "s with P")
        return _invert(lambda T: self._entropy_at_density(T, inputs["rho"]), inputs["s"], "s with v")

    def _pressure(self, inputs: dict[str, float], temperature: float) -> float:
        if "P" in inputs:
            return inputs["P"]
        if "rho" in inputs:
            return inputs["rho"] * GAS_CONSTANT * temperature
        return REFERENCE_PRESSURE * math.exp((standard_entropy(temperature) - inputs["s"]) / GAS_CONSTANT)

    def _entropy_at_density(self, T: float, rho: float) -> float:
        return standard_entropy(T) - GAS_CONSTANT * math.log(rho * GAS_CONSTANT * T / REFERENCE_PRESSURE)

    def _at(self, T: float, P: float) -> State:
        cp = heat_capacity(T)
        cv = cp - GAS_CONSTANT
        return State(
            fluid=self.name,
            phase="gas",
            T=T,
            P=P,
            h=enthalpy(T),
            s=standard_entropy(T) - GAS_CONSTANT * math.log(P / REFERENCE_PRESSURE),
            rho=P / (GAS_CONSTANT * T),
            u=internal_energy(T),
            cp=cp,
            cv=cv,
            speed_of_sound=math.sqrt(cp / cv * GAS_CONSTANT * T),
            viscosity=viscosity(T),
            conductivity=conductivity(T),
        )


def viscosity(T: float) -> float:
    """Sutherland's law with the constants of the U.S. Standard Atmosphere 1976 (eq. 51), Pa·s; T in K."""
    return float(1.458e-6 * T**1.5 / (T + 110.4))


def conductivity(T: float) -> float:
    """Thermal conductivity of the U.S. Standard Atmosphere 1976 (eq. 53), W/(m·K); T in K."""
    return float(2.64638e-3 * T**1.5 / (T + 245.4 * 10 ** (-12 / T)))


def _coefficients(T: float) -> tuple[float, ...]:
    return _COLD if T <= 1000.0 else _HOT


def _enthalpy_integral(T: float) -> float:
    a = _coefficients(T)
    polynomial = sum(a[2 + n] * T ** (n + 1) / (n + 1) for n in range(5))
    return GAS_CONSTANT * (-a[0] / T + a[1] * math.log(T) + polynomial + a[7])


def _entropy_integral(T: float) -> float:
    a = _coefficients(T)
    polynomial = sum(a[2 + n] * T**n / n for n in range(1, 5))
    return GAS_CONSTANT * (-a[0] / (2 * T**2) - a[1] / T + a[2] * math.log(T) + polynomial + a[8])


def _within_range(T: float) -> float:
    if not LOWEST <= T <= HIGHEST:
        raise PropertyError(f"air is known from {LOWEST:g} K to {HIGHEST:g} K; this state is at {T:.6g} K")
    return T


def _invert(function: Callable[[float], float], value: float, name: str) -> float:
    """The temperature at which an increasing function has this value."""
    from scipy.optimize import brentq

    if not function(LOWEST) <= value <= function(HIGHEST):
        raise PropertyError(
            f"the given {name} of air is outside its range, {LOWEST:g} K to {HIGHEST:g} K;"
            " check the value, its unit and its zero (h = 300.19 kJ/kg at 300 K)"
        )
    return float(brentq(lambda T: function(T) - value, LOWEST, HIGHEST, xtol=1e-9))
