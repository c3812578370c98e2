"""Questions about a vapour cycle: refrigerator, heat pump and Rankine cycle, from states of a fluid."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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
_VALVE_CYCLE = re.compile(r"\bcompressor\b.*\b(?:valve|throttle)\b", re.DOTALL)
_PLACES = {
    "refrigeration": {
        "low": r"evaporat\w+|suction|saturated vapou?r",
        "high": r"condens\w+|saturated liquid",
    },
    "rankine": {
        "high": r"boiler|turbine inlet|enters the turbine|live steam|superheat\w*",
        "reheat": r"reheat\w*|expand\w+ to|intermediate",
        "low": r"condens\w+",
    },
}
_MACHINES = ("turbine", "pump", "volumetric")
_RATES = tuple(map(find_kind, ("W", "kg/s", "m^3/s")))
_RATIO = re.compile(r"\bcop\b|coefficient", re.IGNORECASE)
_DUTIES = {
    "compressor": "power work compressor electricity draws consumes",
    "condenser": "condenser heating rejected",
    "evaporator": "evaporator cooling refrigeration cold",
}
_ENDS = {"compressor": ("h2", "h1"), "condenser": ("h2", "h3"), "evaporator": ("h1", "h3")}
_EFFICIENCY = stem_words("efficiency")
_OWN_PLACE = re.compile(r"[\d.,]+ ?\S+ (?P<place>(?:in|at|inside) (?:the |its )?[a-z -]+|[a-z]+ pressure)")


class Cycle(NamedTuple):
    """The stated values of a cycle."""

    kind: str
    """ "refrigeration" or "rankine"."""
    levels: dict[str, dict[str, KnownQuantity]]
    """Temperatures and pressures by side: low, high and reheat."""
    efficiencies: dict[str, KnownQuantity]
    """By machine: compressor, turbine or pump; or volumetric."""
    rest: list[KnownQuantity]
    """Heat rates, powers, mass flows and volume flows."""
    offsets: dict[str, KnownQuantity]
    """The superheat at the compressor inlet and the subcooling at the condenser outlet."""

    @property
    def low(self) -> dict[str, KnownQuantity]:
        return self.levels["low"]

    @property
    def high(self) -> dict[str, KnownQuantity]:
        return self.levels["high"]


def read_cycle(body: str, located: Sequence[Located]) -> Cycle | None:
    """Read a cycle; None if the question is about none, or if a value has no place in it."""
    text = body.lower()
    is_refrigeration = re.search(_HEAT_PUMP, text) or _VALVE_CYCLE.search(text)
    kind = "rankine" if re.search(_RANKINE, text) else "refrigeration" if is_refrigeration else ""
    if not kind:
        return None
    cycle = Cycle(kind, {side: {} for side in ("low", "high", *_PLACES[kind])}, {}, [], {})
    for given, start in located:
        name = name_property(given)
        machine = next((each for each in _MACHINES if stem_words(each) & given.words), "")
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
        elif given.kind in _RATES and not cycle.rest:
            cycle.rest.append(given)
        else:
            side = _find_side(text, start, kind)
            if not side or name not in ("T", "P") or name in cycle.levels[side]:
                return None
            cycle.levels[side][name] = given
    return cycle if cycle.low and cycle.high else None


def _find_side(text: str, start: int, kind: str) -> str:
    """Return the side, such as "low" or "high", of the place that a value names: "0.1 bar in the condenser".

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
    machine = _HeatPump({"h1": h1, "h2": h2, "h3": h3}, "heat pump" in sought.text.lower(), reader.steps)
    kind = find_kind(sought.unit) if sought.unit else None
    if _RATIO.search(sought.name) or not cycle.rest:
        is_open = bool(cycle.rest) or "volumetric" in cycle.efficiencies
        return machine.find_ratio() if _RATIO.search(sought.name) and not is_open else None
    rate = cycle.rest[0]
    if rate.kind == find_kind("m^3/s"):
        rate = _find_mass_flow(cycle, reader)
    elif "volumetric" in cycle.efficiencies:
        return None
    is_flow = kind == find_kind("kg/s") or asks_for_flow(sought)
    return machine.find_flow(rate) if is_flow else machine.find_duty(sought.name, rate)


@dataclass
class _HeatPump:
    """The states of a heat pump or refrigerator, which give its duties from a stated one or a mass flow."""

    enthalpies: Mapping[str, KnownQuantity]
    """Before the compressor, h1, behind it, h2, and behind the condenser, h3."""
    is_heating: bool
    steps: SolutionSteps

    def find_ratio(self) -> KnownQuantity:
        """Find the coefficient of performance."""
        known = "cycle.heat_pump_cop" if self.is_heating else "cycle.refrigeration_cop"
        bound = {**self.enthalpies, "h4": self.enthalpies["h3"]}
        formula = load_process_formulas()[known]
        return self.steps.add(formula, {each.name: bound[each.name] for each in formula.inputs})

    def find_flow(self, rate: KnownQuantity) -> KnownQuantity | None:
        """Find the mass flow from a heat rate or a power; a mass flow is returned as it is."""
        solved = solve_formula(load_process_formulas()["cycle.shaft_power"], "m_dot")
        ends = self._list_ends(self._name_duty(rate.about))
        if rate.kind == find_kind("kg/s") or solved is None or not ends:
            return rate if rate.kind == find_kind("kg/s") and rate.step is not None else None
        return self.steps.add(solved, {"W_dot": rate, **ends})

    def find_duty(self, name: str, rate: KnownQuantity) -> KnownQuantity | None:
        """Find the power or the heat rate of a name from another one or from the mass flow."""
        duty = self._name_duty(name)
        ends, formulas = self._list_ends(duty), load_process_formulas()
        if rate.kind == find_kind("kg/s"):
            return self.steps.add(formulas["cycle.shaft_power"], {"m_dot": rate, **ends}) if ends else None
        useful = "condenser" if self.is_heating else "evaporator"
        given = self._name_duty(rate.about)
        if {duty, given} == {"compressor", useful}:
            definition = formulas["cycle.cop_heat_pump" if self.is_heating else "cycle.cop_refrigerator"]
            heat = "Q_H" if self.is_heating else "Q_L"
            solved = solve_formula(definition, heat if given == "compressor" else "W")
            bound = {definition.output.name: self.find_ratio(), "W" if given == "compressor" else heat: rate}
            return self.steps.add(solved, bound) if solved else None
        flow = self.find_flow(rate) if duty != given else None
        return (
            self.steps.add(formulas["cycle.shaft_power"], {"m_dot": flow, **ends}) if flow and ends else None
        )

    def _name_duty(self, name: str) -> str:
        """Return "compressor", "condenser" or "evaporator"; heat alone is the useful one."""
        words = stem_words(name)
        named = [place for place, text in _DUTIES.items() if words & stem_words(text)]
        if not named and (not words or words & stem_words("heat load duty")):
            return "condenser" if self.is_heating else "evaporator"
        return named[0] if len(named) == 1 else ""

    def _list_ends(self, duty: str) -> dict[str, KnownQuantity]:
        """Return the higher and lower enthalpy of a duty as h1 and h2."""
        first, last = _ENDS.get(duty, ("", ""))
        return {"h1": self.enthalpies[first], "h2": self.enthalpies[last]} if first else {}


def _find_mass_flow(cycle: Cycle, reader: StateReader) -> KnownQuantity:
    """Find the mass flow from the volume flow that the compressor takes in or sweeps."""
    if cycle.offsets:
        raise NotSolvable("the volume flow of superheated vapour")
    formulas = load_process_formulas()
    volume = reader.find_state(*_saturate(cycle.low, 1.0), ("v",))["v"]
    bound = {"V_dot": cycle.rest[0], "v": volume}
    if "volumetric" in cycle.efficiencies:
        return reader.steps.add(formulas["swept_flow"], {**bound, "eta_v": cycle.efficiencies["volumetric"]})
    return reader.steps.add(formulas["flow_of_volume"], bound)


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
    states = {"h1": h1, "h2": h2, "h3": h3}
    entropy, inlet = steam["s"], h3
    if reheat := cycle.levels["reheat"]:
        if reheat.keys() != {"T", "P"}:
            raise NotSolvable("a reheat needs its pressure and temperature")
        states["h4"] = find_isentropic_exit("turbine", h3, entropy, reheat["P"], turbine, reader)
        reheated = reader.find_state(f"P = {reheat['P'].text}", f"T = {reheat['T'].text}")
        inlet = rename(reheated["h"], "h5", "specific enthalpy behind the reheater")
        states["h5"], entropy = inlet, reheated["s"]
    last = "h6" if reheat else "h4"
    states[last] = find_isentropic_exit("turbine", inlet, entropy, feed["P"], turbine, reader)
    formulas, wanted = load_process_formulas(), stem_words(sought.name)
    if wanted & _EFFICIENCY:
        known = "cycle.reheat_rankine_efficiency" if reheat else "cycle.rankine_efficiency"
        return None if cycle.rest else reader.steps.add(formulas[known], states)
    is_flow = asks_for_flow(sought) or (sought.unit and find_kind(sought.unit) == find_kind("kg/s"))
    if not is_flow and not wanted & stem_words("work power output"):
        return None
    net = reader.steps.add(formulas["reheat_work" if reheat else "net_work"], states)
    if not cycle.rest:
        return None if is_flow else net
    rate = cycle.rest[0]
    if rate.kind == find_kind("kg/s"):
        return reader.steps.add(formulas["power_of_work"], {"w": net, "m_dot": rate})
    solved = solve_formula(formulas["power_of_work"], "m_dot")
    is_power = rate.kind == find_kind("W") and is_flow
    return reader.steps.add(solved, {"w": net, "P": rate}) if solved and is_power else None


def _saturate(level: Mapping[str, KnownQuantity], quality: float) -> tuple[str, str]:
    ((name, given),) = level.items()
    return f"{name} = {given.text}", f"x = {quality:g}"
