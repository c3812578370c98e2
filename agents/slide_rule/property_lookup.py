"""Questions about a fluid's state: by property tools where they are bound, else from coarse tables."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ansatz.agents.slide_rule.chaining import SolutionPath
from ansatz.agents.slide_rule.comprehension import Comprehension, Known, Symbol, kind_of
from ansatz.agents.slide_rule.conversation import Conversation
from ansatz.agents.slide_rule.naming import fluid_named, stored
from ansatz.agents.slide_rule.solving import Call
from ansatz.quantities.statements import find_statements

_TARGET = re.compile(r"(?P<name>rho|[hsvuTPpx])(?:_(?P<at>fg|f|g|sat))?")
_MOST_GIVENS = 3  # a question with more is about a process, not about one state
_TOOLS = ("fluid_state", "saturation_state")

Row = dict[str, float]
"""T, P, v, h, s, u and rho in the tables' units."""


def _unit(name: str) -> str:
    return str(stored("properties.yaml")["units"][name])


@dataclass(frozen=True)
class PropertyQuestion:
    """`state` holds what fixes it, as stated; `wanted` pairs targets with a property and where it is meant.

    That is "f", "g" or "fg" for saturated values, "sat" for the saturation line, "" for the state itself.
    """

    fluid: str
    state: Mapping[str, Known]
    wanted: tuple[tuple[Symbol, str, str], ...]

    @property
    def values(self) -> Row:
        """The state in the tables' units."""
        return {name: given.measured_in(_unit(name)) for name, given in self.state.items()}


def property_question(reading: Comprehension) -> PropertyQuestion | None:
    """The question as one about a fluid's state; None if it is not."""
    fluid = fluid_named(reading.body)
    wanted = [_wanted(target) for target in reading.targets]
    state = {_property_of(given): given for given in reading.givens}
    if fluid is None or None in wanted or None in state or not wanted or len(state) > _MOST_GIVENS:
        return None
    if fluid == "air" and any(given.symbol for given in reading.givens):
        return None  # air under named symbols is a matter of formulas, not of tables
    known = {name: given for name, given in state.items() if name}
    if "x" not in known and (said := re.search(r"saturated (liquid|vapou?r|steam)", reading.body.lower())):
        known["x"] = Known("x", 0.0 if said[1] == "liquid" else 1.0, "-")
    asked = tuple(each for each in wanted if each)
    complete = len(known) > 1 or (known and all(at for _, _, at in asked))
    return PropertyQuestion(fluid, known, asked) if complete else None


def _wanted(target: Symbol) -> tuple[Symbol, str, str] | None:
    if target.name.lower() == "phase":
        return target, "phase", ""
    found = _TARGET.fullmatch(target.name)
    if found is None:
        return None
    name = "P" if found["name"] == "p" else found["name"]
    return (target, name, found["at"] or "") if target.kind == kind_of(_unit(name)) else None


def _property_of(given: Known) -> str | None:
    name = {"p": "P", "quality": "x"}.get(given.symbol, given.symbol)
    if name in stored("properties.yaml")["units"] and given.kind == kind_of(_unit(name)):
        return name
    of_a_kind = [each for each in ("T", "P", "v", "s", "rho", "h") if given.kind == kind_of(_unit(each))]
    if given.kind == kind_of("-") and not given.words.isdisjoint({"qualiti"}):
        return "x"
    return of_a_kind[0] if of_a_kind and not given.symbol else None


def ask_tools(question: PropertyQuestion, talk: Conversation) -> SolutionPath | Call | None:
    """The next call, the answer read off the results, or None where no bound tool can help."""
    calls = [call for call in _sensible_calls(question) if call.name in talk.tools]
    results = [result for result in talk.results if result.name in _TOOLS]
    for result in results:
        values: dict[str, Known | str] = {
            each.symbol: Known(each.symbol, each.value, each.unit or "-")
            for each in find_statements(result.text)
        }
        if phase := re.search(r"^phase *[=:] *(.+?) *$", result.text, re.MULTILINE):
            values["phase"] = phase[1].replace("_", " ")
        asked = ", ".join(value for value in result.arguments.values() if isinstance(value, str))
        path = _looked_up(question, values, f"Values read from {result.name}({asked}).")
        if not result.failed and all(value is not None for _, value in path.found):
            return path
    return calls[len(results)] if len(results) < len(calls) else None


def _sensible_calls(question: PropertyQuestion) -> list[Call]:
    """At most two calls that can answer; the second is for when the first one does not."""
    stated = {name: f"{name} = {given.text}" for name, given in question.state.items()}
    at = next((stated[name] for name in ("P", "T") if name in stated), None)
    calls = [Call("saturation_state", {"fluid": question.fluid, "at": at})] if at else []
    if len(stated) < 2:
        return calls
    first, second = list(stated.values())[:2]
    names = list(dict.fromkeys(name + (f"_{at}" if at == "sat" else "") for _, name, at in question.wanted))
    pair: dict[str, object] = {"fluid": question.fluid, "first": first, "second": second, "properties": names}
    state = Call("fluid_state", pair)
    return [*calls, state] if any(at in ("f", "g", "fg") for *_, at in question.wanted) else [state, *calls]


def _looked_up(question: PropertyQuestion, values: Mapping[str, Known | str], source: str) -> SolutionPath:
    """What is asked for, from values by name: `h`, `P_sat`, `h_f` for saturated liquid, `h_g` for vapour."""
    found = [(target, _value(name, at, question, values)) for target, name, at in question.wanted]
    return SolutionPath((), tuple(found), (source,))


def _value(
    name: str, at: str, question: PropertyQuestion, values: Mapping[str, Known | str]
) -> Known | str | None:
    if at == "fg":
        liquid, vapor, unit = values.get(f"{name}_f"), values.get(f"{name}_g"), _unit(name)
        if not isinstance(liquid, Known) or not isinstance(vapor, Known):
            return None
        return Known(name, vapor.measured_in(unit) - liquid.measured_in(unit), unit, because=vapor.because)
    end = at or {0.0: "f", 1.0: "g"}.get(question.values.get("x", -1.0), "")
    found = next((values[each] for each in (f"{name}_{end}", name, f"{name}_sat") if each in values), None)
    if found is None and name == "rho" and isinstance(volume := values.get(f"v_{end}"), Known):
        return Known("rho", 1 / volume.measured_in(_unit("v")), _unit("rho"))
    return found


def recall(question: PropertyQuestion) -> SolutionPath:
    """From a handful of remembered rows: the nearest one, or a mixture of saturated liquid and vapour."""
    fluid = stored("properties.yaml")["fluids"][question.fluid]
    phase, row = _remembered(fluid, question.values)
    values: dict[str, Known | str] = {"phase": phase}
    for name, value in row.items():
        values[name] = Known(name, value, _unit(name.partition("_")[0]), because="remembered")
    source = f"State from a remembered {question.fluid} table ({fluid['reference']}), at the nearest row."
    return _looked_up(question, values | dict(question.state), source)


def _remembered(fluid: Mapping[str, Any], known: Row) -> tuple[str, Row]:
    """The phase, and every value by its name: those of the state and those of the saturation line there."""
    rows = fluid["saturation"]
    saturated = [(_row(t, p, vf, hf, sf), _row(t, p, vg, hg, sg)) for t, p, vf, vg, hf, hg, sf, sg in rows]
    vapors = [_row(t, p, v, h, s) for p, rows in fluid["vapor"].items() for t, v, h, s in rows]
    if not saturated:
        return "superheated vapor", _nearest(vapors, known)
    at = "P" if "P" in known else "T"
    liquids = [liquid for liquid, _ in saturated]
    liquid, vapor = saturated[liquids.index(_nearest(liquids, {at: known.get(at, 0.0)}))]
    line = {f"{name}_{end}": row[name] for end, row in (("f", liquid), ("g", vapor)) for name in row}
    line |= {f"{name}_sat": liquid[name] for name in ("T", "P")}
    share = _share(liquid, vapor, {name: value for name, value in known.items() if name != at})
    if share < 0:
        return "compressed liquid", line | _nearest(liquids, known)
    if share > 1:
        return "superheated vapor", line | _nearest([*vapors, vapor], known)
    h, s, v = (liquid[name] + share * (vapor[name] - liquid[name]) for name in ("h", "s", "v"))
    return "saturated mixture", line | _row(liquid["T"], liquid["P"], v, h, s) | {"x": share}


def _row(t: float, p: float, v: float, h: float, s: float) -> Row:
    return {"T": t, "P": p, "v": v, "rho": 1 / v, "h": h, "s": s, "u": h - p * v}


def _share(liquid: Row, vapor: Row, known: Row) -> float:
    """How much of the state is vapour: below 0 for liquid, above 1 for superheated vapour."""
    if "x" in known:
        return known["x"]
    name, value = next(iter(known.items()), ("x", math.nan))
    if name not in liquid:
        return 0.0
    low, high = liquid[name], vapor[name]
    return (value - low) / (high - low) if low != high else math.copysign(math.inf, value - low - 1e-9)


def _nearest(rows: Sequence[Row], known: Row) -> Row:
    """The row that is least apart from what is known; pressures and volumes are compared by their ratio."""

    def apart(row: Row) -> float:
        scales = {name: math.log if name in ("P", "v", "rho") else float for name in known if name in row}
        spans = {name: [scale(each[name]) for each in rows] for name, scale in scales.items()}
        return sum(
            abs(scale(row[name]) - scale(known[name])) / (max(spans[name]) - min(spans[name]) or 1.0)
            for name, scale in scales.items()
        )

    return min(rows, key=apart)
