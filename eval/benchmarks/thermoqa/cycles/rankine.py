"""Vapour power cycles of water: the simple Rankine cycle, ideal or actual, and the one with reheat.

The pump draws saturated liquid; no pressure is lost in boiler, reheater or condenser. Cengel and Boles,
Thermodynamics: An Engineering Approach, chapter 10. All in SI units: Pa, K, J/kg.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ansatz.eval.benchmarks.thermoqa.cycles.analysis import Surroundings, power_results
from ansatz.eval.benchmarks.thermoqa.cycles.balances import Component, device, heater
from ansatz.eval.benchmarks.thermoqa.cycles.devices import Results, States, compressed, expanded
from ansatz.knowledge_base.properties import Substance, substance

WATER = substance("water")


@dataclass(frozen=True)
class Rankine:
    """1 pump inlet, 2 boiler inlet, 3 turbine inlet, 4 condenser inlet; efficiencies of 1 make it ideal."""

    condenser_pressure: float
    boiler_pressure: float
    turbine_inlet_temperature: float
    pump_efficiency: float = 1.0
    turbine_efficiency: float = 1.0

    fluids: ClassVar[tuple[Substance, ...]] = (WATER,)

    def states(self) -> States:
        one = WATER.state(P=self.condenser_pressure, x=0.0)
        ideal_two, two = compressed(WATER, one, self.boiler_pressure, self.pump_efficiency)
        three = WATER.state(T=self.turbine_inlet_temperature, P=self.boiler_pressure)
        ideal_four, four = expanded(WATER, three, self.condenser_pressure, self.turbine_efficiency)
        return {"1": one, "2s": ideal_two, "2": two, "3": three, "4s": ideal_four, "4": four}

    def energy(self, states: States, flow: float) -> Results:
        h = {number: state.h for number, state in states.items()}
        works = {"w_pump": h["2"] - h["1"], "w_turb": h["3"] - h["4"]}
        net = works["w_turb"] - works["w_pump"]
        return works | power_results(h["3"] - h["2"], net, h["4"] - h["1"], flow)

    def components(self, states: States, surroundings: Surroundings) -> tuple[Component, ...]:
        return (
            device("pump", states["1"], states["2"]),
            heater("boiler", states["2"], states["3"], surroundings.source),
            device("turb", states["3"], states["4"]),
            heater("cond", states["4"], states["1"], surroundings.sink),
        )


@dataclass(frozen=True)
class ReheatRankine:
    """1 to 3 as without reheat, 4 high-pressure exhaust, 5 low-pressure inlet, 6 condenser inlet."""

    condenser_pressure: float
    boiler_pressure: float
    reheat_pressure: float
    turbine_inlet_temperature: float
    reheat_temperature: float
    pump_efficiency: float = 1.0
    high_pressure_efficiency: float = 1.0
    low_pressure_efficiency: float = 1.0

    fluids: ClassVar[tuple[Substance, ...]] = (WATER,)

    def states(self) -> States:
        one = WATER.state(P=self.condenser_pressure, x=0.0)
        ideal_two, two = compressed(WATER, one, self.boiler_pressure, self.pump_efficiency)
        three = WATER.state(T=self.turbine_inlet_temperature, P=self.boiler_pressure)
        ideal_four, four = expanded(WATER, three, self.reheat_pressure, self.high_pressure_efficiency)
        five = WATER.state(T=self.reheat_temperature, P=self.reheat_pressure)
        ideal_six, six = expanded(WATER, five, self.condenser_pressure, self.low_pressure_efficiency)
        first = {"1": one, "2s": ideal_two, "2": two, "3": three, "4s": ideal_four, "4": four}
        return first | {"5": five, "6s": ideal_six, "6": six}

    def energy(self, states: States, flow: float) -> Results:
        h = {number: state.h for number, state in states.items()}
        works = {"w_pump": h["2"] - h["1"], "w_HPT": h["3"] - h["4"], "w_LPT": h["5"] - h["6"]}
        net = works["w_HPT"] + works["w_LPT"] - works["w_pump"]
        heat = (h["3"] - h["2"]) + (h["5"] - h["4"])
        return works | power_results(heat, net, h["6"] - h["1"], flow)

    def components(self, states: States, surroundings: Surroundings) -> tuple[Component, ...]:
        return (
            device("pump", states["1"], states["2"]),
            heater("boiler", states["2"], states["3"], surroundings.source),
            device("HPT", states["3"], states["4"]),
            heater("reheater", states["4"], states["5"], surroundings.source),
            device("LPT", states["5"], states["6"]),
            heater("cond", states["6"], states["1"], surroundings.sink),
        )
