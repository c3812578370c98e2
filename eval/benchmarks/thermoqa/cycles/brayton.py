"""Gas power cycles of air: the Brayton cycle, ideal or actual, and the one with a regenerator.

Air-standard: combustion is heat taken in, the exhaust is cooled back to state 1, no pressure is lost. The
same equations hold for constant specific heats and for temperature-dependent ones; the fluid decides. Cengel
and Boles, Thermodynamics: An Engineering Approach, chapter 9. All in SI units: Pa, K, J/kg.
"""

from __future__ import annotations

from dataclasses import dataclass

from ansatz.eval.benchmarks.thermoqa.cycles.analysis import Surroundings, power_results
from ansatz.eval.benchmarks.thermoqa.cycles.balances import Component, Stream, device, heater
from ansatz.eval.benchmarks.thermoqa.cycles.devices import Results, States, compressed, expanded
from ansatz.knowledge_base.properties import Substance


@dataclass(frozen=True)
class Brayton:
    """1 compressor inlet, 2 combustor inlet, 3 turbine inlet, 4 exhaust; efficiencies of 1 make it ideal."""

    air: Substance
    inlet_temperature: float
    inlet_pressure: float
    pressure_ratio: float
    turbine_inlet_temperature: float
    compressor_efficiency: float = 1.0
    turbine_efficiency: float = 1.0

    @property
    def fluids(self) -> tuple[Substance, ...]:
        return (self.air,)

    def states(self) -> States:
        high = self.inlet_pressure * self.pressure_ratio
        one = self.air.state(T=self.inlet_temperature, P=self.inlet_pressure)
        ideal_two, two = compressed(self.air, one, high, self.compressor_efficiency)
        three = self.air.state(T=self.turbine_inlet_temperature, P=high)
        ideal_four, four = expanded(self.air, three, self.inlet_pressure, self.turbine_efficiency)
        return {"1": one, "2s": ideal_two, "2": two, "3": three, "4s": ideal_four, "4": four}

    def energy(self, states: States, flow: float) -> Results:
        h = {number: state.h for number, state in states.items()}
        works = {"w_comp": h["2"] - h["1"], "w_turb": h["3"] - h["4"]}
        net = works["w_turb"] - works["w_comp"]
        return works | power_results(h["3"] - h["2"], net, h["4"] - h["1"], flow)

    def components(self, states: States, surroundings: Surroundings) -> tuple[Component, ...]:
        return (
            device("comp", states["1"], states["2"]),
            heater("cc", states["2"], states["3"], surroundings.source),
            device("turb", states["3"], states["4"]),
            heater("hr", states["4"], states["1"], surroundings.sink),
        )


@dataclass(frozen=True)
class RegenerativeBrayton:
    """1 compressor inlet, 2 its outlet, 3 combustor inlet, 4 turbine inlet, 5 its outlet, 6 cooled exhaust.

    The regenerator heats 2 to 3 and cools 5 to 6; its effectiveness is (T3 - T2) / (T5 - T2).
    """

    air: Substance
    inlet_temperature: float
    inlet_pressure: float
    pressure_ratio: float
    turbine_inlet_temperature: float
    compressor_efficiency: float
    turbine_efficiency: float
    effectiveness: float

    @property
    def fluids(self) -> tuple[Substance, ...]:
        return (self.air,)

    def states(self) -> States:
        high = self.inlet_pressure * self.pressure_ratio
        one = self.air.state(T=self.inlet_temperature, P=self.inlet_pressure)
        ideal_two, two = compressed(self.air, one, high, self.compressor_efficiency)
        four = self.air.state(T=self.turbine_inlet_temperature, P=high)
        ideal_five, five = expanded(self.air, four, self.inlet_pressure, self.turbine_efficiency)
        three = self.air.state(T=two.T + self.effectiveness * (five.T - two.T), P=high)
        six = self.air.state(h=five.h - (three.h - two.h), P=self.inlet_pressure)
        first = {"1": one, "2s": ideal_two, "2": two, "3": three, "4": four}
        return first | {"5s": ideal_five, "5": five, "6": six}

    def energy(self, states: States, flow: float) -> Results:
        h = {number: state.h for number, state in states.items()}
        works = {"w_comp": h["2"] - h["1"], "w_turb": h["4"] - h["5"]}
        net = works["w_turb"] - works["w_comp"]
        return works | power_results(h["4"] - h["3"], net, h["6"] - h["1"], flow)

    def components(self, states: States, surroundings: Surroundings) -> tuple[Component, ...]:
        exchange = (Stream(states["2"], states["3"]), Stream(states["5"], states["6"]))
        return (
            device("comp", states["1"], states["2"]),
            Component("regen", exchange),
            heater("cc", states["3"], states["4"], surroundings.source),
            device("turb", states["4"], states["5"]),
            heater("hr", states["6"], states["1"], surroundings.sink),
        )
