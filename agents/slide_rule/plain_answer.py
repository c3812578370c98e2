"""Answer a plainly worded question: a property of a fluid, or what formulas derive from all given values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from ansatz.agents.slide_rule.answer_units import choose_unit
from ansatz.agents.slide_rule.asked_quantities import Sought, find_head, find_sought
from ansatz.agents.slide_rule.conversation import Conversation
from ansatz.agents.slide_rule.cycles import compute_cycle, read_cycle
from ansatz.agents.slide_rule.derivation import write_path
from ansatz.agents.slide_rule.derivations import DerivationSearch
from ansatz.agents.slide_rule.fluid_states import compute_fluid_state, read_fluid_state
from ansatz.agents.slide_rule.formulas import (
    KnownFormula,
    load_assumptions,
    load_definitions,
    load_remembered,
)
from ansatz.agents.slide_rule.gas_processes import compute_gas_process, read_gas_process
from ansatz.agents.slide_rule.gauge_pressures import (
    answer_absolute,
    read_gauges,
    read_net_pressures,
    restore_gauge,
)
from ansatz.agents.slide_rule.heat_exchangers import compute_exchanger, read_exchanger
from ansatz.agents.slide_rule.plain_question import (
    Located,
    locate_quantities,
    name_states,
    read_plain_properties,
)
from ansatz.agents.slide_rule.processes import (
    NotSolvable,
    SolutionSteps,
    answer_process,
    compute_process,
    needs_states,
    read_process,
)
from ansatz.agents.slide_rule.property_lookup import ask_tools, parse_property_question, recall_properties
from ansatz.agents.slide_rule.quantity_names import find_acronyms, find_any_fluid, load_yaml, stem_words
from ansatz.agents.slide_rule.question import KnownQuantity, ParsedQuestion, Symbol, find_kind
from ansatz.agents.slide_rule.series_walls import compute_wall, read_wall
from ansatz.agents.slide_rule.solution_path import CHANGES, SolutionPath
from ansatz.agents.slide_rule.step_evaluation import NextCall
from ansatz.quantities.markup import to_plain_text
from ansatz.quantities.notation import resolve_decimal_commas

_MAX_SEARCHES = 6
_BODIES = stem_words("sun moon mars venus jupiter saturn mercury asteroid planet titan")

Answered = tuple[ParsedQuestion, SolutionPath]
"""A reading of the question and its solution."""


def answer_plain_question(conversation: Conversation) -> Answered | NextCall | None:
    """Return the solution of a question without blanks, or the tool call that it needs first."""
    body = resolve_decimal_commas(to_plain_text(conversation.question))
    fluid = find_any_fluid(body)
    formulas = tuple(each for each in (*conversation.sheet, *load_remembered()) if each.suits(fluid))
    sought, located = find_sought(body), locate_quantities(body, formulas)
    gauges = read_gauges(body, sought[0], located) if len(sought) == 1 else None
    if gauges is None:
        located = read_net_pressures(sought[0], located) if sought else located
        return _answer(conversation, body, sought, located, formulas)
    if found := answer_absolute(gauges):
        return found
    answered = _answer(conversation, body, (gauges.sought,), gauges.located, formulas)
    return restore_gauge(gauges, answered) if isinstance(answered, tuple) else answered


def _answer(
    conversation: Conversation,
    body: str,
    sought: Sequence[Sought],
    located: Sequence[Located],
    formulas: Sequence[KnownFormula],
) -> Answered | NextCall | None:
    if len(sought) == 1 and (found := _answer_from_states(conversation, body, sought[0], located)):
        return found
    if reading := read_plain_properties(body, sought, located):
        asked = parse_property_question(reading, find_any_fluid)
        assert asked is not None
        path = ask_tools(asked, conversation) or recall_properties(asked)
        if isinstance(path, NextCall):
            return path
        return None if any(value is None for _, value in path.answers) else (reading, path)
    if len(sought) != 1 or needs_states(body):
        return None
    givens = name_states(body, located)
    return _answer_from_devices(body, sought[0], located, givens) or _answer_from_formulas(
        conversation, body, sought[0], givens, formulas
    )


def _answer_from_formulas(
    conversation: Conversation,
    body: str,
    sought: Sought,
    givens: Sequence[KnownQuantity],
    formulas: Sequence[KnownFormula],
) -> Answered | NextCall | None:
    """Answer by a chain of formulas, or search for those that it lacks."""
    search = build_search(body, sought, givens, formulas)
    targets = list_targets(sought, search.formulas)
    best = search.find_best(targets)
    if best is None:
        return _search_again(conversation, sought, givens, search.list_missing(targets))
    output = best.formula.output
    target = next(each for each in targets if each.kind == output.kind)
    is_requested = bool(sought.unit)
    is_change = bool(output.words & CHANGES)
    unit = target.unit if is_requested else choose_unit(best.value, output.unit, givens, is_change)
    if "gaug" in output.words:
        unit = unit.removesuffix(" gauge")  # the formula gives the difference to the atmosphere
    target = Symbol(output.name, unit, target.words, target.kind, target.about, target.essential)
    reading = ParsedQuestion(body, tuple(givens), (target,), frozenset(), False)
    return reading, write_path(best, target)


def build_search(
    body: str, sought: Sought, givens: Sequence[KnownQuantity], formulas: Sequence[KnownFormula]
) -> DerivationSearch:
    """Build the search for a chain of formulas and definitions from given and assumed values."""
    known = (*formulas, *load_definitions())
    return DerivationSearch(known, givens, list_assumptions(body, givens), sought.context)


def _answer_from_states(
    conversation: Conversation, body: str, sought: Sought, located: Sequence[Located]
) -> Answered | NextCall | None:
    """Answer from states of a fluid: one, a cycle, or a device between two; None for any other question."""
    if state := read_fluid_state(body, located):
        compute = partial(compute_fluid_state, state, sought)
        if found := answer_process(conversation, body, sought, located, compute):
            return found
    if cycle := read_cycle(body, located):
        compute = partial(compute_cycle, cycle, sought)
    elif process := read_process(body, sought, located):
        compute = partial(compute_process, process, sought)
    else:
        return None
    return answer_process(conversation, body, sought, located, compute)


def _answer_from_devices(
    body: str, sought: Sought, located: Sequence[Located], givens: Sequence[KnownQuantity]
) -> Answered | None:
    """Answer about a wall of layers or a process of an ideal gas; None for any other question."""
    steps = SolutionSteps()
    try:
        if wall := read_wall(body, located):
            found = compute_wall(wall, sought, steps)
        elif exchanger := read_exchanger(body, located):
            found = compute_exchanger(exchanger, sought, steps)
        elif process := read_gas_process(body, givens):
            found = compute_gas_process(process, sought, steps, list_assumptions(body, givens))
        else:
            return None
    except NotSolvable:
        return None
    if found is None or (sought.unit and find_kind(sought.unit) != found.kind):
        return None
    value = found.with_result([each.value for each in steps.results]).value
    is_change = bool(found.words & CHANGES)
    unit = sought.unit or choose_unit(value, found.unit, givens, is_change)
    target = Symbol(found.symbol, unit, stem_words(sought.name), found.kind)
    reading = ParsedQuestion(body, tuple(givens), (target,), frozenset(), False)
    return reading, SolutionPath(tuple(steps.uses), ((target, found),))


def list_assumptions(body: str, givens: Sequence[KnownQuantity] = ()) -> list[KnownQuantity]:
    """List what an engineer assumes without a statement; a gas that is named has its own gas constant.

    A satellite without another body is one of the Earth, and a black surface has the emissivity 1.
    A molar mass that is given replaces the gas constant.
    """
    words = stem_words(body)
    text = f"{body} earth" if words & stem_words("satellite spacecraft") and not words & _BODIES else body
    assumed = [*load_assumptions(text)]
    gas, constants = find_any_fluid(body), load_yaml("memory.yaml")["gas_constants"]
    if any(each.reason == "the body is the Earth" for each in assumed):
        reason, about = "the body is the Earth", "radius of the planet earth"
        assumed.append(KnownQuantity("R", 6.378e6, "m", about, reason=reason))
    if gas in constants or words & stem_words("vapour"):
        assumed = [each for each in assumed if each.reason != "the gas is air"]
    if gas and gas in constants:
        reason = f"the gas is {gas.lower()}"
        assumed.append(KnownQuantity("R", constants[gas], "J/(kg*K)", "gas constant", reason=reason))
    if any(each.kind == find_kind("kg/mol") for each in givens):
        assumed = [each for each in assumed if each.kind != find_kind("J/(kg*K)") or each.symbol != "R"]
    if "black" in words:
        assumed.append(KnownQuantity("eps", 1.0, "-", "emissivity", reason="a black surface is meant"))
    return assumed


def list_targets(sought: Sought, formulas: Sequence[KnownFormula]) -> list[Symbol]:
    """List what a name can mean: one target for each kind of quantity."""
    units = [sought.unit] if sought.unit else []
    words = sought.name.split()
    while not units and words:
        units = [*_list_units(replace(sought, name=" ".join(words)), formulas)]
        words = words if units else words[:-1]  # "drag acts" is the drag
    name = " ".join(words) if words else sought.name
    named = replace(sought, name=name)
    stems, essential = stem_words(name) | named.head, named.essential
    nouns = {find_kind(unit): stem_words(text) for unit, text in load_yaml("language.yaml")["kinds"].items()}
    found = {
        (kind := find_kind(unit)): Symbol(
            "", unit, stems, kind, name, essential, nouns.get(kind, frozenset())
        )
        for unit in units
    }
    return [each for kind, each in found.items() if kind is not None]


def _list_units(sought: Sought, formulas: Sequence[KnownFormula]) -> Iterator[str]:
    """Yield the units of quantities that have the head word of a name."""
    for unit, names in load_yaml("language.yaml")["kinds"].items():
        if unit != "-" and sought.head & stem_words(names):
            yield unit
    for formula in formulas:
        output = formula.output
        heads = find_head(output.about) | find_head(formula.title)
        heads |= find_acronyms(output.about) | find_acronyms(formula.title)
        if sought.head and sought.head <= heads and sought.essential <= formula.names:
            yield output.unit
        if any(len(sought.essential) > 1 and sought.essential <= each.words for each in formula.inputs):
            yield next(each.unit for each in formula.inputs if sought.essential <= each.words)


def _search_again(
    conversation: Conversation, sought: Sought, givens: Sequence[KnownQuantity], missing: Sequence[Symbol]
) -> NextCall | None:
    """Return a search for the quantity asked for, then for inputs that are missing; None after the last."""
    done = [str(each.arguments.get("query")) for each in conversation.get_results("search_equations")]
    if "search_equations" not in conversation.tools or len(done) >= _MAX_SEARCHES:
        return None
    nouns = {find_kind(unit): names.split()[0] for unit, names in load_yaml("language.yaml")["kinds"].items()}
    kinds = ", ".join(dict.fromkeys(nouns[each.kind] for each in givens if each.kind in nouns))
    names = ", ".join(dict.fromkeys(each.about for each in givens if each.about))
    wanted = (sought.name, *(each.about for each in missing))
    queries = [f"{sought.name} from {names}", *(f"{each} from {kinds}" for each in wanted)]
    query = next((each for each in queries if each not in done), None)
    return NextCall("search_equations", {"query": query}) if query else None
