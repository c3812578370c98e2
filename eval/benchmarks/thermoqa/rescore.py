"""Scores stored answers: by both rules, from the text with and without its units, and from `extracted`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from ansatz.eval.benchmarks.thermoqa.balance import is_balance
from ansatz.eval.benchmarks.thermoqa.combination import WAYS, combine
from ansatz.eval.benchmarks.thermoqa.extraction import Reading, from_text
from ansatz.eval.benchmarks.thermoqa.judgement import ItemJudgement, judge, unit_aware, unit_blind
from ansatz.eval.benchmarks.thermoqa.published_reading import Value
from ansatz.eval.benchmarks.thermoqa.responses import Response
from ansatz.eval.benchmarks.thermoqa.score import Judged, published, strict_of
from ansatz.eval.problem import NumberTarget, Problem

RULES = ("published", "strict")
SOURCES = ("from_text", "unit_blind", "from_extracted")
Column = tuple[str, str]
"""A rule and a source; where two extractions are combined, the ways to do so are sources too."""


@dataclass(frozen=True)
class Item:
    """One target of one answer: whether it passed, by column.

    A column is missing where there is nothing to judge: no such source, or a target its rule leaves out.
    `free` marks a target that the published rule passes for the answer 0.
    """

    judgement: ItemJudgement
    passed: Mapping[Column, bool]
    free: bool


@dataclass(frozen=True)
class Rescored:
    """One answered question."""

    problem: Problem
    items: tuple[Item, ...]

    def score(self, column: Column, with_free: bool = True) -> float | None:
        """Passed weight over the weight judged in a column; None where nothing is judged."""
        judged = [
            (item.judgement.weight, item.passed[column])
            for item in self.items
            if column in item.passed and (with_free or not item.free)
        ]
        total = sum(weight for weight, _ in judged)
        return sum(weight for weight, passed in judged if passed) / total if total else None


def rescore(problem: Problem, response: Response, second: Mapping[str, Reading] | None = None) -> Rescored:
    """One answer scored in every column there is material for.

    `second` is another extraction of its text; the two are then combined in each of the ways there are.
    """
    first = from_text(problem, response.text or "", response.reasoning)
    columns: dict[Column, Mapping[str, Judged]] = {}
    if response.text is not None:
        columns |= _of_readings(problem, first, "from_text")
        bare = {name: replace(reading, unit="") for name, reading in first.items()}
        columns["published", "unit_blind"] = published(problem, unit_blind(problem, first))
        columns["strict", "unit_blind"] = strict_of(problem, bare)
    if response.extracted is not None:
        columns["published", "from_extracted"] = published(problem, response.extracted)
        columns["strict", "from_extracted"] = strict_of(problem, _as_readings(response.extracted))
    if second is not None and response.text is not None:
        for way in WAYS:
            columns |= _of_readings(problem, combine(way, problem, first, second), way)
    return _assembled(problem, first, columns)


def _of_readings(
    problem: Problem, readings: Mapping[str, Reading], source: str
) -> dict[Column, Mapping[str, Judged]]:
    """Both rules on readings, as the columns of a source."""
    return {
        ("published", source): published(problem, unit_aware(problem, readings)),
        ("strict", source): strict_of(problem, readings),
    }


def _assembled(
    problem: Problem, readings: Mapping[str, Reading], columns: Mapping[Column, Mapping[str, Judged]]
) -> Rescored:
    """The columns turned into items."""
    free = free_items(problem)
    items = (
        Item(
            judgement,
            {
                key: judged[judgement.name].passed
                for key, judged in columns.items()
                if judgement.name in judged
            },
            judgement.name in free,
        )
        for judgement in judge(problem, readings)
    )
    return Rescored(problem, tuple(items))


def free_items(problem: Problem) -> frozenset[str]:
    """The targets that the published rule passes for the answer 0, such as any specific volume."""
    zeros: dict[str, Value] = {
        target.name: 0.0
        for target in problem.targets
        if isinstance(target, NumberTarget) and not is_balance(target.name)
    }
    return frozenset(name for name, judged in published(problem, zeros).items() if judged.passed)


def lacks_reference_state(problem: Problem) -> bool:
    """Whether a refrigerant's question leaves its reference state open: the key is then one of several."""
    fluid = str(problem.tags.get("fluid", ""))
    words = ("reference", "iir", "ashrae", "nbp")
    return fluid.lower().startswith("r") and not any(word in problem.question.lower() for word in words)


def _as_readings(values: Mapping[str, Value]) -> dict[str, Reading]:
    return {name: Reading(value, "", "extracted") for name, value in values.items()}
