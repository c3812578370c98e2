"""The means and paired differences that views ask of the attempts of a study."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

import numpy as np

from ansatz.eval.statistics import PairedDelta, Together, clustered_mean, gated, judge_together
from ansatz.eval.statistics.resampling import FLIPS, FLIPS_TOGETHER
from ansatz.eval.views.attempts import Floats, Mask, Numbers, System
from ansatz.eval.views.section import Estimate
from ansatz.eval.views.stored_study import StoredStudy

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
        return replace(found, dropped=dropped)

    def judged(self, deltas: Mapping[Key, PairedDelta], flips: int = FLIPS_TOGETHER) -> Together[Key]:
        """Comparisons corrected for their number."""
        return judge_together(
            deltas, seed=self.seed, correction=self.correction, flips=flips, level=self.level
        )

    @cached_property
    def quality(self) -> Together[tuple[str, str, str]]:
        """The main comparisons, by model, arm and dimension: all arms against the baseline on all of quality.

        One family of comparisons; where some dimensions are primary, an arm has to move one of them before
        its others count.
        """
        deltas = {
            (cut.system.model, cut.system.arm, each.name): delta
            for cut in self.cuts()
            for each in self.of_role("quality")
            if (delta := cut.gain(self.values(each.name))) is not None
        }
        first = {place: delta for place, delta in deltas.items() if place[2] in self.primary}
        if not first:
            return self.judged(deltas)
        rest = {place: delta for place, delta in deltas.items() if place not in first}
        gates = {place: [each for each in first if each[:2] == place[:2]] for place in rest}
        return gated(self.judged(first), self.judged(rest), gates)

    def adjusted(self, deltas: Mapping[Key, PairedDelta | None]) -> dict[Key, Estimate | None]:
        """Differences as a table shows them, with p and intervals that hold for all of them at once.

        One quantity has one verdict: what is among the main comparisons keeps that of them, and nothing is
        judged more mildly than they are, however few stand in a table. Without a p while a run goes on.
        """
        own = self.judged({key: delta for key, delta in deltas.items() if delta is not None}, FLIPS)
        main = self.quality
        named = {each.delta.totals.key: each for each in main.verdicts.values() if each.delta.totals}
        found: dict[Key, Estimate | None] = {}
        for key, delta in deltas.items():
            verdict = own.verdicts.get(key)
            if delta is None or verdict is None or delta.totals is None:
                found[key] = estimate(delta)
                continue
            if (same := named.get(delta.totals.key)) is not None:
                p, ends = same.p_adjusted, (same.low, same.high)
            else:
                p = max(verdict.p_adjusted, main.p_of(delta))
                ends = delta.ends_at(max(own.level_of(delta), main.level_of(delta))) or (None, None)
            judged = replace(delta, low=ends[0], high=ends[1])
            found[key] = estimate(judged, p if self.is_complete else None)
        return found


def estimate(delta: PairedDelta | None, p: float | None = None) -> Estimate | None:
    """A paired difference of shares or marks as a report shows it, None without a pair.

    `p` is that which is adjusted for the number of comparisons; without it nothing is called significant.
    """
    if delta is None or not delta.pairs:
        return None
    return Estimate(
        delta.estimate,
        delta.low,
        delta.high,
        p=delta.p if p is None else p,
        n=delta.pairs,
        families=delta.families,
        is_adjusted=p is not None,
    )


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
        return _mean(means[~np.isnan(means)])

    def plain_mean(self, values: Floats) -> float | None:
        """The mean over attempts, whatever problem they are at; None without any."""
        return _mean(self.known(values))

    def mean(self, values: Floats, ends: tuple[float, float] | None = (0.0, 1.0)) -> Estimate:
        """As `value`, of shares unless other `ends` are given, with an interval over families."""
        means = self.by_problem(values)
        [known] = np.nonzero(~np.isnan(means))
        found = self.data.clustered(means[known], known, ends=ends)
        return Estimate(found.estimate, found.low, found.high, n=len(known))

    def less(self, other: Cut, values: Floats, others: Floats | None = None) -> PairedDelta:
        """This part minus another one of the same problems, paired by problem, over families."""
        differences = self.by_problem(values) - other.by_problem(values if others is None else others)
        return self._clustered(differences, other, (-1.0, 1.0) if self.data.is_share(values) else None)

    def log_ratio(self, other: Cut, values: Floats) -> PairedDelta:
        """ln(this part's amount / another's), paired by problem, where both are above zero."""
        treated, control = self.by_problem(values), other.by_problem(values)
        ratios = np.full(len(treated), np.nan)
        ratios = np.divide(treated, control, out=ratios, where=(treated > 0) & (control > 0))
        return self._clustered(np.log(ratios), other)

    def _clustered(
        self, differences: Floats, other: Cut, ends: tuple[float, float] | None = None
    ) -> PairedDelta:
        """Of differences by place; the problems of either part without one are dropped."""
        [both] = np.nonzero(~np.isnan(differences))
        dropped = int(np.count_nonzero(self.problems | other.problems)) - len(both)
        return self.data.clustered(differences[both], both, dropped, ends)

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


def _mean(known: Floats) -> float | None:
    return math.fsum(known.tolist()) / len(known) if len(known) else None


class BenchmarkRun:
    """What a run has on the problems of a benchmark: these problems, and a mask of the attempts at them."""

    def __init__(self, data: Results, *benchmarks: str) -> None:
        self.data = data
        self.part = data.where(lambda problem: problem.benchmark in benchmarks)
        self.problems = [problem for problem in data.asked if problem.benchmark in benchmarks]

    @cached_property
    def cuts(self) -> list[Cut]:
        """The attempts of every system."""
        return self.data.cuts(self.part)
