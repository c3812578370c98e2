"""Questions about a device between two states of a fluid: turbine, pump, throttle, heater and others.

The states come from a property tool. Formulas of the equation base give the actual exit, the specific work or
heat, and the power. A question is answered only if every given value has a place in the process.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from ansatz.agents.slide_rule.answer_units import choose_unit
from ansatz.agents.slide_rule.asked_quantities import Sought
from ansatz.agents.slide_rule.conversation import Conversation
from ansatz.agents.slide_rule.formulas import KnownFormula, load_process_formulas
from ansatz.agents.slide_rule.inversion import solve_formula
from ansatz.agents.slide_rule.plain_question import Located
from ansatz.agents.slide_rule.quantity_names import find_any_fluid, load_yaml, stem_words
from ansatz.agents.slide_rule.question import Kind, KnownQuantity, ParsedQuestion, Symbol, find_kind
from ansatz.agents.slide_rule.solution_path import FormulaUse, SolutionPath
from ansatz.agents.slide_rule.step_evaluation import NextCall
from ansatz.quantities.statements import find_statements
from ansatz.quantities.tree import evaluate_tree

_INLET = (
    r"from|arriv(?:es|ing)|enter(?:s|ing)?|receiv(?:es|ing)|inlet|takes(?: in)?|draws(?: in)?|suppl(?:ied|y)"
    r"|fed|before"
)
_OUTLET = (
    r"to(?= (?:\d|saturated|dry|about|an?\b|the\b|its\b))|into|leav(?:es|ing)|exit(?:s|ing)?"
    r"|exhaust(?:s|ing|ed)|outlet|discharg(?:es|ing|ed)|deliver(?:s|ed)?|after|down to"
)
_CUE = re.compile(rf"\b(?:(?P<inlet>{_INLET})|(?P<outlet>{_OUTLET}))\b", re.IGNORECASE)
_SATURATED = re.compile(
    r"\b(?:dry )?saturated (?P<phase>liquid|water|condensate|vapou?r|steam)|(?P<wet>condensate)\b",
    re.IGNORECASE,
)
_LIQUID = ("liquid", "water", "condensate")
_DEVICES = {
    "turbine": r"turbine|expander",
    "pump": r"pump(?:s|ed)?",
    "compressor": r"compress(?:or|ed|es)",
    "throttle": r"throttl\w+|steam trap|expansion valve|valve|flash(?:es|ed)?|flash tank",
    "heater": r"boiler|superheater|heater|heated|heats|evaporat\w+|boils",
    "cooler": r"condens\w+|cooler|cooled|cools",
}
_RIGID = re.compile(r"\b(?:rigid|closed|sealed|constant volume|vessel|tank)\b", re.IGNORECASE)
_KINDS = {name: find_kind(unit) for name, unit in load_yaml("properties.yaml")["units"].items()}
_AMOUNTS = (find_kind("kg/s"), find_kind("kg"))
_ENERGIES = (find_kind("J/kg"), find_kind("W"), find_kind("J"))
_WATER = re.compile(r"\b(?:condensate|feedwater|rankine|boiler)\b", re.IGNORECASE)
_VAPOUR = re.compile(
    r"\b(?:steam|vapou?r|saturated|refrigerant|R\d{2,4}\w*|ammonia|propane)\b", re.IGNORECASE
)
_PHASE_CHANGE = re.compile(r"\b(?:(?P<boils>evaporat|vapori[sz]|boil)|condens)", re.IGNORECASE)
_PROPERTY_WORDS = {
    "T": "temperature",
    "x": "quality dryness fraction",
    "h": "enthalpy",
    "s": "entropy",
    "v": "specific volume",
}
_REQUESTED = ("h", "s")


class NeedsCall(Exception):
    """A tool call has to come first."""

    def __init__(self, call: NextCall):
        super().__init__(call.name)
        self.call = call


class NotSolvable(Exception):
    """The process cannot be computed from what is given."""


@dataclass
class SolutionSteps:
    """The steps of a solution and their results."""

    uses: list[FormulaUse] = field(default_factory=list)
    results: list[KnownQuantity] = field(default_factory=list)

    def add(self, formula: KnownFormula, bound: Mapping[str, KnownQuantity]) -> KnownQuantity:
        """Add a step and return its result."""
        step = FormulaUse(formula, bound, formula.output.name)
        operands = step.convert_operands([each.value for each in self.results])
        value = evaluate_tree(formula.tree, operands) if formula.tree else None
        if value is None:
            raise NotSolvable(formula.title)
        self.uses.append(step)
        output = formula.output
        self.results.append(KnownQuantity(output.name, value, output.unit, output.about, len(self.results)))
        return self.results[-1]


@dataclass
class StateReader:
    """Reads states of a fluid from results of the property tool, in the order of the calls."""

    conversation: Conversation
    fluid: str
    steps: SolutionSteps = field(default_factory=SolutionSteps)
    remarks: list[str] = field(default_factory=list)
    _read: int = 0

    def find_state(
        self, first: str, second: str, properties: Sequence[str] = _REQUESTED
    ) -> Mapping[str, KnownQuantity]:
        """Return properties of the state that two others determine. Raises NeedsCall and NotSolvable."""
        results = self.conversation.get_results("fluid_state")
        call: dict[str, object] = {
            "fluid": self.fluid,
            "first": first,
            "second": second,
            "properties": [*properties],
        }
        if self._read >= len(results):
            raise NeedsCall(NextCall("fluid_state", call))
        result = results[self._read]
        self._read += 1
        if result.failed or result.arguments != call:
            raise NotSolvable(result.text)
        found = {
            each.symbol: KnownQuantity(each.symbol, each.value, each.unit or "-")
            for each in find_statements(result.text)
        }
        if not found.keys() >= set(properties):
            raise NotSolvable(result.text)
        values = ", ".join(f"{name} = {found[name].text}" for name in properties)
        self.remarks.append(f"From the property tool, {self.fluid} at {first} and {second}: {values}.")
        return found


@dataclass
class Process:
    """A device with the stated properties of its inlet and outlet."""

    device: str
    inlet: dict[str, KnownQuantity] = field(default_factory=dict)
    outlet: dict[str, KnownQuantity] = field(default_factory=dict)
    efficiency: KnownQuantity | None = None
    amount: KnownQuantity | None = None
    """A mass or a mass flow."""
    power: KnownQuantity | None = None


def answer_process(
    conversation: Conversation,
    body: str,
    sought: Sought,
    located: Sequence[Located],
    compute: Callable[[StateReader], KnownQuantity | None],
) -> tuple[ParsedQuestion, SolutionPath] | NextCall | None:
    """Answer a question by computing from states of its fluid; None if that is not possible."""
    fluid = find_any_fluid(body) or ("water" if _WATER.search(body) else None)
    if fluid is None or "fluid_state" not in conversation.tools:
        return None
    reader = StateReader(conversation, fluid)
    try:
        found = compute(reader)
    except NeedsCall as needed:
        return needed.call
    except NotSolvable:
        return None
    if found is None or (sought.unit and find_kind(sought.unit) != found.kind):
        return None
    givens = tuple(given for given, _ in located)
    value = found.with_result([each.value for each in reader.steps.results]).value
    unit = sought.unit or choose_unit(value, found.unit, givens)
    target = Symbol(found.symbol, unit, stem_words(sought.name), found.kind)
    reading = ParsedQuestion(body, givens, (target,), frozenset(), False)
    return reading, SolutionPath(tuple(reader.steps.uses), ((target, found),), tuple(reader.remarks))


def read_process(body: str, sought: Sought, located: Sequence[Located]) -> Process | None:
    """Read the device and the properties of both states; None if a value has no place.

    A question for the heat between two states of a fluid needs no device.
    """
    device = _find_device(body) or ("heater" if "heat" in sought.head else "")
    if not device or (device in ("heater", "cooler") and _RIGID.search(body)):
        return None
    process = Process(device)
    for given, start in located:
        name = name_property(given)
        side = process.outlet if _is_outlet(body, start) else process.inlet
        if given.kind in _AMOUNTS and process.amount is None:
            process.amount = given
        elif given.kind == find_kind("W") and process.power is None:
            process.power = given
        elif (
            given.kind == find_kind("-")
            and stem_words("efficiency") <= given.words
            and not process.efficiency
        ):
            process.efficiency = given
        elif name and name not in side:
            side[name] = given
        else:
            return None
    for phrase in _SATURATED.finditer(body):
        side = process.outlet if _is_outlet(body, phrase.start()) else process.inlet
        liquid = (phrase["phase"] or "condensate").lower() in _LIQUID
        side.setdefault("x", KnownQuantity("x", 0.0 if liquid else 1.0, "-", phrase.group()))
    _complete_phase_change(process, body)
    if device in ("heater", "cooler") and process.inlet and process.outlet:  # at constant pressure
        for one, other in ((process.inlet, process.outlet), (process.outlet, process.inlet)):
            if "P" in one and len(other) == 1:
                other.setdefault("P", one["P"])
    return process


def _complete_phase_change(process: Process, body: str) -> None:
    """Complete the states of "evaporate water at 100 degC": saturated liquid to saturated vapour."""
    change = _PHASE_CHANGE.search(body)
    if not process.inlet.keys() & {"T", "P"}:
        process.inlet |= {name: process.outlet.pop(name) for name in ("T", "P") if name in process.outlet}
    if change is None or process.outlet.keys() - {"x"} or len(process.inlet.keys() & {"T", "P"}) != 1:
        return
    first, last = (0.0, 1.0) if change["boils"] else (1.0, 0.0)
    process.inlet.setdefault("x", KnownQuantity("x", first, "-"))
    process.outlet.setdefault("x", KnownQuantity("x", last, "-"))
    process.outlet |= {name: each for name, each in process.inlet.items() if name in ("T", "P")}


def _find_device(body: str) -> str:
    text = body.lower()
    named = [name for name, words in _DEVICES.items() if re.search(rf"\b(?:{words})\b", text)]
    return named[0] if named else ""


def _is_outlet(body: str, start: int) -> bool:
    """Whether the last cue before a place names the outlet; "from" and "enters" name the inlet."""
    cues = [each for each in _CUE.finditer(body) if each.start() < start]
    return bool(cues) and bool(cues[-1]["outlet"])


def name_property(given: KnownQuantity) -> str:
    if given.kind == find_kind("-"):
        return "x" if "qualiti" in given.words else ""
    return next((name for name in ("T", "P", "v", "s", "h") if given.kind == _KINDS[name]), "")


def _state(given: Mapping[str, KnownQuantity]) -> tuple[str, str]:
    if len(given) != 2:
        raise NotSolvable("a state needs two properties")
    first, second = (f"{name} = {each.text}" for name, each in given.items())
    return first, second


def needs_states(body: str) -> bool:
    """Whether a question is about a device with a vapour, for which formulas of ideal gases are wrong."""
    return _find_device(body) in ("turbine", "compressor", "throttle") and bool(_VAPOUR.search(body))


def compute_process(process: Process, sought: Sought, reader: StateReader) -> KnownQuantity | None:
    """Compute what is sought; None if the process does not give it. Raises NeedsCall and NotSolvable."""
    if process.device == "throttle" and len(process.inlet) == 1 and len(process.outlet) == 2:
        return _find_inlet_property(process, sought, reader)
    inlet = reader.find_state(*_state(process.inlet))
    h1 = rename(inlet["h"], "h1", "specific enthalpy at the inlet")
    if process.device in ("turbine", "compressor", "pump") and process.outlet.keys() == {"P"}:
        pressure, efficiency = process.outlet["P"], process.efficiency
        h2 = find_isentropic_exit(process.device, h1, inlet["s"], pressure, efficiency, reader)
    elif process.efficiency:
        return None
    elif process.device == "throttle":
        h2 = h1
    else:
        outlet = reader.find_state(*_state(process.outlet))
        h2 = rename(outlet["h"], "h2", "specific enthalpy at the outlet")
    kind = find_kind(sought.unit) if sought.unit else None
    if process.device != "throttle" and (found := _find_energy(process, sought, kind, reader.steps, h1, h2)):
        return found
    if process.amount or process.power or "P" not in process.outlet:
        return None
    return _find_outlet_property(process, sought, reader, h2)


def rename(given: KnownQuantity, symbol: str, about: str) -> KnownQuantity:
    return KnownQuantity(symbol, given.value, given.unit, about, given.step)


def find_isentropic_exit(
    device: str,
    h1: KnownQuantity,
    entropy: KnownQuantity,
    pressure: KnownQuantity,
    efficiency: KnownQuantity | None,
    reader: StateReader,
) -> KnownQuantity:
    """Find the enthalpy after a turbine, compressor or pump; without an efficiency, it is isentropic."""
    ideal = reader.find_state(f"P = {pressure.text}", f"s = {entropy.text}")
    h2s = rename(ideal["h"], "h2s", "isentropic specific enthalpy at the outlet")
    if efficiency is None:
        return h2s
    known = "turbine_efficiency" if device == "turbine" else "compressor_efficiency"
    formula = solve_formula(load_process_formulas()[f"cycle.{known}"], "h2a")
    assert formula is not None
    return reader.steps.add(formula, {"h1": h1, "h2s": h2s, "eta": efficiency})


def asks_for_flow(sought: Sought) -> bool:
    """Whether a question asks for a mass flow; "flow" alone identifies no quantity and has no stem."""
    return bool(re.search(r"\bflow", sought.name, re.IGNORECASE))


def _find_energy(
    process: Process,
    sought: Sought,
    kind: Kind | None,
    steps: SolutionSteps,
    h1: KnownQuantity,
    h2: KnownQuantity,
) -> KnownQuantity | None:
    """Find the work, heat, power or mass flow that a question asks for; None for anything else."""
    formulas, wanted = load_process_formulas(), sought.head | stem_words(sought.name)
    asks_energy = not wanted.isdisjoint(stem_words("work power heat energy"))
    is_gain = process.device in ("compressor", "pump", "heater")
    bound = {"h1": h2, "h2": h1} if is_gain else {"h1": h1, "h2": h2}
    if process.power:
        solved = solve_formula(formulas["cycle.shaft_power"], "m_dot")
        is_flow = kind == find_kind("kg/s") or asks_for_flow(sought)
        return steps.add(solved, bound | {"W_dot": process.power}) if solved and is_flow else None
    if not asks_energy and kind not in _ENERGIES:
        return None
    if process.amount and process.amount.kind == find_kind("kg"):
        return steps.add(formulas["heat_of_mass"], bound | {"m": process.amount})
    if process.amount:
        return steps.add(formulas["cycle.shaft_power"], bound | {"m_dot": process.amount})
    return steps.add(formulas["cycle.turbine_work"], bound)


def _find_inlet_property(process: Process, sought: Sought, reader: StateReader) -> KnownQuantity | None:
    """Find a property before a throttle from the state behind it: a throttle does not change the enthalpy.

    It is the quality, or a property that is stated behind the throttle; any other may be meant there.
    """
    name = _name_wanted(sought)
    is_before = name in ("h", "x", *process.outlet) and name not in process.inlet
    if process.amount or process.power or process.efficiency or not is_before:
        return None
    outlet = reader.find_state(*_state(process.outlet))
    if name == "h":
        return outlet["h"]
    ((known, given),) = process.inlet.items()
    return reader.find_state(f"{known} = {given.text}", f"h = {outlet['h'].text}", (name,))[name]


def _find_outlet_property(
    process: Process, sought: Sought, reader: StateReader, h2: KnownQuantity
) -> KnownQuantity | None:
    """Find the temperature, quality, enthalpy, entropy or volume at the outlet."""
    name = _name_wanted(sought)
    if not name or name == "h":
        return h2 if name else None
    known = h2.with_result([each.value for each in reader.steps.results])
    return reader.find_state(f"P = {process.outlet['P'].text}", f"h = {known.text}", (name,))[name]


def _name_wanted(sought: Sought) -> str:
    """Return the symbol of the property that a question asks for; an empty text for anything else."""
    wanted = sought.head | stem_words(sought.name)
    names = (name for name, text in _PROPERTY_WORDS.items() if wanted & stem_words(text))
    return next(names, "x" if sought.unit == "%" and "flash" in sought.context else "")
