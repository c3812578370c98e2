"""What became of each target of a question: the value read, and its status under both rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ansatz.eval.benchmarks.thermoqa.extraction import Reading, from_text, in_unit
from ansatz.eval.benchmarks.thermoqa.published_reading import Value, guessed
from ansatz.eval.benchmarks.thermoqa.questions import published_key
from ansatz.eval.benchmarks.thermoqa.score import Judged, Status, published, strict_of, value_in_unit
from ansatz.eval.problem import LabelTarget, NumberTarget, Problem, Target

__all__ = ["ItemJudgement", "Status", "judge", "judge_answer", "score_of", "unit_aware", "unit_blind"]


@dataclass(frozen=True)
class ItemJudgement:
    """One target of one answer.

    `key` is its published name. `value` is in `unit`: the target's, or that which is written where it does
    not convert; None where the answer states nothing. `strict` is None where that rule leaves the target out.
    """

    name: str
    key: str
    weight: float
    expected: float | str
    value: float | str | None
    unit: str
    published: Status
    strict: Status | None
    evidence: str


def judge_answer(problem: Problem, answer: str, reasoning: str = "") -> tuple[ItemJudgement, ...]:
    """Every target of a problem, in its order, as an answer's text meets it under both rules.

    Where the answer is silent, the published rule accepts what its `reasoning` states; the strict does not.
    """
    return judge(problem, from_text(problem, answer, reasoning))


def judge(problem: Problem, readings: Mapping[str, Reading]) -> tuple[ItemJudgement, ...]:
    """As `judge_answer`, of readings already made."""
    by_publisher = published(problem, unit_aware(problem, readings))
    strictly = strict_of(problem, readings)
    return tuple(
        _item(
            problem, target, readings.get(target.name), by_publisher[target.name], strictly.get(target.name)
        )
        for target in problem.targets
    )


def unit_aware(problem: Problem, readings: Mapping[str, Reading]) -> dict[str, Value]:
    """The values read in the units of the targets; the publisher guesses those without a unit that fits."""
    values = unit_blind(problem, readings)
    for target in problem.targets:
        reading = readings.get(target.name)
        if reading and reading.unit and isinstance(target, NumberTarget):
            converted = in_unit(reading, target)
            values[target.name] = values[target.name] if converted is None else converted
    return values


def unit_blind(problem: Problem, readings: Mapping[str, Reading]) -> dict[str, Value]:
    """The bare numbers read, with the publisher's guesses at their units from their sizes alone."""
    tier = str(problem.tags.get("tier", "1"))
    text = " ".join(reading.unit for reading in readings.values())
    return {
        name: reading.value if isinstance(reading.value, str) else guessed(reading.value, name, tier, text)
        for name, reading in readings.items()
    }


def score_of(statuses: Iterable[tuple[float, Status | None]]) -> float | None:
    """Passed weight over the weight judged, of (weight, status); None where nothing is judged."""
    judged = [(weight, status) for weight, status in statuses if status is not None]
    total = sum(weight for weight, _ in judged)
    return sum(weight for weight, status in judged if status == "pass") / total if total else None


def _item(
    problem: Problem, target: Target, reading: Reading | None, published: Judged, strictly: Judged | None
) -> ItemJudgement:
    assert isinstance(target, NumberTarget | LabelTarget) and target.value is not None
    value, unit = value_in_unit(target, reading)
    return ItemJudgement(
        name=target.name,
        key=published_key(problem, target),
        weight=target.weight,
        expected=target.value,
        value=value,
        unit=unit,
        published=published.status,
        strict=strictly.status if strictly else None,
        evidence=reading.evidence if reading else "",
    )
