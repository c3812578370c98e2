"""What an answer finally states for each target of a thermodynamics question, read without a model.

It is read as any other answer (see `ansatz.eval.reading.answer`), with the symbols and words by which these
targets go. A unit that is written counts. Nothing here depends on a key.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ansatz.eval.benchmarks.thermoqa.published_reading import phase
from ansatz.eval.benchmarks.thermoqa.vocabulary import aliases, phrase
from ansatz.eval.problem import LabelTarget, NumberTarget, Problem
from ansatz.eval.reading.answer import Names, read_numbers
from ansatz.eval.reading.answer import in_unit as converted
from ansatz.eval.reading.layout import without_reasoning
from ansatz.eval.score import Extraction
from ansatz.quantities.markup import plain

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


@dataclass(frozen=True)
class Reading:
    """A target's value as the answer states it: number or phase, unit as written ("" for none).

    `in_reasoning` marks what stands only in the reasoning before an answer that does not state it.
    """

    value: float | str
    unit: str
    evidence: str
    in_reasoning: bool = False


def from_text(problem: Problem, answer: str, reasoning: str = "") -> dict[str, Reading]:
    """What the answer states, by target name; nothing for a target it does not state. Never raises.

    Where the answer is silent, its reasoning is read: `reasoning`, or what stands in a `<think>` block.
    """
    found = read_numbers(
        _named_parts_joined(answer),
        problem.targets,
        reasoning=_named_parts_joined(reasoning),
        names=lambda name: Names(aliases(name), phrase(name)),
    )
    readings = {
        name: Reading(each.statement.value, each.statement.unit, each.statement.text, each.in_reasoning)
        for name, each in found.items()
        if each.statement
    }
    for target in problem.targets:
        if isinstance(target, LabelTarget) and (named := _phase(answer, reasoning)):
            readings[target.name] = named
    return readings


def from_model(extraction: Extraction) -> dict[str, Reading]:
    """What a model read, as what the rules read is given."""
    return {
        name: Reading(each.value, each.unit, f"by the model: {each.value} {each.unit}".rstrip())
        for name, each in extraction.values.items()
    }


def in_unit(reading: Reading, target: NumberTarget) -> float | None:
    """The value read in the target's unit; None where the unit that is written is another dimension's.

    A number without a unit is taken to be in the unit asked for.
    """
    return converted(float(reading.value), reading.unit, target.unit)


def _phase(answer: str, reasoning: str) -> Reading | None:
    said, thought = without_reasoning(answer)
    for text, in_reasoning in ((said, False), ("\n".join(filter(None, (reasoning, thought))), True)):
        named = phase_from_text(text) if text else ""
        if named:
            return Reading(named, "", named, in_reasoning)
    return None


def _named_parts_joined(answer: str) -> str:
    """s_gen,pump and x_dest (total) written as one symbol, which is how the questions mean them."""
    return _PART.sub(lambda part: f"{part[1]}_{part[2].replace(' ', '_')}", answer)


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
