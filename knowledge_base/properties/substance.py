"""A fluid whose states are asked for again and again, whatever models it; a state in SI units."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass

from ansatz.errors import PropertyError

INPUTS = ("T", "P", "h", "s", "v", "rho", "u", "x")


@dataclass(frozen=True)
class State:
    """One equilibrium state per unit mass, in SI units.

    K, Pa, J/kg, J/(kg·K), m³/kg, kg/m³, m/s, Pa·s and W/(m·K). `x` is the vapour quality, None outside
    the saturation dome. Within the dome cp, cv, k, the speed of sound and the transport properties have no
    single value and are None. `phase` is one of subcooled_liquid, saturated_liquid, wet_steam (two_phase
    for other fluids than water), saturated_vapor, superheated_vapor, supercritical, gas (ideal-gas air).
    """

    fluid: str
    phase: str
    T: float
    P: float
    h: float
    s: float
    rho: float
    u: float
    x: float | None = None
    cp: float | None = None
    cv: float | None = None
    speed_of_sound: float | None = None
    viscosity: float | None = None
    conductivity: float | None = None
    twin_pressures: tuple[float, ...] = ()
    """Pressures above 100 MPa, where steam tables end, at which the two given properties occur again."""

    @property
    def v(self) -> float:
        """Specific volume, m³/kg."""
        return 1 / self.rho

    @property
    def k(self) -> float | None:
        """Ratio of the specific heats cp/cv."""
        return self.cp / self.cv if self.cp is not None and self.cv is not None else None


@dataclass(frozen=True)
class Saturation:
    """Saturated liquid and saturated vapour at one pressure (Pa) and temperature (K)."""

    T: float
    P: float
    liquid: State
    vapor: State


class Substance(ABC):
    """A fluid: `substance("water")` for a named one, or a gas with constants of your own.

    >>> from ansatz.knowledge_base.properties import ConstantHeatCapacityGas
    >>> round(ConstantHeatCapacityGas(cp=1005.0, k=1.4).state(T=300.0, P=1e5).h)
    301500
    """

    name: str

    def state(self, **inputs: float) -> State:
        """Find the state from exactly two of T, P, h, s, v, rho, u, x in SI units. Raises PropertyError."""
        return self._found(_check_inputs(inputs))

    @abstractmethod
    def _found(self, inputs: dict[str, float]) -> State:
        """The state with two checked inputs, never v, which arrives as rho."""

    def isentropic(self, inlet: State, P: float) -> State:
        """Where a reversible adiabatic process from `inlet` ends at a pressure in Pa."""
        return self.state(P=P, s=inlet.s)

    def saturation(self, *, T: float | None = None, P: float | None = None) -> Saturation:
        """Saturated liquid and vapour at a temperature (K) or a pressure (Pa), one of the two."""
        if (T is None) == (P is None):
            raise PropertyError("saturation needs either T or P: one fixes the other")
        at = {symbol: value for symbol, value in (("T", T), ("P", P)) if value is not None}
        liquid, vapor = self.state(**at, x=0.0), self.state(**at, x=1.0)
        if not (
            math.isclose(liquid.T, vapor.T, rel_tol=1e-6) and math.isclose(liquid.P, vapor.P, rel_tol=1e-6)
        ):
            raise PropertyError(
                f"{self.name} is a mixture, whose temperature and pressure change while it boils: here from"
                f" {liquid.T:.6g} K and {liquid.P / 1e3:.6g} kPa to {vapor.T:.6g} K and"
                f" {vapor.P / 1e3:.6g} kPa; give x = 0 or x = 1 with T or P"
            )
        return Saturation(liquid.T, liquid.P, liquid, vapor)


def _check_inputs(inputs: dict[str, float]) -> dict[str, float]:
    unknown = inputs.keys() - set(INPUTS)
    if unknown:
        raise PropertyError(
            f"{', '.join(sorted(unknown))} cannot fix a state; give two of {', '.join(INPUTS)}"
        )
    if len(inputs) != 2:
        raise PropertyError(f"a state needs exactly two of {', '.join(INPUTS)}, not {len(inputs)}")
    if inputs.keys() == {"v", "rho"}:
        raise PropertyError("v and rho are the same information; give one of them with another property")
    for symbol in {"T", "P", "v", "rho"} & inputs.keys():
        if not inputs[symbol] > 0:
            raise PropertyError(f"{symbol} must be positive (T and P are absolute), not {inputs[symbol]:g}")
    if not 0 <= inputs.get("x", 0) <= 1:
        raise PropertyError(f"the quality x lies between 0 and 1, not {inputs['x']:g}")
    if "v" in inputs:
        inputs["rho"] = 1 / inputs.pop("v")
    return inputs
