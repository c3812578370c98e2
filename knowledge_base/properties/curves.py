"""Find every state with two given properties, along a curve on which one of them is constant.

The curve is an isotherm, an isobar or a line of constant quality. For h, s or u without T, P and x it runs
over pressure. It is divided at the saturation line, where properties have kinks. Each stretch is scanned for
changes of sign and for turning points. A property may fall and rise again, such as h and u of compressed
liquid along an isotherm, or the volume of water near its greatest density; all its states are found.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise

from ansatz.knowledge_base.properties.flash import Flash, FlashFailed, Inputs

LOWEST_PRESSURE = 1.0  # Pa
_STEPS = 80  # of a scan; turning points of h and u along an isotherm lie decades of pressure apart
_HALVINGS = 25  # of a step, to find the end of the range
_NEAR_SATURATION = 1e-5  # relative distance in T or P within which CoolProp may refuse to evaluate
_SAME = 1e-6  # relative difference of T and density below which two states are one


@dataclass(frozen=True)
class Solutions:
    """The states found."""

    states: list[Inputs]
    """Each as a pair that CoolProp supports."""
    is_complete: bool
    """False if CoolProp failed on a part of the curve, so that a state may be missing."""


@dataclass(frozen=True)
class _Stretch:
    """A part of a curve."""

    fixed: Inputs
    """The constant property."""
    varied: str
    """The symbol of the varied property."""
    low: float
    """The lower end, as the logarithm if P varies."""
    high: float
    saturated: dict[float, Inputs] = field(default_factory=dict)
    """The saturated states at ends on the saturation line."""

    def at(self, place: float) -> Inputs:
        """Return the inputs at a place of the stretch."""
        if place in self.saturated:
            return self.saturated[place]
        return {self.varied: math.exp(place) if self.varied == "P" else place, **self.fixed}

    def saturated_near(self, place: float) -> Inputs | None:
        """Return the saturated end if a place is too close to it for CoolProp, otherwise None."""
        span = _NEAR_SATURATION * (1.0 if self.varied == "P" else abs(place))
        return next((inputs for end, inputs in self.saturated.items() if abs(place - end) < span), None)


def boiling_point(flash: Flash, symbol: str, value: float, quality: float = 0.0) -> float | None:
    """Return the boiling pressure at a T, or the boiling temperature at a P; None if there is none."""
    if value >= flash.critical[symbol] or not flash.reaches({"x": quality, symbol: value}):
        return None
    return flash.value("P" if symbol == "T" else "T")


def find_states(flash: Flash, inputs: Inputs) -> Solutions:
    """Find every state with these two inputs, in SI units."""
    constant = next(symbol for symbol in ("x", "P", "T", "h", "s", "u", "rho") if symbol in inputs)
    [other] = inputs.keys() - {constant}
    if other in ("T", "P"):  # CoolProp supports such pairs; a state that it refuses does not exist
        return Solutions([], True)
    slope = _slope(constant, other)
    found: dict[tuple[float, float], Inputs] = {}
    is_complete = True
    for stretch in _curve(flash, constant, inputs[constant]):
        scan = _Scan(flash, stretch, other, inputs[other])
        for place in scan.roots(1 if (slope and constant == "P") or stretch.varied == "x" else _STEPS, slope):
            root = scan.go_to(place)
            if root is None or not flash.agrees(inputs) or not flash.determines(inputs):
                is_complete = False
                continue
            root = {symbol: flash.value(symbol) for symbol in root}
            T, density = flash.value("T"), flash.value("rho")
            if not any(
                math.isclose(T, t, rel_tol=_SAME) and math.isclose(density, rho, rel_tol=_SAME)
                for t, rho in found
            ):
                found[T, density] = root
        is_complete &= not scan.has_gaps
    return Solutions([*found.values()], is_complete)


def _slope(constant: str, other: str) -> int:
    """Return 1 if a property only rises along the curve, -1 if it only falls, otherwise 0.

    By dh = T ds + v dP and du = T ds - P dv: h, s and u rise with T along an isobar. With P, u rises at
    constant s, and s falls at constant h.
    """
    if constant == "P" and other in ("h", "s", "u"):
        return 1
    return {("s", "u"): 1, ("h", "s"): -1}.get((constant, other), 0)


def _curve(flash: Flash, constant: str, value: float) -> Iterator[_Stretch]:
    fixed = {constant: value}
    if constant == "x":
        yield _Stretch(fixed, "T", flash.triple_temperature + 1e-6, flash.critical["T"] - 1e-6)
        return
    varied = "T" if constant == "P" else "P"
    low, high = flash.temperatures
    if varied == "P":
        low, high = math.log(LOWEST_PRESSURE), math.log(flash.highest_pressure)
    ends = []
    if constant in ("T", "P"):
        ends = [boiling_point(flash, constant, value, quality) for quality in (0.0, 1.0)]
    if not ends or None in ends:
        yield _Stretch(fixed, varied, low, high)
        return
    liquid, vapor = ({"x": quality, **fixed} for quality in (0.0, 1.0))
    bubble, dew = (math.log(end) if varied == "P" else end for end in ends if end is not None)
    yield _Stretch(fixed, "x", 0.0, 1.0)
    for end, inputs, is_upper in ((bubble, liquid, varied == "T"), (dew, vapor, varied == "P")):
        if is_upper and end > low:
            yield _Stretch(fixed, varied, low, end, {end: inputs})
        elif not is_upper and end < high:
            yield _Stretch(fixed, varied, end, high, {end: inputs})


class _Scan:
    """Searches a stretch for places at which a property has a value.

    `has_gaps` is True if CoolProp failed at a place between two others.
    """

    def __init__(self, flash: Flash, stretch: _Stretch, symbol: str, wanted: float) -> None:
        self._flash, self._stretch, self._symbol, self._wanted = flash, stretch, symbol, wanted
        self.has_gaps = False

    def go_to(self, place: float) -> Inputs | None:
        """Move the flash to a place and return its inputs; None if CoolProp fails."""
        inputs = self._stretch.at(place)
        if self._flash.reaches(inputs):
            return inputs
        if inputs.keys() & {"h", "s", "u"} and "P" in inputs:  # along its isobar
            states = find_states(self._flash, inputs).states
            return states[0] if len(states) == 1 and self._flash.reaches(states[0]) else None
        near = self._stretch.saturated_near(place)
        return near if near is not None and self._flash.reaches(near) else None

    def excess(self, place: float) -> float:
        """Return the property at a place minus the wanted value; NaN if CoolProp fails."""
        if self.go_to(place) is None:
            return math.nan
        try:
            return self._flash.value(self._symbol) - self._wanted
        except FlashFailed:
            return math.nan

    def _signed_excess(self, sign: float, place: float) -> float:
        return sign * self.excess(place)

    def roots(self, steps: int, slope: int) -> list[float]:
        """Return the places at which the property has the value; one step suffices if it is monotonic."""
        low, high = self._stretch.low, self._stretch.high
        grid = [*(low + step * (high - low) / steps for step in range(steps)), high]
        points = self._with_edges([(place, self.excess(place)) for place in grid], slope)
        found = [place for place, value in points if value == 0]
        found += [
            self._root(before[0], after[0]) for before, after in pairwise(points) if before[1] * after[1] < 0
        ]
        for start, end, sign in _possible_turns(points) if steps > 1 and not slope else ():
            turn = _least(partial(self._signed_excess, sign), start, end)
            at_turn = sign * self.excess(turn)
            if at_turn < 0:
                found += [self._root(start, turn), self._root(turn, end)]
        return found

    def _root(self, low: float, high: float) -> float:
        """Return the root between two places; NaN if CoolProp fails between them."""
        from scipy.optimize import brentq

        try:
            return float(brentq(self.excess, low, high, xtol=1e-13, rtol=1e-14))
        except ValueError:
            return math.nan

    def _with_edges(self, points: list[tuple[float, float]], slope: int) -> list[tuple[float, float]]:
        """Return the evaluated points, with the ends of the range in which CoolProp works.

        An end beyond which the slope excludes a root is left out.
        """
        known = [number for number, (_, value) in enumerate(points) if not math.isnan(value)]
        if not known:
            return []
        first, last = known[0], known[-1]
        self.has_gaps = len(known) < last - first + 1
        found = [points[number] for number in known]
        if first > 0 and slope * points[first][1] >= 0:
            found.insert(0, self._edge(points[first], points[first - 1][0]))
        if last < len(points) - 1 and slope * points[last][1] <= 0:
            found.append(self._edge(points[last], points[last + 1][0]))
        return found

    def _edge(self, inside: tuple[float, float], outside: float) -> tuple[float, float]:
        for _ in range(_HALVINGS):
            middle = (inside[0] + outside) / 2
            value = self.excess(middle)
            if math.isnan(value):
                outside = middle
            else:
                inside = middle, value
        return inside


def _possible_turns(points: list[tuple[float, float]]) -> Iterator[tuple[float, float, float]]:
    """Yield intervals in which a property may reach the value and return, between points that do not.

    Each has its start, its end, and the sign of the excess at both.
    """
    for number, (_, value) in enumerate(points):
        around = points[max(0, number - 1) : number + 2]
        if len(around) > 1 and all(other * value > 0 and abs(value) <= abs(other) for _, other in around):
            yield around[0][0], around[-1][0], math.copysign(1.0, value)


def _least(function: Callable[[float], float], low: float, high: float) -> float:
    from scipy.optimize import minimize_scalar

    return float(minimize_scalar(function, bounds=(low, high), method="bounded", options={"xatol": 1e-9}).x)
