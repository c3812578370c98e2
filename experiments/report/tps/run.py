"""A run's TPS attempts, each with what it stated for every target and what its reviewers marked."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from ansatz.eval import Problem
from ansatz.eval.curation.corruption import CLEAN, KIND
from ansatz.eval.outcome import BANDS, Verdict, judge_answer
from ansatz.eval.statistics import Scores
from ansatz.eval.verifier.kpi import WEIGHTS
from ansatz.experiments.report.systems import System, Systems
from ansatz.experiments.report.table import Attempt, Cell, ReportData

BENCHMARKS = ("tps", "tps_noisy")
RUBRIC = tuple(WEIGHTS)
EXACT, ACCEPTABLE, ORDER = (name for _, _, name in BANDS)
WRONG = "wrong"

Status = Literal["ok", "ok_partial", "failed", "no answer"]


@dataclass(frozen=True)
class Reviewer:
    """Who marks the process: the verifier, whose dimensions have no prefix, or a judge."""

    title: str
    prefix: str

    @property
    def kpi(self) -> str:
        return f"{self.prefix}kpi"

    def dimension(self, name: str) -> str:
        return f"{self.prefix}{name}"


@dataclass(frozen=True)
class Reading:
    """One attempt: a verdict for each target, None where it failed, and its scores by dimension."""

    attempt: Attempt
    problem: Problem
    verdicts: tuple[Verdict, ...] | None
    marks: Mapping[str, float | None]

    @property
    def is_readable(self) -> bool:
        """Whether the attempt states something for at least one target."""
        return any(verdict.stated is not None for verdict in self.verdicts or ())

    def band(self, name: str) -> float | None:
        """The share of the targets, by weight, that fall in a band; None where the attempt failed."""
        return None if self.verdicts is None else self._share([each.band == name for each in self.verdicts])

    def units(self) -> float | None:
        """The share of the targets with a unit, by weight, that have a right one."""
        return None if self.verdicts is None else self._share([each.unit for each in self.verdicts])

    @property
    def is_right(self) -> bool:
        """Whether every target is exact or acceptable."""
        return bool(self.verdicts) and all(each.band in (EXACT, ACCEPTABLE) for each in self.verdicts or ())

    def status(self, reviewer: Reviewer) -> Status:
        """How a review of it ended; an attempt without a readable answer leaves nothing to review."""
        if not self.is_readable:
            return "no answer"
        if all(self.marks.get(reviewer.dimension(name)) is not None for name in RUBRIC):
            return "ok"
        return "failed" if self.marks.get(reviewer.kpi) is None else "ok_partial"

    def reviewed(self, reviewer: Reviewer, name: str) -> float | None:
        """A mark of a readable answer; None for one without, as the published mean leaves those out."""
        return self.marks.get(reviewer.dimension(name)) if self.is_readable else None

    def _share(self, found: Sequence[bool | None]) -> float | None:
        weighed = [
            (float(each), target.weight)
            for each, target in zip(found, self.problem.targets, strict=True)
            if each is not None
        ]
        total = sum(weight for _, weight in weighed)
        return sum(value * weight for value, weight in weighed) / total if weighed else None


class TPSRun(Systems):
    """Attempts at sound TPS items by system; `whole` also has the damaged ones, if the run has any."""

    def __init__(self, data: ReportData) -> None:
        mine = {id: each for id, each in data.problems.items() if each.benchmark in BENCHMARKS}
        self.whole = _only(data, mine)
        self.problems = {id: each for id, each in mine.items() if each.tags.get(KIND, CLEAN) == CLEAN}
        sound = _only(data, self.problems)
        super().__init__(sound, {id: problem.family for id, problem in self.problems.items()})
        self.has_noise = len(mine) > len(self.problems)
        self.reviewers = _reviewers(data.dimensions)

    @cached_property
    def readings(self) -> dict[System, list[Reading]]:
        """Every attempt by its system; equal answers to a problem are read once."""
        marks: defaultdict[tuple[str, str, str, int], dict[str, float | None]] = defaultdict(dict)
        for cell in self.data.cells:
            marks[cell.model, cell.arm, cell.problem, cell.repeat][cell.dimension] = cell.value
        known: dict[tuple[str, str], tuple[Verdict, ...]] = {}
        found: dict[System, list[Reading]] = {system: [] for system in self.systems}
        for attempt in self.data.attempts:
            problem, verdicts = self.problems[attempt.problem], None
            if attempt.answer is not None:
                key = (attempt.problem, attempt.answer)
                if key not in known:
                    known[key] = tuple(judge_answer(problem, attempt.answer))
                verdicts = known[key]
            own = marks[attempt.model, attempt.arm, attempt.problem, attempt.repeat]
            found[System(attempt.model, attempt.arm)].append(Reading(attempt, problem, verdicts, own))
        return found

    def scores(self, system: System, value: Callable[[Reading], float | None]) -> Scores:
        """A value of each attempt by problem, one a repeat."""
        found: defaultdict[str, list[float | None]] = defaultdict(list)
        for reading in self.readings[system]:
            found[reading.attempt.problem].append(value(reading))
        return found

    def marks(self, system: System, dimension: str) -> Scores:
        """The scores of a dimension as the scorer gave them, by problem, one a repeat."""
        return self.scores(system, lambda reading: reading.marks.get(dimension))

    def tags(self, tag: str) -> tuple[str, ...]:
        """The values of a tag, in the order in which the problems come."""
        return tuple(dict.fromkeys(str(problem.tags[tag]) for problem in self.problems.values()))

    def tagged(self, scores: Scores, tag: str, value: str) -> Scores:
        """The part of some scores on problems that have this value of a tag."""
        return {id: each for id, each in scores.items() if self.problems[id].tags[tag] == value}


def _only(data: ReportData, problems: Mapping[str, Problem]) -> ReportData:
    """The part of a run on these problems, by the models and arms that are reported."""

    def is_asked(of: Cell | Attempt) -> bool:
        return of.problem in problems and of.model in data.models and of.arm in data.arms

    return replace(
        data,
        problems=problems,
        cells=tuple(cell for cell in data.cells if is_asked(cell)),
        attempts=tuple(attempt for attempt in data.attempts if is_asked(attempt)),
    )


def _reviewers(dimensions: Sequence[str]) -> tuple[Reviewer, ...]:
    """Those whose scores are in the run, in the order of its scorers."""
    prefixes = [name.removesuffix("kpi") for name in dimensions if name.endswith("kpi")]
    return tuple(
        Reviewer(prefix.rstrip(".") or "verifier", prefix)
        for prefix in prefixes
        if all(f"{prefix}{name}" in dimensions for name in RUBRIC)
    )
