"""The means and paired differences that views ask of the attempts of a study."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

import numpy as np

from ansatz.eval.statistics import (
    PairedDelta,
    Together,
    clustered_mean,
    judge_together,
    with_prior,
)
from ansatz.eval.statistics.resampling import FLIPS, FLIPS_TOGETHER
from ansatz.eval.views.attempts import Floats, Mask, Numbers, System
from ansatz.eval.views.section import Estimate
from ansatz.eval.views.stored_study import StoredStudy
from ansatz.eval.views.verdicts import Place, adjusted, main_comparisons

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, eq=False)
class Results(StoredStudy):
    """A stored study, with what is made of it: cuts by system, and differences judged together."""

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

    def mean(self, values: Floats, ends: tuple[float, float] | None = (0.0, 1.0)) -> Estimate:
        """As `value`, of shares unless other `ends` are given, with an interval over families."""
        means = self.by_problem(values)
        [known] = np.nonzero(~np.isnan(means))
        found = self.data.clustered(means[known], known, ends=ends)
        return Estimate(found.estimate, found.low, found.high, n=len(known))

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


class BenchmarkRun:
    """What a run has on the problems of a benchmark: these problems, and a mask of the attempts at them."""

    def __init__(self, data: Results, *benchmarks: str) -> None:
        self.data = data
        self.part = data.of_benchmarks(*benchmarks)
        self.problems = [problem for problem in data.asked if problem.benchmark in benchmarks]

    @cached_property
    def cuts(self) -> list[Cut]:
        """The attempts of every system."""
        return self.data.cuts(self.part)
