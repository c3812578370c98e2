"""Questions about a fluid's state: property tools answer them if bound, and coarse tables otherwise."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from ansatz.agents.slide_rule.asked_quantities import Sought, find_head
from ansatz.agents.slide_rule.conversation import Conversation
from ansatz.agents.slide_rule.quantity_names import find_fluid, load_yaml, stem_words
from ansatz.agents.slide_rule.question import KnownQuantity, ParsedQuestion, Symbol, find_kind
from ansatz.agents.slide_rule.solution_path import SolutionPath
from ansatz.agents.slide_rule.step_evaluation import NextCall
from ansatz.quantities.statements import find_statements

_TARGET = re.compile(r"(?P<name>rho|[hsvuTPpx])(?:_(?P<at>fg|f|g|sat))?")
_SATURATED = re.compile(
    r"saturated (?:[\w-]+ )?(?:liquid|vapou?r|steam)|(?:liquid|vapou?r|steam) (?:is )?saturated"
)
_MAX_GIVENS = 3  # a question with more is about a process, not about one state
_TOOLS = ("fluid_state", "saturation_state")

Row = dict[str, float]
"""T, P, v, h, s, u and rho in the tables' units."""


def _get_unit(name: str) -> str:
    return str(load_yaml("properties.yaml")["units"][name])


@dataclass(frozen=True)
class PropertyQuestion:
    """A question about properties of a fluid at one state."""

    fluid: str
    state: Mapping[str, KnownQuantity]
    """The stated properties that determine the state, by name."""
    wanted: tuple[tuple[Symbol, str, str], ...]
    """Each target with its property and the point at which it is meant: "f", "g" or "fg" for saturated
    values, "sat" for the saturation line, "" for the state."""

    @property
    def values(self) -> Row:
        """The state in the tables' units."""
        return {name: given.convert_to(_get_unit(name)) for name, given in self.state.items()}


def parse_property_question(
    question: ParsedQuestion, find: Callable[[str], str | None] = find_fluid
) -> PropertyQuestion | None:
    """Parse a question about the state of a fluid that `find` finds; return None for any other question."""
    fluid = find(question.body)
    wanted = [_parse_target(target) for target in question.targets]
    state = {_identify_property(given): given for given in question.givens}
    if fluid is None or None in wanted or None in state or not wanted or len(state) > _MAX_GIVENS:
        return None
    if len(state) < len(question.givens):
        return None  # two values of one property are of two states
    if fluid == "air" and any(given.symbol for given in question.givens):
        return None  # questions about air with named symbols need formulas, not tables
    known = {name: given for name, given in state.items() if name}
    phase = find_saturation_phase(question.body)
    if "x" not in known and phase is not None:
        known["x"] = KnownQuantity("x", phase, "-")
    targets = tuple(target for target in wanted if target)
    is_complete = len(known) > 1 or (known and all(at for _, _, at in targets))
    return PropertyQuestion(fluid, known, targets) if is_complete else None


def find_property(sought: Sought, givens: int) -> Symbol | None:
    """Find the property of a fluid that a name means; one given determines values of saturation alone."""
    table = load_yaml("properties.yaml")
    is_line = givens == 1 and not sought.context.isdisjoint(stem_words("boil condense saturated evaporate"))
    names = sorted(table["words"].items(), key=lambda entry: is_line and not entry[0].endswith("_sat"))
    for essential in (sought.essential, (sought.essential - list_fluid_words()) | sought.head):
        for name, words in names:
            unit, required = table["units"][name.partition("_")[0]], table["required"].get(name, "")
            is_named = sought.head <= find_head(words) and essential <= stem_words(words)
            if is_named and (not required or sought.context & stem_words(required)):
                wanted = sought.unit if find_kind(sought.unit) == find_kind(unit) else ""
                if wanted or not sought.unit:
                    return Symbol(name, wanted or unit, stem_words(words), find_kind(unit))
    return None


@cache
def list_fluid_words() -> frozenset[str]:
    """Return the stems of the words for fluids and phases, which do not distinguish properties."""
    table = load_yaml("properties.yaml")
    fluids = (*table["other_fluids"].values(), *(each["names"] for each in table["fluids"].values()))
    return stem_words(" ".join([table["phases"], *(name for names in fluids for name in names)]))


def find_saturation_phase(text: str) -> float | None:
    """Return the quality of "saturated liquid", 0, or "saturated vapour", 1; None if a text names neither."""
    saturated = _SATURATED.search(text.lower())
    return (0.0 if "liquid" in saturated.group() else 1.0) if saturated else None


def _parse_target(target: Symbol) -> tuple[Symbol, str, str] | None:
    if target.name.lower() == "phase":
        return target, "phase", ""
    match = _TARGET.fullmatch(target.name)
    if match is None:
        return None
    name = "P" if match["name"] == "p" else match["name"]
    return (target, name, match["at"] or "") if target.kind == find_kind(_get_unit(name)) else None


def _identify_property(given: KnownQuantity) -> str | None:
    name = {"p": "P", "quality": "x"}.get(given.symbol, given.symbol)
    if name in load_yaml("properties.yaml")["units"] and given.kind == find_kind(_get_unit(name)):
        return name
    if given.kind == find_kind("-") and not given.words.isdisjoint({"qualiti"}):
        return "x"
    if given.symbol:
        return None
    candidates = ("T", "P", "v", "s", "rho", "h")
    return next((each for each in candidates if given.kind == find_kind(_get_unit(each))), None)


def ask_tools(question: PropertyQuestion, conversation: Conversation) -> SolutionPath | NextCall | None:
    """Return the next call of a property tool, or the answer from results; None if no bound tool can help."""
    calls = [call for call in _list_calls(question) if call.name in conversation.tools]
    results = [result for result in conversation.results if result.name in _TOOLS]
    for result in results:
        values: dict[str, KnownQuantity | str] = {
            statement.symbol: KnownQuantity(statement.symbol, statement.value, statement.unit or "-")
            for statement in find_statements(result.text)
        }
        if phase := re.search(r"^phase *[=:] *(.+?) *$", result.text, re.MULTILINE):
            values["phase"] = phase[1].replace("_", " ")
        arguments = ", ".join(value for value in result.arguments.values() if isinstance(value, str))
        path = _make_path(question, values, f"Values read from {result.name}({arguments}).")
        if not result.failed and all(answer is not None for _, answer in path.answers):
            return path
    return calls[len(results)] if len(results) < len(calls) else None


def _list_calls(question: PropertyQuestion) -> list[NextCall]:
    """List at most two calls that can answer; the second is for when the first one fails."""
    stated = {name: f"{name} = {given.text}" for name, given in question.state.items()}
    at = next((stated[name] for name in ("P", "T") if name in stated), None)
    calls = [NextCall("saturation_state", {"fluid": question.fluid, "at": at})] if at else []
    if len(stated) < 2:
        return calls
    first, second = list(stated.values())[:2]
    names = list(dict.fromkeys(name + (f"_{at}" if at == "sat" else "") for _, name, at in question.wanted))
    pair: dict[str, object] = {"fluid": question.fluid, "first": first, "second": second, "properties": names}
    state = NextCall("fluid_state", pair)
    return [*calls, state] if any(at in ("f", "g", "fg") for *_, at in question.wanted) else [state, *calls]


def _make_path(
    question: PropertyQuestion, values: Mapping[str, KnownQuantity | str], source: str
) -> SolutionPath:
    """Select the targets from values by name: `h`, `P_sat`, `h_f` for saturated liquid, `h_g` for vapour."""
    answers = [(target, _select_value(name, at, question, values)) for target, name, at in question.wanted]
    return SolutionPath((), tuple(answers), (source,))


def _select_value(
    name: str, at: str, question: PropertyQuestion, values: Mapping[str, KnownQuantity | str]
) -> KnownQuantity | str | None:
    if at == "fg":
        liquid, vapor, unit = values.get(f"{name}_f"), values.get(f"{name}_g"), _get_unit(name)
        if not isinstance(liquid, KnownQuantity) or not isinstance(vapor, KnownQuantity):
            return None
        difference = vapor.convert_to(unit) - liquid.convert_to(unit)
        return KnownQuantity(name, difference, unit, reason=vapor.reason)
    end = at or {0.0: "f", 1.0: "g"}.get(question.values.get("x", -1.0), "")
    found = next((values[key] for key in (f"{name}_{end}", name, f"{name}_sat") if key in values), None)
    if found is None and name == "rho" and isinstance(volume := values.get(f"v_{end}"), KnownQuantity):
        return KnownQuantity("rho", 1 / volume.convert_to(_get_unit("v")), _get_unit("rho"))
    return found


def recall_properties(question: PropertyQuestion) -> SolutionPath:
    """Answer from a few remembered rows: the nearest row, or a mixture of saturated liquid and vapour."""
    fluid = load_yaml("properties.yaml")["fluids"].get(question.fluid)
    if fluid is None:
        return SolutionPath((), tuple((target, None) for target, *_ in question.wanted))
    phase, row = _recall_state(fluid, question.values)
    values: dict[str, KnownQuantity | str] = {"phase": phase}
    for name, value in row.items():
        values[name] = KnownQuantity(name, value, _get_unit(name.partition("_")[0]), reason="remembered")
    source = f"State from a remembered {question.fluid} table ({fluid['reference']}), at the nearest row."
    return _make_path(question, values | dict(question.state), source)


def _recall_state(fluid: Mapping[str, Any], known: Row) -> tuple[str, Row]:
    """Return the phase, and by name the values of the state and of its saturation line."""
    rows = fluid["saturation"]
    saturated = [
        (_make_row(t, p, vf, hf, sf), _make_row(t, p, vg, hg, sg)) for t, p, vf, vg, hf, hg, sf, sg in rows
    ]
    vapors = [_make_row(t, p, v, h, s) for p, rows in fluid["vapor"].items() for t, v, h, s in rows]
    if not saturated:
        return "superheated vapor", _find_nearest(vapors, known)
    at = "P" if "P" in known else "T"
    liquids = [liquid for liquid, _ in saturated]
    liquid, vapor = saturated[liquids.index(_find_nearest(liquids, {at: known.get(at, 0.0)}))]
    line = {f"{name}_{end}": row[name] for end, row in (("f", liquid), ("g", vapor)) for name in row}
    line |= {f"{name}_sat": liquid[name] for name in ("T", "P")}
    share = _find_vapor_share(liquid, vapor, {name: value for name, value in known.items() if name != at})
    if share < 0:
        return "compressed liquid", line | _find_nearest(liquids, known)
    if share > 1:
        return "superheated vapor", line | _find_nearest([*vapors, vapor], known)
    h, s, v = (liquid[name] + share * (vapor[name] - liquid[name]) for name in ("h", "s", "v"))
    return "saturated mixture", line | _make_row(liquid["T"], liquid["P"], v, h, s) | {"x": share}


def _make_row(t: float, p: float, v: float, h: float, s: float) -> Row:
    return {"T": t, "P": p, "v": v, "rho": 1 / v, "h": h, "s": s, "u": h - p * v}


def _find_vapor_share(liquid: Row, vapor: Row, known: Row) -> float:
    """Return the share of vapour: below 0 for liquid, above 1 for superheated vapour."""
    if "x" in known:
        return known["x"]
    name, value = next(iter(known.items()), ("x", math.nan))
    if name not in liquid:
        return 0.0
    low, high = liquid[name], vapor[name]
    return (value - low) / (high - low) if low != high else math.copysign(math.inf, value - low - 1e-9)


def _find_nearest(rows: Sequence[Row], known: Row) -> Row:
    """Find the row nearest to the known values; pressures and volumes are compared by their ratio."""

    def measure_distance(row: Row) -> float:
        scales = {name: math.log if name in ("P", "v", "rho") else float for name in known if name in row}
        spans = {name: [scale(each[name]) for each in rows] for name, scale in scales.items()}
        return sum(
            abs(scale(row[name]) - scale(known[name])) / (max(spans[name]) - min(spans[name]) or 1.0)
            for name, scale in scales.items()
        )

    return min(rows, key=measure_distance)
