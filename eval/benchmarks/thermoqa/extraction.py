"""What an answer finally states for each target of a question, read from its text without a model.

Any notation is read (see `ansatz.eval.extract`); the last statement wins, and a unit that is written counts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ansatz.eval.benchmarks.thermoqa import published_reading
from ansatz.eval.extract import pick, statements
from ansatz.eval.problem import LabelTarget, NumberTarget, Problem
from ansatz.eval.quantities import convert

_COMPONENT = re.compile(r"(\b[A-Za-z]+_[A-Za-z]+),([A-Za-z]\w*)(?=\s*[=≈:])")
"""s_gen,pump and its like, as the questions write them."""


@dataclass(frozen=True)
class Reading:
    """A target's value as the answer states it: number or phase, unit as written ("" for none)."""

    value: float | str
    unit: str
    evidence: str


def from_text(problem: Problem, answer: str) -> dict[str, Reading]:
    """What the answer states, by target name; nothing for a target it does not state. Never raises."""
    found = statements(_COMPONENT.sub(r"\1_\2", answer))
    readings = {}
    for target in problem.targets:
        if isinstance(target, LabelTarget):
            named = _phase(target, answer)
            if named:
                readings[target.name] = Reading(named, "", named)
        else:
            by_name = pick(found, target.name, description=target.description)
            stated = by_name or pick(found, _dotted(target.name))
            if stated:
                readings[target.name] = Reading(stated.value, stated.unit, stated.text)
    return readings


def in_unit(reading: Reading, target: NumberTarget) -> float | None:
    """The value read in the target's unit; None where the unit that is written is another dimension's.

    A number without a unit is taken to be in the unit asked for.
    """
    value = float(reading.value)
    if not reading.unit or (reading.unit == "-" and target.unit == "-"):
        return value
    return convert(value, reading.unit, target.unit)


def _dotted(name: str) -> str:
    """S_gen_dot by its other name, S_dot_gen."""
    return re.sub(r"^(\w)_(\w+)_dot$", r"\1_dot_\2", name)


def _phase(target: LabelTarget, answer: str) -> str:
    """The last line that says "phase" and names one decides; in it, what stands before any aside."""
    named = ""
    for rest in re.findall(rf"(?im)^.*?\b{target.name}\b(.*)$", answer.replace("_", " ")):
        parts = re.split(r"[(,;.]", rest)
        named = next(filter(None, map(published_reading.phase, parts)), named)
    return named
