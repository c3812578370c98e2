"""Find states with CoolProp from the pairs of inputs that it supports, with a chosen zero of h, s and u."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from ansatz.knowledge_base.properties.substance import State

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Inputs = dict[str, float]

# CoolProp's names, and the scale below which differences are absolute.
_KEYS = {"T": "iT", "P": "iP", "h": "iHmass", "s": "iSmass", "u": "iUmass", "rho": "iDmass", "x": "iQ"}
SCALE = {"T": 1.0, "P": 1.0, "h": 1e4, "s": 10.0, "u": 1e4, "rho": 1e-6, "x": 1e-3}
_OF_ONE_PHASE = {
    "cp": "iCpmass",
    "cv": "iCvmass",
    "speed_of_sound": "ispeed_sound",
    "viscosity": "iviscosity",
    "conductivity": "iconductivity",
}
# Pairs that determine at most one state and that the backend solves well. IF97 accepts more pairs by backward
# equations that agree with its properties only within 25 mK. This changes the work of a pump by percents.
_PAIRS = {
    "IF97": [{"P", "T"}, {"P", "x"}, {"T", "x"}],
    "HEOS": [
        *({"P", each} for each in ("T", "h", "s", "u", "x")),
        *({"T", each} for each in ("rho", "x")),
        *({"rho", each} for each in ("h", "s", "u")),
        {"h", "s"},
    ],
}


_REPRODUCED = 1e-8
"""Relative difference, of a value or of its `SCALE`, up to which a state reproduces a given property."""
_DETERMINED = 1e-4
"""Relative uncertainty of T and P up to which two properties determine a state."""
_NOISE = {"T": 1e-13, "P": 1e-13, "rho": 1e-13, "x": 1e-9, "h": 1e-10, "s": 1e-10, "u": 1e-10}
"""Relative noise of each property in CoolProp: rounding in rho changes u of cold water by 2e-7 J/kg."""
_STEP = {"T": 1e-5, "P": 1e-5, "rho": 1e-5, "x": 1e-4}
"""Steps of the central differences: relative, and absolute for x."""


class FlashFailed(Exception):
    """CoolProp found no state for a pair of inputs."""


@dataclass(frozen=True)
class ZeroPoint:
    """Enthalpy and entropy of saturated liquid at a reference point."""

    symbol: Literal["T", "P"]
    value: float
    """T in K, or P in Pa."""
    enthalpy: float
    """J/kg."""
    entropy: float
    """J/(kg·K)."""


class Flash:
    """A wrapper of CoolProp's mutable state object, created for each state, so threads never share one."""

    def __init__(self, backend: str, substance: str, reference: ZeroPoint | None) -> None:
        from CoolProp import CoolProp  # takes two seconds, so only on first use

        self._coolprop = CoolProp
        self._at = CoolProp.AbstractState(backend, substance)
        self._substance = substance
        self._pairs = _PAIRS[backend]
        self.critical = {"T": float(self._at.T_critical()), "P": float(self._at.p_critical())}
        self.triple_temperature = float(self._at.Ttriple())
        self.temperatures = (float(self._at.Tmin()), float(self._at.Tmax()))
        self.highest_pressure = float(self._at.pmax())
        self._shift = {"h": 0.0, "s": 0.0, "u": 0.0}
        if reference is not None:
            self.update({"x": 0.0, reference.symbol: reference.value})
            energy = reference.enthalpy - self.value("h")
            self._shift = {"h": energy, "s": reference.entropy - self.value("s"), "u": energy}

    def supports(self, inputs: Inputs) -> bool:
        """Whether CoolProp solves this pair of inputs."""
        return inputs.keys() in self._pairs

    def update(self, inputs: Inputs) -> None:
        """Go to the state with these two SI inputs. Raises FlashFailed if CoolProp cannot."""
        if not self.supports(inputs):
            raise FlashFailed(f"CoolProp has no flash for {', '.join(inputs)}")
        given: list[Any] = []
        for symbol, value in inputs.items():
            given += [getattr(self._coolprop, _KEYS[symbol]), value - self._shift.get(symbol, 0.0)]
        self._call(self._at.update, *self._coolprop.generate_update_pair(*given))

    def reaches(self, inputs: Inputs) -> bool:
        """Go to a state; return whether CoolProp finds one in its range that has the inputs."""
        try:
            self.update(inputs)
            return self.agrees(inputs)
        except FlashFailed:
            return False

    def agrees(self, inputs: Inputs) -> bool:
        """Whether the present state is in the range and has the inputs."""
        coldest, hottest = self.temperatures
        in_range = coldest - 1e-6 <= self._at.T() <= hottest + 1e-6
        return (
            in_range
            and self._at.p() <= self.highest_pressure * (1 + 1e-6)
            and all(
                abs(self.value(symbol) - value) <= 1e-4 * max(abs(value), SCALE[symbol])
                for symbol, value in inputs.items()
            )
        )

    def determines(self, inputs: Inputs) -> bool:
        """Refine the present state to have the inputs exactly; return whether they determine it.

        Supported pairs with P, or with x on the saturation line, always do.
        """
        if self.supports(inputs) and inputs.keys() & {"P", "x"}:
            return True
        try:
            return self._refine(inputs)
        except FlashFailed:
            return False

    def _refine(self, inputs: Inputs) -> bool:
        """Move to the nearby state that has the inputs; return whether they determine it.

        This is a Newton iteration on properties for which CoolProp needs no iteration. The inputs determine
        the state if it reproduces both, and if noise in them changes T and P by at most 1e-4.
        """
        import numpy as np

        symbols = self._explicit_pair()
        wanted = np.array([*inputs.values()])
        scale = np.array([max(abs(value), SCALE[symbol]) for symbol, value in inputs.items()])
        noise = np.array([_NOISE[symbol] for symbol in inputs]) * scale
        for _ in range(3):
            place = {symbol: self.value(symbol) for symbol in symbols}
            missing = wanted - self._values(inputs)
            slopes = self._slopes(place, [*inputs, "T", "P"])
            try:
                inverse = np.linalg.inv(slopes[:2])
            except np.linalg.LinAlgError:
                return False
            if (abs(missing) < 1e-3 * noise).all():
                break
            low, high = self._limits(symbols)
            moved = np.clip([*place.values()] + inverse @ missing, low, high)
            self.update(dict(zip(symbols, map(float, moved), strict=True)))
        missing = abs(wanted - self._values(inputs))
        uncertain = abs(slopes[2:] @ inverse) @ (missing + noise)
        return bool(
            (missing <= _REPRODUCED * scale).all()
            and (uncertain <= _DETERMINED * self._values(["T", "P"])).all()
        )

    def _explicit_pair(self) -> tuple[str, str]:
        if not math.isnan(self.value("x")):
            return "T", "x"
        return ("T", "rho") if {"T", "rho"} in self._pairs else ("T", "P")

    def _limits(self, symbols: Iterable[str]) -> tuple[list[float], list[float]]:
        ends = {"T": self.temperatures, "x": (0.0, 1.0)}
        if "x" in symbols:
            ends["T"] = (self.triple_temperature, self.critical["T"])
        pairs = [ends.get(symbol, (0.0, math.inf)) for symbol in symbols]
        return [low for low, _ in pairs], [high for _, high in pairs]

    def _slopes(self, place: Inputs, symbols: Sequence[str]) -> NDArray[np.float64]:
        """Return the derivatives of properties (rows) by the two properties of a place (columns).

        The present state does not change. A single phase is varied in that phase, also beyond saturation.
        """
        import numpy as np

        columns = []
        phase = self._at.phase()
        for symbol, low, high in zip(place, *self._limits(place), strict=True):
            step = _STEP[symbol] * (1.0 if symbol == "x" else place[symbol])
            ends = max(low, place[symbol] - step), min(high, place[symbol] + step)
            values = []
            for end in ends:
                if "rho" in place:
                    self._at.specify_phase(phase)
                try:
                    self.update(place | {symbol: end})
                    values.append(self._values(symbols))
                finally:
                    self._at.unspecify_phase()
            columns.append((values[1] - values[0]) / (ends[1] - ends[0]))
        self.update(place)
        return np.array(columns).T

    def _values(self, symbols: Iterable[str]) -> NDArray[np.float64]:
        import numpy as np

        return np.array([self.value(symbol) for symbol in symbols])

    def value(self, symbol: str) -> float:
        """Return a property of the present state; NaN for the quality outside the saturation dome."""
        if symbol == "x":
            two_phase = self._at.phase() == self._coolprop.iphase_twophase
            return min(1.0, max(0.0, float(self._at.Q()))) if two_phase else math.nan
        return self._read(_KEYS[symbol]) + self._shift.get(symbol, 0.0)

    def _read(self, key: str) -> float:
        return float(self._call(self._at.keyed_output, getattr(self._coolprop, key)))

    def _call(self, method: Callable[..., Any], *arguments: Any) -> Any:
        try:
            return method(*arguments)
        except (ValueError, IndexError) as error:  # CoolProp raises both, with IF97 also when reading
            raise FlashFailed(str(error)) from error

    def state(self, fluid: str) -> State:
        """Return the properties of the present state, with the name of the fluid."""
        quality = None if math.isnan(at := self.value("x")) else at
        is_single_phase = quality in (None, 0.0, 1.0)
        further: dict[str, Any] = {
            name: self._read_optional(key) if is_single_phase else None for name, key in _OF_ONE_PHASE.items()
        }
        main: dict[str, Any] = {symbol: self.value(symbol) for symbol in _KEYS if symbol != "x"}
        return State(fluid=fluid, phase=self._name_phase(quality), x=quality, **main, **further)

    def _read_optional(self, key: str) -> float | None:
        """Return a property, or None if CoolProp has no model of it."""
        try:
            value = self._read(key)
        except FlashFailed:
            return None
        return value if math.isfinite(value) else None

    def _name_phase(self, quality: float | None) -> str:
        """Name the phase as tables do: a liquid below T_c is subcooled, also above the critical pressure."""
        if quality is not None:
            mixture = "wet_steam" if self._substance == "Water" else "two_phase"
            return {0.0: "saturated_liquid", 1.0: "saturated_vapor"}.get(quality, mixture)
        hot = self._at.T() >= self.critical["T"]
        if self._at.p() >= self.critical["P"]:
            return "supercritical" if hot else "subcooled_liquid"
        dense = self._at.rhomass() > self._at.rhomass_critical()
        return "subcooled_liquid" if dense and not hot else "superheated_vapor"
