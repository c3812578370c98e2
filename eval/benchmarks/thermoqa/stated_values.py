"""What an answer finally states for each target of a thermodynamics question, read without a model.

It is read as any other answer (see `ansatz.eval.reading.stated_numbers`),
with the symbols and words by which these
targets go. A unit that is written counts. Nothing here depends on a key.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from pathlib import Path
from string import Formatter
from typing import Any

import yaml

from ansatz.eval.benchmarks.thermoqa.published_reading import phase
from ansatz.eval.problem import LabelTarget, NumberTarget, Problem
from ansatz.eval.reading.layout import remove_reasoning
from ansatz.eval.reading.stated_numbers import Names, read_numbers
from ansatz.eval.reading.stated_numbers import value_in_unit as converted
from ansatz.eval.score import StatedValue
from ansatz.quantities.markup import to_plain_text
from ansatz.quantities.terms import normalize_symbol

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
    said = remove_reasoning(answer)
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
    text = to_plain_text(answer).replace("_", " ").replace("vapour", "vapor").replace("Vapour", "Vapor")
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
    """Other symbols of a target in the order of their claim, each `normalize_symbol`, case kept."""
    fitting = ((re.fullmatch(pattern, name), texts) for pattern, texts in _CALLED["symbols"].items())
    found = {
        normalize_symbol("".join(way)): None
        for target, texts in fitting
        if target
        for text in texts
        for way in product(*_pieces(text, target))
    }
    return tuple(alias for alias in found if alias != normalize_symbol(name))


@cache
def phrase(name: str) -> re.Pattern[str] | None:
    """Words that name a target, at the end of what stands before its value; None for a target without."""
    for pattern, text in _CALLED["phrases"].items():
        if target := re.fullmatch(pattern, name):
            words = "".join("|".join(each).replace("_", "[- ]") for each in _pieces(text, target))
            before = "".join(f"(?<!{word} )" for word in _OTHERWISE)
            return re.compile(rf"(?<!\w){before}(?:{words}){_TAIL}", re.IGNORECASE)
    return None


def _pieces(text: str, target: re.Match[str]) -> Iterator[Sequence[str]]:
    """A text of the vocabulary in pieces, each with the ways in which it may be put."""
    for literal, group, table, _ in Formatter().parse(text):
        yield [literal]
        if group:
            own = target[group]
            yield _CALLED[table].get(own, [own]) if table else [own]
