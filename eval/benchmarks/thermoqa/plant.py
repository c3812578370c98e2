"""One plant of a page, a device or a whole cycle: any of its quantities by name, found when it is asked for.

Names are those of the published files (h1, s_gen_turb, x_dest_total ...), values in SI units per kg of the
main stream. Steady flow; kinetic and potential energies are neglected. Cengel and Boles, chapters 7 to 11.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from ansatz.eval.benchmarks.templates.draw import Infeasible
from ansatz.eval.benchmarks.thermoqa.pages import Formula, Page
from ansatz.knowledge_base.equation import Expression, Relation
from ansatz.knowledge_base.properties import DeadState, State, Substance, flow_exergy

STANDARD = DeadState(T=298.15, P=100e3)
_PLACES = 12  # along two streams, where their temperatures are compared
_ROUNDING = 1e-6  # J/(kg·K) that an isentropic device may miss zero by
_STREAM = re.compile(r"(\w+) > (\w+)(?: \* (\w+))?")
_OF_STATE = re.compile(r"(ef|[hsTPxy])_?(\w+)")


_expression, _comparison, _at_rest = cache(Expression.parse), cache(Relation.parse), cache(DeadState.of)


class Device(NamedTuple):
    """A device by its streams: inlet, outlet, mass per kg of the main stream.

    One with a reservoir (K) takes in heat there, any other does work. Heat crosses the boundary at the
    temperature of the reservoir, so that the entropy generated between it and the fluid counts as the
    device's own.
    """

    streams: Sequence[tuple[State, State, float]]
    reservoir: float | None

    def gain(self, of: Callable[[State], float]) -> float:
        """What the streams gain of a property, per kg of the main stream."""
        return sum(share * (of(outlet) - of(inlet)) for inlet, outlet, share in self.streams)

    @property
    def heat(self) -> float:
        """Heat taken in from the reservoir, J/kg; negative where it is given off."""
        return 0.0 if self.reservoir is None else self.gain(lambda at: at.h)

    @property
    def entropy_generation(self) -> float:
        """What leaves less what enters, J/(kg·K)."""
        leaving = self.gain(lambda at: at.s)
        return leaving if self.reservoir is None else leaving - self.heat / self.reservoir


class Plant(dict[str, float]):
    """Quantities by name: those given, by symbol, and whatever else the page tells how to find.

    `media` are its fluids by the names that the page has for them. Raises PropertyError, or ExpressionError
    from within a formula, where a state lies outside a fluid's equation of state.
    """

    def __init__(
        self,
        page: Page,
        given: Mapping[str, float],
        media: Mapping[str, Substance],
        dead: DeadState = STANDARD,
    ) -> None:
        super().__init__({"T0": dead.T, "P0": dead.P, **page.constants, **given})
        self.page, self.media, self.dead = page, media, dead
        self._states: dict[str, State] = {}

    def __missing__(self, name: str) -> float:
        self[name] = value = self._found(name)
        return value

    def state(self, number: str) -> State:
        """The state of this number; 2s is where an isentropic machine would end in place of 2."""
        if number not in self._states:
            self._states[number] = self._state(number)
        return self._states[number]

    def value(self, formula: Formula) -> float:
        """A formula of the page at this plant."""
        return _expression(formula)(self) if isinstance(formula, str) else float(formula)

    def device(self, name: str) -> Device:
        streams, _, reservoir = self.page.devices[name].partition(" at ")
        found = [
            (self.state(inlet), self.state(outlet), self[share] if share else 1.0)
            for inlet, outlet, share in _STREAM.findall(streams)
        ]
        return Device(found, self[reservoir] if reservoir else None)

    def flow_exergy(self, state: State) -> float:
        """Of any state of a fluid of this plant, J/kg."""
        [substance] = {each for each in self.media.values() if each.name == state.fluid}
        return flow_exergy(state, _at_rest(self.dead, substance))

    def exergy_destruction(self, device: Device) -> float:
        """Exergy in less exergy out, J/kg. That it is T0 s_gen (Gouy and Stodola) is left to be checked."""
        work = device.heat - device.gain(lambda at: at.h)
        carnot = 0.0 if device.reservoir is None else 1 - self.dead.T / device.reservoir
        return carnot * device.heat - device.gain(self.flow_exergy) - work

    def check(self, depths: str, fluid: str) -> None:
        """Infeasible, named by the rule of the page that such a plant would break."""
        for why, rule in self.page.rules_of(depths, fluid):
            if not _comparison(rule).holds(self, rtol=0.0):
                raise Infeasible(why)
        if "A" in depths and self.page.approach:
            self._check_approach()

    def check_second_law(self) -> None:
        """Infeasible where a device destroys entropy, or heat flows from cold to hot."""
        for name in self.page.devices:
            device = self.device(name)
            if not device.entropy_generation > -_ROUNDING:
                raise Infeasible(f"{name} destroys entropy")
            temperatures = [at.T for inlet, outlet, _ in device.streams for at in (inlet, outlet)]
            at, heat = device.reservoir, device.heat
            if at is not None and not (at > max(temperatures) if heat > 0 else at < min(temperatures)):
                raise Infeasible(f"heat of {name} flows from cold to hot")

    def _found(self, name: str) -> float:
        if name in self.page.results:
            return self.value(self.page.results[name])
        if name == "hottest":
            return max(self.state(each).T for each in self.page.states)
        kind, _, device = name.rpartition("_")
        if kind in ("s_gen", "x_dest") and device == "total":
            return sum(self[f"{kind}_{each}"] for each in self.page.devices)
        if lost := re.fullmatch(r"(s_gen|x_dest)_(\w+)", name):
            of = self.device(lost[2])
            return of.entropy_generation if lost[1] == "s_gen" else self.exergy_destruction(of)
        found = _OF_STATE.fullmatch(name)
        if found is None:
            raise KeyError(name)
        state = self.state(found[2])
        if found[1] == "ef":
            return self.flow_exergy(state)
        if found[1] in "xy":  # y, the wetness of a vapour, is 0 outside the dome too
            quality = 1.0 if state.x is None else state.x
            return quality if found[1] == "x" else 1 - quality
        return float(getattr(state, found[1]))

    def _state(self, number: str) -> State:
        fixed = self.page.states.get(number) or self.page.states[number.removesuffix("s")]
        fluid = self._fluid(fixed)
        if "to" not in fixed:
            inputs = {symbol: self.value(formula) for symbol, formula in fixed.items() if symbol != "of"}
            return fluid.state(**inputs)
        inlet = self.state(str(fixed.get("expanded") or fixed["compressed"]))
        if number not in self.page.states:
            return fluid.isentropic(inlet, self.value(fixed["to"]))
        ideal, efficiency = self.state(f"{number}s"), self.value(fixed["eta"])
        if "expanded" in fixed:
            enthalpy = inlet.h - efficiency * (inlet.h - ideal.h)
        else:
            enthalpy = inlet.h + (ideal.h - inlet.h) / efficiency
        return ideal if enthalpy == ideal.h else fluid.state(h=enthalpy, P=ideal.P)

    def _fluid(self, fixed: Mapping[str, Formula]) -> Substance:
        return self.media[str(fixed.get("of", "main"))]

    def _check_approach(self) -> None:
        """The hot stream is warmer than the cold one at every place, not at the ends only."""
        approach = self.page.approach
        assert approach
        for place in range(_PLACES + 1):
            share = place / _PLACES  # of the heat given off by the hot stream up to here
            temperatures = []
            for first, last in (approach.hot, approach.cold[::-1]):
                start, end = self.state(first), self.state(last)
                enthalpy = start.h + share * (end.h - start.h)
                fluid = self._fluid(self.page.states[first])
                temperatures.append(fluid.state(P=start.P, h=enthalpy).T)
            if not temperatures[0] - temperatures[1] >= approach.least:
                raise Infeasible("temperatures cross")
