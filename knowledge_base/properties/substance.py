"""The base class of fluids, and their states in SI units."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass

from ansatz.errors import PropertyError

INPUTS = ("T", "P", "h", "s", "v", "rho", "u", "x")


@dataclass(frozen=True)
class State:
    """One equilibrium state per unit mass, in SI units.

    Inside the saturation dome cp, cv, k, the speed of sound and the transport properties have no single value
    and are None.
    """

    fluid: str
    phase: str
    """One of subcooled_liquid, saturated_liquid, wet_steam (for other fluids than water two_phase),
    saturated_vapor, superheated_vapor, supercritical, and gas (for ideal gases)."""
    T: float
    """K."""
    P: float
    """Pa."""
    h: float
    """J/kg."""
    s: float
    """J/(kg·K)."""
    rho: float
    """kg/m³."""
    u: float
    """J/kg."""
    x: float | None = None
    """Vapour quality; None outside the saturation dome."""
    cp: float | None = None
    """J/(kg·K)."""
    cv: float | None = None
    """J/(kg·K)."""
    speed_of_sound: float | None = None
    """m/s."""
    viscosity: float | None = None
    """Pa·s."""
    conductivity: float | None = None
    """W/(m·K)."""
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
    """Saturated liquid and saturated vapour."""

    T: float
    """K."""
    P: float
    """Pa."""
    liquid: State
    vapor: State


class Substance(ABC):
    """A fluid: `substance("water")` for a named one, or a gas with your own constants.

    >>> from ansatz.knowledge_base.properties import ConstantHeatCapacityGas
    >>> round(ConstantHeatCapacityGas(cp=1005.0, k=1.4).state(T=300.0, P=1e5).h)
    301500
    """

    name: str

    def state(self, **inputs: float) -> State:
        """Find the state from exactly two of T, P, h, s, v, rho, u, x in SI units. Raises PropertyError."""
        return self._find_state(_check_inputs(inputs))

    @abstractmethod
    def _find_state(self, inputs: dict[str, float]) -> State:
        """Find the state from two checked inputs; v is converted to rho."""

    def isentropic(self, inlet: State, P: float) -> State:
        """Return the state at a pressure in Pa after a reversible adiabatic process from `inlet`."""
        return self.state(P=P, s=inlet.s)

    def saturation(self, *, T: float | None = None, P: float | None = None) -> Saturation:
        """Return saturated liquid and vapour at a temperature (K) or a pressure (Pa)."""
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
        raise PropertyError(f"the quality x is between 0 and 1, not {inputs['x']:g}")
    if "v" in inputs:
        inputs["rho"] = 1 / inputs.pop("v")
    return inputs
