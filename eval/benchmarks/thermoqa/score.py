"""The scorer `thermoqa`: ThermoQA's published rule, and a strict rule without its free points.

`published` passes a value within 2 % *or* within an absolute tolerance, 0.5 for most values, so any answer
for a specific volume passes. It reads values by the publisher's regular expressions. The publisher's own
verdict uses values that a model read; the two agree on about 95 % of items. `strict` reads and converts
units, compares relatively, and has an absolute floor only for values near zero.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any, ClassVar, Literal, NamedTuple

from ansatz.eval.benchmarks.thermoqa.reading import (
    PHASES,
    Value,
    convert_to_unit,
    energy_balance_error,
    is_balance,
    read_by_publisher,
    read_values,
)
from ansatz.eval.problem import LabelTarget, NumberTarget, Problem, Target
from ansatz.eval.score import Dimension, Score, Scorer, ScoringContext, StatedValue
from ansatz.settings import Share, settings

FLOORS = {
    "kJ/kg": 0.05,  # steam tables print enthalpies to 0.1 kJ/kg
    "kJ/(kg*K)": 0.00005,  # and entropies to 0.0001 kJ/(kg K)
    "degC": 0.05,  # tables print 0.1 K; 0 °C is an ordinary temperature
    "K": 0.05,
    "-": 0.0005,  # qualities and efficiencies are read from tables to three decimals
}
"""Absolute floors of the strict rule: half of the last digit of printed tables, in the target's unit.

Below the floor, two careful readers of a table can differ. Volumes, densities, pressures, speeds, flows and
powers are never near zero in their usual units, so they have no floor.
"""

DEFAULT_RELATIVE = 0.02
_ROUNDING = 1 + 1e-12  # a deviation of exactly the tolerance passes

Status = Literal["pass", "out_of_tolerance", "missing"]


class TargetVerdict(NamedTuple):
    """The verdict of a rule on one target."""

    weight: float
    status: Status | None
    """None if the rule does not score the target."""
    evidence: str = ""
    """What was compared."""
    read: StatedValue | None = None
    """The value that the strict rule read, in the target's unit if it converts."""

    @property
    def passed(self) -> bool:
        return self.status == "pass"


Verdicts = Mapping[str, TargetVerdict]
"""Verdicts by target name."""


@settings()
class ThermoQAScore(Scorer):
    """Scores property, component and cycle questions by the publisher's rule and by a strict one.

    Details: `targets`, by name, each with `weight` and `status` (pass, out_of_tolerance or missing). In the
    details of `strict`, a target that the rule does not score has the status null. They also have the `value`
    and `unit` that Ansatz reads: in the target's unit if it converts, null if nothing is stated.
    """

    relative: Share = DEFAULT_RELATIVE
    """The relative tolerance of the strict rule."""

    dimensions: ClassVar[tuple[Dimension, ...]] = (
        Dimension("published", "by the publisher's regular expressions, not the publisher's verdict"),
        Dimension("strict", "by the rule that also demands units"),
    )

    async def score(self, context: ScoringContext) -> tuple[Score, ...]:
        problem, answer = context.problem, context.transcript.answer
        unfit = explain_unfit(problem)
        if unfit:
            return tuple(Score(dimension=each.name, value=None, evidence=unfit) for each in self.dimensions)
        readings, details = await _read(context)
        published = judge_published(problem, read_by_publisher(answer, problem))
        strict = judge_strict(problem, readings, self.relative)
        nothing = {"value": None, "unit": ""}
        read = {name: asdict(one.read) if one.read else nothing for name, one in strict.items()}
        return _score("published", published, {}), _score("strict", strict, read, **details)


async def _read(context: ScoringContext) -> tuple[Mapping[str, StatedValue], dict[str, Any]]:
    """Return the values that the answer states, and details of the reading.

    The study's model reads the answer if there is one and it succeeds; otherwise rules read it.
    """
    problem, answer = context.problem, context.transcript.answer
    by_rules = read_values(problem, context.transcript.complete_answer)
    if context.read is None or not answer.strip():
        return by_rules, {}
    from ansatz.eval.judging.model_reading import compare_with_rules

    extraction = await context.read(problem, answer, PHASES)
    details = {"reading": compare_with_rules(problem, extraction, by_rules)}
    return (extraction.values if extraction.status == "ok" else by_rules), details


def _score(
    dimension: str, verdicts: Verdicts, read: Mapping[str, Mapping[str, Any]], **details: Any
) -> Score:
    scored = {name: one for name, one in verdicts.items() if one.status}
    lines = [f"{name}: {'pass' if one.passed else 'fail'} ({one.evidence})" for name, one in scored.items()]
    targets = {
        name: {"weight": one.weight, "status": one.status, **read.get(name, {})}
        for name, one in verdicts.items()
    }
    return Score(
        dimension=dimension,
        value=average_verdicts(verdicts.values()),
        evidence="; ".join(lines),
        details={"targets": targets, **details},
    )


def average_verdicts(verdicts: Iterable[TargetVerdict]) -> float | None:
    """Return the passed share of the scored weight; None if nothing is scored.

    This is the plain mean in tier 1, and weighted by steps in the others.
    """
    scored = [each for each in verdicts if each.status]
    total = sum(each.weight for each in scored)
    return sum(each.weight for each in scored if each.passed) / total if total else None


def explain_unfit(problem: Problem) -> str:
    """Return why these rules cannot score a problem; empty if they can."""
    for target in problem.targets:
        if isinstance(target, LabelTarget) and target.name == "phase":
            continue
        if not isinstance(target, NumberTarget):
            return f"a {target.kind} target ({target.name}) has no ThermoQA rule"
        if target.value is None or target.published_tolerance is None:
            return f"the target {target.name} has no value or no published tolerance"
    if not any(map(is_scored_strictly, problem.targets)):
        return "every target is left out of the strict score"
    return ""


def judge_published(problem: Problem, values: Mapping[str, Value]) -> Verdicts:
    """Apply the publisher's rule to the values read from an answer."""
    balances = [each.name for each in problem.targets if is_balance(each.name)]
    known = {**values, **{name: energy_balance_error(name, values) for name in balances}}
    return {each.name: _judge_published(each, known.get(each.name)) for each in problem.targets}


def judge_strict(
    problem: Problem, readings: Mapping[str, StatedValue], relative: float = DEFAULT_RELATIVE
) -> Verdicts:
    """Apply the strict rule: the last statement counts, units count, and the tolerance is relative."""
    verdicts = {each.name: _judge_strict(each, readings.get(each.name), relative) for each in problem.targets}
    left_out = (each.name for each in problem.targets if not is_scored_strictly(each))
    return verdicts | {name: verdicts[name]._replace(status=None) for name in left_out}


def is_scored_strictly(target: Target) -> bool:
    """Whether the strict rule scores a target.

    It does not score closure errors, because these follow from other targets. Nor does it score a key within
    its floor of zero, such as the entropy generation of an ideal pump: any zero would pass.
    """
    if not isinstance(target, NumberTarget):
        return True
    is_zero = abs(target.value or 0.0) <= FLOORS.get(target.unit, 0.0) and target.unit not in ("degC", "K")
    return not (is_balance(target.name) or is_zero)


def _judge_published(target: Target, value: Value | None) -> TargetVerdict:
    if value is None:
        return TargetVerdict(target.weight, "missing", "not found")
    if not isinstance(target, NumberTarget):
        return _verdict(target, _is_phase_of(target, str(value)), str(value))
    tolerance = target.published_tolerance
    assert target.value is not None and tolerance is not None
    difference = abs(float(value) - target.value)
    # the publisher computes in percent; the order of operations decides a tie, so it is the same here
    percent = math.inf if target.value == 0 else abs((float(value) - target.value) / target.value) * 100
    passed = percent <= tolerance.relative * 100 or difference <= tolerance.absolute
    return _verdict(target, passed, f"{value:.6g} for {target.value:.6g}")


def _judge_strict(target: Target, reading: StatedValue | None, relative: float) -> TargetVerdict:
    if reading is None:  # a model that gives no answer is wrong
        return TargetVerdict(target.weight, "missing", "not stated")
    if not isinstance(target, NumberTarget):
        return _verdict(target, _is_phase_of(target, str(reading.value)), str(reading.value), reading)
    value = convert_to_unit(reading, target)
    if value is None:
        return _verdict(target, False, f"{reading.value:.6g} {reading.unit} is no {target.unit}", reading)
    key = target.value or 0.0
    allowed = max(relative * abs(key), FLOORS.get(target.unit, 0.0)) * _ROUNDING
    evidence = f"{value:.6g} for {key:.6g} {target.unit}"
    return _verdict(target, abs(value - key) <= allowed, evidence, StatedValue(value, target.unit))


def _verdict(target: Target, passed: bool, evidence: str, read: StatedValue | None = None) -> TargetVerdict:
    return TargetVerdict(target.weight, "pass" if passed else "out_of_tolerance", evidence, read)


def _is_phase_of(target: Target, phase: str) -> bool:
    """Whether a phase is the target's, in any case and with spaces or underscores."""
    assert isinstance(target, LabelTarget)
    spellings = (phase, target.value, *target.accepted)
    named, *accepted = (each.lower().strip().replace("_", " ") for each in spellings)
    return named in accepted
