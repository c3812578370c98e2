"""Property questions: which fluid, which state, which properties; answered from remembered tables."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from ansatz.agents.slide_rule import tables
from ansatz.agents.slide_rule.arithmetic import NotCalculable, evaluate
from ansatz.agents.slide_rule.chain import Found, Plan, Step
from ansatz.agents.slide_rule.formula import Formula, Symbol
from ansatz.agents.slide_rule.reading import Given, Reading, Target
from ansatz.agents.slide_rule.tables import Row
from ansatz.agents.slide_rule.units import NONE, Unit, parse_unit

TABLE_UNITS = {
    "T": "degC", "P": "kPa", "v": "m^3/kg", "h": "kJ/kg", "s": "kJ/(kg*K)", "u": "kJ/kg", "x": "-", "rho": "kg/m^3",
}  # fmt: skip
_NAMES = {
    "T": "temperature", "P": "pressure", "v": "specific volume", "h": "specific enthalpy", "s": "specific entropy",
    "u": "specific internal energy", "x": "quality", "rho": "density",
}  # fmt: skip
_TARGET = re.compile(r"^(?P<base>h|s|v|u|T|t|P|p|x|rho|ρ|quality)(?:_?\{?(?P<at>fg|f|g|sat)\}?)?(?:_?\w*)?$")
_PHASE = re.compile(r"phase|region|state", re.IGNORECASE)
_FLUIDS = {"water": r"water|steam|h2o", "R134a": r"r[- ]?134a", "air": r"\bair\b"}
MOST_QUANTITIES = 3  # a question with more is about a process, not about one state


def unit(name: str) -> Unit:
    parsed = parse_unit(TABLE_UNITS[name])
    assert parsed is not None
    return parsed


@dataclass(frozen=True)
class Wanted:
    """One property asked for: `at` is f, g or fg for saturated values, sat for the saturation line."""

    target: Target
    name: str
    at: str = ""


@dataclass(frozen=True)
class PropertyQuestion:
    """`state` holds what fixes it, in the tables' units; `stated` the same as the question writes it."""

    fluid: str
    state: Mapping[str, float]
    stated: Mapping[str, str]
    wanted: tuple[Wanted, ...]
    body: str


@dataclass(frozen=True)
class Bracket:
    """The state lies between two remembered rows, where `key` has `value`."""

    low: Row
    high: Row
    key: str
    value: float

    def at(self, name: str) -> float:
        share = (self.value - self.low[self.key]) / (self.high[self.key] - self.low[self.key])
        return self.low[name] + share * (self.high[name] - self.low[name])


def property_question(reading: Reading) -> PropertyQuestion | None:
    """The question as one about a fluid's state, or None if it is not."""
    text = reading.body.lower()
    fluid = next((name for name, words in _FLUIDS.items() if re.search(words, text)), None)
    wanted = [_wanted(target) for target in reading.targets]
    if fluid is None or not wanted or len(reading.givens) > MOST_QUANTITIES:
        return None
    state: dict[str, float] = {}
    stated: dict[str, str] = {}
    for given in reading.givens:
        name = _property_of(given)
        if name is None:
            return None
        state[name], stated[name] = unit(name).from_si(given.value), given.text
    if "x" not in state and (
        found := re.search(r"saturated[ -]+(liquid|vapou?r|steam|water)|dry[ -]saturated", text)
    ):
        state["x"] = 0.0 if found.group(1) in ("liquid", "water") else 1.0
        stated["x"] = f"{state['x']:g}"
    complete = len(state) >= 2 or (state and all(want and want.at for want in wanted))
    if not complete or any(want is None for want in wanted):
        return None
    return PropertyQuestion(fluid, state, stated, tuple(want for want in wanted if want), reading.body)


def _wanted(target: Target) -> Wanted | None:
    if target.label:
        return Wanted(target, "phase") if _PHASE.search(target.symbol) else None
    found = _TARGET.match(target.symbol)
    if not found or target.unit is None:
        return None
    base = {"t": "T", "p": "P", "ρ": "rho", "quality": "x"}.get(found["base"], found["base"])
    if not unit(base).same_kind(target.unit):
        return None
    return Wanted(target, base, found["at"] or "")


def _property_of(given: Given) -> str | None:
    dimension = given.unit.dimension
    if dimension == NONE:
        return "x" if given.symbol == "x" or "quality" in given.words else None
    if dimension == unit("h").dimension:
        return "u" if given.symbol == "u" or {"internal"} <= given.words else "h"
    return next((name for name in ("T", "P", "v", "s", "rho") if unit(name).dimension == dimension), None)


def locate(question: PropertyQuestion) -> Bracket | None:
    """Where the state lies in the remembered tables; None where they do not reach."""
    state = dict(question.state)
    if "rho" in state:
        state["v"] = 1 / state.pop("rho")
    if question.fluid == "air":
        return _air_state(state)
    if "x" in state and len(state) >= 2:
        other = "T" if "T" in state else "P"
        ends = tables.saturation(question.fluid, other, state.get(other, 0.0))
        return Bracket(*ends, "x", state["x"]) if ends else None
    if "P" in state:
        key = next((name for name in ("T", "h", "s", "v", "u") if name in state), None)
        return _on_isobar(question.fluid, state["P"], key, state[key]) if key else None
    if "T" in state:
        key = next((name for name in ("h", "s", "v", "u") if name in state), None)
        return _on_isotherm(question.fluid, state["T"], key, state[key]) if key else None
    first, second = list(state)[:2]
    return _by_two(question.fluid, (first, state[first]), (second, state[second]))


def _air_state(state: Mapping[str, float]) -> Bracket | None:
    if not {"T", "P"} <= state.keys():
        return None
    low = tables.air(state["T"], state["P"])
    return Bracket(low, tables.air(state["T"] + 10, state["P"]), "T", state["T"])


def _on_isobar(fluid: str, pressure: float, key: str, value: float) -> Bracket | None:
    rows = tables.isobar(fluid, pressure)
    found = tables.between(rows, key, value)
    return Bracket(*found, key, value) if found else None


def _on_isotherm(fluid: str, t: float, key: str, value: float) -> Bracket | None:
    """Wet states directly; vapour by trying pressures until the temperature fits."""
    ends = tables.saturation(fluid, "T", t)
    if ends and value <= ends[1][key]:
        return Bracket(*ends, key, max(value, ends[0][key]))
    return _by_two(fluid, (key, value), ("T", t))


def _by_two(fluid: str, first: tuple[str, float], second: tuple[str, float]) -> Bracket | None:
    """The isobar on which both values occur together, by halving the logarithm of pressure."""
    low, high = tables.FLUIDS[fluid].saturation[0][1] * 1.01, 40000.0 if fluid == "water" else 4000.0
    mismatch = [_mismatch(fluid, pressure, first, second) for pressure in (low, high)]
    if mismatch[0] is None or mismatch[1] is None or mismatch[0] * mismatch[1] > 0:
        return None
    for _ in range(30):
        middle = (low * high) ** 0.5
        here = _mismatch(fluid, middle, first, second)
        if here is None:
            return None
        low, high = (middle, high) if here * mismatch[0] > 0 else (low, middle)
    return _on_isobar(fluid, (low * high) ** 0.5, *first)


def _mismatch(
    fluid: str, pressure: float, first: tuple[str, float], second: tuple[str, float]
) -> float | None:
    bracket = _on_isobar(fluid, pressure, *first)
    return bracket.at(second[0]) - second[1] if bracket else None


def phase_of(fluid: str, bracket: Bracket) -> str:
    """The region of a located state, by its name in textbooks."""
    if fluid == "air":
        return "gas"
    critical_t, critical_p = tables.FLUIDS[fluid].critical
    t, p, x = (bracket.at(name) for name in ("T", "P", "x"))
    if p >= critical_p:
        return "supercritical" if t >= critical_t else "compressed liquid"
    if bracket.low["x"] == 0 and bracket.high["x"] == 1:
        return {0.0: "saturated liquid", 1.0: "saturated vapor"}.get(round(x, 6), "saturated mixture")
    return "subcooled liquid" if bracket.high["x"] <= 0 else "superheated vapor"


_ALIKE = (
    ("subcooled liquid", "compressed liquid", "subcooled", "compressed", "liquid"),
    (
        "saturated mixture",
        "two-phase",
        "two-phase mixture",
        "wet steam",
        "liquid-vapor mixture",
        "mixture",
        "twophase",
    ),
    (
        "superheated vapor",
        "superheated vapour",
        "superheated steam",
        "superheated",
        "vapor",
        "gas",
        "supercritical_gas",
    ),
    ("supercritical", "supercritical fluid", "supercritical_liquid"),
    ("saturated liquid",),
    ("saturated vapor", "saturated vapour", "dry saturated steam"),
)


def phase_as_asked(phase: str, body: str) -> str:
    """The question's own word for a phase, where it offers one."""
    names = next((group for group in _ALIKE if phase.strip().lower() in group), ())
    offered = [name for name in names if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", body.lower())]
    return max(offered, key=len, default=phase)


def recall(question: PropertyQuestion) -> Plan:
    """A plan of straight-line interpolations in remembered tables, one per property asked for."""
    bracket = locate(question)
    steps: list[Step] = []
    found: list[Found] = []
    labels: list[tuple[str, str]] = []
    for want in question.wanted:
        here = _saturated(question, want) if want.at else bracket
        if want.name == "phase":
            phase = phase_of(question.fluid, bracket) if bracket else "unknown"
            labels.append((want.target.symbol, phase_as_asked(phase, question.body)))
        elif here is None:
            found.append(Found(want.target, None, (want.target.unit or unit(want.name)).to_si(1.0)))
        else:
            found.append(_interpolated(want, here, steps))
    source = "perfect-gas air" if question.fluid == "air" else f"a remembered {question.fluid} table"
    return Plan(
        tuple(steps), tuple(found), (), tuple(labels), (f"State from {source}, linear between points.",)
    )


def _saturated(question: PropertyQuestion, want: Wanted) -> Bracket | None:
    key = "T" if "T" in question.state else "P"
    ends = (
        tables.saturation(question.fluid, key, question.state.get(key, -1.0))
        if question.fluid != "air"
        else None
    )
    if ends is None:
        return None
    return Bracket(*ends, "x", {"g": 1.0}.get(want.at, 0.0))


def _interpolated(want: Wanted, bracket: Bracket, steps: list[Step]) -> Found:
    name = "v" if want.name == "rho" else want.name
    one, other = bracket.low[name], bracket.high[name]
    if want.at == "fg":
        _add(steps, "difference", {"y2": other, "y1": one}, name, want.target.symbol)
    elif one == other:
        return Found(want.target, None, unit(name).to_si(one), guessed=False)
    else:
        ends = {"z1": bracket.low[bracket.key], "z2": bracket.high[bracket.key]}
        _add(
            steps,
            "interpolation",
            {"y1": one, "y2": other, "z": bracket.value, **ends},
            name,
            want.target.symbol,
        )
    if want.name == "rho":
        _add(steps, "reciprocal", {"v": steps[-1].value}, "rho", want.target.symbol, len(steps) - 1)
    return Found(want.target, len(steps) - 1)


_EXPRESSIONS = {
    "interpolation": "y1 + (y2 - y1)*(z - z1)/(z2 - z1)",
    "difference": "y2 - y1",
    "reciprocal": "1/v",
}


@cache
def _table_formula(kind: str, name: str) -> Formula:
    symbol = Symbol(name, unit(name), TABLE_UNITS[name], frozenset(), _NAMES[name])
    title = {"interpolation": "linear interpolation", "difference": "difference of saturated values"}.get(
        kind, "density"
    )
    return Formula(title, symbol, _EXPRESSIONS[kind], (), table_unit=TABLE_UNITS[name])


def _add(
    steps: list[Step],
    kind: str,
    operands: dict[str, float],
    name: str,
    symbol: str,
    earlier: int | None = None,
) -> None:  # noqa: E501
    formula = _table_formula(kind, name)
    bound = {key: Given(key, value, unit("x"), f"{value:g}", step=earlier) for key, value in operands.items()}
    try:
        value = evaluate(formula.expression, operands)
    except NotCalculable:
        value = operands.get("y1", 1.0)
    steps.append(Step(formula, bound, symbol, value))
