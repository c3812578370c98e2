"""A run's attempts at TPBench problems: values, outcomes and grades by system and level."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cached_property

from ansatz.eval.benchmarks.tpbench import BENCHMARK
from ansatz.eval.benchmarks.tpbench.grading import Grade, grade_of
from ansatz.eval.benchmarks.tpbench.records import LEVELS
from ansatz.eval.benchmarks.tpbench.verification import Outcome, outcome_of
from ansatz.experiments.report.systems import System, Systems
from ansatz.experiments.report.table import Cell, ReportData

__all__ = ["ALL", "AUTO", "BENCHMARK", "GRADINGS", "TPBenchRun"]

AUTO = "auto"
GRADINGS = {"grade.informed": "informed of the verification", "grade.blind": "not informed"}
ALL = "all"  # the levels together

Place = tuple[str, str, str, int]
"""Model, arm, problem and repeat: one attempt."""


class TPBenchRun(Systems):
    """`levels` are those that the problems have, from 1 to 5 as text, and all of them together."""

    def __init__(self, data: ReportData) -> None:
        self.problems = {id: each for id, each in data.problems.items() if each.benchmark == BENCHMARK}
        super().__init__(data, {id: problem.family for id, problem in self.problems.items()})
        tagged = {str(problem.tags.get("level", "")) for problem in self.problems.values()}
        found = [level for level in LEVELS if level in tagged]
        self.levels = (*found, ALL) if len(found) != 1 else tuple(found)

    def level_name(self, level: str) -> str:
        return level if level == ALL else f"{level}: {LEVELS[level]}"

    def at(self, level: str) -> list[str]:
        """The ids of the problems of a level."""
        return [
            id for id, problem in self.problems.items() if level == ALL or problem.tags.get("level") == level
        ]

    def cells(self, system: System, dimension: str) -> Iterator[Cell]:
        for cell in self.data.grouped.get((system.model, system.arm, dimension), ()):
            if cell.problem in self.problems:
                yield cell

    def attempts(self, system: System, level: str) -> dict[str, list[float | None]]:
        """Auto-verified values by problem of a level, one an attempt."""
        wanted = set(self.at(level))
        found: defaultdict[str, list[float | None]] = defaultdict(list)
        for cell in self.cells(system, AUTO):
            if cell.problem in wanted:
                found[cell.problem].append(cell.value)
        return dict(found)

    @cached_property
    def outcomes(self) -> Mapping[Place, Outcome]:
        """The outcome of every attempt that was verified."""
        found = {}
        for system in self.systems:
            for cell in self.cells(system, AUTO):
                if (outcome := outcome_of(cell.evidence)) is not None:
                    found[_place(cell)] = outcome
        return found

    def grades(self, dimension: str) -> Mapping[Place, Grade]:
        """The grade of every attempt that was graded."""
        found = {}
        for system in self.systems:
            for cell in self.cells(system, dimension):
                if (grade := grade_of(cell.evidence)) is not None:
                    found[_place(cell)] = grade
        return found

    @cached_property
    def repeats(self) -> int:
        """The most scored attempts that any problem has in any arm: the k of avg@k and best@k."""
        counts = [
            sum(value is not None for value in values)
            for system in self.systems
            for values in self.attempts(system, ALL).values()
        ]
        return max(counts, default=0)


def _place(cell: Cell) -> Place:
    return cell.model, cell.arm, cell.problem, cell.repeat
