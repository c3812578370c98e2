"""A perfect gas: constant specific heats, as cold-air-standard analysis assumes them.

The scales are those of the usual textbook working: h = cp T (zero at 0 K), and s = 0 at 298.15 K and
100 kPa, so that s = cp ln(T / 298.15 K) - R ln(P / 100 kPa). Constants of air: cp = 1.005 kJ/(kg·K) and
k = 1.4 at 300 K, Cengel and Boles, Thermodynamics: An Engineering Approach, table A-2.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ansatz.knowledge_base.properties.thermo_state import PropertyError, State

ZERO_TEMPERATURE = 298.15  # K, where s = 0
ZERO_PRESSURE = 100e3  # Pa, where s = 0


@dataclass(frozen=True)
class ConstantHeatCapacityGas:
    """An ideal gas with cp in J/(kg·K) and k = cp/cv; R = cp (k - 1)/k, so that the three agree.

    Texts often state all three rounded (1.005, 0.287 and 1.4). A stated R in J/(kg·K) then counts for
    entropy and volume as their readers use it, while isentropes follow k.
    """

    cp: float = 1005.0
    k: float = 1.4
    stated_gas_constant: float | None = None
    name: str = "air (constant cp)"

    @property
    def gas_constant(self) -> float:
        """R, J/(kg·K)."""
        return self.stated_gas_constant or self.cp * (self.k - 1) / self.k

    def isentropic(self, inlet: State, P: float) -> State:
        """Where T^k p^(1-k) = constant leads from a state to a pressure in Pa."""
        return self._at(inlet.T * (P / inlet.P) ** ((self.k - 1) / self.k), P)

    def state(self, inputs: dict[str, float]) -> State:
        """The state with these two SI inputs, of T, P, h, s, rho, u."""
        if "x" in inputs:
            raise PropertyError("an ideal gas has no quality x; give two of T, P, h, s, v, u")
        if len(inputs.keys() & {"T", "h", "u"}) == 2:
            one, other = sorted(inputs)
            raise PropertyError(
                f"{one} and {other} of an ideal gas are the same information; give one of them with P, v or s"
            )
        T = self._temperature(inputs)
        if not T > 0:
            raise PropertyError(f"{self.name} would be at {T:.6g} K here; h and u are zero at 0 K")
        return self._at(T, self._pressure(inputs, T))

    def _temperature(self, inputs: dict[str, float]) -> float:
        if "T" in inputs:
            return inputs["T"]
        if "h" in inputs:
            return inputs["h"] / self.cp
        if "u" in inputs:
            return inputs["u"] / (self.cp - self.gas_constant)
        if "s" not in inputs:
            return inputs["P"] / (inputs["rho"] * self.gas_constant)
        if "P" in inputs:
            expansion = self.gas_constant * math.log(inputs["P"] / ZERO_PRESSURE)
            return ZERO_TEMPERATURE * math.exp((inputs["s"] + expansion) / self.cp)
        zero_density = ZERO_PRESSURE / (self.gas_constant * ZERO_TEMPERATURE)
        expansion = self.gas_constant * math.log(inputs["rho"] / zero_density)
        return ZERO_TEMPERATURE * math.exp((inputs["s"] + expansion) / (self.cp - self.gas_constant))

    def _pressure(self, inputs: dict[str, float], T: float) -> float:
        if "P" in inputs:
            return inputs["P"]
        if "rho" in inputs:
            return inputs["rho"] * self.gas_constant * T
        heating = self.cp * math.log(T / ZERO_TEMPERATURE)
        return ZERO_PRESSURE * math.exp((heating - inputs["s"]) / self.gas_constant)

    def _at(self, T: float, P: float) -> State:
        heating, expansion = math.log(T / ZERO_TEMPERATURE), math.log(P / ZERO_PRESSURE)
        return State(
            fluid=self.name,
            phase="gas",
            T=T,
            P=P,
            h=self.cp * T,
            s=self.cp * heating - self.gas_constant * expansion,
            rho=P / (self.gas_constant * T),
            u=(self.cp - self.gas_constant) * T,
            cp=self.cp,
            cv=self.cp - self.gas_constant,
            speed_of_sound=math.sqrt(self.k * self.gas_constant * T),
        )
