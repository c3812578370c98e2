"""The numbers of a report: what every attempt was worth, compared arm by arm with the baseline."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

from ansatz.eval import Problem
from ansatz.eval.judge_labels import Label
from ansatz.eval.statistics import PairedDelta, holm, paired_delta
from ansatz.experiments.report.section import Chapter

RESOURCES = ("tokens", "seconds", "dollars")
"""Dimensions that measure what an attempt cost; the others measure what it was worth."""

ERRORS = "error."
"""How dimensions begin that tag an error, of which less is better: for chapters, not for the deltas."""


@dataclass(frozen=True)
class Cell:
    """One attempt on one dimension.

    `value` is as scored: in [0, 1], or a raw amount for RESOURCES; None unless `state` is "scored".
    `reason` says why an attempt was unscored or failed, `evidence` what a score rests on. An attempt that
    failed has one cell with state "error" for every dimension that it would have been scored on.
    """

    model: str
    arm: str
    problem: str
    family: str
    repeat: int
    dimension: str
    value: float | None
    state: Literal["scored", "unscored", "error"]
    reason: str = ""
    evidence: str = ""


@dataclass(frozen=True)
class Attempt:
    """What one attempt answered and how many tokens it took; `answer` is None where it failed.

    `tags` are the kinds of error that each judge found, by the prefix of its dimensions.
    """

    model: str
    arm: str
    problem: str
    repeat: int
    answer: str | None
    output_tokens: int = 0
    tokens: int = 0
    tags: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class ReportData:
    """A finished (or interrupted) run. Models, arms and dimensions are reported in the order given.

    `tags` are the tags of each problem by its id; `simulated` names the models that are not language
    models; `planned` counts the attempts that the study asks for. `problems` and `attempts` are for the
    chapters on single benchmarks. `notes` are further sentences on the run, such as what its judges took.
    `switches` are the interventions that are on in each arm, and `labels` what people scored of its answers.
    """

    title: str
    models: tuple[str, ...]
    arms: tuple[str, ...]
    baseline: str
    dimensions: tuple[str, ...]
    cells: tuple[Cell, ...]
    planned: int
    tags: Mapping[str, Mapping[str, str | Sequence[str]]] = field(default_factory=dict)
    simulated: frozenset[str] = frozenset()
    seed: int = 0
    resamples: int = 2000
    level: float = 0.95
    problems: Mapping[str, Problem] = field(default_factory=dict)
    attempts: tuple[Attempt, ...] = ()
    notes: tuple[str, ...] = ()
    switches: Mapping[str, frozenset[str]] = field(default_factory=dict)
    labels: tuple[Label, ...] = ()

    @cached_property
    def chapters(self) -> tuple[Chapter, ...]:
        """What the benchmarks of the run have to say beyond the deltas."""
        from ansatz.experiments.report.chapters import find_chapters

        return find_chapters(self)

    @cached_property
    def finished(self) -> int:
        """The attempts that came to an end, whatever they scored; errors are to be tried again."""
        ended = (cell for cell in self.cells if cell.state != "error")
        return len({(cell.model, cell.arm, cell.problem, cell.repeat) for cell in ended})

    @cached_property
    def grouped(self) -> dict[tuple[str, str, str], list[Cell]]:
        """Cells by model, arm and dimension."""
        groups: defaultdict[tuple[str, str, str], list[Cell]] = defaultdict(list)
        for cell in self.cells:
            groups[cell.model, cell.arm, cell.dimension].append(cell)
        return dict(groups)

    def tagged(self, tag: str, value: str) -> ReportData:
        """The part of the run on problems that have this value of a tag."""
        kept = {problem for problem, tags in self.tags.items() if value in tag_values(tags.get(tag, ()))}
        return replace(self, cells=tuple(cell for cell in self.cells if cell.problem in kept))

    @cached_property
    def comparisons(self) -> tuple[Comparison, ...]:
        """Every arm against the baseline, on every dimension, for every model."""
        return tuple(row for model in self.models for row in _compare(self, model))

    @property
    def treatments(self) -> tuple[str, ...]:
        """The arms that are compared with the baseline."""
        return tuple(arm for arm in self.arms if arm != self.baseline)

    @property
    def quality(self) -> tuple[str, ...]:
        return tuple(
            name for name in self.dimensions if name not in RESOURCES and not name.startswith(ERRORS)
        )

    @property
    def resources(self) -> tuple[str, ...]:
        return tuple(name for name in self.dimensions if name in RESOURCES)


@dataclass(frozen=True)
class Mean:
    """The mean over problems of the mean over repeats, and how many attempts are in it and are not."""

    value: float | None
    scored: int
    unscored: int
    errors: int


@dataclass(frozen=True)
class Comparison:
    """One arm against the baseline on one dimension. `p_holm` is p adjusted for all of its family."""

    model: str
    arm: str
    dimension: str
    mean: Mean
    baseline: Mean
    delta: PairedDelta
    p_holm: float | None = None

    @property
    def is_clear(self) -> bool:
        """Whether the interval excludes zero."""
        low, high = self.delta.low, self.delta.high
        return low is not None and high is not None and (low > 0 or high < 0)

    @property
    def is_significant(self) -> bool:
        """Whether the interval excludes zero and p is below 0.05 even for so many comparisons."""
        return self.is_clear and self.p_holm is not None and self.p_holm < 0.05


def tag_values(tag: str | Sequence[str]) -> tuple[str, ...]:
    return (tag,) if isinstance(tag, str) else tuple(tag)


def mean_of(cells: Iterable[Cell]) -> Mean:
    by_problem: defaultdict[str, list[float]] = defaultdict(list)
    states: Counter[str] = Counter()
    for cell in cells:
        states[cell.state] += 1
        if cell.value is not None:
            by_problem[cell.problem].append(cell.value)
    means = [math.fsum(values) / len(values) for values in by_problem.values()]
    value = math.fsum(means) / len(means) if means else None
    return Mean(value, states["scored"], states["unscored"], states["error"])


def _compare(data: ReportData, model: str) -> list[Comparison]:
    """Quality is one family of comparisons for Holm's correction, resources are another."""
    rows = []
    for family in (data.quality, data.resources):
        raw = [compare(data, model, arm, dimension) for arm in data.treatments for dimension in family]
        adjusted = holm({at: row.delta.p for at, row in enumerate(raw) if row.delta.p is not None})
        rows += [replace(row, p_holm=adjusted.get(at)) for at, row in enumerate(raw)]
    return rows


def compare(data: ReportData, model: str, arm: str, dimension: str) -> Comparison:
    """One arm against the baseline on one dimension; p is not adjusted."""
    treated = data.grouped.get((model, arm, dimension), [])
    control = data.grouped.get((model, data.baseline, dimension), [])
    delta = paired_delta(
        _by_problem(treated),
        _by_problem(control),
        {cell.problem: cell.family for cell in [*treated, *control]},
        seed=data.seed,
        resamples=data.resamples,
        level=data.level,
    )
    if dimension not in RESOURCES:
        low, high = within(delta, 1.0)
        delta = replace(delta, low=low, high=high)
    return Comparison(model, arm, dimension, mean_of(treated), mean_of(control), delta)


def within(delta: PairedDelta, most: float) -> tuple[float | None, float | None]:
    """The ends of an interval cut at ±`most`, beyond which what it is about cannot lie.

    Cutting there costs no coverage: the true value is never in the part that is lost.
    """
    low, high = (None if end is None else max(-most, min(most, end)) for end in (delta.low, delta.high))
    return low, high


def _by_problem(cells: Iterable[Cell]) -> dict[str, list[float | None]]:
    scores: defaultdict[str, list[float | None]] = defaultdict(list)
    for cell in cells:
        scores[cell.problem].append(cell.value)
    return dict(scores)
