"""A thermodynamic state in SI units, and the error that says why there is none."""

from __future__ import annotations

from dataclasses import dataclass

from ansatz.errors import AnsatzError


class PropertyError(AnsatzError, ValueError):
    """No such state; the message is one line that says what to give instead."""


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
