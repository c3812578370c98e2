"""One CoolProp state object: flashes by pairs that CoolProp knows, with our zero of h, s and u."""

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

# CoolProp's names, and from which size on a difference counts.
_KEYS = {"T": "iT", "P": "iP", "h": "iHmass", "s": "iSmass", "u": "iUmass", "rho": "iDmass", "x": "iQ"}
SCALE = {"T": 1.0, "P": 1.0, "h": 1e4, "s": 10.0, "u": 1e4, "rho": 1e-6, "x": 1e-3}
_OF_ONE_PHASE = {
    "cp": "iCpmass",
    "cv": "iCvmass",
    "speed_of_sound": "ispeed_sound",
    "viscosity": "iviscosity",
    "conductivity": "iconductivity",
}
# The pairs that fix one state at most and that each backend flashes well. IF97 would take more, by backward
# equations that agree with its own properties within 25 mK only: an error of percents in the work of a pump.
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

    def takes(self, inputs: Inputs) -> bool:
        """Whether CoolProp flashes this pair of inputs itself."""
        return inputs.keys() in self._pairs

    def update(self, inputs: Inputs) -> None:
        """Go to the state with these two SI inputs; FlashFailed where CoolProp cannot."""
        if not self.takes(inputs):
            raise FlashFailed(f"CoolProp has no flash for {', '.join(inputs)}")
        given: list[Any] = []
        for symbol, value in inputs.items():
            given += [getattr(self._coolprop, _KEYS[symbol]), value - self._shift.get(symbol, 0.0)]
        self._ask(self._at.update, *self._coolprop.generate_update_pair(*given))

    def reaches(self, inputs: Inputs) -> bool:
        """Whether CoolProp finds a state, and that state really has the inputs and lies in its range."""
        try:
            self.update(inputs)
            return self.agrees(inputs)
        except FlashFailed:
            return False

    def agrees(self, inputs: Inputs) -> bool:
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
        """Whether the inputs determine the present state, which moves to have them exactly.

        Those that CoolProp solves with P, or with x on the saturation line, always do.
        """
        if self.takes(inputs) and inputs.keys() & {"P", "x"}:
            return True
        try:
            return self._refine(inputs)
        except FlashFailed:
            return False

    def _refine(self, inputs: Inputs) -> bool:
        """Move to the state nearby that has the inputs, and return whether they determine it.

        A Newton iteration on properties that need no iteration of CoolProp. The state is determined if it
        reproduces both inputs, and if noise in them changes neither T nor P by more than 1e-4.
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
        """Derivatives of properties (rows) by the two of a place (columns), which stays the present state.

        A state of one phase is varied within that phase, also beyond the saturation line.
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
        """A property of the present state; of the quality not a number outside the dome."""
        if symbol == "x":
            two_phase = self._at.phase() == self._coolprop.iphase_twophase
            return min(1.0, max(0.0, float(self._at.Q()))) if two_phase else math.nan
        return self._read(_KEYS[symbol]) + self._shift.get(symbol, 0.0)

    def _read(self, key: str) -> float:
        return float(self._ask(self._at.keyed_output, getattr(self._coolprop, key)))

    def _ask(self, question: Callable[..., Any], *arguments: Any) -> Any:
        try:
            return question(*arguments)
        except (
            ValueError,
            IndexError,
        ) as failure:  # either, and IF97 as late as here
            raise FlashFailed(str(failure)) from failure

    def state(self, fluid: str) -> State:
        """What is known of the present state, under the fluid's name."""
        quality = None if math.isnan(at := self.value("x")) else at
        single = quality in (None, 0.0, 1.0)  # of one phase
        further: dict[str, Any] = {
            name: self._known(key) if single else None for name, key in _OF_ONE_PHASE.items()
        }
        main: dict[str, Any] = {symbol: self.value(symbol) for symbol in _KEYS if symbol != "x"}
        return State(fluid=fluid, phase=self._phase(quality), x=quality, **main, **further)

    def _known(self, key: str) -> float | None:
        """A property that CoolProp may have no model of."""
        try:
            value = self._read(key)
        except FlashFailed:
            return None
        return value if math.isfinite(value) else None

    def _phase(self, quality: float | None) -> str:
        """Named as tables name it: a liquid above the critical pressure but below T_c stays subcooled."""
        if quality is not None:
            mixture = "wet_steam" if self._substance == "Water" else "two_phase"
            return {0.0: "saturated_liquid", 1.0: "saturated_vapor"}.get(quality, mixture)
        hot = self._at.T() >= self.critical["T"]
        if self._at.p() >= self.critical["P"]:
            return "supercritical" if hot else "subcooled_liquid"
        dense = self._at.rhomass() > self._at.rhomass_critical()
        return "subcooled_liquid" if dense and not hot else "superheated_vapor"
