"""The stored attempts of a study in columns, with the study's models, arms, dimensions and problems."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from ansatz.errors import BadInput
from ansatz.eval.calibration import Label
from ansatz.eval.problem import Problem
from ansatz.eval.score import Dimension
from ansatz.eval.statistics import Correction
from ansatz.quantities import nearest

Floats = NDArray[np.float64]
Numbers = NDArray[np.intp]
Mask = NDArray[np.bool_]
Evidence = Mapping[str, tuple[str, Mapping[str, Any]]]
"""What is stored with the scores of an attempt: by dimension, a sentence of evidence and details."""


class System(NamedTuple):
    """A model under an arm."""

    model: str
    arm: str


@dataclass(frozen=True, eq=False)
class Attempts:
    """The attempts in columns of equal length, one row per attempt."""

    model: Numbers
    """Index in `StoredStudy.models`."""
    arm: Numbers
    """Index in `StoredStudy.arms`."""
    problem: Numbers
    """Index in `StoredStudy.problem_list`."""
    repeat: Numbers
    error: Sequence[str]
    """Why the attempt failed; empty for a finished attempt."""
    stop: Sequence[str]
    """The stop reason of a finished attempt: answered, truncated, refused, …"""
    values: Mapping[str, Floats]
    """By dimension: scores in [0, 1] or raw amounts; NaN where an attempt has no value."""

    def __len__(self) -> int:
        return len(self.model)

    @cached_property
    def failed(self) -> Mask:
        return np.array([bool(each) for each in self.error], dtype=np.bool_)


def read_tag(problem: Problem, tag: str) -> tuple[str, ...]:
    """Return the values of a problem's tag: none, one or several."""
    value = problem.tags.get(tag, ())
    return (value,) if isinstance(value, str) else tuple(value)


def values_of_tag(problems: Iterable[Problem], tag: str) -> list[str]:
    """Return all values of a tag, in the order of the problems."""
    return list(dict.fromkeys(value for problem in problems for value in read_tag(problem, tag)))


def _no_evidence(rows: Iterable[int]) -> Iterator[Evidence]:
    return ({} for _ in rows)


Decision = Literal["success", "futile", "open"]


@dataclass(frozen=True, eq=False)
class Stage:
    """An interim analysis of a study whose arms may be stopped."""

    families: frozenset[str]
    """The families that were asked until then."""
    fraction: float
    """Their share of all families."""
    level: float
    """Confidence level of this analysis."""
    decisions: Mapping[System, Decision] = field(default_factory=dict)
    """For each arm that was open before."""


@dataclass(frozen=True, eq=False)
class Interim:
    """The interim analyses of a study whose arms may be stopped."""

    baseline: str
    attempts: int
    """Number of attempts of one model under one arm in the whole study."""
    looks: int
    """Number of analyses that are planned."""
    success: float = 0.05
    """The error rate of all analyses together."""
    difference: float | None = None
    """The difference that gives up an arm once it is excluded, as a share of the scale."""
    only_better: bool = False
    """Whether only improvements count."""
    stages: tuple[Stage, ...] = ()
    """The analyses that were done."""

    @property
    def is_finished(self) -> bool:
        """Whether no arm is asked further."""
        last = self.stages[-1] if self.stages else None
        return last is not None and (last.fraction >= 1 or "open" not in last.decisions.values())


@dataclass(frozen=True, eq=False)
class WalkedPaths:
    """The attempts of a leave-one-out design, with those of arms that only some families were asked under."""

    switches: tuple[str, ...]
    on: Mapping[str, frozenset[str]]
    """By arm, the switches that are on."""
    orders: Mapping[str, tuple[str, ...]]
    """By family, the order in which its switches are turned on."""
    arms: tuple[str, ...]
    """In the order of `Attempts.arm`."""
    attempts: Attempts


@dataclass(frozen=True, eq=False)
class StoredStudy:
    """A study with its attempts, complete or not."""

    title: str
    models: tuple[str, ...]
    """In the order of the report, as are arms and dimensions."""
    arms: tuple[str, ...]
    baseline: str
    """The arm that the others are compared with."""
    dimensions: tuple[Dimension, ...]
    """Those of the scorers, then those of cost."""
    problems: Mapping[str, Problem]
    """By id."""
    attempts: Attempts
    planned: int
    """Number of attempts that the study asks for."""
    simulated: frozenset[str] = frozenset()
    """Models that are rule-based programs, not language models."""
    seed: int = 0
    resamples: int = 2000
    level: float = 0.95
    """Confidence level of intervals."""
    notes: tuple[str, ...] = ()
    """Further sentences for the report, such as what judges cost."""
    switches: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """By arm, the interventions that are on."""
    labels: tuple[Label, ...] = ()
    """Human scores of answers."""
    read_evidence: Callable[[Iterable[int]], Iterator[Evidence]] = _no_evidence
    """Reads the evidence of attempts, given their rows."""
    usage: tuple[Mapping[str, str | float | None], ...] = ()
    """Requests, tokens and dollars of each model and arm, and of each judge, failed attempts included."""
    primary: tuple[str, ...] = ()
    """Dimensions that are tested before the others."""
    inert_arms: tuple[str, ...] = ()
    """Arms whose requests are those of the study's baseline."""
    paraphrases: Mapping[str, Any] = field(default_factory=dict)
    """How many questions a model rewrote: `variants`, `recomputed`, and `dropped` by reason."""
    interim: Interim | None = None
    """The interim analyses; None if arms cannot be stopped."""
    screened: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """In a screening design, the arms in which each switch is on, by switch."""
    paths: WalkedPaths | None = None
    """In a leave-one-out design, all its attempts: `attempts` has those of arms asked at every problem."""
    imported: str = ""
    """What the arms of imported scores are: arms or models. Empty for a run with its own scores."""
    correction: Correction = "westfall-young"
    """The method that adjusts p for the number of comparisons."""

    def with_baseline(self, arm: str) -> Self:
        """Return the same study with another arm as baseline. Raises BadInput."""
        if self.screened:
            raise BadInput("a screening run compares switches, not arms")
        if arm not in self.arms:
            raise BadInput(f"the run has no arm {arm!r}{nearest(arm, self.arms)}")
        return replace(self, baseline=arm, inert_arms=self.inert_arms if arm == self.baseline else ())

    @property
    def treatments(self) -> tuple[str, ...]:
        """The arms that are compared with the baseline; none in a screening design."""
        return () if self.screened else tuple(arm for arm in self.arms if arm != self.baseline)

    @property
    def compared(self) -> tuple[str, ...]:
        """What has an effect in the report: the treatments, or the switches of a screening design."""
        return tuple(self.screened) or self.treatments

    def at_stage(self, stage: Stage) -> Self:
        """Return the study as an interim analysis saw it: its families, at its level."""
        assert self.interim is not None
        at = self.attempts
        [rows] = np.nonzero(self.where(lambda problem: problem.family in stage.families))
        values = {name: column[rows] for name, column in at.values.items()}
        error, stop = ([column[row] for row in rows.tolist()] for column in (at.error, at.stop))
        attempts = Attempts(
            at.model[rows], at.arm[rows], at.problem[rows], at.repeat[rows], error, stop, values
        )
        interim = replace(self.interim, stages=())
        return replace(self, attempts=attempts, planned=len(rows), level=stage.level, interim=interim)

    def find_stage(self, system: System) -> Stage | None:
        """Return the interim analysis that decided a system, or else the last one.

        None without interim analyses, and for the baseline.
        """
        if self.interim is None or not self.interim.stages or system.arm == self.interim.baseline:
            return None
        decided = (each for each in self.interim.stages if each.decisions.get(system, "open") != "open")
        return next(decided, self.interim.stages[-1])

    def level_of(self, system: System) -> float:
        """Return the confidence level of a system: that of the analysis that decided it."""
        stage = self.find_stage(system)
        return stage.level if stage else self.level

    def asked_problems(self, system: System) -> Mask:
        """Select the problems that a system was to answer until it was decided, of `problem_list`."""
        stage = self.find_stage(system)
        found = (stage is None or problem.family in stage.families for problem in self.problem_list)
        return np.fromiter(found, dtype=np.bool_, count=len(self.problem_list))

    def with_role(self, role: str) -> tuple[Dimension, ...]:
        """Return the dimensions of a role: quality, resource or error."""
        return tuple(each for each in self.dimensions if each.role == role)

    def dimension(self, name: str) -> Dimension:
        """Return a dimension by its name. Raises StopIteration for an unknown name."""
        return next(each for each in self.dimensions if each.name == name)

    @cached_property
    def dimension_names(self) -> frozenset[str]:
        return frozenset(each.name for each in self.dimensions)

    @cached_property
    def problem_list(self) -> tuple[Problem, ...]:
        """The problems in the order of `Attempts.problem`."""
        return tuple(self.problems.values())

    @cached_property
    def family(self) -> Numbers:
        """By problem, the number of its family."""
        numbers: defaultdict[str, int] = defaultdict(lambda: len(numbers))
        return np.array([numbers[problem.family] for problem in self.problem_list], dtype=np.intp)

    @cached_property
    def attempt_keys(self) -> list[tuple[str, str, str, int]]:
        """Model, arm, problem and repeat of each attempt."""
        at = self.attempts
        rows = zip(at.model.tolist(), at.arm.tolist(), at.problem.tolist(), at.repeat.tolist(), strict=True)
        return [
            (self.models[model], self.arms[arm], self.problem_list[problem].id, repeat)
            for model, arm, problem, repeat in rows
        ]

    @cached_property
    def all_attempts(self) -> Mask:
        return np.ones(len(self.attempts), dtype=np.bool_)

    @cached_property
    def systems(self) -> tuple[System, ...]:
        return tuple(System(model, arm) for model in self.models for arm in self.arms)

    @property
    def treated_systems(self) -> tuple[System, ...]:
        """Every model under every arm but the baseline."""
        return tuple(each for each in self.systems if each.arm != self.baseline)

    @property
    def analysed(self) -> Interim | None:
        """The interim analyses, if they compared with the present baseline."""
        return self.interim if self.interim and self.interim.baseline == self.baseline else None

    @property
    def whole_level(self) -> float:
        """The confidence level of all interim analyses together, or of the study without any."""
        return 1 - self.interim.success if self.interim else self.level

    def label(self, system: System) -> str:
        """Name a system; the model is left out if the study has only one."""
        return f"{system.model}, {system.arm}" if len(self.models) > 1 else system.arm

    def find_added_switches(self, is_wanted: Callable[[str], object]) -> list[tuple[str, str, str]]:
        """Find pairs of arms that differ by one wanted switch.

        Returns
        -------
        list of (arm, other, switch)
            `arm` has no wanted switch; `other` has the switches of `arm` and `switch`.
        """
        switches = {arm: self.switches[arm] for arm in self.arms if arm in self.switches}
        return [
            (arm, other, switch)
            for arm, fewer in switches.items()
            if not any(map(is_wanted, fewer))
            for other, more in switches.items()
            for switch in more - fewer
            if more == fewer | {switch} and is_wanted(switch)
        ]

    def where(self, is_wanted: Callable[[Problem], bool]) -> Mask:
        """Select the attempts at problems that satisfy a condition."""
        wanted = np.array([is_wanted(problem) for problem in self.problem_list], dtype=np.bool_)
        return wanted[self.attempts.problem] if len(wanted) else self.all_attempts

    def where_tag(self, tag: str, value: str) -> Mask:
        """Select the attempts at problems whose tag has this value among its values."""
        return self.where(lambda problem: value in read_tag(problem, tag))

    def as_originals(self, tag: str) -> Self:
        """Assign every attempt to the original problem that a tag of its problem names.

        Variants of one problem are then repeats of it. The original needs no attempts of its own.
        """
        first: dict[str, int] = {}
        originals = [str(problem.tags.get(tag) or problem.id) for problem in self.problem_list]
        places = np.array([first.setdefault(id, at) for at, id in enumerate(originals)], dtype=np.intp)
        return replace(self, attempts=replace(self.attempts, problem=places[self.attempts.problem]))

    def values(self, dimension: str) -> Floats:
        """Return one value per attempt, NaN where an attempt has none."""
        found = self.attempts.values.get(dimension)
        return np.full(len(self.attempts), np.nan) if found is None else found

    def is_share(self, values: Floats) -> bool:
        """Return whether values are scores between 0 and 1, not amounts."""
        amounts = (self.attempts.values.get(each.name) for each in self.with_role("resource"))
        return not any(each is values for each in amounts) and bool(np.nanmax(np.abs(values), initial=0) <= 1)

    def details(self, part: Mask, *dimensions: str) -> Iterator[tuple[int, tuple[Mapping[str, Any], ...]]]:
        """Yield the row and the stored details of some dimensions, for each finished attempt of a part."""
        rows = np.flatnonzero(part & ~self.attempts.failed).tolist()
        for row, found in zip(rows, self.read_evidence(rows), strict=True):
            yield row, tuple(found[name][1] if name in found else {} for name in dimensions)

    @property
    def simulation_note(self) -> str:
        """A remark for captions; empty if any model is a language model."""
        return " (simulated)" if set(self.models) <= self.simulated else ""

    def name_by_model(self, name: str, model: str) -> str:
        """Name a file or folder that exists once per model: `deltas_gpt-5` if there are several models."""
        if len(self.models) == 1:
            return name
        safe = [safe_file_name(each) for each in self.models]
        at = self.models.index(model)
        is_unique = len({each.casefold() for each in safe}) == len(safe)
        return f"{name}_{safe[at] if is_unique else at + 1}"

    def display_name(self, model: str) -> str:
        """Return a model's name, with a remark if it is not a language model."""
        return f"{model} (simulated)" if model in self.simulated else model

    @property
    def is_complete(self) -> bool:
        """Whether every planned attempt was tried. Until then, findings may change."""
        is_finished = self.interim is None or self.interim.is_finished
        return is_finished and len(self.attempts) >= self.planned


def safe_file_name(name: str) -> str:
    """Replace the characters of a name that a file name should not have."""
    return re.sub(r"[^\w.+ -]", "_", name)
