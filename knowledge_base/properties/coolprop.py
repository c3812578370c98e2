"""States of one fluid from CoolProp's equations of state, for every pair of inputs.

CoolProp solves most pairs itself. T with h or u, and u with h or s, are solved here by a search over
pressure; x with h, s, u or rho by a search along the saturation line; P with another property of IF97 by a
search over temperature, because its backward equations are off by up to 25 mK, which falsifies the work
of a pump by percents. A pair that several states satisfy is an error that names them; states above 100 MPa,
where steam tables end, count only where no other fits.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from ansatz.knowledge_base.properties.flash import Flash, FlashFailed, Inputs, ZeroPoint
from ansatz.knowledge_base.properties.thermo_state import PropertyError, State

_STEPS = 80  # of a search; turning points of h and u along an isotherm lie decades of pressure apart
_LOWEST_PRESSURE = 1.0  # Pa
_TABLES_END = 100e6  # Pa, upper limit of IAPWS-IF97


@dataclass(frozen=True)
class CoolPropFluid:
    """A fluid by its CoolProp backend (HEOS or IF97) and name; without a reference, CoolProp's own zero."""

    name: str
    backend: str
    substance: str
    reference: ZeroPoint | None = None

    def state(self, inputs: Inputs) -> State:
        """The state with these two SI inputs; PropertyError where there is none, or more than one."""
        flash = Flash(self.backend, self.substance, self.reference)
        if "x" in inputs:
            self._refuse_quality_above_critical(flash, inputs)
        if inputs.keys() == {"T", "P"} and _on_saturation_line(flash, inputs["T"], inputs["P"]):
            raise PropertyError("T and P do not fix the state on the saturation line; give x with T or P")
        if self._by_backward_equation(inputs) and (exact := _over_temperature(flash, inputs)):
            flash.update(exact[0])
        elif not flash.reaches(inputs):
            flash.update(self._only(_candidates(flash, inputs), flash, inputs))
        return _along_isobar(flash.state(self.name), inputs)

    def _by_backward_equation(self, inputs: Inputs) -> bool:
        """Whether IF97 would answer by equations that agree with its own properties within 25 mK only."""
        return self.backend == "IF97" and "P" in inputs and not {"T", "x"} & inputs.keys()

    def _only(self, found: list[Inputs], flash: Flash, inputs: Inputs) -> Inputs:
        if len(found) == 1:
            return found[0]
        if found:
            choices = " or ".join(_words(inputs) for inputs in found)
            raise PropertyError(f"{_words(inputs)} fits more than one state of {self.name}: {choices}")
        coldest, hottest = flash.temperatures
        raise PropertyError(
            f"{self.name} has no fluid state with {_words(inputs)}; its equation of state covers"
            f" {coldest:.6g} K to {hottest:.6g} K and up to {flash.highest_pressure / 1e3:.6g} kPa"
        )

    def _refuse_quality_above_critical(self, flash: Flash, inputs: Inputs) -> None:
        if inputs.get("P", 0.0) > flash.critical_pressure:
            raise PropertyError(
                f"P is above the critical pressure of {self.name} ({flash.critical_pressure / 1e3:.6g} kPa),"
                " where there is no quality x; give T with P"
            )
        if inputs.get("T", 0.0) > flash.critical_temperature:
            raise PropertyError(
                f"T is above the critical temperature of {self.name} ({flash.critical_temperature:.6g} K),"
                " where there is no quality x; give P with T"
            )


def _along_isobar(found: State, inputs: Inputs) -> State:
    """The state moved to exactly the h or s asked for at P, by dh = T ds.

    CoolProp iterates to about 1e-9 of h, which the balance of a pump, a small difference, would show.
    """
    if inputs.keys() == {"P", "h"}:
        rise = inputs["h"] - found.h
    elif inputs.keys() == {"P", "s"}:
        rise = found.T * (inputs["s"] - found.s)
    else:
        return found
    return replace(found, h=found.h + rise, s=found.s + rise / found.T, u=found.u + rise)


def _on_saturation_line(flash: Flash, temperature: float, pressure: float) -> bool:
    logarithm = _saturation_pressure(flash, temperature)
    return logarithm is not None and math.isclose(math.exp(logarithm), pressure, rel_tol=1e-4)


def _candidates(flash: Flash, inputs: Inputs) -> list[Inputs]:
    """Every state with these inputs, each by a pair that CoolProp knows."""
    if "x" in inputs:
        return list(_along_saturation(flash, inputs))
    if "P" in inputs:
        return _over_temperature(flash, inputs)
    wet = _inside_dome(flash, inputs)
    found = [*([wet] if wet else []), *_over_pressure(flash, inputs)]
    return [one for one in found if one.get("P", 0.0) <= _TABLES_END] or found


def _inside_dome(flash: Flash, inputs: Inputs) -> Inputs | None:
    """T with another property between saturated liquid and vapour: the lever rule."""
    T = inputs.get("T", math.inf)
    if not flash.triple_temperature < T < flash.critical_temperature:
        return None
    [symbol] = inputs.keys() - {"T"}
    ends = []
    for quality in (0.0, 1.0):
        flash.update({"x": quality, "T": T})
        # volume, not density, is linear in quality
        ends.append(1 / flash.value("rho") if symbol == "rho" else flash.value(symbol))
    wanted = 1 / inputs["rho"] if symbol == "rho" else inputs[symbol]
    quality = (wanted - ends[0]) / (ends[1] - ends[0])
    return {"x": quality, "T": T} if 0 <= quality <= 1 else None


def _over_pressure(flash: Flash, inputs: Inputs) -> list[Inputs]:
    """States found by holding one property and letting pressure bring the other to its value."""
    held = next(symbol for symbol in ("T", "h", "s", "u", "rho") if symbol in inputs)
    [other] = inputs.keys() - {held}

    def trial(logarithm: float) -> Inputs:
        return {held: inputs[held], "P": math.exp(logarithm)}

    low, high = math.log(_LOWEST_PRESSURE), math.log(flash.highest_pressure)
    jump = _saturation_pressure(flash, inputs["T"]) if held == "T" else None
    pieces = [(low, high)] if jump is None else [(low, jump - 1e-9), (jump + 1e-9, high)]
    roots = (trial(root) for piece in pieces for root in _roots(flash, trial, (other, inputs[other]), piece))
    return [root for root in roots if flash.reaches(root) and flash.agrees(inputs)]


def _over_temperature(flash: Flash, inputs: Inputs) -> list[Inputs]:
    """Single-phase states on the isobar where the other property has its value."""
    pressure = inputs["P"]
    [other] = inputs.keys() - {"P"}
    if other == "T":
        return []

    def trial(temperature: float) -> Inputs:
        return {"T": temperature, "P": pressure}

    low, high = flash.temperatures[0] + 1e-6, flash.temperatures[1]
    boiling = _saturation_temperature(flash, pressure)
    pieces = [(low, high)] if boiling is None else [(low, boiling - 1e-5), (boiling + 1e-5, high)]
    roots = (trial(root) for piece in pieces for root in _roots(flash, trial, (other, inputs[other]), piece))
    return [root for root in roots if flash.reaches(root) and flash.agrees(inputs)]


def _along_saturation(flash: Flash, inputs: Inputs) -> Iterator[Inputs]:
    """States of the given quality where the other property has its value."""
    [other] = inputs.keys() - {"x"}

    def trial(temperature: float) -> Inputs:
        return {"x": inputs["x"], "T": temperature}

    ends = (flash.triple_temperature + 1e-6, flash.critical_temperature - 1e-6)
    return (trial(root) for root in _roots(flash, trial, (other, inputs[other]), ends))


def _saturation_pressure(flash: Flash, temperature: float) -> float | None:
    """Its natural logarithm; None where a temperature has no saturation pressure."""
    if not flash.triple_temperature < temperature < flash.critical_temperature:
        return None
    flash.update({"x": 0.0, "T": temperature})
    return math.log(flash.value("P"))


def _saturation_temperature(flash: Flash, pressure: float) -> float | None:
    """None where a pressure has no saturation temperature."""
    if pressure >= flash.critical_pressure or not flash.reaches({"x": 0.0, "P": pressure}):
        return None
    return flash.value("T")


def _roots(
    flash: Flash, trial: Callable[[float], Inputs], goal: tuple[str, float], ends: tuple[float, float]
) -> Iterator[float]:
    """Where a property passes through its value between the ends: a scan, then Brent's method."""
    from scipy.optimize import brentq

    symbol, value = goal

    def excess(at: float) -> float:
        try:
            flash.update(trial(at))
        except FlashFailed:
            return math.nan
        return flash.value(symbol) - value

    width = (ends[1] - ends[0]) / _STEPS
    grid = [ends[0] + step * width for step in range(_STEPS + 1)]
    for (low, before), (high, after) in pairwise([(at, excess(at)) for at in grid]):
        if before * after < 0 or after == 0:
            yield float(brentq(excess, low, high, xtol=1e-13, rtol=1e-14))


_SHOWN = {
    "T": (1.0, "K"),
    "P": (1e-3, "kPa"),
    "h": (1e-3, "kJ/kg"),
    "s": (1e-3, "kJ/(kg*K)"),
    "u": (1e-3, "kJ/kg"),
    "rho": (1.0, "kg/m^3"),
    "x": (1.0, ""),
}


def _words(inputs: Inputs) -> str:
    shown = ((symbol, value * _SHOWN[symbol][0], _SHOWN[symbol][1]) for symbol, value in inputs.items())
    return " and ".join(f"{symbol} = {value:.6g} {unit}".strip() for symbol, value, unit in shown)
