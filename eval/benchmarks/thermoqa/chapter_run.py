"""A run's attempts at ThermoQA questions: the fate of every step, as it was judged, and scores in columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property

import numpy as np

from ansatz.eval.benchmarks.thermoqa.steps import (
    KINDS,
    RULES,
    JudgedStep,
    Kind,
    Rule,
    contribution,
    question_score,
)
from ansatz.eval.problem import Problem
from ansatz.eval.views.attempts import Floats, Mask
from ansatz.eval.views.results import Cut, Results
from ansatz.eval.views.tabulation import Row, Rows

FIRST: Rule = "strict"  # what figures and analyses are about, where one rule has to be chosen

Steps = tuple[JudgedStep, ...]


class ThermoQARun:
    """Attempts at ThermoQA problems. Tiers are numbers as text, as the problems are tagged."""

    def __init__(self, data: Results) -> None:
        self.data = data
        self.part = data.of_benchmarks("thermoqa")
        self.problems = [problem for problem in data.asked if problem.benchmark == "thermoqa"]
        found = sorted({str(problem.tags["tier"]) for problem in self.problems})
        self.tiers: dict[str, Mask] = {tier: self.part & data.tagged("tier", tier) for tier in found}
        self.repeats = np.unique(data.attempts.repeat[self.part]).tolist()
        self.cuts = data.cuts(self.part)

    @cached_property
    def steps(self) -> dict[int, Steps]:
        """By attempt that did not fail, its steps in the order of the key."""
        found = {}
        for row, (strict, published) in self.data.details(self.part, "strict", "published"):
            passed = {name: each["status"] for name, each in published.get("targets", {}).items()}
            found[row] = tuple(
                JudgedStep(name, each["weight"], each["value"], passed[name], each["status"])
                for name, each in strict.get("targets", {}).items()
            )
        return {row: steps for row, steps in found.items() if steps}

    def measure(self, of: Callable[[Problem, Steps], float | None]) -> Floats:
        """What to make of each attempt that did not fail."""
        return self.data.measure(
            lambda row: of(self.problem_of(row), self.steps[row]) if row in self.steps else None, self.part
        )

    @cached_property
    def scores(self) -> dict[tuple[Rule, Kind | None], Floats]:
        """By rule and kind of steps, or all of them, what each question scored."""
        return {
            (rule, kind): self.measure(lambda _, steps, at=(rule, kind): question_score(steps, *at))  # type: ignore[misc]
            for rule in RULES
            for kind in (None, *KINDS)
        }

    @property
    def score(self) -> Floats:
        return self.scores[FIRST, None]

    @cached_property
    def parts(self) -> dict[Kind, Floats]:
        """What steps of a kind add to each attempt's score."""
        return {
            kind: self.measure(lambda _, steps, kind=kind: contribution(steps, FIRST, kind))  # type: ignore[misc]
            for kind in KINDS
        }

    def places(self) -> dict[str, Mask]:
        """The tiers by how they are headed, and all of them together where there are several."""
        places = {f"tier {tier}": mask for tier, mask in self.tiers.items()}
        return {**places, "all tiers": self.part} if len(places) > 1 else places

    def by_tier(self, head: str = "system") -> Rows:
        """A row for every tier and system."""
        rows = [
            Row((tier, cut.label), cut.where(mask), tier)
            for tier, mask in self.tiers.items()
            for cut in self.cuts
        ]
        return Rows(self.data, ["tier", head], rows)

    def problem_of(self, row: int) -> Problem:
        return self.data.asked[int(self.data.attempts.problem[row])]

    def answered(self, cut: Cut) -> Iterator[tuple[Problem, Steps]]:
        """The attempts that did not fail, with their steps."""
        for row in cut.rows.tolist():
            if row in self.steps:
                yield self.problem_of(row), self.steps[row]

    def asked(self, tier: str) -> list[Problem]:
        return [problem for problem in self.problems if problem.tags["tier"] == tier]

    def values_of(self, tier: str, tag: str) -> list[str]:
        """What a tag says on a tier, in alphabetical order."""
        return sorted({str(problem.tags[tag]) for problem in self.asked(tier)})
