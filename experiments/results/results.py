"""Means and paired differences of the attempts of a study."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self, TypeVar

import numpy as np

from ansatz.eval.statistics import (
    AdjustedFamily,
    PairedDelta,
    adjust_familywise,
    clustered_mean,
    gate_by_primary,
)
from ansatz.eval.statistics.resampling import FLIPS, FLIPS_MAIN
from ansatz.experiments.results.estimate import Estimate
from ansatz.experiments.results.screened import switch_effects
from ansatz.experiments.results.stored_study import Floats, Mask, Numbers, Stage, StoredStudy, System

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, eq=False)
class Results(StoredStudy):
    """A stored study with its statistics: subsets of attempts, and adjusted comparisons."""

    @cached_property
    def rows_by_system(self) -> dict[System, Numbers]:
        codes = self.attempts.model * len(self.arms) + self.attempts.arm
        order = np.argsort(codes, kind="stable")
        ends = np.searchsorted(codes[order], np.arange(len(self.systems) + 1))
        return {system: order[ends[at] : ends[at + 1]] for at, system in enumerate(self.systems)}

    def subset(self, system: System, part: Mask | None = None) -> Subset:
        """Return the attempts of a system, or those of them that a mask over all attempts selects."""
        return Subset(self, system, self.all_attempts if part is None else part)

    def subsets(self, part: Mask | None = None) -> list[Subset]:
        """Return one subset for each system."""
        return [self.subset(system, part) for system in self.systems]

    def mean_by_problem(self, values: Floats, rows: Numbers) -> Floats:
        """Average over the attempts at each problem that have a value; NaN for a problem without one."""
        found = values[rows]
        known = ~np.isnan(found)
        places, size = self.attempts.problem[rows][known], len(self.problem_list)
        counts = np.bincount(places, minlength=size)
        sums = np.bincount(places, weights=found[known], minlength=size)
        return np.asarray(np.divide(sums, counts, out=np.full(size, np.nan), where=counts > 0))

    def estimate_mean(
        self, values: Floats, rows: Numbers, ends: tuple[float, float] | None = (0.0, 1.0)
    ) -> Estimate:
        """Average over problems, with an interval over families. `ends` are the bounds of the values."""
        means = self.mean_by_problem(values, rows)
        [known] = np.nonzero(~np.isnan(means))
        found = self.mean_over_families(means[known], known, ends=ends)
        return Estimate(found.estimate, found.low, found.high, n=len(known))

    def mean_over_families(
        self,
        differences: Floats,
        problems: Numbers,
        dropped: int = 0,
        ends: tuple[float, float] | None = None,
        level: float | None = None,
    ) -> PairedDelta:
        """Average values over problems, with an interval from resampled families.

        Parameters
        ----------
        differences
            One value per problem.
        problems
            Their indices in `problem_list`.
        dropped
            Number of problems that were left out.
        ends
            The least and the greatest possible value, if values are bounded.
        level
            The confidence level, if it is not that of the study.
        """
        settings = {"seed": self.seed, "resamples": self.resamples, "level": level or self.level}
        found = clustered_mean(differences, self.family[problems], ends=ends, **settings)  # type: ignore[arg-type]
        return replace(found, dropped=dropped)

    def adjust(self, deltas: Mapping[Key, PairedDelta], flips: int = FLIPS_MAIN) -> AdjustedFamily[Key]:
        """Adjust a family of comparisons for their number."""
        return adjust_familywise(
            deltas, seed=self.seed, correction=self.correction, flips=flips, level=self.level
        )

    @cached_property
    def quality_deltas(self) -> dict[tuple[str, str, str], PairedDelta]:
        """The differences of all arms on all quality dimensions, by model, arm and dimension.

        In a screening design, they are the main effects of switches.
        """
        if self.screened:
            return switch_effects(self)
        return {
            (subset.system.model, subset.system.arm, each.name): delta
            for subset in self.subsets()
            for each in self.with_role("quality")
            if (delta := subset.delta(self.values(each.name))) is not None
        }

    @cached_property
    def primary_comparisons(self) -> AdjustedFamily[tuple[str, str, str]]:
        """All arms against the baseline on the primary dimensions, adjusted for all of them.

        If only improvements count, a change for the worse has p = 1.
        """
        first = {place: each for place, each in self.quality_deltas.items() if place[2] in self.primary}
        found = self.adjust(first)
        if self.analysed is None or not self.analysed.only_better:
            return found
        verdicts = {
            place: each if self._improves(place[2], each.delta) else replace(each, p_adjusted=1.0)
            for place, each in found.verdicts.items()
        }
        return replace(found, verdicts=verdicts)

    def _improves(self, dimension: str, delta: PairedDelta) -> bool:
        sign = 1 if self.dimension(dimension).better == "higher" else -1
        return sign * (delta.estimate or 0.0) > 0

    @cached_property
    def stages(self) -> dict[Stage, Self]:
        """The study as each interim analysis saw it that decided an arm; empty without interim analyses."""
        if self.analysed is None:
            return {}
        found = filter(None, map(self.find_stage, self.systems))
        return {stage: self.at_stage(stage) for stage in dict.fromkeys(found)}

    def seen_by(self, system: System) -> Self:
        """Return the study as the interim analysis saw it that decided the system."""
        stage = self.find_stage(system)
        return self.stages.get(stage, self) if stage else self

    @cached_property
    def main_comparisons(self) -> AdjustedFamily[tuple[str, str, str]]:
        """All arms against the baseline on all quality dimensions, by model, arm and dimension.

        They are one family of comparisons. If the study names primary dimensions, the other dimensions of an
        arm count only if one of its primary dimensions is significant. An arm that was stopped is compared as
        at the interim analysis that stopped it.
        """
        rest = {place: each for place, each in self.quality_deltas.items() if place[2] not in self.primary}
        first = self.quality_deltas.keys() - rest.keys()
        if not first:
            return self.adjust(rest)
        gates = {place: [each for each in first if each[:2] == place[:2]] for place in rest}
        found = gate_by_primary(self.primary_comparisons, self.adjust(rest), gates)
        if not self.stages:
            return found
        seen = {place: self.seen_by(System(*place[:2])).main_comparisons for place in found.verdicts}
        verdicts = {place: own.verdicts[place] for place, own in seen.items() if place in own.verdicts}
        return replace(found, verdicts=verdicts)

    def estimate_deltas(self, deltas: Mapping[Key, PairedDelta | None]) -> dict[Key, Estimate | None]:
        """Convert the differences of a table to estimates, with p and intervals adjusted for all of them.

        A difference that is also a main comparison has the same verdict as there. The adjustment is never
        milder than that of the main comparisons, however few differences a table has. While a run is
        incomplete, estimates have no adjusted p.
        """
        family = self.adjust({key: delta for key, delta in deltas.items() if delta is not None}, FLIPS)
        main = self.main_comparisons
        main_by_totals = {each.delta.totals.key: each for each in main.verdicts.values() if each.delta.totals}
        found: dict[Key, Estimate | None] = {}
        for key, delta in deltas.items():
            verdict = family.verdicts.get(key)
            if delta is None or verdict is None or delta.totals is None:
                found[key] = Estimate.from_delta(delta)
                continue
            if (same := main_by_totals.get(delta.totals.key)) is not None:
                p, ends = same.p_adjusted, (same.low, same.high)
            else:
                p = max(verdict.p_adjusted, main.adjusted_p(delta))
                ends = delta.ends_at(
                    max(family.simultaneous_level(delta), main.simultaneous_level(delta))
                ) or (None, None)
            adjusted = replace(delta, low=ends[0], high=ends[1])
            found[key] = Estimate.from_delta(adjusted, p if self.is_complete else None)
        return found


@dataclass(frozen=True, eq=False)
class Subset:
    """Some attempts of one system."""

    data: Results
    system: System
    part: Mask
    """Selects attempts; it has one entry for each attempt of all systems."""

    @cached_property
    def rows(self) -> Numbers:
        """The rows of the attempts in `Attempts`."""
        rows = self.data.rows_by_system[self.system]
        return rows[self.part[rows]]

    @property
    def label(self) -> str:
        return self.data.label(self.system)

    @property
    def is_baseline(self) -> bool:
        return self.system.arm == self.data.baseline

    @property
    def control(self) -> Subset:
        """The same part of the attempts of the same model under the baseline."""
        return self if self.is_baseline else self.with_arm(self.data.baseline)

    def with_arm(self, arm: str) -> Subset:
        return Subset(self.data, System(self.system.model, arm), self.part)

    def where(self, part: Mask) -> Subset:
        return Subset(self.data, self.system, self.part & part)

    @cached_property
    def problems(self) -> Mask:
        """For each problem, whether it has an attempt here."""
        return np.bincount(self._problem_of_row, minlength=len(self.data.problem_list)) > 0

    @cached_property
    def _problem_of_row(self) -> Numbers:
        return self.data.attempts.problem[self.rows]

    def mean_by_problem(self, values: Floats) -> Floats:
        """Average over the attempts at each problem that have a value; NaN for a problem without one."""
        return self.data.mean_by_problem(values, self.rows)

    def mean_value(self, values: Floats) -> float | None:
        """Average over problems, repeats averaged first; None without a value."""
        means = self.mean_by_problem(values)
        return _mean(means[~np.isnan(means)])

    def attempt_mean(self, values: Floats) -> float | None:
        """Average over attempts, however many a problem has; None without a value."""
        return _mean(self.known_values(values))

    def estimate_mean(self, values: Floats, ends: tuple[float, float] | None = (0.0, 1.0)) -> Estimate:
        """Average as `mean_value`, with an interval over families. `ends` are the bounds of the values."""
        return self.data.estimate_mean(values, self.rows, ends)

    def difference_from(self, other: Subset, values: Floats) -> PairedDelta:
        """Subtract another subset at the same problems, paired by problem."""
        differences = self.mean_by_problem(values) - other.mean_by_problem(values)
        return self._paired(differences, other, (-1.0, 1.0) if self.data.is_share(values) else None)

    def log_ratio(self, other: Subset, values: Floats) -> PairedDelta:
        """Return ln(amount here / amount in another subset), paired by problem, where both are positive."""
        treated, control = self.mean_by_problem(values), other.mean_by_problem(values)
        ratios = np.full(len(treated), np.nan)
        ratios = np.divide(treated, control, out=ratios, where=(treated > 0) & (control > 0))
        return self._paired(np.log(ratios), other)

    def _paired(
        self, differences: Floats, other: Subset, ends: tuple[float, float] | None = None
    ) -> PairedDelta:
        """Average the differences by problem; problems without a difference count as dropped."""
        [both] = np.nonzero(~np.isnan(differences))
        asked = self.data.asked_problems(self.system) & self.data.asked_problems(other.system)
        dropped = int(np.count_nonzero((self.problems | other.problems) & asked)) - len(both)
        level = max(self.data.level_of(self.system), self.data.level_of(other.system))
        return self.data.mean_over_families(differences[both], both, dropped, ends, level)

    def delta(self, values: Floats) -> PairedDelta | None:
        """Subtract the baseline; None for the baseline itself."""
        return None if self.is_baseline else self.difference_from(self.control, values)

    def values_by_problem(self, values: Floats) -> list[list[float]]:
        """Return, for each problem of `problems`, the values of its attempts that have one."""
        found: dict[int, list[float]] = {place: [] for place in np.flatnonzero(self.problems).tolist()}
        for place, value in zip(self._problem_of_row.tolist(), values[self.rows].tolist(), strict=True):
            if not math.isnan(value):
                found[place].append(value)
        return list(found.values())

    def count_scored(self, values: Floats) -> int:
        """Count the problems that have a value."""
        return int(np.count_nonzero(~np.isnan(self.mean_by_problem(values))))

    def known_values(self, values: Floats) -> Floats:
        """Return the values of the attempts that have one."""
        found = values[self.rows]
        return found[~np.isnan(found)]


def _mean(known: Floats) -> float | None:
    return math.fsum(known.tolist()) / len(known) if len(known) else None


class BenchmarkRun:
    """The attempts of a run at the problems of one benchmark, the base of a benchmark's chapter."""

    def __init__(self, data: Results, *benchmarks: str) -> None:
        self.data = data
        self.part = data.where(lambda problem: problem.benchmark in benchmarks)
        self.problems = [problem for problem in data.problem_list if problem.benchmark in benchmarks]

    @cached_property
    def subsets(self) -> list[Subset]:
        """The attempts of each system at these problems."""
        return self.data.subsets(self.part)
