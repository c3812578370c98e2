"""The stored rows of a study in columns, and the means and paired differences that views ask of them."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from ansatz.errors import AnsatzError
from ansatz.eval.calibration import Label
from ansatz.eval.problem import Problem
from ansatz.eval.score import Dimension
from ansatz.eval.statistics import (
    Correction,
    PairedDelta,
    Together,
    clustered_mean,
    judge_together,
    with_prior,
)
from ansatz.eval.statistics.resampling import FLIPS, FLIPS_TOGETHER, spread
from ansatz.eval.views.attempts import (
    Attempts,
    Findings,
    Floats,
    Mask,
    Numbers,
    System,
    tag_values,
)
from ansatz.eval.views.section import Estimate
from ansatz.eval.views.verdicts import Place, adjusted, main_comparisons
from ansatz.quantities import nearest

Key = TypeVar("Key", bound=Hashable)


class UnknownArm(AnsatzError):
    """A run does not have the arm that was asked for."""


def _nothing(rows: Iterable[int]) -> Iterator[Findings]:
    return ({} for _ in rows)


@dataclass(frozen=True, eq=False)
class Results:
    """A study with its attempts, finished or not. Models, arms and dimensions are in the order of reports.

    `dimensions` are those of the scorers, then those of cost. `simulated` names the models that are not
    language models; `planned` counts the attempts that the study asks for. `switches` are what is on in each
    arm. `notes` are further sentences, such as what judges took; `labels` what people scored of the answers.
    `bill` is what each model took for each arm, and each judge, whatever came of it.
    `findings` reads what the scores of attempts, by their row, rest on. `primary` names the dimensions that
    are tested first; `correction` is for the number of comparisons; `prior` the weight of a Dirichlet prior
    where few problems are right or wrong (see `clustered_mean`).
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
    prior: float | None = None

    def against(self, arm: str) -> Results:
        """The same with another arm as the baseline. Raises UnknownArm."""
        if arm not in self.arms:
            raise UnknownArm(f"the run has no arm {arm!r}{nearest(arm, self.arms)}")
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
    def families(self) -> dict[str, str]:
        return {id: problem.family for id, problem in self.problems.items()}

    @cached_property
    def everything(self) -> Mask:
        return np.ones(len(self.attempts), dtype=np.bool_)

    @cached_property
    def systems(self) -> tuple[System, ...]:
        return tuple(System(model, arm) for model in self.models for arm in self.arms)

    @cached_property
    def _rows(self) -> dict[System, Numbers]:
        """The attempts of every system, in one pass."""
        codes = self.attempts.model * len(self.arms) + self.attempts.arm
        order = np.argsort(codes, kind="stable")
        ends = np.searchsorted(codes[order], np.arange(len(self.systems) + 1))
        return {system: order[ends[at] : ends[at + 1]] for at, system in enumerate(self.systems)}

    def cut(self, system: System, part: Mask | None = None) -> Cut:
        """The attempts of a system, or the part of them that a mask over all attempts keeps."""
        return Cut(self, system, self.everything if part is None else part)

    def cuts(self, part: Mask | None = None) -> list[Cut]:
        """One for every system."""
        return [self.cut(system, part) for system in self.systems]

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

    def of_benchmarks(self, *names: str) -> Mask:
        """The attempts at problems of these benchmarks."""
        return self.where(lambda problem: problem.benchmark in names)

    def where(self, wanted: Callable[[Problem], bool]) -> Mask:
        """The attempts at problems that are wanted."""
        kept = np.array([wanted(problem) for problem in self.asked], dtype=np.bool_)
        return kept[self.attempts.problem] if len(kept) else self.everything

    def tagged(self, tag: str, value: str) -> Mask:
        """The attempts at problems that have this value, or this among others, of a tag."""
        return self.where(lambda problem: value in tag_values(problem, tag))

    def as_originals(self, tag: str) -> Results:
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

    def measure(self, of: Callable[[int], float | None], part: Mask) -> Floats:
        """A value for each attempt of a part, by its row, and NaN for the others."""
        found = np.full(len(self.attempts), np.nan)
        for row in np.flatnonzero(part).tolist():
            value = of(row)
            if value is not None:
                found[row] = value
        return found

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

    def clustered(
        self,
        differences: Floats,
        problems: Numbers,
        dropped: int = 0,
        ends: tuple[float, float] | None = None,
    ) -> PairedDelta:
        """The mean over problems, given by their places, with an interval over families."""
        settings = {"seed": self.seed, "resamples": self.resamples, "level": self.level}
        found = clustered_mean(differences, self.family[problems], ends=ends, **settings)  # type: ignore[arg-type]
        if self.prior is not None:
            found = with_prior(found, differences, self.family[problems], self.prior)
        return replace(found, dropped=dropped)

    def judged(self, deltas: Mapping[Key, PairedDelta], flips: int = FLIPS_TOGETHER) -> Together[Key]:
        """Comparisons corrected for their number."""
        return judge_together(
            deltas, seed=self.seed, correction=self.correction, flips=flips, level=self.level
        )

    @cached_property
    def quality(self) -> Together[Place]:
        """Every arm against the baseline of its model on every dimension of quality: the main comparisons."""
        deltas = {
            (system.model, system.arm, each.name): self.cut(system).gain(self.values(each.name))
            for system in self.systems
            if system.arm != self.baseline
            for each in self.of_role("quality")
        }
        known = {place: delta for place, delta in deltas.items() if delta is not None}
        return main_comparisons(known, self.primary, self.judged)

    def adjusted(self, deltas: Mapping[Key, PairedDelta | None]) -> dict[Key, Estimate | None]:
        """Differences as a table shows them, with p and intervals that hold for all of them at once."""
        known = {key: delta for key, delta in deltas.items() if delta is not None}
        own = self.judged(known, FLIPS)
        return dict.fromkeys(deltas) | adjusted(known, own, self.quality, self.is_complete)


@dataclass(frozen=True, eq=False)
class Cut:
    """Some attempts of one system; `part` is a mask over the attempts of all systems."""

    data: Results
    system: System
    part: Mask

    @cached_property
    def rows(self) -> Numbers:
        own = self.data._rows[self.system]
        return own[self.part[own]]

    @property
    def label(self) -> str:
        return self.data.label(self.system)

    @property
    def is_baseline(self) -> bool:
        return self.system.arm == self.data.baseline

    @property
    def control(self) -> Cut:
        """The same part under the baseline of the model."""
        return self if self.is_baseline else self.under(self.data.baseline)

    def under(self, arm: str) -> Cut:
        return Cut(self.data, System(self.system.model, arm), self.part)

    def where(self, part: Mask) -> Cut:
        return Cut(self.data, self.system, self.part & part)

    @cached_property
    def problems(self) -> Mask:
        """By place, whether a problem has an attempt here."""
        return np.bincount(self._places, minlength=len(self.data.asked)) > 0

    @cached_property
    def _places(self) -> Numbers:
        return self.data.attempts.problem[self.rows]

    def by_problem(self, values: Floats) -> Floats:
        """By place, the mean over the attempts that have a value; NaN where none has."""
        found = values[self.rows]
        known = ~np.isnan(found)
        places, size = self._places[known], len(self.data.asked)
        counts = np.bincount(places, minlength=size)
        sums = np.bincount(places, weights=found[known], minlength=size)
        return np.asarray(np.divide(sums, counts, out=np.full(size, np.nan), where=counts > 0))

    def value(self, values: Floats) -> float | None:
        """The mean over problems of the mean over repeats; None without any."""
        means = self.by_problem(values)
        known = means[~np.isnan(means)]
        return math.fsum(known.tolist()) / len(known) if len(known) else None

    def plain_mean(self, values: Floats) -> float | None:
        """The mean over attempts, whatever problem they are at; None without any."""
        known = self.known(values)
        return math.fsum(known.tolist()) / len(known) if len(known) else None

    def mean(self, values: Floats) -> Estimate:
        """As `value`, of a share in [0, 1], with an interval over families."""
        means = self.by_problem(values)
        [known] = np.nonzero(~np.isnan(means))
        if not len(known):
            return Estimate(None, n=0)
        data = self.data
        value = math.fsum(means[known].tolist()) / len(known)
        sums = np.bincount(data.family[known], weights=means[known], minlength=1)
        counts = np.bincount(data.family[known]).astype(np.float64)
        sums, counts = sums[counts > 0], counts[counts > 0]
        if len(counts) < 2:
            return Estimate(value, n=len(known))
        settings = {"seed": data.seed, "resamples": data.resamples, "level": data.level}
        found = spread(sums, counts, ends=(0.0, 1.0), **settings)  # type: ignore[arg-type]
        below, above = found.below or 0.0, found.above or 0.0
        return Estimate(value, max(0.0, value - below), min(1.0, value + above), n=len(known))

    def less(self, other: Cut, values: Floats, others: Floats | None = None) -> PairedDelta:
        """This part minus another one of the same problems, paired by problem, over families."""
        treated, control = self.by_problem(values), other.by_problem(values if others is None else others)
        [both] = np.nonzero(~np.isnan(treated) & ~np.isnan(control))
        dropped = int(np.count_nonzero(self.problems | other.problems)) - len(both)
        ends = (-1.0, 1.0) if self.data.is_share(values) else None
        return self.data.clustered(treated[both] - control[both], both, dropped, ends)

    def log_ratio(self, other: Cut, values: Floats) -> PairedDelta:
        """ln(this part's amount / another's), paired by problem, where both are above zero."""
        treated, control = self.by_problem(values), other.by_problem(values)
        [both] = np.nonzero((treated > 0) & (control > 0))
        dropped = int(np.count_nonzero(self.problems | other.problems)) - len(both)
        return self.data.clustered(np.log(treated[both] / control[both]), both, dropped)

    def gain(self, values: Floats) -> PairedDelta | None:
        """The difference from the baseline; None for the baseline itself."""
        return None if self.is_baseline else self.less(self.control, values)

    def tries(self, values: Floats) -> list[list[float]]:
        """The values of the attempts at each of `problems` that have one."""
        found: dict[int, list[float]] = {place: [] for place in np.flatnonzero(self.problems).tolist()}
        own = values[self.rows].tolist()
        for place, value in zip(self._places.tolist(), own, strict=True):
            if not math.isnan(value):
                found[place].append(value)
        return list(found.values())

    def scored(self, values: Floats) -> int:
        """How many problems have a value."""
        return int(np.count_nonzero(~np.isnan(self.by_problem(values))))

    def known(self, values: Floats) -> Floats:
        """The values of the attempts that have one."""
        own = values[self.rows]
        return own[~np.isnan(own)]
