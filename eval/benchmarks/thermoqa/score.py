"""ThermoQA scores in two columns: the publisher's rule, and a strict one without its free points.

`published` passes a value within 2 % *or* within an absolute tolerance of 0.5 (0.03 or so for ratios), so
that every specific volume passes whatever is answered. `strict` reads units and converts them, compares
relatively, and keeps an absolute floor only where a value near zero makes a relative test meaningless.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple

from ansatz.eval.benchmarks.thermoqa import published_reading
from ansatz.eval.benchmarks.thermoqa.published_reading import Value, energy_balance_error, is_balance
from ansatz.eval.benchmarks.thermoqa.stated_values import PHASES, from_text, in_unit
from ansatz.eval.problem import LabelTarget, NumberTarget, Problem, Target
from ansatz.eval.score import Dimension, Score, ScoringContext, StatedValue
from ansatz.settings import Share, check_settings

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


@dataclass(frozen=True)
class ThermoQAScore:
    """Scores property, component and cycle questions by the publisher's rule and by the strict one.

    Details: `targets`, by name, each with `weight` and `status` (pass, out_of_tolerance or missing). Those of
    `strict` hold every target, with null as the status of one that the rule leaves out, and the `value` and
    `unit` that our extraction reads: in the target's unit where it converts, null where nothing is stated.
    """

    relative: Share = DEFAULT_RELATIVE

    def __post_init__(self) -> None:
        check_settings(self)

    dimensions: ClassVar[tuple[Dimension, ...]] = (
        Dimension("published", "by the publisher's rule"),
        Dimension("strict", "by the rule that also demands units"),
    )

    async def score(self, context: ScoringContext) -> tuple[Score, ...]:
        problem, transcript = context.problem, context.transcript
        unfit = why_unfit(problem)
        if unfit:
            return tuple(Score(dimension=each.name, value=None, evidence=unfit) for each in self.dimensions)
        readings, about = await _read(context)
        by_publisher = published(problem, published_reading.read(transcript.answer, problem))
        strictly = strict(problem, readings, self.relative)
        read = {each.name: value_in_unit(each, readings.get(each.name)) for each in problem.targets}
        stated = {name: {"value": value, "unit": unit} for name, (value, unit) in read.items()}
        return (
            _score("published", problem, by_publisher, {}),
            _score("strict", problem, strictly, stated, **about),
        )


async def _read(context: ScoringContext) -> tuple[Mapping[str, StatedValue], dict[str, Any]]:
    """What the answer states, by the study's model where it has one and that can read, else by rules."""
    problem, answer = context.problem, context.transcript.answer
    by_rules = from_text(problem, context.transcript.complete_answer)
    if context.read is None or not answer.strip():
        return by_rules, {}
    from ansatz.eval.judging.model_reading import agreement

    extraction = await context.read(problem, answer, PHASES)
    about = {"reading": agreement(problem, extraction, by_rules)}
    return (extraction.values if extraction.status == "ok" else by_rules), about


class JudgedTarget(NamedTuple):
    """What became of one target, and what was compared."""

    status: Status
    evidence: str

    @property
    def passed(self) -> bool:
        return self.status == "pass"


def _judged(passed: bool, evidence: str) -> JudgedTarget:
    return JudgedTarget("pass" if passed else "out_of_tolerance", evidence)


def published(problem: Problem, values: Mapping[str, Value]) -> dict[str, JudgedTarget]:
    """The publisher's test of each target, given the values read from an answer."""
    judged = {}
    for target in problem.targets:
        name = target.name
        value = energy_balance_error(name, values) if is_balance(name) else values.get(name)
        judged[name] = _published(target, value)
    return judged


def strict(
    problem: Problem, readings: Mapping[str, StatedValue], relative: float = DEFAULT_RELATIVE
) -> dict[str, JudgedTarget]:
    """The strict test of each target: last statement wins, units count, relative deviation only."""
    return {
        target.name: _strict(target, readings.get(target.name), relative)
        for target in problem.targets
        if is_scored_strictly(target)
    }


def is_scored_strictly(target: Target) -> bool:
    """Whether the strict rule has a test for a target.

    A closing error is a claim about other targets. A key within its floor of zero (the entropy an ideal pump
    generates) is met by any zero, so that it tells nothing. Both are left out.
    """
    if not isinstance(target, NumberTarget):
        return True
    nothing = abs(target.value or 0.0) <= FLOORS.get(target.unit, 0.0) and target.unit not in ("degC", "K")
    return not (is_balance(target.name) or nothing)


def score_of(statuses: Iterable[tuple[float, Status | None]]) -> float | None:
    """Passed weight over the weight judged, of (weight, status): the plain mean in tier 1, the steps' weights
    in the others. None where nothing is judged."""
    judged = [(weight, status) for weight, status in statuses if status is not None]
    total = sum(weight for weight, _ in judged)
    return sum(weight for weight, status in judged if status == "pass") / total if total else None


def problem_score(problem: Problem, judged: Mapping[str, JudgedTarget]) -> float | None:
    """The score of a question with its targets judged by one rule."""
    return score_of(
        (each.weight, judged[each.name].status) for each in problem.targets if each.name in judged
    )


def why_unfit(problem: Problem) -> str:
    """Why these rules cannot score a problem; empty where they can."""
    for target in problem.targets:
        if isinstance(target, LabelTarget) and target.name == "phase":
            continue
        if not isinstance(target, NumberTarget):
            return f"a {target.kind} target ({target.name}) has no ThermoQA rule"
        if target.value is None or target.tolerance is None:
            return f"the target {target.name} has no value or no tolerance"
    if not any(map(is_scored_strictly, problem.targets)):
        return "every target is left out of the strict score"
    return ""


def _published(target: Target, value: Value | None) -> JudgedTarget:
    if value is None:
        return JudgedTarget("missing", "not found")
    if isinstance(target, LabelTarget):
        return _judged(_names(target, str(value)), str(value))
    if not isinstance(target, NumberTarget) or target.value is None or target.tolerance is None:
        raise TypeError(f"the published rule has no test for the target {target.name!r}")
    difference = abs(float(value) - target.value)
    # the publisher works in percent; the order of operations decides a tie, so it is kept
    percent = math.inf if target.value == 0 else abs((float(value) - target.value) / target.value) * 100
    passed = percent <= target.tolerance.relative * 100 or difference <= target.tolerance.absolute
    return _judged(passed, f"{value:.6g} for {target.value:.6g}")


def _names(target: LabelTarget, phase: str) -> bool:
    accepted = {_spaced(spelling) for spelling in (target.value, *target.accepted)}
    return _spaced(phase) in accepted


def _spaced(phase: str) -> str:
    return phase.lower().strip().replace("_", " ")


def _strict(target: Target, reading: StatedValue | None, relative: float) -> JudgedTarget:
    if reading is None:  # a model that gives no answer is wrong
        return JudgedTarget("missing", "not stated")
    if isinstance(target, LabelTarget):
        return _judged(_names(target, str(reading.value)), str(reading.value))
    assert isinstance(target, NumberTarget) and target.value is not None
    value = in_unit(reading, target)
    if value is None:
        return _judged(False, f"{reading.value:.6g} {reading.unit} is no {target.unit}")
    allowed = max(relative * abs(target.value), FLOORS.get(target.unit, 0.0)) * _ROUNDING
    shown = f"{value:.6g} for {target.value:.6g} {target.unit}"
    return _judged(abs(value - target.value) <= allowed, shown)


def value_in_unit(target: Target, reading: StatedValue | None) -> tuple[Value | None, str]:
    """The value read, in the target's unit where it converts, else as written; and its unit."""
    if reading is None or not isinstance(target, NumberTarget):
        return (reading.value if reading else None), ""
    converted = in_unit(reading, target)
    return (reading.value, reading.unit) if converted is None else (converted, target.unit)


def _score(
    dimension: str,
    problem: Problem,
    judged: Mapping[str, JudgedTarget],
    stated: Mapping[str, Mapping[str, Any]],
    **about: Any,
) -> Score:
    fates = [
        f"{name}: {'pass' if each.passed else 'fail'} ({each.evidence})" for name, each in judged.items()
    ]
    statuses = {name: each.status for name, each in judged.items()}
    targets = {
        each.name: {"weight": each.weight, "status": statuses.get(each.name), **stated.get(each.name, {})}
        for each in problem.targets
    }
    return Score(
        dimension=dimension,
        value=problem_score(problem, judged),
        evidence="; ".join(fates),
        details={"targets": targets, **about},
    )
