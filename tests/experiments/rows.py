"""Small runs for tests of reports: what came of each attempt, turned into the columns that a ledger holds."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from ansatz.eval import Dimension, Problem, ScoringContext
from ansatz.eval.problem import LabelTarget
from ansatz.eval.score import POINTS, Scale
from ansatz.experiments.report.chapters import benchmark_chapters
from ansatz.experiments.report.comparisons import compare_arms
from ansatz.experiments.results import Attempts, Results
from tests.fakes import transcripts

_AMOUNTS = {
    "tokens": Scale("tokens per attempt", 1, 0),
    "seconds": Scale("seconds per attempt", 1, 2),
    "dollars": Scale("dollars per attempt", 1, 4),
}
_DETAILS = {*(f"G{n}" for n in range(1, 9)), "kpi_published", "units", "cosine"}


@dataclass(frozen=True)
class Attempt:
    """The outcome of one attempt; a value is None if a scorer gave none.

    Its `details` are evidence and details by dimension, in addition to those of the run's scorers;
    `error` is the reason of its failure.
    """

    model: str
    arm: str
    problem: str
    repeat: int = 0
    values: Mapping[str, float | None] = field(default_factory=dict)
    answer: str = ""
    details: Mapping[str, tuple[str, dict]] = field(default_factory=dict)
    stop: str = "answered"
    error: str = ""


@dataclass(frozen=True)
class Rows:
    """A run as its attempts; `scorers` give the details of answers, as they do where they score."""

    models: tuple[str, ...]
    arms: tuple[str, ...]
    dimensions: tuple[str | Dimension, ...]
    problems: Mapping[str, Problem]
    attempts: tuple[Attempt, ...]
    title: str = "small"
    planned: int | None = None
    simulated: frozenset[str] = frozenset()
    resamples: int = 200
    switches: Mapping[str, frozenset[str]] = field(default_factory=dict)
    labels: tuple = ()
    scorers: tuple = ()

    @cached_property
    def results(self) -> Results:
        kept = [each for each in self.attempts if each.model in self.models and each.arm in self.arms]
        dimensions = tuple(
            each if isinstance(each, Dimension) else dimension(each) for each in self.dimensions
        )
        names = dict.fromkeys(
            [*(each.name for each in dimensions), *(name for each in kept for name in each.values)]
        )
        places = {id: place for place, id in enumerate(self.problems)}
        who = [
            (self.models.index(each.model), self.arms.index(each.arm), places[each.problem], each.repeat)
            for each in kept
        ]
        return Results(
            title=self.title,
            models=self.models,
            arms=self.arms,
            baseline=self.arms[0],
            dimensions=dimensions,
            problems=self.problems,
            attempts=Attempts(
                *np.array(who, dtype=np.intp).reshape(-1, 4).T,
                [each.error for each in kept],
                [each.stop for each in kept],
                {name: np.array([each.values.get(name) for each in kept], dtype=float) for name in names},
            ),
            planned=len(kept) if self.planned is None else self.planned,
            simulated=self.simulated,
            resamples=self.resamples,
            switches=self.switches,
            labels=self.labels,
            read_evidence=lambda rows: (self._evidence(kept[row]) for row in rows),
        )

    @cached_property
    def chapters(self):
        return benchmark_chapters(self.results)

    @cached_property
    def comparisons(self):
        return tuple(compare_arms(self.results).values())

    def tables(self, name: str) -> list[dict[str, Any]]:
        """The rows of a chapter's table by column name, as stored."""
        every = (table for each in self.chapters for section in each.sections for table in section.tables)
        [found] = [table for table in every if table.name == name]
        names = [column.name for column in found.columns]
        return [dict(zip(names, row, strict=True)) for row in found.rows]

    def row(self, name: str, **where: object) -> dict[str, Any]:
        [found] = [row for row in self.tables(name) if where.items() <= row.items()]
        return found

    def _evidence(self, attempt: Attempt) -> dict:
        if attempt.error:
            return {}
        asked = (attempt.problem, attempt.answer)
        if asked not in self._known:
            context = ScoringContext(self.problems[attempt.problem], transcripts.attempt(attempt.answer))
            scores = [score for each in self.scorers for score in asyncio.run(each.score(context))]
            self._known[asked] = {score.dimension: (score.evidence, score.details) for score in scores}
        return {**self._known[asked], **attempt.details}

    @cached_property
    def _known(self) -> dict[tuple[str, str], dict]:
        """What each answer was found to be: many attempts give the same."""
        return {}


def tried(
    problems: Iterable[Problem],
    came_of: Callable[[Problem, str, str, int], Mapping[str, Any] | None],
    *,
    models: tuple[str, ...] = ("m",),
    arms: Iterable[str],
    repeats: int = 1,
    **fields: Any,
) -> Rows:
    """Every model under every arm at every problem; `came_of` has the fields of an attempt, None for one that failed."""
    asked = {problem.id: problem for problem in problems}
    attempts = tuple(
        Attempt(model, arm, id, repeat, **({"error": "ModelUnavailable: 503"} if found is None else found))
        for id, problem in asked.items()
        for repeat in range(repeats)
        for model in models
        for arm in arms
        for found in [came_of(problem, model, arm, repeat)]
    )
    return Rows(models, tuple(arms), problems=asked, attempts=attempts, **fields)


def own_problem(id: str, family: str, **tags: str) -> Problem:
    """One of which a report needs the family and the tags alone."""
    target = LabelTarget(name="x", weight=1, value="y")
    return Problem(id=id, family=family, benchmark="own", question="?", targets=(target,), tags=tags)


def dimension(name: str) -> Dimension:
    """A dimension as the scorers declare it, by its name."""
    if name in _AMOUNTS:
        return Dimension(name, scale=_AMOUNTS[name], better="lower", role="resource")
    if name.startswith("error."):
        return Dimension(name, better="lower", role="error")
    bare = name.rpartition(".")[2]
    is_mark = bare[0] == "G" and bare in _DETAILS
    return Dimension(name, detail=bare in _DETAILS, **({"scale": POINTS} if is_mark else {}))
