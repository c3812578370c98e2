"""A plant of a template, a device or a whole cycle, whose quantities are computed by name on demand.

Names are those of the published files (h1, s_gen_turb, x_dest_total, ...). Values are in SI units, per kg of
the main stream. Flow is steady; kinetic and potential energies are neglected. Cengel and Boles, chapters 7
to 11.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from ansatz.eval.benchmarks.templates.draw import Infeasible
from ansatz.eval.benchmarks.thermoqa.plant_templates import Formula, PlantTemplate
from ansatz.knowledge_base.equation import Expression, Relation
from ansatz.knowledge_base.properties import DeadState, State, Substance, flow_exergy

STANDARD = DeadState(T=298.15, P=100e3)
_PLACES = 12  # along two streams, where their temperatures are compared
_ROUNDING = 1e-6  # J/(kg·K), the rounding error of an isentropic device
_STREAM = re.compile(r"(\w+) > (\w+)(?: \* (\w+))?")
_STATE_PROPERTY = re.compile(r"(ef|[hsTPxy])_?(\w+)")

_parse_formula, _parse_comparison = cache(Expression.parse), cache(Relation.parse)
_find_dead_state = cache(DeadState.of)


class Device(NamedTuple):
    """A device, which takes in heat at its reservoir, or does work if it has no reservoir.

    Heat crosses the boundary at the temperature of the reservoir. The entropy that is generated between
    reservoir and fluid therefore counts for the device.
    """

    streams: Sequence[tuple[State, State, float]]
    """Inlet, outlet and mass per kg of the main stream, for each stream."""
    reservoir: float | None
    """The temperature of the reservoir, K."""

    def gain(self, of: Callable[[State], float]) -> float:
        """Return the increase of a property over all streams, per kg of the main stream."""
        return sum(share * (of(outlet) - of(inlet)) for inlet, outlet, share in self.streams)

    @property
    def heat(self) -> float:
        """Heat from the reservoir, J/kg; negative if it goes to the reservoir."""
        return 0.0 if self.reservoir is None else self.gain(lambda at: at.h)

    @property
    def entropy_generation(self) -> float:
        """Entropy out minus entropy in, J/(kg·K)."""
        leaving = self.gain(lambda at: at.s)
        return leaving if self.reservoir is None else leaving - self.heat / self.reservoir


class Plant(dict[str, float]):
    """The quantities of a plant by name: the givens, and every other quantity on first use.

    `media` are its substances by the names that the template uses. Raises PropertyError, or ExpressionError
    from within a formula, for a state outside a fluid's equation of state.
    """

    def __init__(
        self, template: PlantTemplate, given: Mapping[str, float], media: Mapping[str, Substance]
    ) -> None:
        super().__init__({"T0": STANDARD.T, "P0": STANDARD.P, **template.constants, **given})
        self.template, self.media = template, media
        self._states: dict[str, State] = {}

    def __missing__(self, name: str) -> float:
        self[name] = value = self._compute(name)
        return value

    def state(self, number: str) -> State:
        """Return the state with this number; 2s is the outlet of an isentropic machine in place of 2."""
        if number not in self._states:
            self._states[number] = self._find_state(number)
        return self._states[number]

    def value(self, formula: Formula) -> float:
        """Return the value of a formula of the template."""
        return _parse_formula(formula)(self) if isinstance(formula, str) else float(formula)

    def device(self, name: str) -> Device:
        """Return a device of the template."""
        streams, _, reservoir = self.template.devices[name].partition(" at ")
        states = [
            (self.state(inlet), self.state(outlet), self[share] if share else 1.0)
            for inlet, outlet, share in _STREAM.findall(streams)
        ]
        return Device(states, self[reservoir] if reservoir else None)

    def flow_exergy(self, state: State) -> float:
        """Return the flow exergy of a state of one of the plant's fluids, J/kg."""
        [substance] = {each for each in self.media.values() if each.name == state.fluid}
        return flow_exergy(state, _find_dead_state(STANDARD, substance))

    def exergy_destruction(self, device: Device) -> float:
        """Return exergy in minus exergy out, J/kg. Tests compare it with T0 s_gen (Gouy and Stodola)."""
        work = device.heat - device.gain(lambda at: at.h)
        carnot = 0.0 if device.reservoir is None else 1 - STANDARD.T / device.reservoir
        return carnot * device.heat - device.gain(self.flow_exergy) - work

    def check(self, depths: str, fluid: str) -> None:
        """Raise Infeasible with the reason if the plant violates a rule of the template at these depths."""
        for reason, rule in self.template.rules_of(depths, fluid):
            if not _parse_comparison(rule).holds(self, rtol=0.0):
                raise Infeasible(reason)
        if "A" in depths and self.template.approach:
            self._check_approach()

    def check_second_law(self) -> None:
        """Raise Infeasible if a device destroys entropy, or if heat flows from cold to hot."""
        for name in self.template.devices:
            device = self.device(name)
            if not device.entropy_generation > -_ROUNDING:
                raise Infeasible(f"{name} destroys entropy")
            temperatures = [at.T for inlet, outlet, _ in device.streams for at in (inlet, outlet)]
            at, heat = device.reservoir, device.heat
            if at is not None and not (at > max(temperatures) if heat > 0 else at < min(temperatures)):
                raise Infeasible(f"heat of {name} flows from cold to hot")

    def _compute(self, name: str) -> float:
        if name in self.template.results:
            return self.value(self.template.results[name])
        if name == "hottest":
            return max(self.state(each).T for each in self.template.states)
        kind, _, device = name.rpartition("_")
        if kind in ("s_gen", "x_dest") and device == "total":
            return sum(self[f"{kind}_{each}"] for each in self.template.devices)
        if loss := re.fullmatch(r"(s_gen|x_dest)_(\w+)", name):
            of = self.device(loss[2])
            return of.entropy_generation if loss[1] == "s_gen" else self.exergy_destruction(of)
        found = _STATE_PROPERTY.fullmatch(name)
        if found is None:
            raise KeyError(name)
        state = self.state(found[2])
        if found[1] == "ef":
            return self.flow_exergy(state)
        if found[1] in "xy":  # y, the wetness of a vapour, is also 0 outside the two-phase region
            quality = 1.0 if state.x is None else state.x
            return quality if found[1] == "x" else 1 - quality
        return float(getattr(state, found[1]))

    def _find_state(self, number: str) -> State:
        states = self.template.states
        fixed = states.get(number) or states[number.removesuffix("s")]
        fluid = self._fluid(fixed)
        if "to" not in fixed:
            inputs = {symbol: self.value(formula) for symbol, formula in fixed.items() if symbol != "of"}
            return fluid.state(**inputs)
        inlet = self.state(str(fixed.get("expanded") or fixed["compressed"]))
        if number not in states:
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
        """Raise Infeasible unless the hot stream is warmer than the cold one at every place along them."""
        approach = self.template.approach
        assert approach
        for place in range(_PLACES + 1):
            share = place / _PLACES  # of the heat that the hot stream has given off up to this place
            temperatures = []
            for first, last in (approach.hot, approach.cold[::-1]):
                start, end = self.state(first), self.state(last)
                enthalpy = start.h + share * (end.h - start.h)
                fluid = self._fluid(self.template.states[first])
                temperatures.append(fluid.state(P=start.P, h=enthalpy).T)
            if not temperatures[0] - temperatures[1] >= approach.least:
                raise Infeasible("temperatures cross")
