"""A run's attempts at ThermoQA questions: the fate of every step, as it was judged, and scores in columns."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np

from ansatz.eval.benchmarks.thermoqa.published_reading import Value
from ansatz.eval.benchmarks.thermoqa.score import Status, score_of
from ansatz.eval.problem import Problem
from ansatz.eval.views.attempts import Floats, Mask
from ansatz.eval.views.results import BenchmarkRun, Results
from ansatz.eval.views.tabulation import Row, Rows

Rule = Literal["strict", "published"]
Kind = Literal["property", "reasoning"]

RULES: tuple[Rule, ...] = ("strict", "published")
KINDS: tuple[Kind, ...] = ("property", "reasoning")
FIRST: Rule = "strict"  # what figures and analyses are about, where one rule has to be chosen

_PLACE = r"(_?(f|g|sat|\d+s?|in|out|[hc]_(in|out)))?"
_PROPERTY = re.compile(rf"(h|s|u|v|rho|T|P|x|ef){_PLACE}|phase")
_GROUPS = {  # by tier: tags, and what they are called there
    "1": {"category": "category"},
    "2": {"category": "component", "subcategory": "depth", "fluid": "fluid"},
    "3": {"category": "cycle", "subcategory": "depth", "fluid": "fluid"},
}


@dataclass(frozen=True)
class JudgedStep:
    """One target of a question with what became of it.

    `value` is what our extraction reads, in the target's unit where it converts; None where the answer states
    nothing. `strict` is None where that rule leaves the target out.
    """

    name: str
    weight: float
    value: Value | None
    published: Status
    strict: Status | None

    @property
    def kind(self) -> Kind:
        return step_kind(self.name)

    def status(self, rule: Rule) -> Status | None:
        return self.strict if rule == "strict" else self.published


def step_kind(name: str) -> Kind:
    """Whether a target is a state property or something reasoned from states.

    The rule goes by the symbol alone: h, s, u, v, ρ, T, P, x, flow exergy and phase at a state are
    properties; works, heats, powers, flow rates, speeds, efficiencies, COP, entropy generation, exergy
    destruction and closing errors are reasoning. An actual exit state such as h2 counts as a property
    although an efficiency has to be applied to reach it.

    >>> step_kind("h2s"), step_kind("T_c_out"), step_kind("s_gen_pump"), step_kind("w_net")
    ('property', 'property', 'reasoning', 'reasoning')
    """
    return "property" if _PROPERTY.fullmatch(name) else "reasoning"


def numbers_of(steps: Sequence[JudgedStep]) -> dict[str, float]:
    """The numbers that an answer states, by name."""
    return {step.name: step.value for step in steps if isinstance(step.value, float | int)}


def question_score(steps: Sequence[JudgedStep], rule: Rule) -> float | None:
    """Passed weight over the weight of all steps that the rule judges; None without any."""
    return score_of((step.weight, step.status(rule)) for step in steps)


def contribution(steps: Sequence[JudgedStep], rule: Rule, kind: Kind) -> float:
    """What steps of one kind add to the question's score; over both kinds this sums to the score."""
    total = sum(step.weight for step in steps if step.status(rule))
    passed = [step for step in steps if step.kind == kind and step.status(rule) == "pass"]
    return sum(step.weight for step in passed) / total if total else 0.0


Steps = tuple[JudgedStep, ...]


class QuestionKind(NamedTuple):
    """The attempts at the questions of one kind."""

    tier: str
    by: str
    kind: str
    part: Mask
    questions: int


class ThermoQARun(BenchmarkRun):
    """Attempts at ThermoQA problems. Tiers are numbers as text, as the problems are tagged."""

    def __init__(self, data: Results) -> None:
        super().__init__(data, "thermoqa")
        found = sorted({str(problem.tags["tier"]) for problem in self.problems})
        self.tiers: dict[str, Mask] = {tier: self.part & data.tagged("tier", tier) for tier in found}
        self.repeats = np.unique(data.attempts.repeat[self.part]).tolist()

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
    def scores(self) -> dict[Rule, Floats]:
        """By rule, what each question scored."""
        return {rule: self.measure(lambda _, steps, rule=rule: question_score(steps, rule)) for rule in RULES}  # type: ignore[misc]

    @property
    def score(self) -> Floats:
        return self.scores[FIRST]

    @cached_property
    def parts(self) -> dict[Kind, Floats]:
        """What steps of a kind add to each attempt's score."""
        return {
            kind: self.measure(lambda _, steps, kind=kind: contribution(steps, FIRST, kind))  # type: ignore[misc]
            for kind in KINDS
        }

    @cached_property
    def groups(self) -> list[QuestionKind]:
        """The kinds of questions of each tier."""
        found = []
        for tier, mask in self.tiers.items():
            for tag, by in _GROUPS[tier].items():
                kinds = [str(problem.tags[tag]) for problem in self.asked(tier) if tag in problem.tags]
                found += [
                    QuestionKind(tier, by, kind, mask & self.data.tagged(tag, kind), kinds.count(kind))
                    for kind in sorted(set(kinds))
                ]
        return found

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

    def asked(self, tier: str) -> list[Problem]:
        return [problem for problem in self.problems if problem.tags["tier"] == tier]
