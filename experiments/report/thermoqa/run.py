"""A run's ThermoQA attempts, judged step by step, and the means and differences that sections ask for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

from ansatz.eval import Problem
from ansatz.eval.benchmarks.thermoqa.analysis import Kind, Rule, Step, judge_steps, question_score
from ansatz.eval.statistics import Scores
from ansatz.experiments.report.systems import System, Systems
from ansatz.experiments.report.table import Attempt, ReportData

BENCHMARK = "thermoqa"
FIRST: Rule = "strict"  # what figures and analyses are about, where one rule has to be chosen


@dataclass(frozen=True)
class Judged:
    """One attempt with its steps; None where it failed."""

    attempt: Attempt
    problem: Problem
    steps: tuple[Step, ...] | None

    def score(self, rule: Rule, kind: Kind | None = None) -> float | None:
        """The question's score, or that of its steps of one kind; None where there is nothing to judge."""
        return None if self.steps is None else question_score(self.steps, rule, kind)


class ThermoQARun(Systems):
    """Attempts at ThermoQA problems by system. Tiers are numbers as text, as the problems are tagged."""

    def __init__(self, data: ReportData) -> None:
        self.problems = {id: each for id, each in data.problems.items() if each.benchmark == BENCHMARK}
        super().__init__(data, {id: problem.family for id, problem in self.problems.items()})
        self.tiers = tuple(sorted({str(problem.tags["tier"]) for problem in self.problems.values()}))
        self.repeats = tuple(sorted({each.repeat for each in data.attempts}))

    @cached_property
    def judged(self) -> dict[System, list[Judged]]:
        """Every attempt by its system; equal answers to a problem are judged once."""
        known: dict[tuple[str, str], tuple[Step, ...]] = {}
        found: dict[System, list[Judged]] = {system: [] for system in self.systems}
        for attempt in self.data.attempts:
            problem = self.problems.get(attempt.problem)
            if problem is None:
                continue
            steps = None
            if attempt.answer is not None:
                key = (attempt.problem, attempt.answer)
                if key not in known:
                    known[key] = judge_steps(problem, attempt.answer)
                steps = known[key]
            found[System(attempt.model, attempt.arm)].append(Judged(attempt, problem, steps))
        return found

    def of(self, system: System, tier: str | None = None) -> Iterator[Judged]:
        """The attempts of a system, at the problems of one tier or at all."""
        for each in self.judged[system]:
            if tier is None or each.problem.tags["tier"] == tier:
                yield each

    def answered(self, system: System, tier: str | None = None) -> Iterator[tuple[Judged, tuple[Step, ...]]]:
        """The attempts that did not fail, with their steps."""
        for each in self.of(system, tier):
            if each.steps is not None:
                yield each, each.steps

    def scores(
        self, system: System, tier: str | None = None, rule: Rule = FIRST, kind: Kind | None = None
    ) -> Scores:
        """Scores by problem, one a repeat."""
        return by_problem((each, each.score(rule, kind)) for each in self.of(system, tier))


def by_problem(values: Iterable[tuple[Judged, float | None]]) -> Scores:
    """Values of attempts, grouped by problem in the order of the repeats."""
    found: defaultdict[str, list[float | None]] = defaultdict(list)
    for judged, value in values:
        found[judged.attempt.problem].append(value)
    return found
