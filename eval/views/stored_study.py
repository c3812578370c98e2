"""The stored rows of a study in columns, and what can be told of them by their names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Self

import numpy as np

from ansatz.errors import BadInput
from ansatz.eval.calibration import Label
from ansatz.eval.problem import Problem
from ansatz.eval.score import Dimension
from ansatz.eval.statistics import Correction
from ansatz.eval.views.attempts import (
    Attempts,
    Findings,
    Floats,
    Mask,
    Numbers,
    System,
    tag_values,
)
from ansatz.quantities import nearest


def _nothing(rows: Iterable[int]) -> Iterator[Findings]:
    return ({} for _ in rows)


@dataclass(frozen=True, eq=False)
class StoredStudy:
    """A study with its attempts, finished or not. Models, arms and dimensions are in the order of reports.

    `dimensions` are those of the scorers, then those of cost. `simulated` names the models that are not
    language models; `planned` counts the attempts that the study asks for. `switches` are what is on in each
    arm. `notes` are further sentences, such as what judges took; `labels` what people scored of the answers.
    `bill` is what each model took for each arm, and each judge, whatever came of it.
    `findings` reads what the scores of attempts, by their row, rest on. `primary` names the dimensions that
    are tested first; `correction` is for the number of comparisons.
    """

    title: str
    models: tuple[str, ...]
    arms: tuple[str, ...]
    baseline: str
    dimensions: tuple[Dimension, ...]
    problems: Mapping[str, Problem]
    attempts: Attempts
    planned: int
    simulated: frozenset[str] = frozenset()
    seed: int = 0
    resamples: int = 2000
    level: float = 0.95
    notes: tuple[str, ...] = ()
    switches: Mapping[str, frozenset[str]] = field(default_factory=dict)
    labels: tuple[Label, ...] = ()
    findings: Callable[[Iterable[int]], Iterator[Findings]] = _nothing
    bill: tuple[Mapping[str, str | float | None], ...] = ()
    primary: tuple[str, ...] = ()
    correction: Correction = "westfall-young"

    def against(self, arm: str) -> Self:
        """The same with another arm as the baseline. Raises BadInput."""
        if arm not in self.arms:
            raise BadInput(f"the run has no arm {arm!r}{nearest(arm, self.arms)}")
        return replace(self, baseline=arm)

    @property
    def treatments(self) -> tuple[str, ...]:
        """The arms that are compared with the baseline."""
        return tuple(arm for arm in self.arms if arm != self.baseline)

    def of_role(self, role: str) -> tuple[Dimension, ...]:
        return tuple(each for each in self.dimensions if each.role == role)

    def dimension(self, name: str) -> Dimension:
        """Raises StopIteration for a name that the study does not have."""
        return next(each for each in self.dimensions if each.name == name)

    @cached_property
    def names(self) -> frozenset[str]:
        """Of all dimensions."""
        return frozenset(each.name for each in self.dimensions)

    @cached_property
    def asked(self) -> tuple[Problem, ...]:
        """The problems by the place that attempts name."""
        return tuple(self.problems.values())

    @cached_property
    def family(self) -> Numbers:
        """By problem, the number of its family."""
        numbers: defaultdict[str, int] = defaultdict(lambda: len(numbers))
        return np.array([numbers[problem.family] for problem in self.asked], dtype=np.intp)

    @cached_property
    def attempt_keys(self) -> list[tuple[str, str, str, int]]:
        """Of each attempt the names of its model, arm and problem, and its repeat."""
        at = self.attempts
        places = zip(at.model.tolist(), at.arm.tolist(), at.problem.tolist(), at.repeat.tolist(), strict=True)
        return [
            (self.models[model], self.arms[arm], self.asked[problem].id, repeat)
            for model, arm, problem, repeat in places
        ]

    @cached_property
    def everything(self) -> Mask:
        return np.ones(len(self.attempts), dtype=np.bool_)

    @cached_property
    def systems(self) -> tuple[System, ...]:
        return tuple(System(model, arm) for model in self.models for arm in self.arms)

    def label(self, system: System) -> str:
        return f"{system.model}, {system.arm}" if len(self.models) > 1 else system.arm

    def one_more(self, is_meant: Callable[[str], object]) -> list[tuple[str, str, str]]:
        """Each arm without a switch that is meant, an arm that adds one and nothing else, and that switch."""
        held = {arm: self.switches[arm] for arm in self.arms if arm in self.switches}
        return [
            (arm, other, switch)
            for arm, on in held.items()
            if not any(map(is_meant, on))
            for other, more in held.items()
            for switch in more - on
            if more == on | {switch} and is_meant(switch)
        ]

    def where(self, wanted: Callable[[Problem], bool]) -> Mask:
        """The attempts at problems that are wanted."""
        kept = np.array([wanted(problem) for problem in self.asked], dtype=np.bool_)
        return kept[self.attempts.problem] if len(kept) else self.everything

    def tagged(self, tag: str, value: str) -> Mask:
        """The attempts at problems that have this value, or this among others, of a tag."""
        return self.where(lambda problem: value in tag_values(problem, tag))

    def as_originals(self, tag: str) -> Self:
        """The same with every attempt taken as one at the problem that a tag of its own problem names.

        Problems that name the same one are then paired; it need not have been asked itself.
        """
        first: dict[str, int] = {}
        named = [str(problem.tags.get(tag) or problem.id) for problem in self.asked]
        places = np.array([first.setdefault(id, at) for at, id in enumerate(named)], dtype=np.intp)
        return replace(self, attempts=replace(self.attempts, problem=places[self.attempts.problem]))

    def values(self, dimension: str) -> Floats:
        """By attempt, NaN where there is none; of a dimension that no attempt has, NaN throughout."""
        found = self.attempts.values.get(dimension)
        return np.full(len(self.attempts), np.nan) if found is None else found

    def is_share(self, values: Floats) -> bool:
        """Whether values are scores between 0 and 1, not amounts."""
        amounts = (self.attempts.values.get(each.name) for each in self.of_role("resource"))
        return not any(each is values for each in amounts) and bool(np.nanmax(np.abs(values), initial=0) <= 1)

    def details(self, part: Mask, *dimensions: str) -> Iterator[tuple[int, tuple[Mapping[str, Any], ...]]]:
        """The stored details of some dimensions, of the attempts of a part that did not fail."""
        rows = np.flatnonzero(part & ~self.attempts.failed).tolist()
        for row, found in zip(rows, self.findings(rows), strict=True):
            yield row, tuple(found[name][1] if name in found else {} for name in dimensions)

    @property
    def simulation(self) -> str:
        """Said in captions where every model is a rule-based stand-in."""
        return " (simulated)" if set(self.models) <= self.simulated else ""

    def per_model(self, name: str, model: str) -> str:
        """A file's name, numbered where there is one for each of several models."""
        return f"{name}_{self.models.index(model) + 1}" if len(self.models) > 1 else name

    def said_of(self, model: str) -> str:
        """A model's name, with what it is where it is none."""
        return f"{model} (simulated)" if model in self.simulated else model

    @property
    def is_complete(self) -> bool:
        """Whether every planned attempt was tried; else a finding could come and go with the next ones."""
        return len(self.attempts) >= self.planned
