"""Rules that a drawn cycle keeps, so that a plant like it could run; a broken one raises Infeasible.

Exhaust quality: textbooks want 0.9 or better, as drops erode blades (Moran and Shapiro, section 8.2); 0.85 is
let pass here. Pinch: 8 K to 15 K is usual (R. Kehlhofer et al., Combined-Cycle Gas and Steam Turbine Power
Plants).
"""

from __future__ import annotations

from ansatz.eval.benchmarks.thermoqa.cycles.analysis import Cycle, Surroundings
from ansatz.eval.benchmarks.thermoqa.cycles.balances import Component
from ansatz.eval.benchmarks.thermoqa.cycles.brayton import Brayton, RegenerativeBrayton
from ansatz.eval.benchmarks.thermoqa.cycles.combined import CombinedCycle
from ansatz.eval.benchmarks.thermoqa.cycles.devices import States
from ansatz.eval.benchmarks.thermoqa.cycles.rankine import Rankine, ReheatRankine
from ansatz.eval.benchmarks.thermoqa.generated import Infeasible
from ansatz.knowledge_base.properties import State

LOWEST_QUALITY = 0.85
LEAST_PINCH = 8.0  # K
LEAST_APPROACH = 15.0  # K between streams where a boiler, reheater or regenerator ends
LEAST_RECOVERY = 30.0  # K between exhaust and compressed air; with less, no one would buy a regenerator
LEAST_NET_SHARE = 0.15  # of the turbine's work that is left after the compressor's
REHEAT_SHARES = (0.1, 0.45)  # of the boiler's pressure, at which steam is usually reheated
_ROUNDING = 1e-6  # J/(kg·K) that an isentropic device may miss zero by


def check_states(cycle: Cycle, states: States) -> None:
    """The states of a cycle keep the rules of its kind."""
    if isinstance(cycle, Rankine):
        _check_expansion(states["3"], states["4"])
    elif isinstance(cycle, ReheatRankine):
        _check_reheat(states)
    elif isinstance(cycle, Brayton):
        _check_gas_turbine(states, turbine=("3", "4"))
    elif isinstance(cycle, RegenerativeBrayton):
        _check_gas_turbine(states, turbine=("4", "5"))
        _require(states["5"].T > states["2"].T + LEAST_RECOVERY, "the exhaust has no heat to recover")
        _require(states["3"].T < states["5"].T, "the regenerator's hot end crosses")
        _require(states["6"].T > states["2"].T, "the regenerator's cold end crosses")
    elif isinstance(cycle, CombinedCycle):
        _check_combined(cycle, states)


def check_second_law(cycle: Cycle, states: States, surroundings: Surroundings) -> None:
    """No component destroys entropy, no heat flows from cold to hot."""
    _require(surroundings.sink >= surroundings.dead.T, "heat goes to something colder than the environment")
    for component in cycle.components(states, surroundings):
        _require(component.entropy_generation > -_ROUNDING, f"{component.name} destroys entropy")
        _require(_flows_downhill(component), f"heat of {component.name} flows from cold to hot")


def _flows_downhill(component: Component) -> bool:
    if component.reservoir is None:
        return True
    temperatures = [state.T for stream in component.streams for state in (stream.inlet, stream.outlet)]
    if component.heat > 0:
        return component.reservoir > max(temperatures)
    return component.reservoir < min(temperatures)


def _check_expansion(inlet: State, outlet: State) -> None:
    _require(inlet.phase == "superheated_vapor", "the turbine inlet is not superheated")
    _require(outlet.x is None or outlet.x >= LOWEST_QUALITY, "the turbine exhaust is too wet")


def _check_reheat(states: States) -> None:
    _check_expansion(states["3"], states["4"])
    _check_expansion(states["5"], states["6"])
    share = states["4"].P / states["3"].P
    _require(REHEAT_SHARES[0] <= share <= REHEAT_SHARES[1], "the reheat pressure is unusual")
    _require(states["5"].T > states["4"].T + LEAST_APPROACH, "the reheater hardly heats")


def _check_gas_turbine(states: States, turbine: tuple[str, str]) -> None:
    inlet, outlet = (states[number].h for number in turbine)
    net = (inlet - outlet) - (states["2"].h - states["1"].h)
    _require(net >= LEAST_NET_SHARE * (inlet - outlet), "the compressor takes nearly all the work")


def _check_combined(cycle: CombinedCycle, states: States) -> None:
    _check_gas_turbine(states, turbine=("3", "4"))
    _check_expansion(states["8"], states["9"])
    _require(states["4"].T >= states["8"].T + LEAST_APPROACH, "the boiler's hot end crosses")
    _require(states["5"].T >= states["7"].T + LEAST_APPROACH, "the boiler's cold end crosses")
    _require(cycle.pinch(states) >= LEAST_PINCH, "the pinch of the boiler is too narrow")


def _require(kept: bool, rule: str) -> None:
    if not kept:
        raise Infeasible(rule)
