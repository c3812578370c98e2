"""The vapour-compression refrigeration cycle of R-134a with a compressor that is not isentropic.

Saturated vapour leaves the evaporator, saturated liquid the condenser; the throttle keeps the enthalpy.
Cengel and Boles, Thermodynamics: An Engineering Approach, chapter 11. All in SI units: Pa, K, J/kg.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ansatz.eval.benchmarks.thermoqa.cycles.analysis import Surroundings
from ansatz.eval.benchmarks.thermoqa.cycles.balances import Component, device, heater
from ansatz.eval.benchmarks.thermoqa.cycles.devices import Results, States, compressed
from ansatz.knowledge_base.properties import Substance, substance

REFRIGERANT = substance("R134a")


@dataclass(frozen=True)
class VaporCompression:
    """1 compressor inlet, 2 condenser inlet, 3 throttle inlet, 4 evaporator inlet."""

    evaporator_temperature: float
    condenser_temperature: float
    compressor_efficiency: float = 1.0

    fluids: ClassVar[tuple[Substance, ...]] = (REFRIGERANT,)

    def states(self) -> States:
        one = REFRIGERANT.state(T=self.evaporator_temperature, x=1.0)
        three = REFRIGERANT.state(T=self.condenser_temperature, x=0.0)
        ideal_two, two = compressed(REFRIGERANT, one, three.P, self.compressor_efficiency)
        four = REFRIGERANT.state(h=three.h, P=one.P)
        return {"1": one, "2s": ideal_two, "2": two, "3": three, "4": four}

    def energy(self, states: States, flow: float) -> Results:
        h = {number: state.h for number, state in states.items()}
        work, cooling, rejected = h["2"] - h["1"], h["1"] - h["4"], h["2"] - h["3"]
        quality = states["4"].x
        assert quality is not None  # throttled from saturated liquid, it boils
        return {
            **{"w_comp": work, "q_L": cooling, "q_H": rejected, "x4": quality},
            **{"COP_R": cooling / work, "W_dot_comp": flow * work, "Q_dot_L": flow * cooling},
            "energy_balance_error": abs(rejected - work - cooling) / rejected,
        }

    def components(self, states: States, surroundings: Surroundings) -> tuple[Component, ...]:
        """The source is the cooled space, the sink what the condenser gives its heat to."""
        return (
            device("comp", states["1"], states["2"]),
            heater("cond", states["2"], states["3"], surroundings.sink),
            device("throttle", states["3"], states["4"]),
            heater("evap", states["4"], states["1"], surroundings.source),
        )
