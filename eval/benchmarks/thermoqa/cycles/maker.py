"""Draws a cycle, checks that such a plant could run, and asks for what follows from its printed givens."""

from __future__ import annotations

from random import Random
from typing import cast

from ansatz.eval.benchmarks.thermoqa.cycles import kind_table
from ansatz.eval.benchmarks.thermoqa.cycles.analysis import (
    Cycle,
    Depth,
    energy_results,
    entropy_results,
    exergy_results,
    second_law_results,
)
from ansatz.eval.benchmarks.thermoqa.cycles.devices import Results, States
from ansatz.eval.benchmarks.thermoqa.cycles.feasibility import check_second_law, check_states
from ansatz.eval.benchmarks.thermoqa.cycles.givens import Given, cycle, mass_flow, surroundings
from ansatz.eval.benchmarks.thermoqa.cycles.quantities import (
    absolute_tolerance,
    in_published_unit,
    unit,
    weight,
)
from ansatz.eval.benchmarks.thermoqa.generated import (
    Expected,
    GeneratedQuestion,
    Infeasible,
    Slot,
    answer_block,
)
from ansatz.knowledge_base.properties import PropertyError

_READABLE = {"ef": 1e3, "s": 20.0}  # J/kg, J/(kg·K); below, good tables differ by more than the tolerance
_SOURCE_ABOVE = (60.0, 300.0)  # K above the hottest state that takes in heat
_BESIDE = (2.0, 12.0)  # K between a reservoir and the coldest fluid that gives it heat, or takes it
_DEAD = {"T0_K": 298.15, "P0_kPa": 100.0}
_PRINTED = {
    **{"kPa": "kPa", "MPa": "MPa", "K": "K", "C": "°C", "kgs": "kg/s"},
    "superheat_C": "K",  # a difference
}


def make(slot: Slot, random: Random) -> GeneratedQuestion:
    """One draw of a question of tier 3; Infeasible where such a plant could not run."""
    name, depth = slot[0], cast(Depth, slot[1])
    kind = kind_table.kinds()[name]
    given = {each: _on_grid(random, *span) for each, span in kind.draws.items()}
    made = cycle(name, given)
    try:
        states = made.states()
    except PropertyError as nowhere:
        raise Infeasible("a state lies outside the fluid's equation of state") from nowhere
    check_states(made, states)
    if depth != "A":
        given |= _reservoirs(name, states, random)
        check_second_law(made, states, surroundings(given))
    values = results(made, states, given, depth)
    asked = kind.asked(depth)
    _refuse_unreadable(asked, values)
    expected = tuple(_expected(each, values[each]) for each in asked)
    return GeneratedQuestion(
        tier=3,
        kind=name,
        depth=depth,
        fluid=kind.fluid,
        difficulty=kind.difficulty[depth],
        template_id=f"{name}-{depth}",
        question=_question(name, depth, given, random) + "\n\n" + answer_block(expected),
        given={**given, **(_DEAD if depth == "C" else {}), **_fluids(kind.fluid)},
        expected=expected,
    )


def results(made: Cycle, states: States, given: Given, depth: Depth) -> Results:
    """Everything known of a cycle at this depth, in SI units by published name."""
    found = energy_results(made, states, mass_flow(given))
    if depth != "A":
        around = surroundings(given)
        components = made.components(states, around)
        found |= entropy_results(components, states)
        if depth == "C":
            found |= exergy_results(made, components, states, around.dead)
            found |= second_law_results(found, around)
    return found


def _on_grid(random: Random, lowest: float, highest: float, step: float) -> float:
    """A value as it is printed, so that the key follows from what a reader sees."""
    return float(round(lowest + step * random.randint(0, round((highest - lowest) / step)), 6))


def _reservoirs(kind: str, states: States, random: Random) -> dict[str, float]:
    beside = random.uniform(*_BESIDE)
    if kind == "VCR-A":
        warmer = random.uniform(*_BESIDE)
        return {"T_H_K": round(states["3"].T - beside, 1), "T_L_K": round(states["1"].T + warmer, 1)}
    coldest = states["6" if kind == "CCGT" else "1"].T
    hottest = max(state.T for state in states.values())
    source = hottest + random.uniform(*_SOURCE_ABOVE)
    return {"T_source_K": round(source, 1), "T_sink_K": round(coldest - beside, 1)}


def _refuse_unreadable(asked: tuple[str, ...], values: Results) -> None:
    """Flow exergies and entropies of states have a zero of their own; near it 2 % is beyond any table."""
    for name in asked:
        if abs(values[name]) < _READABLE.get(name.rstrip("0123456789"), 0.0):
            raise Infeasible(f"{name} is too near its zero to be read from tables")


def _expected(name: str, value: float) -> Expected:
    closing_error = name.startswith("energy_balance_error")
    return Expected(
        name=name,
        value=0.0 if closing_error else in_published_unit(name, value),
        unit=unit(name),
        weight=weight(name),
        absolute=absolute_tolerance(name),
    )


def _fluids(fluid: str) -> dict[str, str]:
    parts = {"fluid_gas": "Air", "fluid_steam": "Water"} if fluid == "Air+Water" else {}
    return {"fluid": fluid, **parts}


def _question(kind: str, depth: Depth, given: Given, random: Random) -> str:
    printed = {name: _printed(name, value) for name, value in given.items()}
    plant = random.choice(kind_table.plant_phrasings(kind))
    if depth != "A":
        separator = "\n" if "\n" in plant else " "
        plant += separator + random.choice(kind_table.surroundings_phrasings(kind))
    task = random.choice(kind_table.task_phrasings(depth))
    agreed = "\n".join(f"- {each}" for each in kind_table.conventions(kind, depth))
    return f"{plant.format(**printed)}\n\n{task}\n\nConventions:\n{agreed}"


def _printed(name: str, value: float) -> str:
    if name.startswith(("eta_", "epsilon_")):
        return f"{100 * value:g} %"
    if name == "r_p":
        return f"{value:g}"
    ending = next(end for end in sorted(_PRINTED, key=len, reverse=True) if name.endswith(f"_{end}"))
    return f"{value:g} {_PRINTED[ending]}"
