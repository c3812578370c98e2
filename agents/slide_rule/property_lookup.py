"""Questions about a fluid's state: by property tools where they are bound, else from coarse tables."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import yaml

from ansatz.agents.slide_rule.chaining import Link, SolutionPath
from ansatz.agents.slide_rule.comprehension import Comprehension, Known, Target, kind_of
from ansatz.agents.slide_rule.conversation import Conversation, ToolResult
from ansatz.agents.slide_rule.formulas import KnownFormula, Symbol
from ansatz.agents.slide_rule.solving import Call
from ansatz.quantities.expression import parse
from ansatz.quantities.statements import statements

_TARGET = re.compile(r"(?P<name>rho|[hsvuTPpx])(?:_(?P<at>fg|f|g|sat))?")
_MOST_GIVENS = 3  # a question with more is about a process, not about one state
_TOOLS = ("fluid_state", "saturation_state")
_RULES = {
    "linear interpolation": "y1 + (y2 - y1)*(z - z1)/(z2 - z1)",
    "quality mixture rule": "y_f + x*(y_g - y_f)",
    "difference of saturated values": "y_g - y_f",
    "density": "1/v",
}

Row = dict[str, float]
"""T, P, v, h, s, u and x in the tables' units; x is below 0 for liquid and above 1 for vapour."""


@cache
def _tables() -> dict[str, Any]:
    text = Path(__file__).with_name("properties.yaml").read_text(encoding="utf-8")
    found: dict[str, Any] = yaml.safe_load(text)
    return found


def _unit(name: str) -> str:
    return str(_tables()["units"][name])


@dataclass(frozen=True)
class PropertyQuestion:
    """`state` holds what fixes it, as stated; `wanted` pairs targets with a property and where it is meant.

    That is "f", "g" or "fg" for saturated values, "sat" for the saturation line, "" for the state itself.
    """

    fluid: str
    state: Mapping[str, Known]
    wanted: tuple[tuple[Target, str, str], ...]

    @property
    def values(self) -> Row:
        """The state in the tables' units."""
        return {name: given.measured_in(_unit(name)) for name, given in self.state.items()}


def property_question(reading: Comprehension) -> PropertyQuestion | None:
    """The question as one about a fluid's state; None if it is not."""
    words = re.findall(r"[\w-]+", reading.body.lower())
    fluids = _tables()["fluids"]
    fluid = next((name for name in fluids if not set(fluids[name]["names"]).isdisjoint(words)), None)
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


def _wanted(target: Target) -> tuple[Target, str, str] | None:
    if target.symbol.lower() == "phase":
        return target, "phase", ""
    found = _TARGET.fullmatch(target.symbol)
    name = {"p": "P"}.get(found["name"], found["name"]) if found else ""
    return (
        (target, name, (found and found["at"]) or "")
        if name and target.kind == kind_of(_unit(name))
        else None
    )


def _property_of(given: Known) -> str | None:
    name = {"p": "P", "quality": "x"}.get(given.symbol, given.symbol)
    if name in _tables()["units"] and given.kind == kind_of(_unit(name)):
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
        if not result.failed and (plan := _read_off(question, result)):
            return plan
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


def _read_off(question: PropertyQuestion, result: ToolResult) -> SolutionPath | None:
    """What is asked for, from lines such as `h = 1292.49 kJ/kg`; None where one is missing."""
    values = {
        each.symbol: Known(each.symbol, each.value, each.unit or "-") for each in statements(result.text)
    }
    found: list[tuple[Target, int | Known | str | None]] = []
    phase = re.search(r"^phase *[=:] *(.+?) *$", result.text, re.MULTILINE)
    for target, name, at in question.wanted:
        if name == "phase":
            value: Known | str | None = phase[1].replace("_", " ") if phase else None
        else:
            value = _tool_value(name, at, question, values)
        if value is None:
            return None
        found.append((target, value))
    asked = ", ".join(value for value in result.arguments.values() if isinstance(value, str))
    return SolutionPath((), tuple(found), (f"Values read from {result.name}({asked}).",))


def _tool_value(name: str, at: str, question: PropertyQuestion, values: Mapping[str, Known]) -> Known | None:
    """A property under its own name, or under that of the saturated liquid or vapour it is."""
    if at == "fg":
        liquid, vapor = values.get(f"{name}_f"), values.get(f"{name}_g")
        unit = _unit(name)
        return (
            Known(name, vapor.measured_in(unit) - liquid.measured_in(unit), unit)
            if liquid and vapor
            else None
        )
    end = at or {0.0: "f", 1.0: "g"}.get(question.values.get("x", -1.0), "")
    found = next((values[each] for each in (f"{name}_{end}", name, f"{name}_sat") if each in values), None)
    if found is None and name == "rho" and (volume := values.get(f"v_{end}")):
        return Known("rho", 1 / volume.measured_in(_unit("v")), _unit("rho"))
    return found


def recall(question: PropertyQuestion) -> SolutionPath:
    """From remembered tables: saturated values are looked up, others lie on straight lines between rows."""
    fluid = _tables()["fluids"][question.fluid]
    state = question.values
    if "rho" in state:
        state["v"] = 1 / state.pop("rho")
    ends = _saturation(fluid, "T" if "T" in state else "P", state.get("T", state.get("P", -1.0)))
    recalled = _Recall(ends, _bracket(fluid, state, ends))
    found = tuple(
        (target, question.state[name] if name in question.state else recalled.value(name, at, target))
        for target, name, at in question.wanted
    )
    source = f"State from a remembered {question.fluid} table ({fluid['reference']}), linear between points."
    return SolutionPath(tuple(recalled.steps), found, (source,))


@dataclass(frozen=True)
class Bracket:
    """The state lies between two rows, where `key` has `value`."""

    low: Row
    high: Row
    key: str
    value: float


def _bracket(fluid: Mapping[str, Any], state: Row, ends: tuple[Row, Row] | None) -> Bracket | None:
    """The two rows between which the state lies; None where the tables do not reach."""
    if "P" in state and "x" not in state:
        rows = _isobar(fluid, state["P"])
        key = next((name for name in ("T", "h", "s", "v", "u") if name in state), "")
        for low, high in pairwise(rows):
            if key and low[key] <= state[key] <= high[key] and high[key] > low[key]:
                return Bracket(low, high, key, state[key])
        return None
    key = next((name for name in ("x", "h", "s", "v", "u") if name in state), "")
    inside = ends and key and ends[0][key] <= state[key] <= ends[1][key] and ends[0][key] < ends[1][key]
    return Bracket(*ends, key, state[key]) if ends and inside else None


def _saturation(fluid: Mapping[str, Any], key: str, value: float) -> tuple[Row, Row] | None:
    """Saturated liquid and vapour; pressure and vapour volume follow straight lines in their logarithms."""
    place = 0 if key == "T" else 1
    for low, high in pairwise(fluid["saturation"]):
        if low[place] <= value <= high[place]:
            scale = float if key == "T" else math.log
            share = (scale(value) - scale(low[place])) / (scale(high[place]) - scale(low[place]))
            t, _, vf, _, hf, hg, sf, sg = (a + share * (b - a) for a, b in zip(low, high, strict=True))
            p, vg = (low[i] * (high[i] / low[i]) ** share for i in (1, 3))
            return _row(t, p, vf, hf, sf, 0.0), _row(t, p, max(vg, vf), hg, sg, 1.0)
    return None


def _row(t: float, p: float, v: float, h: float, s: float, x: float) -> Row:
    return {"T": t, "P": p, "v": v, "h": h, "s": s, "u": h - p * v, "x": x}


def _isobar(fluid: Mapping[str, Any], pressure: float) -> list[Row]:
    """Rows from cold liquid to hot vapour at one pressure; cold liquid is read as saturated liquid."""
    ends = _saturation(fluid, "P", pressure)
    boiling = ends[0]["T"] if ends else math.inf
    colder = [
        _row(t, pressure, vf, hf, sf, -1.0)
        for t, p, vf, _, hf, _, sf, _ in fluid["saturation"]
        if p < pressure and t < boiling
    ]
    hotter = [row for row in _vapor(fluid, pressure) if not ends or row["T"] > boiling + 1]
    return [*colder, *(ends or ()), *hotter]


def _vapor(fluid: Mapping[str, Any], pressure: float) -> list[Row]:
    """Between two remembered pressures h, s and Pv follow straight lines in the logarithm of pressure."""
    tables: dict[float, Sequence[Sequence[float]]] = fluid["vapor"]
    low, high = next(
        (pair for pair in pairwise(sorted(tables)) if pressure <= pair[1]), tuple(sorted(tables)[-2:])
    )
    share = math.log(pressure / low) / math.log(high / low)
    rows = []
    for (t, v, *one), (_, other_v, *other) in zip(tables[low], tables[high], strict=True):
        h, s = (a + share * (b - a) for a, b in zip(one, other, strict=True))
        rows.append(_row(t, pressure, (low * v + share * (high * other_v - low * v)) / pressure, h, s, 2.0))
    return rows


class _Recall:
    """Finds one property after another, with a step for each that takes arithmetic."""

    def __init__(self, ends: tuple[Row, Row] | None, bracket: Bracket | None) -> None:
        self.ends, self.bracket = ends, bracket
        self.steps: list[Link] = []

    def value(self, name: str, at: str, target: Target) -> int | Known | str | None:
        if name == "phase":
            return _phase(self.bracket)
        found = self._read("v" if name == "rho" else name, at, target)
        if name != "rho" or found is None:
            return found
        volume = found if isinstance(found, Known) else Known("v", 1.0, _unit("v"), step=found)
        return self._step("density", "rho", target, {"v": volume})

    def _read(self, name: str, at: str, target: Target) -> int | Known | None:
        here = self.bracket
        rows = self.ends if at else (here.low, here.high) if here else None
        if rows is None:
            return None
        one, other = (row[name] for row in rows)
        if one == other or at in ("f", "g", "sat"):
            return Known(name, one if at == "f" else other, _unit(name), because="remembered")
        if at == "fg":
            return self._rule("difference of saturated values", target, name, {"y_f": one, "y_g": other})
        assert here is not None
        if here.key == "x":
            ends = {"y_f": one, "y_g": other, "x": here.value}
            return self._rule("quality mixture rule", target, name, ends)
        between = {"z": here.value, "z1": here.low[here.key], "z2": here.high[here.key]}
        return self._rule("linear interpolation", target, name, {"y1": one, "y2": other, **between})

    def _rule(self, rule: str, target: Target, name: str, numbers: Row) -> int:
        """A step on table values: y in the unit of what is sought, z in that of what is known."""
        units = {"y": _unit(name), "z": _unit(self.bracket.key if self.bracket else "x"), "x": "-"}
        bound = {each: Known(each, value, units[each[0]]) for each, value in numbers.items()}
        return self._step(rule, name, target, bound)

    def _step(self, rule: str, name: str, target: Target, bound: dict[str, Known]) -> int:
        inputs = tuple(Symbol(each, given.unit, "") for each, given in bound.items())
        tree = parse(_RULES[rule], list(bound)).tree
        formula = KnownFormula(rule, Symbol(name, _unit(name), ""), _RULES[rule], inputs, {}, tree)
        self.steps.append(Link(formula, bound, target.symbol))
        return len(self.steps) - 1


def _phase(bracket: Bracket | None) -> str | None:
    if bracket is None:
        return None
    if bracket.low["x"] == 0.0 and bracket.high["x"] == 1.0:
        return "saturated mixture"
    return "compressed liquid" if bracket.high["x"] <= 0.0 else "superheated vapor"
