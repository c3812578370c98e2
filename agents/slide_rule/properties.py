"""Property questions: which fluid, which state, which properties are asked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from ansatz.agents.slide_rule.givens import Given
from ansatz.agents.slide_rule.reading import Reading, Target
from ansatz.agents.slide_rule.units import NONE, Unit, parse_unit

TABLE_UNITS = {
    "T": "degC",
    "P": "kPa",
    "v": "m^3/kg",
    "h": "kJ/kg",
    "s": "kJ/(kg*K)",
    "u": "kJ/kg",
    "x": "-",
    "rho": "kg/m^3",
}
_TARGET = re.compile(r"^(?P<base>h|s|v|u|T|t|P|p|x|rho|ρ|quality)(?:_?\{?(?P<at>fg|f|g|sat)\}?)?(?:_?\w*)?$")
_PHASE = re.compile(r"phase|region|state", re.IGNORECASE)
_FLUIDS = {
    "R134a": r"\br[- ]?134a|refrigerant[- ]?134a|hfc[- ]?134a",
    "water": r"water|steam|h2o",
    "air": r"\bair\b",
}
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


def property_question(reading: Reading) -> PropertyQuestion | None:
    """The question as one about a fluid's state, or None if it is not."""
    text = reading.body.lower()
    fluid = next((name for name, words in _FLUIDS.items() if re.search(words, text)), None)
    wanted = [_wanted(target) for target in reading.targets]
    if fluid is None or not wanted or len(reading.givens) > MOST_QUANTITIES:
        return None
    if fluid == "air" and any(_is_named(given.symbol, reading.body) for given in reading.givens):
        return None  # air under named symbols is a matter of formulas, not of tables
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


def _is_named(symbol: str, body: str) -> bool:
    return bool(symbol and re.search(rf"(?<!\w){re.escape(symbol)}\s*=", body))


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


# Names of one phase; a hyphen or underscore counts as a space.
_ALIKE = (
    ("subcooled liquid", "compressed liquid", "subcooled", "compressed", "liquid"),
    ("saturated mixture", "two phase", "two phase mixture", "wet steam", "liquid vapor mixture", "mixture"),
    ("superheated vapor", "superheated vapour", "superheated steam", "superheated", "vapor", "gas"),
    ("supercritical", "supercritical fluid", "supercritical gas", "supercritical liquid"),
    ("saturated liquid",),
    ("saturated vapor", "saturated vapour", "dry saturated steam"),
)


def phase_as_asked(phase: str, body: str) -> str:
    """The question's own word for a phase, where it offers one."""
    plain = re.sub(r"[_-]", " ", phase.strip().lower())
    names = next((group for group in _ALIKE if plain in group), ())
    patterns = (re.escape(name).replace(r"\ ", "[ -]") for name in names)
    offered = [
        found.group() for found in (re.search(rf"(?<!\w){p}(?!\w)", body.lower()) for p in patterns) if found
    ]
    return max(offered, key=len, default=phase)
