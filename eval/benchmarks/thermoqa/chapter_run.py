"""A run's attempts at ThermoQA questions: scores in columns, as every step of an answer was judged."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np

from ansatz.eval.benchmarks.thermoqa.published_reading import is_balance
from ansatz.eval.benchmarks.thermoqa.score import JudgedTarget, published, score_of, strict
from ansatz.eval.problem import NumberTarget, Problem
from ansatz.eval.score import StatedValue
from ansatz.experiments.report.tabulation import Row, Rows
from ansatz.experiments.results import BenchmarkRun, Mask, Results

RULES = ("strict", "published")
FIRST = "strict"  # what figures and analyses are about, where one rule has to be chosen
KINDS: tuple[Literal["property", "reasoning"], ...] = ("property", "reasoning")

_PLACE = r"(_?(f|g|sat|\d+s?|in|out|[hc]_(in|out)))?"
_PROPERTY = re.compile(rf"(h|s|u|v|rho|T|P|x|ef){_PLACE}|phase")
_GROUPS = {  # by tier: tags, and what they are called there
    "1": {"category": "category"},
    "2": {"category": "component", "subcategory": "depth", "fluid": "fluid"},
    "3": {"category": "cycle", "subcategory": "depth", "fluid": "fluid"},
}


def step_kind(name: str) -> Literal["property", "reasoning"]:
    """Whether a target is a state property or something reasoned from states.

    The rule goes by the symbol alone: h, s, u, v, ρ, T, P, x, flow exergy and phase at a state are
    properties; works, heats, powers, flow rates, speeds, efficiencies, COP, entropy generation, exergy
    destruction and closing errors are reasoning. An actual exit state such as h2 counts as a property
    although an efficiency has to be applied to reach it.

    >>> step_kind("h2s"), step_kind("T_c_out"), step_kind("s_gen_pump"), step_kind("w_net")
    ('property', 'property', 'reasoning', 'reasoning')
    """
    return "property" if _PROPERTY.fullmatch(name) else "reasoning"


class Zeros:
    """An answer that states 0 for every number and no phase: what it earns by rule, and the targets that the
    published rule passes, such as any specific volume. Closing errors are made of other numbers."""

    def __init__(self, problem: Problem) -> None:
        numbers = (target.name for target in problem.targets if isinstance(target, NumberTarget))
        names = [name for name in numbers if not is_balance(name)]
        passed = published(problem, dict.fromkeys(names, 0.0))
        strictly = strict(problem, dict.fromkeys(names, StatedValue(0.0)))
        self.free = {name for name, one in passed.items() if one.passed}
        self.earned = {
            "published": score_of(passed.values()),
            "strict": score_of(strictly.values()),
        }


class QuestionKind(NamedTuple):
    """The attempts at the questions of one kind."""

    tier: str
    by: str
    kind: str
    part: Mask
    questions: int


class ThermoQARun(BenchmarkRun):
    """Attempts at ThermoQA problems. Tiers are numbers as text, as the problems are tagged.

    `scores` are by rule, `parts` what steps of a kind add to the strict score, `unaided` the published score
    without the targets that any zero passes.
    """

    def __init__(self, data: Results) -> None:
        super().__init__(data, "thermoqa")
        found = sorted({str(problem.tags["tier"]) for problem in self.problems})
        self.tiers: dict[str, Mask] = {tier: self.part & data.where_tag("tier", tier) for tier in found}
        self.repeats = np.unique(data.attempts.repeat[self.part]).tolist()
        self.zeros = {problem.id: Zeros(problem) for problem in self.problems}
        self.scores = {rule: np.full(len(self.part), np.nan) for rule in RULES}
        self.parts = {kind: np.full(len(self.part), np.nan) for kind in KINDS}
        self.unaided = np.full(len(self.part), np.nan)
        for row, details in data.details(self.part, *RULES):
            judged = {
                rule: {
                    name: JudgedTarget(each["weight"], each["status"])
                    for name, each in found["targets"].items()
                }
                for rule, found in zip(RULES, details, strict=True)
                if "targets" in found
            }
            for rule, steps in judged.items():
                self.scores[rule][row] = score_of(steps.values())
            if judged:
                free = self.zeros[data.problem_list[data.attempts.problem[row]].id].free
                kept = (step for name, step in judged["published"].items() if name not in free)
                self.unaided[row] = score_of(kept)
            for kind, part in self.parts.items():
                part[row] = score_of(
                    step if step_kind(name) == kind or not step.status else step._replace(status="missing")
                    for name, step in judged.get(FIRST, {}).items()
                )

    @cached_property
    def groups(self) -> list[QuestionKind]:
        """The kinds of questions of each tier."""
        found = []
        for tier, mask in self.tiers.items():
            for tag, by in _GROUPS[tier].items():
                kinds = [str(problem.tags[tag]) for problem in self.asked(tier) if tag in problem.tags]
                found += [
                    QuestionKind(tier, by, kind, mask & self.data.where_tag(tag, kind), kinds.count(kind))
                    for kind in sorted(set(kinds))
                ]
        return found

    def by_tier(self, head: str = "system") -> Rows:
        """A row for every tier and system."""
        rows = [
            Row((tier, subset.label), subset.where(mask), tier)
            for tier, mask in self.tiers.items()
            for subset in self.subsets
        ]
        return Rows(self.data, ["tier", head], rows)

    def asked(self, tier: str) -> list[Problem]:
        return [problem for problem in self.problems if problem.tags["tier"] == tier]
