"""The combined cycle: a gas turbine's exhaust raises steam for a Rankine cycle in a heat recovery boiler.

The gas is air with variable specific heats and leaves through the stack at state 5, which closes no cycle:
its exergy is lost, not destroyed. Specific quantities of the whole plant are per kg of air. Cengel and Boles,
Thermodynamics: An Engineering Approach, section 10-9. All in SI units: Pa, K, J/kg.
"""

from __future__ import annotations

from dataclasses import dataclass

from ansatz.eval.benchmarks.thermoqa.cycles.analysis import Surroundings
from ansatz.eval.benchmarks.thermoqa.cycles.balances import Component, Stream, device, heater
from ansatz.eval.benchmarks.thermoqa.cycles.brayton import Brayton
from ansatz.eval.benchmarks.thermoqa.cycles.devices import Results, States
from ansatz.eval.benchmarks.thermoqa.cycles.rankine import WATER, Rankine
from ansatz.knowledge_base.properties import Substance

_STEAM_NUMBERS = {"1": "6", "2s": "7s", "2": "7", "3": "8", "4s": "9s", "4": "9"}


@dataclass(frozen=True)
class CombinedCycle:
    """1 to 4 the gas as in Brayton, 5 the stack; 6 to 9 the steam as 1 to 4 in Rankine."""

    gas: Brayton
    steam: Rankine
    stack_temperature: float

    @property
    def fluids(self) -> tuple[Substance, ...]:
        return (self.gas.air, WATER)

    def states(self) -> States:
        stack = self.gas.air.state(T=self.stack_temperature, P=self.gas.inlet_pressure)
        steam = {_STEAM_NUMBERS[number]: state for number, state in self.steam.states().items()}
        return self.gas.states() | {"5": stack} | steam

    def energy(self, states: States, flow: float) -> Results:
        """`flow` is that of air, kg/s."""
        h = {number: state.h for number, state in states.items()}
        works = {"w_comp": h["2"] - h["1"], "w_gas_turb": h["3"] - h["4"]}
        works |= {"w_pump": h["7"] - h["6"], "w_steam_turb": h["8"] - h["9"]}
        gas_net, steam_net = works["w_gas_turb"] - works["w_comp"], works["w_steam_turb"] - works["w_pump"]
        heat, steam_heat, share = h["3"] - h["2"], h["8"] - h["7"], steam_share(states)
        net = gas_net + share * steam_net
        return works | {
            "q_combustion": heat,
            "m_dot_steam": flow * share,
            "W_net_combined": flow * net,
            "w_net": net,
            "q_in": heat,
            "eta_combined": net / heat,
            "energy_balance_error_gas": abs(heat - gas_net - (h["4"] - h["1"])) / heat,
            "energy_balance_error_steam": abs(steam_heat - steam_net - (h["9"] - h["6"])) / steam_heat,
        }

    def components(self, states: States, surroundings: Surroundings) -> tuple[Component, ...]:
        share = steam_share(states)
        recovery = (Stream(states["4"], states["5"]), Stream(states["7"], states["8"], share))
        return (
            device("comp", states["1"], states["2"]),
            heater("cc", states["2"], states["3"], surroundings.source),
            device("gas_turb", states["3"], states["4"]),
            Component("HRSG", recovery),
            device("pump", states["6"], states["7"], share),
            device("steam_turb", states["8"], states["9"], share),
            heater("cond", states["9"], states["6"], surroundings.sink, share),
        )

    def pinch(self, states: States) -> float:
        """How much hotter, in K, the gas is than the water where the water begins to boil.

        Here and at the two ends the temperature profiles of a heat recovery boiler come closest.
        """
        boiling = WATER.state(P=states["8"].P, x=0.0)
        heat_below = steam_share(states) * (boiling.h - states["7"].h)
        gas = self.gas.air.state(h=states["5"].h + heat_below, P=states["5"].P)
        return gas.T - boiling.T


def steam_share(states: States) -> float:
    """kg of steam per kg of air, by the energy balance of the heat recovery boiler."""
    return (states["4"].h - states["5"].h) / (states["8"].h - states["7"].h)
