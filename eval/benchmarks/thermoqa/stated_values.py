"""What an answer finally states for each target of a thermodynamics question, read without a model.

It is read as any other answer (see `ansatz.eval.reading.answer`), with the symbols and words by which these
targets go. A unit that is written counts. Nothing here depends on a key.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from ansatz.eval.benchmarks.thermoqa.published_reading import phase
from ansatz.eval.problem import LabelTarget, NumberTarget, Problem
from ansatz.eval.reading.answer import Names, read_numbers
from ansatz.eval.reading.answer import in_unit as converted
from ansatz.eval.reading.layout import without_reasoning
from ansatz.eval.score import StatedValue
from ansatz.quantities.markup import plain
from ansatz.quantities.terms import spelled

PHASES = (
    *("subcooled_liquid", "saturated_liquid", "wet_steam", "saturated_vapor"),
    *("superheated_vapor", "supercritical"),
)
"""What a model that reads may call a phase."""

_PART = re.compile(
    r"([sSxX]_(?:gen|dest))(?:, ?| ?[(\[])([A-Za-z]\w*(?: \w+)?)[)\]]?(?=\s*[*_`]{0,3}\s*[=≈:|])"
)
_LABEL = re.compile(
    r"\b(?:final |thermodynamic )?phase(?: \(?(?:region|state|name)\)?)?(?: of (?:the )?\w+)?"
    r"\b[\"')*]* ?(?:[:=|;]|(?:is|was)\b) ?(?P<named>[^\n]+)",
    re.IGNORECASE,
)
_SAID = re.compile(
    r"\b(?:is|are|exists?|remains?|be|as|thus|therefore|hence|so)\b:?"
    r" (?:(?:in|at|a|an|the|as|still|now|thus) )*(?P<named>[^\n.;]{1,60})",
    re.IGNORECASE,
)
_ASIDE = re.compile(r"[(,;.|]")
_DENIED = re.compile(
    r"\b(?:not|no|never|nor|neither|rather than|instead of|unlike|below|above|than|between|from|if)\b"
    "|n't|would be",
    re.IGNORECASE,
)
_CALLED: Any = yaml.load(
    Path(__file__).with_name("vocabulary.yaml").read_text(encoding="utf-8"), Loader=yaml.CSafeLoader
)
_OTHERWISE = ("isentropic", "ideal", "reversible", "maximum", "change in", "difference in", "carnot")
"""Words that make another quantity of what they stand before."""
_TAIL = (
    r"(?:[ ,:()/-]|\b(?:of|per|for|from|in|at|on|the|unit|mass|kg|value|is|cycle|plant|system|steam|water"
    r"|fluid|refrigerant|mixture|this|state|stream|air|rate|and|given|output|process|here|then|therefore)\b"
    r"|\(\w{1,12}\)|\d[\d.,]* ?(?:[kM]?Pa|bar|°?C|K)?)*$"
)


def from_text(problem: Problem, answer: str) -> dict[str, StatedValue]:
    """What the answer states, by target name: number or phase. Nothing for a target that it does not state,
    or only in the reasoning before it (a `<think>` block). Never raises."""
    found = read_numbers(
        # s_gen,pump and x_dest (total) written as one symbol, which is how the questions mean them
        _PART.sub(lambda part: f"{part[1]}_{part[2].replace(' ', '_')}", answer),
        problem.targets,
        names=lambda name: Names(aliases(name), phrase(name)),
    )
    readings = {
        name: StatedValue(each.statement.value, each.statement.unit)
        for name, each in found.items()
        if each.statement
    }
    said = without_reasoning(answer)
    for target in problem.targets:
        if isinstance(target, LabelTarget) and (named := phase_from_text(said)):
            readings[target.name] = StatedValue(named)
    return readings


def in_unit(reading: StatedValue, target: NumberTarget) -> float | None:
    """The value read in the target's unit; None where the unit that is written is another dimension's.

    A number without a unit is taken to be in the unit asked for.
    """
    return converted(float(reading.value), reading.unit, target.unit)


def phase_from_text(answer: str) -> str:
    """The phase named last after a label "phase"; failing that, the last that something is said to be."""
    text = plain(answer).replace("_", " ").replace("vapour", "vapor").replace("Vapour", "Vapor")
    for pattern in (_LABEL, _SAID):
        named = ""
        for found in pattern.finditer(text):
            named = _first_named(found["named"]) or named
        if named:
            return named
    return _first_named(text) if len(text) < 60 else ""


def _first_named(words: str) -> str:
    """The phase of the first part that names one; what is denied or compared with is not named."""
    for part in _ASIDE.split(words):
        affirmed = _DENIED.split(part)[0]
        named = phase(affirmed)
        if named:
            return named
        if affirmed != part and phase(part):
            return ""
    return ""


@cache
def aliases(name: str) -> tuple[str, ...]:
    """Other symbols of a target in the order of their claim, each `spelled`, case kept."""
    found = dict.fromkeys(spelled(alias) for alias in _aliases(name))
    return tuple(alias for alias in found if alias != spelled(name))


def _state_family(name: str) -> tuple[str, str] | None:
    """A state target as symbol and state, such as h and 2s; None for another."""
    state = re.fullmatch(r"(h|s|T|V|x|m|ef)(\d{1,2}s?)", name)
    return (state[1], state[2]) if state else None


def _part_of(name: str) -> tuple[str, str] | None:
    """s_gen_comp as s_gen and comp; None for a target that is not a part's."""
    family = re.fullmatch(r"(s_gen|x_dest)_(\w+)", name)
    return (family[1], family[2]) if family else None


def _part_names(part: str) -> tuple[str, ...]:
    """What a part of a plant is called."""
    return (part, *_CALLED["parts"].get(part, ()))


def _aliases(name: str) -> list[str]:
    found = list(_CALLED["symbols"].get(name, ()))
    if state := _state_family(name):
        # how the index of an isentropic state, or of an actual one, may go on
        ideal, actual = ("_is", "_isen", "_isentropic", "_ideal"), ("a", "_act", "_actual")
        ends = ideal if state[1].endswith("s") else actual
        found += [f"{state[0]}_{state[1].rstrip('s')}{end}" for end in ends]
        found += [f"{symbol}_{state[1]}" for symbol in _CALLED["states"][state[0]]]
    if part := _part_of(name):
        families = (part[0], *_CALLED["families"][part[0]])
        called = _part_names(part[1])
        found += [f"{family}_{other}" for family in families for other in called]
        found += [f"{other}_{family}" for family in families for other in called if len(other) > 2]
        found += [part[0]] if part[1] == "total" else []
    if stream := re.fullmatch(r"([hsT])_([hc])_(in|out)", name):
        ends = ("in", "i", "1") if stream[3] == "in" else ("out", "o", "e", "2")
        sides = (stream[2], *_CALLED["streams"][stream[2]])
        found += [f"{stream[1]}_{side}_{end}" for side in sides for end in ends]
        found += [f"{stream[1]}_{end}_{side}" for side in sides for end in ends]
    return found


@cache
def phrase(name: str) -> re.Pattern[str] | None:
    """Words that name a target, at the end of what stands before its value; None for a target without."""
    words = _words(name)
    if not words:
        return None
    before = "".join(f"(?<!{word} )" for word in _OTHERWISE)
    return re.compile(rf"(?<!\w){before}(?:{words}){_TAIL}", re.IGNORECASE)


def _words(name: str) -> str:
    state, part = _state_family(name), _part_of(name)
    if name in _CALLED["phrases"]:
        return str(_CALLED["phrases"][name])
    if part:
        family = (
            "entropy (?:generation|generated)" if part[0] == "s_gen" else "exergy (?:destruction|destroyed)"
        )
        parts = "|".join(other.replace("_", "[- ]") for other in _part_names(part[1]) if len(other) > 1)
        return rf"(?:{parts}) {family}|{family} (?:in|of|for|across) (?:the )?(?:{parts})"
    if state:
        words = rf"(?:specific )?(?:flow )?{_CALLED['properties'].get(state[0], 'mass flow rate')}"
        return rf"{words} (?:at|of) (?:state|point) {state[1]}|(?:state|point) {state[1]} {words}"
    symbol, _, end = name.partition("_")
    if symbol not in _CALLED["properties"] or end not in ("", "f", "g"):
        return ""
    words = rf"(?:specific )?{_CALLED['properties'][symbol]}"
    phase = {"f": "saturated[- ]liquid", "g": "saturated[- ]vapou?r"}.get(end, "")
    return rf"{phase} {words}|{words} of (?:the )?{phase}" if phase else rf"(?<!saturation )(?:{words})"
