"""ThermoQA scores in two columns: the publisher's rule, and a strict one without its free points.

`published` passes a value within 2 % *or* within an absolute tolerance of 0.5 (0.03 or so for ratios), so
that every specific volume passes whatever is answered. It reads values with the publisher's regular
expressions. The verdict that the publisher reports rests on values that a model read; the two agree on about
95 % of items. `strict` reads units and converts them, compares
relatively, and keeps an absolute floor only where a value near zero makes a relative test meaningless.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any, ClassVar, Literal, NamedTuple

from ansatz.eval.benchmarks.thermoqa import published_reading
from ansatz.eval.benchmarks.thermoqa.published_reading import Value, energy_balance_error, is_balance
from ansatz.eval.benchmarks.thermoqa.stated_values import PHASES, from_text, in_unit
from ansatz.eval.problem import LabelTarget, NumberTarget, Problem, Target
from ansatz.eval.score import Dimension, Score, Scorer, ScoringContext, StatedValue
from ansatz.settings import Share, settings

FLOORS = {
    "kJ/kg": 0.05,  # steam tables print enthalpies to 0.1 kJ/kg
    "kJ/(kg*K)": 0.00005,  # and entropies to 0.0001 kJ/(kg K)
    "degC": 0.05,  # 0 °C is a point of the scale, not no temperature; tables print 0.1 K
    "K": 0.05,
    "-": 0.0005,  # qualities and efficiencies are read from tables to three decimals
}
"""Absolute floors of the strict test: half of the last digit that printed tables give, in the target's unit.

Below it two careful readers of one table may differ. Volumes, densities, pressures, speeds, flows and powers
are never near zero in any unit that is natural to them, so that they have none.
"""

DEFAULT_RELATIVE = 0.02
_ROUNDING = 1 + 1e-12  # a deviation of exactly the tolerance passes

Status = Literal["pass", "out_of_tolerance", "missing"]


class JudgedTarget(NamedTuple):
    """What became of one target, and what was compared; no status where the rule has no test for it.

    `read` is what the strict rule read, in the target's unit where it converts.
    """

    weight: float
    status: Status | None
    evidence: str = ""
    read: StatedValue | None = None

    @property
    def passed(self) -> bool:
        return self.status == "pass"


Judged = Mapping[str, JudgedTarget]


@settings()
class ThermoQAScore(Scorer):
    """Scores property, component and cycle questions by the publisher's rule and by the strict one.

    Details: `targets`, by name, each with `weight` and `status` (pass, out_of_tolerance or missing). Those of
    `strict` hold every target, with null as the status of one that the rule leaves out, and the `value` and
    `unit` that our extraction reads: in the target's unit where it converts, null where nothing is stated.
    """

    relative: Share = DEFAULT_RELATIVE

    dimensions: ClassVar[tuple[Dimension, ...]] = (
        Dimension("published", "by the publisher's regular expressions, not the publisher's verdict"),
        Dimension("strict", "by the rule that also demands units"),
    )

    async def score(self, context: ScoringContext) -> tuple[Score, ...]:
        problem, answer = context.problem, context.transcript.answer
        unfit = why_unfit(problem)
        if unfit:
            return tuple(Score(dimension=each.name, value=None, evidence=unfit) for each in self.dimensions)
        readings, about = await _read(context)
        by_publisher = published(problem, published_reading.read(answer, problem))
        strictly = strict(problem, readings, self.relative)
        nothing = {"value": None, "unit": ""}
        read = {name: asdict(one.read) if one.read else nothing for name, one in strictly.items()}
        return _score("published", by_publisher, {}), _score("strict", strictly, read, **about)


async def _read(context: ScoringContext) -> tuple[Mapping[str, StatedValue], dict[str, Any]]:
    """What the answer states, by the study's model where it has one and that can read, else by rules."""
    problem, answer = context.problem, context.transcript.answer
    by_rules = from_text(problem, context.transcript.complete_answer)
    if context.read is None or not answer.strip():
        return by_rules, {}
    from ansatz.eval.judging.model_reading import compare_with_rules

    extraction = await context.read(problem, answer, PHASES)
    about = {"reading": compare_with_rules(problem, extraction, by_rules)}
    return (extraction.values if extraction.status == "ok" else by_rules), about


def _score(dimension: str, judged: Judged, read: Mapping[str, Mapping[str, Any]], **about: Any) -> Score:
    tested = {name: one for name, one in judged.items() if one.status}
    fates = [f"{name}: {'pass' if one.passed else 'fail'} ({one.evidence})" for name, one in tested.items()]
    targets = {
        name: {"weight": one.weight, "status": one.status, **read.get(name, {})}
        for name, one in judged.items()
    }
    return Score(
        dimension=dimension,
        value=score_of(judged.values()),
        evidence="; ".join(fates),
        details={"targets": targets, **about},
    )


def score_of(judged: Iterable[JudgedTarget]) -> float | None:
    """Passed weight over the weight judged: the plain mean in tier 1, the steps' weights in the others. None
    where nothing is judged."""
    known = [each for each in judged if each.status]
    total = sum(each.weight for each in known)
    return sum(each.weight for each in known if each.passed) / total if total else None


def why_unfit(problem: Problem) -> str:
    """Why these rules cannot score a problem; empty where they can."""
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


def published(problem: Problem, values: Mapping[str, Value]) -> Judged:
    """The publisher's test of each target, given the values read from an answer."""
    balances = [each.name for each in problem.targets if is_balance(each.name)]
    known = {**values, **{name: energy_balance_error(name, values) for name in balances}}
    return {each.name: _published(each, known.get(each.name)) for each in problem.targets}


def strict(
    problem: Problem, readings: Mapping[str, StatedValue], relative: float = DEFAULT_RELATIVE
) -> Judged:
    """The strict test of each target: last statement wins, units count, relative deviation only."""
    judged = {each.name: _strict(each, readings.get(each.name), relative) for each in problem.targets}
    left_out = (each.name for each in problem.targets if not is_scored_strictly(each))
    return judged | {name: judged[name]._replace(status=None) for name in left_out}


def is_scored_strictly(target: Target) -> bool:
    """Whether the strict rule has a test for a target.

    A closing error is a claim about other targets. A key within its floor of zero (the entropy an ideal pump
    generates) is met by any zero, so that it tells nothing. Both are left out.
    """
    if not isinstance(target, NumberTarget):
        return True
    nothing = abs(target.value or 0.0) <= FLOORS.get(target.unit, 0.0) and target.unit not in ("degC", "K")
    return not (is_balance(target.name) or nothing)


def _published(target: Target, value: Value | None) -> JudgedTarget:
    if value is None:
        return JudgedTarget(target.weight, "missing", "not found")
    if not isinstance(target, NumberTarget):
        return _judged(target, _names(target, str(value)), str(value))
    tolerance = target.published_tolerance
    assert target.value is not None and tolerance is not None
    difference = abs(float(value) - target.value)
    # the publisher works in percent; the order of operations decides a tie, so it is kept
    percent = math.inf if target.value == 0 else abs((float(value) - target.value) / target.value) * 100
    passed = percent <= tolerance.relative * 100 or difference <= tolerance.absolute
    return _judged(target, passed, f"{value:.6g} for {target.value:.6g}")


def _strict(target: Target, reading: StatedValue | None, relative: float) -> JudgedTarget:
    if reading is None:  # a model that gives no answer is wrong
        return JudgedTarget(target.weight, "missing", "not stated")
    if not isinstance(target, NumberTarget):
        return _judged(target, _names(target, str(reading.value)), str(reading.value), reading)
    value = in_unit(reading, target)
    if value is None:
        return _judged(target, False, f"{reading.value:.6g} {reading.unit} is no {target.unit}", reading)
    wanted = target.value or 0.0
    allowed = max(relative * abs(wanted), FLOORS.get(target.unit, 0.0)) * _ROUNDING
    shown = f"{value:.6g} for {wanted:.6g} {target.unit}"
    return _judged(target, abs(value - wanted) <= allowed, shown, StatedValue(value, target.unit))


def _judged(target: Target, passed: bool, evidence: str, read: StatedValue | None = None) -> JudgedTarget:
    return JudgedTarget(target.weight, "pass" if passed else "out_of_tolerance", evidence, read)


def _names(target: Target, phase: str) -> bool:
    """Whether a phase is the target's, however it is spaced."""
    assert isinstance(target, LabelTarget)
    spellings = (phase, target.value, *target.accepted)
    named, *accepted = (each.lower().strip().replace("_", " ") for each in spellings)
    return named in accepted
