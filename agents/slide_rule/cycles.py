"""Questions about a vapour cycle: refrigerator, heat pump and Rankine cycle, from states of a fluid."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ansatz.agents.slide_rule.asked_quantities import Sought
from ansatz.agents.slide_rule.fluid_states import find_offset
from ansatz.agents.slide_rule.formulas import load_process_formulas
from ansatz.agents.slide_rule.inversion import solve_formula
from ansatz.agents.slide_rule.plain_question import Located
from ansatz.agents.slide_rule.processes import (
    NotSolvable,
    SolutionSteps,
    StateReader,
    asks_for_flow,
    find_isentropic_exit,
    name_property,
    rename,
)
from ansatz.agents.slide_rule.quantity_names import stem_words
from ansatz.agents.slide_rule.question import KnownQuantity, find_kind

_HEAT_PUMP = r"heat pump|refrigerat\w+|chiller|fridge|freezer|vapou?r.compression"
_RANKINE = r"rankine|steam (?:power|turbine) (?:plant|cycle|station)"
_PLACES = {
    "refrigeration": {"low": r"evaporat\w+|suction", "high": r"condens\w+"},
    "rankine": {
        "high": r"boiler|turbine inlet|enters the turbine|live steam|superheat\w*",
        "low": r"condens\w+",
    },
}
_EFFICIENCY = stem_words("efficiency")
_OWN_PLACE = re.compile(r"[\d.,]+ ?\S+ (?P<place>(?:in|at|inside) (?:the |its )?[a-z -]+|[a-z]+ pressure)")


class Cycle(NamedTuple):
    """The stated values of a cycle."""

    kind: str
    """ "refrigeration" or "rankine"."""
    low: dict[str, KnownQuantity]
    high: dict[str, KnownQuantity]
    efficiencies: dict[str, KnownQuantity]
    """By machine: compressor, turbine or pump."""
    rest: list[KnownQuantity]
    """Heat rates, powers and mass flows."""
    offsets: dict[str, KnownQuantity]
    """The superheat at the compressor inlet and the subcooling at the condenser outlet."""


def read_cycle(body: str, located: Sequence[Located]) -> Cycle | None:
    """Read a cycle; None if the question is about none, or if a value has no place in it."""
    text = body.lower()
    kind = "rankine" if re.search(_RANKINE, text) else "refrigeration" if re.search(_HEAT_PUMP, text) else ""
    if not kind:
        return None
    cycle = Cycle(kind, {}, {}, {}, [], {})
    for given, start in located:
        name = name_property(given)
        machine = next((each for each in ("turbine", "pump") if stem_words(each) & given.words), "")
        if kind == "refrigeration" and (word := find_offset(body, given, start)):
            if word in cycle.offsets:
                return None
            size = given.value if word == "superheat" else -given.value
            cycle.offsets[word] = KnownQuantity("dT", size, "K", word)
        elif given.kind == find_kind("-") and (machine or given.words & _EFFICIENCY):
            machine = machine or ("compressor" if kind == "refrigeration" else "turbine")
            if machine in cycle.efficiencies:
                return None
            cycle.efficiencies[machine] = given
        elif given.kind in (find_kind("W"), find_kind("kg/s")) and not cycle.rest:
            cycle.rest.append(given)
        else:
            side = _find_side(text, start, kind)
            level = cycle.low if side == "low" else cycle.high
            if not side or name not in ("T", "P") or name in level:
                return None
            level[name] = given
    return cycle if cycle.low and cycle.high else None


def _find_side(text: str, start: int, kind: str) -> str:
    """Return the side, "low" or "high", of the place that a value names: "0.1 bar in the condenser".

    Without one, it is the side of the nearest place named before the value, or else after it.
    """
    places = _PLACES[kind]
    own = _OWN_PLACE.match(text, start)
    named = [side for side, words in places.items() if own and re.search(words, own["place"])]
    if len(named) == 1:
        return named[0]
    before = [
        (each.end(), side) for side, words in places.items() for each in re.finditer(words, text[:start])
    ]
    if before:
        return max(before)[1]
    after = [
        (each.start(), side) for side, words in places.items() for each in re.finditer(words, text[start:])
    ]
    return min(after)[1] if after else ""


def compute_cycle(cycle: Cycle, sought: Sought, reader: StateReader) -> KnownQuantity | None:
    """Compute what is sought of a cycle; None if it does not give that. Raises NeedsCall and NotSolvable."""
    return (_compute_refrigeration if cycle.kind == "refrigeration" else _compute_rankine)(
        cycle, sought, reader
    )


def _compute_refrigeration(cycle: Cycle, sought: Sought, reader: StateReader) -> KnownQuantity | None:
    """Saturated vapour into the compressor, saturated liquid out of the condenser, isenthalpic expansion."""
    if len(cycle.low) != 1 or len(cycle.high) != 1:
        raise NotSolvable("each side needs its temperature or pressure")
    inlet = _find_state_near_saturation(cycle.low, 1.0, cycle.offsets.get("superheat"), reader)
    liquid = _find_state_near_saturation(cycle.high, 0.0, cycle.offsets.get("subcooling"), reader)
    h1 = rename(inlet["h"], "h1", "specific enthalpy at the compressor inlet")
    h3 = rename(liquid["h"], "h3", "specific enthalpy at the condenser outlet")
    efficiency = cycle.efficiencies.get("compressor")
    h2 = find_isentropic_exit("compressor", h1, inlet["s"], liquid["P"], efficiency, reader)
    formulas = load_process_formulas()
    is_heating = bool(re.search(r"heat pump", " ".join((sought.name, sought.text)).lower()))
    if is_heating:
        ratio = reader.steps.add(formulas["cycle.heat_pump_cop"], {"h1": h1, "h2": h2, "h3": h3})
        definition = formulas["cycle.cop_heat_pump"]
    else:
        ratio = reader.steps.add(formulas["cycle.refrigeration_cop"], {"h1": h1, "h2": h2, "h4": h3})
        definition = formulas["cycle.cop_refrigerator"]
    if not cycle.rest:
        return ratio if re.search(r"\bcop\b|coefficient", sought.name.lower()) else None
    return _scale_refrigeration(
        cycle.rest[0], sought, reader.steps, ratio, definition.output.name, (h1, h2, h3)
    )


def _find_state_near_saturation(
    level: Mapping[str, KnownQuantity], quality: float, offset: KnownQuantity | None, reader: StateReader
) -> Mapping[str, KnownQuantity]:
    """Find a state that is saturated, or that many kelvin above or below saturation."""
    if offset is None:
        return reader.find_state(*_saturate(level, quality), ("h", "s", "P"))
    saturated = reader.find_state(*_saturate(level, quality), ("T", "P"))
    pressure = saturated["P"]
    bound = {"T_sat": saturated["T"], "dT": offset}
    temperature = reader.steps.add(load_process_formulas()["temperature_of_offset"], bound)
    known = temperature.with_result([each.value for each in reader.steps.results])
    found = reader.find_state(f"P = {pressure.text}", f"T = {known.text}", ("h", "s"))
    return {**found, "P": pressure}


def _scale_refrigeration(
    given: KnownQuantity,
    sought: Sought,
    steps: SolutionSteps,
    ratio: KnownQuantity,
    symbol: str,
    enthalpies: tuple[KnownQuantity, KnownQuantity, KnownQuantity],
) -> KnownQuantity | None:
    """Find the power, heat rate or mass flow of a refrigeration cycle from another of them."""
    formulas = load_process_formulas()
    definition = formulas["cycle.cop_heat_pump" if symbol == "COP_HP" else "cycle.cop_refrigerator"]
    heat = "Q_H" if symbol == "COP_HP" else "Q_L"
    wanted, kind = stem_words(sought.name), find_kind(sought.unit) if sought.unit else None
    h1, h2, h3 = enthalpies
    if given.kind == find_kind("kg/s"):
        is_power = bool(wanted & stem_words("power work compressor"))
        bound = {"h1": h2, "h2": h1} if is_power else {"h1": h2 if symbol == "COP_HP" else h1, "h2": h3}
        return steps.add(formulas["cycle.shaft_power"], bound | {"m_dot": given})
    if kind == find_kind("kg/s") or asks_for_flow(sought):
        solved = solve_formula(formulas["cycle.shaft_power"], "m_dot")
        if solved is None or given.words & stem_words("power compressor electricity"):
            return None
        return steps.add(solved, {"W_dot": given, "h1": h2 if symbol == "COP_HP" else h1, "h2": h3})
    is_work = not given.words.isdisjoint(stem_words("power compressor electricity draws consumes"))
    solved = solve_formula(definition, heat if is_work else "W")
    if solved is None or (is_work and wanted & stem_words("compressor electricity")):
        return None
    return steps.add(solved, {symbol: ratio, "W" if is_work else heat: given})


def _compute_rankine(cycle: Cycle, sought: Sought, reader: StateReader) -> KnownQuantity | None:
    """Saturated liquid into the pump; superheated or dry saturated steam into the turbine."""
    high = dict(cycle.high)
    if "P" not in high or len(cycle.low) != 1:
        raise NotSolvable(
            "a Rankine cycle needs the boiler pressure and the condenser pressure or temperature"
        )
    feed = reader.find_state(*_saturate(cycle.low, 0.0), ("h", "s", "P"))
    live = f"T = {high['T'].text}" if "T" in high else "x = 1"
    steam = reader.find_state(f"P = {high['P'].text}", live)
    h1 = rename(feed["h"], "h1", "specific enthalpy at the pump inlet")
    h3 = rename(steam["h"], "h3", "specific enthalpy at the turbine inlet")
    pump, turbine = cycle.efficiencies.get("pump"), cycle.efficiencies.get("turbine")
    h2 = find_isentropic_exit("pump", h1, feed["s"], high["P"], pump, reader)
    h4 = find_isentropic_exit("turbine", h3, steam["s"], feed["P"], turbine, reader)
    formulas, wanted = load_process_formulas(), stem_words(sought.name)
    if wanted & _EFFICIENCY and not cycle.rest:
        return reader.steps.add(
            formulas["cycle.rankine_efficiency"], {"h1": h1, "h2": h2, "h3": h3, "h4": h4}
        )
    flow = next((each for each in cycle.rest if each.kind == find_kind("kg/s")), None)
    net = reader.steps.add(formulas["net_work"], {"h1": h1, "h2": h2, "h3": h3, "h4": h4})
    if flow:
        return reader.steps.add(formulas["power_of_work"], {"w": net, "m_dot": flow})
    if cycle.rest:
        solved = solve_formula(formulas["power_of_work"], "m_dot")
        return reader.steps.add(solved, {"w": net, "P": cycle.rest[0]}) if solved else None
    return net if wanted & stem_words("work") else None


def _saturate(level: Mapping[str, KnownQuantity], quality: float) -> tuple[str, str]:
    ((name, given),) = level.items()
    return f"{name} = {given.text}", f"x = {quality:g}"
