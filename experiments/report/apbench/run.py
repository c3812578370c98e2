"""A run's APBench attempts: their scores by system, rule and tag, and which arms differ by asking alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Literal

from ansatz.eval import Problem
from ansatz.eval.problem import MessageTarget
from ansatz.eval.statistics import Scores
from ansatz.experiments.report.systems import System, Systems
from ansatz.experiments.report.table import Attempt, ReportData

BENCHMARK = "apbench"
PROGRESSIVE = "progressive"
Rule = Literal["published", "strict"]
RULES: tuple[Rule, ...] = ("published", "strict")

Wanted = Callable[[Problem], bool]


class APBenchRun(Systems):
    """Attempts at APBench questions. Positions are numbers from 1, topics the tags of our own sets."""

    def __init__(self, data: ReportData) -> None:
        self.problems = {id: each for id, each in data.problems.items() if each.benchmark == BENCHMARK}
        super().__init__(data, {id: problem.family for id, problem in self.problems.items()})

    @property
    def is_scored(self) -> bool:
        cells = (cell for cell in self.data.cells if cell.problem in self.problems)
        return any(cell.dimension in RULES and cell.value is not None for cell in cells)

    def scores(self, system: System, dimension: str, wanted: Wanted = lambda problem: True) -> Scores:
        """Scores by problem on a dimension, one a repeat, of the problems that are wanted."""
        found: defaultdict[str, list[float | None]] = defaultdict(list)
        for cell in self.data.grouped.get((system.model, system.arm, dimension), ()):
            problem = self.problems.get(cell.problem)
            if problem is not None and wanted(problem):
                found[cell.problem].append(cell.value)
        return found

    def answered(self, system: System) -> Iterator[tuple[Attempt, Problem, str]]:
        """The attempts of a system that did not fail, with their answers."""
        for attempt in self.data.attempts:
            problem = self.problems.get(attempt.problem)
            if problem is None or attempt.answer is None:
                continue
            if (attempt.model, attempt.arm) == (system.model, system.arm):
                yield attempt, problem, attempt.answer

    def pairs(self) -> list[tuple[System, System]]:
        """Each independent system with the progressive one that is otherwise the same."""
        switches = self.data.switches
        return [
            (System(model, arm), System(model, other))
            for model in self.data.models
            for arm in self.data.arms
            for other in self.data.arms
            if PROGRESSIVE not in switches.get(arm, ())
            and switches.get(other) == switches.get(arm, frozenset()) | {PROGRESSIVE}
        ]

    def tag_values(self, tag: str) -> list[str]:
        """The values of a tag in the order of the questions; empty where no question has it."""
        found = (str(problem.tags[tag]) for problem in self.problems.values() if tag in problem.tags)
        return list(dict.fromkeys(found))

    @property
    def positions(self) -> list[int]:
        return sorted({position(problem) for problem in self.problems.values()})


def position(problem: Problem) -> int:
    """The place of a question in its set, from 1."""
    return int(str(problem.tags["position"]))


def is_message(problem: Problem) -> bool:
    return isinstance(problem.targets[0], MessageTarget)


def count(scores: Scores) -> int:
    """The questions with a score."""
    return sum(any(value is not None for value in values) for values in scores.values())
