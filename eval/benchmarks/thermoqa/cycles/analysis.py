"""A cycle analysed to a depth: A energy, B entropy generation as well, C exergy as well.

Numbers go by the names of the published files (h1, s_gen_turb, x_dest_total …), in SI units per kg of the
main stream. Second-law efficiency: net work over the exergy of the heat supplied, which is 1 - T0/T_source of
it; of a refrigerator, its COP over Carnot's. Cengel and Boles, chapter 8.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Literal, Protocol

from ansatz.eval.benchmarks.thermoqa.cycles.balances import Component
from ansatz.eval.benchmarks.thermoqa.cycles.devices import Results, States
from ansatz.knowledge_base.properties import DeadState, State, Substance, flow_exergy

Depth = Literal["A", "B", "C"]
STANDARD_DEAD_STATE = DeadState(T=298.15, P=100e3)


@dataclass(frozen=True)
class Surroundings:
    """Temperatures in K of what heat comes from and goes to, and the dead state."""

    source: float
    sink: float
    dead: DeadState = STANDARD_DEAD_STATE


class Cycle(Protocol):
    """A cycle of fixed design: its states, then what follows from them."""

    @property
    def fluids(self) -> tuple[Substance, ...]: ...

    def states(self) -> States: ...

    def energy(self, states: States, flow: float) -> Results:
        """Works, heats, efficiencies; `flow` of the main stream in kg/s gives power in W."""

    def components(self, states: States, surroundings: Surroundings) -> tuple[Component, ...]: ...


def power_results(heat: float, net: float, rejected: float, flow: float) -> Results:
    """What every power cycle reports, from its specific heats and net work in J/kg and its flow in kg/s."""
    return {
        **{"q_in": heat, "w_net": net, "q_out": rejected, "eta_th": net / heat, "W_dot_net": flow * net},
        "energy_balance_error": abs(heat - net - rejected) / heat,
    }


def energy_results(cycle: Cycle, states: States, flow: float) -> Results:
    """Depth A: enthalpies and temperatures of the states, works, heats, efficiencies."""
    enthalpies = {f"h{number}": state.h for number, state in states.items()}
    temperatures = {f"T{number}": state.T for number, state in states.items()}
    return enthalpies | temperatures | cycle.energy(states, flow)


def entropy_results(components: tuple[Component, ...], states: States) -> Results:
    """Depth B: entropies of the states, entropy generation of each component and of all."""
    entropies = {f"s{number}": state.s for number, state in states.items()}
    generated = {f"s_gen_{each.name}": each.entropy_generation for each in components}
    return entropies | generated | {"s_gen_total": sum(generated.values())}


def exergy_results(
    cycle: Cycle, components: tuple[Component, ...], states: States, dead: DeadState
) -> Results:
    """Depth C: flow exergies of the states, exergy destruction of each component and of all.

    Destruction is exergy in less exergy out. That it is T0 s_gen (Gouy and Stodola) is left to be checked.
    """
    exergy = flow_exergy_of(cycle, dead)
    flows = {f"ef{number}": exergy(state) for number, state in states.items()}
    destroyed = {f"x_dest_{each.name}": each.exergy_destruction(exergy, dead.T) for each in components}
    return flows | destroyed | {"x_dest_total": sum(destroyed.values())}


def flow_exergy_of(cycle: Cycle, dead: DeadState) -> Callable[[State], float]:
    """The flow exergy, J/kg, of any state of a cycle's fluids."""
    at_rest = {fluid.name: _dead_state(dead, fluid) for fluid in cycle.fluids}
    return lambda state: flow_exergy(state, at_rest[state.fluid])


def second_law_results(results: Results, surroundings: Surroundings) -> Results:
    """Depth C: the second-law efficiency, from what depth A gave."""
    if "COP_R" in results:
        carnot = surroundings.source / (surroundings.sink - surroundings.source)
        return {"COP_Carnot": carnot, "eta_II": results["COP_R"] / carnot}
    supplied = results["q_in"] * (1 - surroundings.dead.T / surroundings.source)
    name = "eta_II_combined" if "eta_combined" in results else "eta_II"
    return {name: results["w_net"] / supplied}


@cache
def _dead_state(dead: DeadState, fluid: Substance) -> State:
    return dead.of(fluid)
