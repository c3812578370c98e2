"""Small runs for tests of reports, written down as rows and turned into the columns that a ledger holds."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from ansatz.eval import Dimension, Problem, ScoringContext
from ansatz.eval.problem import LabelTarget
from ansatz.eval.score import POINTS, Scale
from ansatz.eval.views import Attempts, Results
from ansatz.experiments.report.chapters import chapters
from ansatz.experiments.report.comparisons import comparisons
from tests.experiments.answers import transcript_of

_AMOUNTS = {
    "tokens": Scale("tokens per attempt", 1, 0),
    "seconds": Scale("seconds per attempt", 1, 2),
    "dollars": Scale("dollars per attempt", 1, 4),
}
_DETAILS = {*(f"G{n}" for n in range(1, 9)), "kpi_published", "units", "cosine"}


@dataclass(frozen=True)
class Cell:
    """One attempt on one dimension; `reason` says why it failed or could not be scored."""

    model: str
    arm: str
    problem: str
    family: str
    repeat: int
    dimension: str
    value: float | None
    state: str
    reason: str = ""


@dataclass(frozen=True)
class Attempt:
    """What one attempt answered; `answer` is None where it failed. `tags` are what each judge tagged."""

    model: str
    arm: str
    problem: str
    repeat: int
    answer: str | None
    output_tokens: int = 0
    tokens: int = 0
    tags: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    stop: str = "answered"


@dataclass(frozen=True)
class Rows:
    """A run as rows; `scorers` give the details of what attempts answered, as they do where they score."""

    title: str
    models: tuple[str, ...]
    arms: tuple[str, ...]
    baseline: str
    dimensions: tuple[str | Dimension, ...]
    cells: tuple[Cell, ...]
    planned: int | None = None
    tags: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    simulated: frozenset[str] = frozenset()
    seed: int = 0
    resamples: int = 2000
    problems: Mapping[str, Problem] = field(default_factory=dict)
    attempts: tuple[Attempt, ...] = ()
    notes: tuple[str, ...] = ()
    switches: Mapping[str, frozenset[str]] = field(default_factory=dict)
    labels: tuple = ()
    scorers: tuple = ()

    @cached_property
    def results(self) -> Results:
        problems = self._problems
        answered = {_key(each): each for each in self.attempts}
        keys = list(dict.fromkeys(_key(each) for each in (*self.attempts, *self.cells)))
        keys = [key for key in keys if key[0] in self.models and key[1] in self.arms and key[2] in problems]
        at = {key: row for row, key in enumerate(keys)}
        names = [each if isinstance(each, str) else each.name for each in self.dimensions]
        values = {name: np.full(len(keys), np.nan) for name in (*names, "output_tokens")}
        errors, reasons = [""] * len(keys), [{} for _ in keys]
        for cell in self.cells:
            row = at.get(_key(cell))
            if row is None:
                continue
            if cell.state == "error":
                errors[row] = cell.reason or "down"
            elif cell.value is None:
                reasons[row][cell.dimension] = (cell.reason, {})
            elif cell.dimension in values:
                values[cell.dimension][row] = cell.value
        for key, attempt in answered.items():
            if key in at:
                errors[at[key]] = errors[at[key]] or ("down" if attempt.answer is None else "")
                values["output_tokens"][at[key]] = attempt.output_tokens
        places = {id: place for place, id in enumerate(problems)}
        who = [(self.models.index(m), self.arms.index(a), places[p], n) for m, a, p, n in keys]
        columns = np.array(who, dtype=np.intp).reshape(-1, 4).T
        stops = [answered[key].stop if key in answered else "answered" for key in keys]
        return Results(
            title=self.title,
            models=self.models,
            arms=self.arms,
            baseline=self.baseline,
            dimensions=tuple(
                each if isinstance(each, Dimension) else dimension(each) for each in self.dimensions
            ),
            problems=problems,
            attempts=Attempts(*columns, errors, stops, values),
            planned=len(keys) if self.planned is None else self.planned,
            simulated=self.simulated,
            seed=self.seed,
            resamples=self.resamples,
            notes=self.notes,
            switches=self.switches,
            labels=self.labels,
            findings=lambda rows: (self._findings(answered.get(keys[row]), reasons[row]) for row in rows),
        )

    @cached_property
    def chapters(self):
        return chapters(self.results)

    @cached_property
    def comparisons(self):
        return tuple(comparisons(self.results).values())

    @cached_property
    def _problems(self) -> Mapping[str, Problem]:
        """Those given, or ones of which a report needs the family and the tags alone."""
        if self.problems:
            return self.problems
        families = {cell.problem: cell.family for cell in self.cells}
        target = LabelTarget(name="x", weight=1, value="y")
        return {
            id: Problem(
                id=id,
                family=family,
                benchmark="own",
                question="?",
                targets=(target,),
                tags=self.tags.get(id, {}),
            )
            for id, family in families.items()
        }

    def _findings(self, attempt: Attempt | None, reasons: dict) -> dict:
        if attempt is None or attempt.answer is None:
            return reasons
        judged = {
            f"{who}kpi": ("", {"judges": {"j": {"errors": tags}}}) for who, tags in attempt.tags.items()
        }
        asked = (attempt.problem, attempt.answer)
        if asked not in self._known:
            self._known[asked] = self._scored(*asked)
        return {**self._known[asked], **judged, **reasons}

    @cached_property
    def _known(self) -> dict[tuple[str, str], dict]:
        """What each answer was found to be: many attempts give the same."""
        return {}

    def _scored(self, problem: str, answer: str) -> dict:
        context = ScoringContext(self._problems[problem], transcript_of(answer))
        scores = [score for each in self.scorers for score in asyncio.run(each.score(context))]
        return {score.dimension: (score.evidence, score.details) for score in scores}


def dimension(name: str) -> Dimension:
    """A dimension as the scorers declare it, by its name."""
    if name in _AMOUNTS:
        return Dimension(name, scale=_AMOUNTS[name], better="lower", role="resource")
    if name.startswith("error."):
        return Dimension(name, better="lower", role="error")
    bare = name.rpartition(".")[2]
    is_mark = bare[0] == "G" and bare in _DETAILS
    return Dimension(name, detail=bare in _DETAILS, **({"scale": POINTS} if is_mark else {}))


def _key(each: Cell | Attempt) -> tuple[str, str, str, int]:
    return each.model, each.arm, each.problem, each.repeat


def scores_by_problem(
    rows: Rows, arm: str, name: str, model: str | None = None
) -> dict[str, list[float | None]]:
    """Of an arm on a dimension, straight from the rows."""
    found: dict[str, list[float | None]] = {}
    for cell in rows.cells:
        if (cell.arm, cell.dimension) == (arm, name) and model in (None, cell.model):
            found.setdefault(cell.problem, []).append(cell.value)
    return found
