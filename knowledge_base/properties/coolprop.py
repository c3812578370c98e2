"""States of one fluid from CoolProp's equations of state, for every pair of inputs.

CoolProp solves most pairs itself. T with h or u, and u with h or s, are solved here by a search over
pressure; x with h, s, u or rho by a search along the saturation line; P with another property of IF97 by a
search over temperature, because its backward equations are off by up to 25 mK, which falsifies the work
of a pump by percents. A pair that several states satisfy is an error that names them; states above 100 MPa,
where steam tables end, count only where no other fits.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from ansatz.knowledge_base.properties.flash import Flash, FlashFailed, Inputs, ZeroPoint
from ansatz.knowledge_base.properties.substance import PropertyError, State, Substance

_STEPS = 80  # of a search; turning points of h and u along an isotherm lie decades of pressure apart
_LOWEST_PRESSURE = 1.0  # Pa
_TABLES_END = 100e6  # Pa, upper limit of IAPWS-IF97


@dataclass(frozen=True)
class CoolPropFluid(Substance):
    """A fluid by its CoolProp backend (HEOS or IF97) and name; without a reference, CoolProp's own zero."""

    name: str
    backend: str
    substance: str
    reference: ZeroPoint | None = None

    def _found(self, inputs: Inputs) -> State:
        """The state with these inputs; PropertyError where there is none, or more than one."""
        flash = Flash(self.backend, self.substance, self.reference)
        if "x" in inputs:
            self._refuse_quality_above_critical(flash, inputs)
        if inputs.keys() == {"T", "P"}:
            pressure = _boiling(flash, "T", inputs["T"])
            if pressure is not None and math.isclose(pressure, inputs["P"], rel_tol=1e-4):
                raise PropertyError("T and P do not fix the state on the saturation line; give x with T or P")
        # IF97 would answer by backward equations that agree with its own properties within 25 mK only.
        backward = self.backend == "IF97" and "P" in inputs and not {"T", "x"} & inputs.keys()
        if backward and (exact := _candidates(flash, inputs)):
            flash.update(exact[0])
        elif not flash.reaches(inputs):
            flash.update(self._only(_candidates(flash, inputs), flash, inputs))
        return _along_isobar(flash.state(self.name), inputs)

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
        for symbol, name, other in (("P", "pressure", "T"), ("T", "temperature", "P")):
            if inputs.get(symbol, 0.0) > flash.critical[symbol]:
                scale, unit = _SHOWN[symbol]
                raise PropertyError(
                    f"{symbol} is above the critical {name} of {self.name}"
                    f" ({flash.critical[symbol] * scale:.6g} {unit}), where there is no quality x;"
                    f" give {other} with {symbol}"
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


def _candidates(flash: Flash, inputs: Inputs) -> list[Inputs]:
    """Every state with these inputs, each by a pair that CoolProp knows: one is held, another one varied."""
    held = next(symbol for symbol in ("x", "P", "T", "h", "s", "u", "rho") if symbol in inputs)
    if held == "x":
        ends = (flash.triple_temperature + 1e-6, flash.critical["T"] - 1e-6)
        return _where(flash, inputs, held, "T", [ends])
    if held == "P":
        low, high = flash.temperatures[0] + 1e-6, flash.temperatures[1]
        boiling = _boiling(flash, "P", inputs["P"])
        pieces = [(low, high)] if boiling is None else [(low, boiling - 1e-5), (boiling + 1e-5, high)]
        return _where(flash, inputs, held, "T", pieces) if "T" not in inputs else []
    low, high = math.log(_LOWEST_PRESSURE), math.log(flash.highest_pressure)
    pressure = _boiling(flash, "T", inputs["T"]) if held == "T" else None
    jump = math.log(pressure) if pressure else high
    pieces = [(low, jump - 1e-9), (jump + 1e-9, high)] if pressure else [(low, high)]
    found = [*_inside_dome(flash, inputs), *_where(flash, inputs, held, "P", pieces)]
    return [one for one in found if one.get("P", 0.0) <= _TABLES_END] or found


def _inside_dome(flash: Flash, inputs: Inputs) -> Iterator[Inputs]:
    """T with another property between saturated liquid and vapour: the lever rule."""
    T = inputs.get("T", math.inf)
    if not flash.triple_temperature < T < flash.critical["T"]:
        return
    [symbol] = inputs.keys() - {"T"}
    power = -1 if symbol == "rho" else 1  # volume, not density, is linear in quality
    ends = []
    for quality in (0.0, 1.0):
        flash.update({"x": quality, "T": T})
        ends.append(flash.value(symbol) ** power)
    quality = (inputs[symbol] ** power - ends[0]) / (ends[1] - ends[0])
    if 0 <= quality <= 1:
        yield {"x": quality, "T": T}


def _boiling(flash: Flash, symbol: str, value: float) -> float | None:
    """The pressure at which it boils at this T, or the other way round; None where it cannot."""
    if value >= flash.critical[symbol] or not flash.reaches({"x": 0.0, symbol: value}):
        return None
    return flash.value("P" if symbol == "T" else "T")


def _where(
    flash: Flash, inputs: Inputs, held: str, varied: str, pieces: Sequence[tuple[float, float]]
) -> list[Inputs]:
    """The states that hold one input and have the other, each by a T or a P (its logarithm) in the pieces.

    A scan of each piece for changes of sign, then Brent's method.
    """
    from scipy.optimize import brentq

    [other] = inputs.keys() - {held}

    def trial(at: float) -> Inputs:
        return {varied: math.exp(at) if varied == "P" else at, held: inputs[held]}

    def excess(at: float) -> float:
        try:
            flash.update(trial(at))
            return flash.value(other) - inputs[other]
        except FlashFailed:
            return math.nan

    found = []
    for start, end in pieces:
        grid = [start + step * (end - start) / _STEPS for step in range(_STEPS + 1)]
        for (low, before), (high, after) in pairwise([(at, excess(at)) for at in grid]):
            if before * after < 0 or after == 0:
                root = trial(float(brentq(excess, low, high, xtol=1e-13, rtol=1e-14)))
                if flash.reaches(root) and flash.agrees(inputs):
                    found.append(root)
    return found


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
    return " and ".join(
        f"{symbol} = {inputs[symbol] * scale:.6g} {unit}".strip()
        for symbol, (scale, unit) in _SHOWN.items()
        if symbol in inputs
    )
