"""A run's PhysBench attempts with their P-REFS marks, and what sections ask of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from ansatz.eval import Problem
from ansatz.eval.benchmarks.physbench.answer_template import Part
from ansatz.eval.benchmarks.physbench.prefs_rubric import (
    CRITERIA,
    criteria_of,
    is_conceptual,
    names_of,
    part_share,
)
from ansatz.eval.statistics import Scores
from ansatz.experiments.report.systems import System, Systems
from ansatz.experiments.report.table import ReportData

BENCHMARK = "physbench"
KINDS = {"problem_solving": "problem solving", "conceptual": "conceptual"}
PART_NAMES: Mapping[Part, str] = {
    "formulation": "part 1: formulation",
    "solution": "part 2: solution",
    "final": "part 3: final answer",
}
_PREFIXES = {"prefs.": "by a judge", "prefs_rules.": "by rules"}  # the first that a run has counts

Values = Mapping[str, float | None]


@dataclass(frozen=True)
class Marked:
    """One attempt with its stored values by bare name: score, relevance, INT, …; None where unscored."""

    problem: Problem
    repeat: int
    values: Values

    def part(self, part: Part) -> float | None:
        return part_share(part, self.values, conceptual=is_conceptual(self.problem))

    def is_full(self, *parts: Part) -> float | None:
        """1 where every criterion of these parts has full marks, 0 where one lacks some, None if unknown.

        A criterion without a mark stands for one that this problem has nothing to judge on, unless nothing
        is known of the whole.
        """
        names = [each.name for each in criteria_of(self.problem) if each.part in parts]
        known = [value for name in names if (value := self.values.get(name)) is not None]
        if self.values.get("fully_correct") is None or not known:
            return None
        return float(all(value == 1.0 for value in known))


class PhysBenchRun(Systems):
    """Attempts at PhysBench problems by system, marked by a judge where there is one, else by rules."""

    def __init__(self, data: ReportData) -> None:
        self.problems = {id: each for id, each in data.problems.items() if each.benchmark == BENCHMARK}
        super().__init__(data, {id: problem.family for id, problem in self.problems.items()})
        held = [prefix for prefix in _PREFIXES if f"{prefix}score" in data.dimensions]
        self.prefix = held[0] if held else ""
        self.marked_how = _PREFIXES.get(self.prefix, "")
        self.kinds = tuple(
            kind for kind in KINDS if any(each.tags.get("kind") == kind for each in self.problems.values())
        )

    @property
    def marked(self) -> bool:
        """Whether any attempt has a mark."""
        return bool(self.prefix) and any(
            value is not None
            for attempts in self.attempts.values()
            for each in attempts
            for name, value in each.values.items()
            if name in CRITERIA
        )

    @cached_property
    def attempts(self) -> dict[System, list[Marked]]:
        """Every attempt by its system; one that failed has no values."""
        found: defaultdict[tuple[System, str, int], dict[str, float | None]] = defaultdict(dict)
        for dimension in names_of(self.prefix):
            name = dimension.removeprefix("error.").removeprefix(self.prefix)
            for system in self.systems:
                for cell in self.data.grouped.get((system.model, system.arm, dimension), ()):
                    if cell.problem in self.problems:
                        found[system, cell.problem, cell.repeat][name] = cell.value
        by_system: dict[System, list[Marked]] = {system: [] for system in self.systems}
        for (system, problem, repeat), values in found.items():
            by_system[system].append(Marked(self.problems[problem], repeat, values))
        return by_system

    def of(self, system: System, kind: str | None = None) -> Iterator[Marked]:
        """The attempts of a system, at questions of one kind or at all."""
        for each in self.attempts[system]:
            if kind is None or each.problem.tags.get("kind") == kind:
                yield each

    def scores(self, system: System, name: str, kind: str | None = None) -> Scores:
        """Stored values by problem, one a repeat."""
        return by_problem((each, each.values.get(name)) for each in self.of(system, kind))

    def part_scores(self, system: System, part: Part, kind: str | None = None) -> Scores:
        return by_problem((each, each.part(part)) for each in self.of(system, kind))

    def measured(self, system: System, kind: str, measure: Callable[[Marked], float | None]) -> Scores:
        """Whatever can be said of an attempt, by problem."""
        return by_problem((each, measure(each)) for each in self.of(system, kind))

    def kinds_with(self, name: str) -> tuple[str, ...]:
        """The kinds of questions on which any attempt has a value."""
        return tuple(
            kind
            for kind in self.kinds
            if any(each.values.get(name) is not None for s in self.systems for each in self.of(s, kind))
        )

    @property
    def said(self) -> str:
        """How marks came about, for captions."""
        return f", marked {self.marked_how}{self.simulated}"


def by_problem(values: Iterable[tuple[Marked, float | None]]) -> Scores:
    """Values of attempts, grouped by problem in the order of the repeats."""
    found: defaultdict[str, list[float | None]] = defaultdict(list)
    for marked, value in values:
        found[marked.problem.id].append(value)
    return found
