"""One CoolProp state object: flashes by pairs that CoolProp knows, with our zero of h, s and u."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

from ansatz.knowledge_base.properties.thermo_state import State

Inputs = dict[str, float]

_PAIRS = {
    ("P", "T"): "PT_INPUTS",
    ("h", "P"): "HmassP_INPUTS",
    ("P", "s"): "PSmass_INPUTS",
    ("P", "u"): "PUmass_INPUTS",
    ("rho", "P"): "DmassP_INPUTS",
    ("rho", "T"): "DmassT_INPUTS",
    ("s", "T"): "SmassT_INPUTS",
    ("h", "s"): "HmassSmass_INPUTS",
    ("rho", "h"): "DmassHmass_INPUTS",
    ("rho", "s"): "DmassSmass_INPUTS",
    ("rho", "u"): "DmassUmass_INPUTS",
    ("P", "x"): "PQ_INPUTS",
    ("x", "T"): "QT_INPUTS",
}
_READ = {"T": "T", "P": "p", "h": "hmass", "s": "smass", "u": "umass", "rho": "rhomass"}
_OF_ONE_PHASE = {
    "cp": "cpmass",
    "cv": "cvmass",
    "speed_of_sound": "speed_sound",
    "viscosity": "viscosity",
    "conductivity": "conductivity",
}
_SCALE = {"T": 1.0, "P": 1.0, "h": 1e4, "s": 10.0, "u": 1e4, "rho": 1e-6, "x": 1e-3}


class FlashFailed(Exception):
    """CoolProp found no state for a pair of inputs."""


@dataclass(frozen=True)
class ZeroPoint:
    """Zero of the caloric scale: what saturated liquid at this T (K) or P (Pa) has, in J/kg and J/(kg·K)."""

    symbol: Literal["T", "P"]
    value: float
    enthalpy: float
    entropy: float


class Flash:
    """CoolProp's mutable state object, wrapped; made anew for each state, so that threads never share one."""

    def __init__(self, backend: str, substance: str, reference: ZeroPoint | None) -> None:
        from CoolProp import CoolProp  # takes two seconds: only where a property is asked for

        self._coolprop = CoolProp
        self._at = CoolProp.AbstractState(backend, substance)
        self._substance = substance
        self.critical_pressure = float(self._at.p_critical())
        self.critical_temperature = float(self._at.T_critical())
        self.triple_temperature = float(self._at.Ttriple())
        self.temperatures = (float(self._at.Tmin()), float(self._at.Tmax()))
        self.highest_pressure = float(self._at.pmax())
        self._shift = {"h": 0.0, "s": 0.0, "u": 0.0}
        if reference is not None:
            self.update({"x": 0.0, reference.symbol: reference.value})
            energy = reference.enthalpy - self._at.hmass()
            self._shift = {"h": energy, "s": reference.entropy - self._at.smass(), "u": energy}

    def update(self, inputs: Inputs) -> None:
        """Go to the state with these two SI inputs; FlashFailed where CoolProp cannot."""
        for (first, second), name in _PAIRS.items():
            if inputs.keys() == {first, second}:
                values = (inputs[symbol] - self._shift.get(symbol, 0.0) for symbol in (first, second))
                try:
                    self._at.update(getattr(self._coolprop, name), *values)
                except (ValueError, IndexError) as failure:  # CoolProp raises either
                    raise FlashFailed(str(failure)) from failure
                return
        raise FlashFailed(f"CoolProp has no flash for {', '.join(inputs)}")

    def reaches(self, inputs: Inputs) -> bool:
        """Whether CoolProp finds a state, and that state really has the inputs and lies in its range."""
        try:
            self.update(inputs)
        except FlashFailed:
            return False
        return self.agrees(inputs)

    def agrees(self, inputs: Inputs) -> bool:
        coldest, hottest = self.temperatures
        in_range = coldest - 1e-6 <= self._at.T() <= hottest + 1e-6
        return (
            in_range
            and self._at.p() <= self.highest_pressure * (1 + 1e-6)
            and all(
                abs(self.value(symbol) - value) <= 1e-4 * max(abs(value), _SCALE[symbol])
                for symbol, value in inputs.items()
            )
        )

    def value(self, symbol: str) -> float:
        if symbol == "x":
            quality = self._quality()
            return math.nan if quality is None else quality
        return float(getattr(self._at, _READ[symbol])()) + self._shift.get(symbol, 0.0)

    def state(self, fluid: str) -> State:
        """What is known of the present state, under the fluid's name."""
        quality = self._quality()
        mixed = quality is not None and 0 < quality < 1
        return State(
            fluid=fluid,
            phase=self._phase(quality),
            T=self.value("T"),
            P=self.value("P"),
            h=self.value("h"),
            s=self.value("s"),
            rho=self.value("rho"),
            u=self.value("u"),
            x=quality,
            **{name: None if mixed else self._optional(method) for name, method in _OF_ONE_PHASE.items()},
        )

    def _quality(self) -> float | None:
        two_phase = self._at.phase() == self._coolprop.iphase_twophase
        return min(1.0, max(0.0, float(self._at.Q()))) if two_phase else None

    def _phase(self, quality: float | None) -> str:
        """Named as tables name it: a liquid above the critical pressure but below T_c stays subcooled."""
        if quality is not None:
            mixture = "wet_steam" if self._substance == "Water" else "two_phase"
            return {0.0: "saturated_liquid", 1.0: "saturated_vapor"}.get(quality, mixture)
        hot = self._at.T() >= self.critical_temperature
        if self._at.p() >= self.critical_pressure:
            return "supercritical" if hot else "subcooled_liquid"
        dense = self._at.rhomass() > self._at.rhomass_critical()
        return "subcooled_liquid" if dense and not hot else "superheated_vapor"

    def _optional(self, method: str) -> float | None:
        try:
            value = float(getattr(self._at, method)())
        except ValueError:
            return None
        return value if math.isfinite(value) else None
