"""States of ideal gases from any two independent properties, by the integrals of the heat capacity.

Entropy at a pressure is s°(T) - R ln(P / 100 kPa).
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ansatz.errors import PropertyError
from ansatz.knowledge_base.properties.substance import State, Substance

REFERENCE_PRESSURE = 100e3  # Pa, at which s equals s°
ZERO_TEMPERATURE = 298.15  # K, where s° of the perfect gas is 0


class IdealGas(Substance):
    """A gas that is defined by functions of T in K."""

    limits: tuple[float, float]
    """The range of temperatures in K."""

    @property
    @abstractmethod
    def gas_constant(self) -> float:
        """R in J/(kg·K)."""

    @abstractmethod
    def heat_capacity(self, T: float) -> float:
        """Return cp in J/(kg·K)."""

    @abstractmethod
    def enthalpy(self, T: float) -> float:
        """Return h in J/kg."""

    @abstractmethod
    def standard_entropy(self, T: float) -> float:
        """Return s° in J/(kg·K)."""

    def transport(self, T: float) -> dict[str, Any]:
        """Return viscosity and conductivity, if they are known."""
        return {}

    def _find_state(self, inputs: dict[str, float]) -> State:
        if "x" in inputs:
            raise PropertyError(
                f"{self.name} is an ideal gas and has no quality x; give two of T, P, h, s, v, u"
            )
        if len(inputs.keys() & {"T", "h", "u"}) == 2:
            one, other = sorted(inputs)
            raise PropertyError(
                f"{one} and {other} of an ideal gas are the same information; give one of them with P, v or s"
            )
        T = self._temperature(inputs)
        low, high = self.limits
        if not low <= T <= high:
            raise PropertyError(f"{self.name} is known from {low:g} K to {high:g} K; this is at {T:.6g} K")
        if "P" in inputs:
            return self.at(T, inputs["P"])
        if "rho" in inputs:
            return self.at(T, inputs["rho"] * self.gas_constant * T)
        rise = (self.standard_entropy(T) - inputs["s"]) / self.gas_constant
        return self.at(T, REFERENCE_PRESSURE * math.exp(rise))

    def _temperature(self, inputs: dict[str, float]) -> float:
        R = self.gas_constant
        if "T" in inputs:
            return inputs["T"]
        if "h" in inputs:
            return self._find_temperature(self.enthalpy, inputs["h"], "h")
        if "u" in inputs:
            return self._find_temperature(lambda T: self.enthalpy(T) - R * T, inputs["u"], "u")
        if "s" not in inputs:
            return inputs["P"] / (inputs["rho"] * R)
        if "P" in inputs:
            entropy = inputs["s"] + R * math.log(inputs["P"] / REFERENCE_PRESSURE)
            return self._find_temperature(self.standard_entropy, entropy, "s with P")
        density = inputs["rho"] * R / REFERENCE_PRESSURE
        return self._find_temperature(
            lambda T: self.standard_entropy(T) - R * math.log(density * T), inputs["s"], "s with v"
        )

    def _find_temperature(self, function: Callable[[float], float], value: float, name: str) -> float:
        """Return the temperature at which an increasing function has a value."""
        from scipy.optimize import brentq

        low, high = self.limits
        if not function(low) <= value <= function(high):
            raise PropertyError(
                f"the given {name} of {self.name} is outside its range, {low:g} K to {high:g} K; check the"
                f" value, its unit and its zero (h = {self.enthalpy(300.0) / 1e3:.6g} kJ/kg at 300 K)"
            )
        return float(brentq(lambda T: function(T) - value, low, high, xtol=1e-12, rtol=1e-14))

    def at(self, T: float, P: float) -> State:
        """Return the state at a temperature in K and a pressure in Pa."""
        R, cp, h = self.gas_constant, self.heat_capacity(T), self.enthalpy(T)
        return State(
            fluid=self.name,
            phase="gas",
            T=T,
            P=P,
            h=h,
            s=self.standard_entropy(T) - R * math.log(P / REFERENCE_PRESSURE),
            rho=P / (R * T),
            u=h - R * T,
            cp=cp,
            cv=cp - R,
            speed_of_sound=math.sqrt(self.ratio(T) * R * T),
            **self.transport(T),
        )

    def ratio(self, T: float) -> float:
        """Return cp/cv."""
        return self.heat_capacity(T) / (self.heat_capacity(T) - self.gas_constant)


@dataclass(frozen=True)
class ConstantHeatCapacityGas(IdealGas):
    """A perfect gas with constant cp and k, as in cold-air-standard analysis.

    The zeros are those of textbooks: h = cp T, and s = 0 at 298.15 K and 100 kPa. Constants of air at 300 K:
    Cengel and Boles, Thermodynamics: An Engineering Approach, table A-2.
    """

    cp: float = 1005.0
    """J/(kg·K)."""
    k: float = 1.4
    """cp/cv."""
    stated_gas_constant: float | None = None
    """R in J/(kg·K) for entropy and volume, if a text gives rounded values of R, cp and k that disagree.
    By default, R is cp (k - 1)/k. Isentropes always follow k."""
    name: str = "air (constant cp)"
    limits = (1e-3, 1e6)

    @property
    def gas_constant(self) -> float:
        return self.stated_gas_constant or self.cp * (self.k - 1) / self.k

    def heat_capacity(self, T: float) -> float:
        return self.cp

    def enthalpy(self, T: float) -> float:
        return self.cp * T

    def standard_entropy(self, T: float) -> float:
        return self.cp * math.log(T / ZERO_TEMPERATURE)

    def ratio(self, T: float) -> float:
        return self.k

    def isentropic(self, inlet: State, P: float) -> State:
        """Return the state at a pressure in Pa after an isentropic process, by T^k p^(1-k) = constant."""
        return self.at(inlet.T * (P / inlet.P) ** ((self.k - 1) / self.k), P)
