"""A run's attempts at TPS items as columns: the accuracy of the values, and the reviewers' scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from ansatz.eval.bands import BANDS
from ansatz.eval.benchmarks.tps.noise import CLEAN, KIND
from ansatz.eval.problem import Problem
from ansatz.eval.statistics.ranks import rank_means, rank_ranges
from ansatz.eval.verifier.kpi import WEIGHTS
from ansatz.experiments.report.tables import Column, Entry
from ansatz.experiments.report.tabulation import Row, Rows
from ansatz.experiments.results import BenchmarkRun, Estimate, Floats, Mask, Results, Subset, System

BENCHMARKS = ("tps", "tps_noisy")
RUBRIC = tuple(WEIGHTS)
EXACT, ACCEPTABLE, ORDER = (name for _, _, name in BANDS)
SHARES = (EXACT, ACCEPTABLE, ORDER, "wrong")
STATUSES = ("ok", "ok_partial", "failed", "no answer")
LEAST = 0.8
"""Share of predictions, and of reviewed predictions, from which a system is compared (section V.1)."""


@dataclass(frozen=True)
class Reviewer:
    """A source of process scores: the verifier, whose dimensions have no prefix, or a judge."""

    title: str
    prefix: str


class TPSRun(BenchmarkRun):
    """Attempts at sound TPS items (`part`); `whole` also has the damaged items of a run."""

    def __init__(self, data: Results) -> None:
        super().__init__(data, *BENCHMARKS)
        self.whole, self.part = self.part, self.part & data.where(_is_sound)
        self.problems = list(filter(_is_sound, self.problems))
        self.has_noise = bool((self.whole & ~self.part).any())
        self.reviewers = _reviewers([each.name for each in data.dimensions])
        self.reviewed = cache(self._reviewed)

    @cached_property
    def targets(self) -> Mapping[str, Floats]:
        """Weighted shares of the targets in each band and with the right unit, of attempts that did not fail.

        `readable` is 1 if the answer states a value for any target, else 0, also for a failed attempt.
        `right` is 1 if every target is exact or acceptable.
        """
        found = {name: np.full(len(self.part), np.nan) for name in (*SHARES, "units")}
        found |= {name: np.where(self.part, 0.0, np.nan) for name in ("readable", "right")}
        for row, [outcome] in self.data.details(self.part, "outcome"):
            targets = list(outcome.get("targets", {}).values())
            if not targets:
                continue
            total = sum(each["weight"] for each in targets)
            for name in SHARES:
                found[name][row] = sum(each["weight"] for each in targets if each["band"] == name) / total
            united = [each for each in targets if each["unit_ok"] is not None]
            if united:
                right = sum(each["weight"] for each in united if each["unit_ok"])
                found["units"][row] = right / sum(each["weight"] for each in united)
            found["readable"][row] = any(each["value"] is not None for each in targets)
            found["right"][row] = all(each["band"] in (EXACT, ACCEPTABLE) for each in targets)
        return found

    @property
    def readable(self) -> Mask:
        return np.asarray(self.targets["readable"] == 1)

    def _reviewed(self, reviewer: Reviewer, name: str) -> Floats:
        """Return a score of readable answers; the others have none, as in the published mean."""
        return np.where(self.readable, self.data.values(f"{reviewer.prefix}{name}"), np.nan)

    def mark(self, name: str) -> Callable[[Row], Floats]:
        """Return these scores for the reviewer of a row."""
        return lambda row: self.reviewed(row.context, name)

    def kpi_of_all(self, reviewer: Reviewer) -> Floats:
        """Return the KPI in which an unreadable answer counts as zero."""
        stored = self.data.values(f"{reviewer.prefix}kpi")
        return np.where(self.data.attempts.failed, np.nan, np.where(self.readable, stored, 0.0))

    def statuses(self, reviewer: Reviewer, subset: Subset) -> Counter[str]:
        """Count the attempts of a system by the status of their review."""
        readable = self.readable[subset.rows]
        marks = [self.reviewed(reviewer, name)[subset.rows] for name in RUBRIC]
        whole = readable & ~np.isnan(marks).any(axis=0)
        summed = ~np.isnan(self.reviewed(reviewer, "kpi")[subset.rows])
        counts = (whole, ~whole & summed, readable & ~whole & ~summed, ~readable)
        return Counter({name: int(each.sum()) for name, each in zip(STATUSES, counts, strict=True)})

    def predicted(self, subset: Subset) -> float | None:
        """Return the share of all attempts with a readable answer."""
        return subset.attempt_mean(self.targets["readable"])

    def covered(self, reviewer: Reviewer, subset: Subset) -> float | None:
        """Return the share of readable answers that have a KPI; None without a readable answer."""
        counts = self.statuses(reviewer, subset)
        readable = sum(counts.values()) - counts["no answer"]
        return (counts["ok"] + counts["ok_partial"]) / readable if readable else None

    def failed(self, subset: Subset) -> int:
        return int(self.data.attempts.failed[subset.rows].sum())

    def unranked(self, reviewer: Reviewer, subset: Subset) -> str:
        """Return the reason why a system is not ranked, or ""."""
        readable, covered = self.predicted(subset), self.covered(reviewer, subset)
        if readable is None:
            return "no attempt"
        if readable < LEAST:
            lost = self.failed(subset)
            because = f", {lost} attempts failed because of infrastructure" if lost else ""
            return f"only {readable:.0%} readable answers, below {LEAST:.0%}{because}"
        if covered is None or covered < LEAST:
            return f"only {covered or 0.0:.0%} of the readable answers reviewed, below {LEAST:.0%}"
        return ""

    def ranks(self, reviewer: Reviewer) -> dict[System, Estimate]:
        """Return the ranks of the systems by KPI, each with its range when families are resampled."""
        kpi = self.reviewed(reviewer, "kpi")
        ranked = [subset for subset in self.subsets if not self.unranked(reviewer, subset)]
        ranked.sort(key=lambda subset: -(subset.mean_value(kpi) or 0.0))
        if not ranked:
            return {}
        means = np.stack([subset.mean_by_problem(kpi) for subset in ranked])
        asked = ~np.isnan(means).all(axis=0)
        data = self.data
        settings = {"seed": data.seed, "resamples": data.resamples, "level": data.level}
        ranges = rank_ranges(means[:, asked], data.family[asked], **settings)  # type: ignore[arg-type]
        ends = [(None, None)] * len(ranked) if ranges is None else ranges.tolist()
        places = rank_means(np.array([subset.mean_value(kpi) or 0.0 for subset in ranked]))
        return {
            subset.system: Estimate(int(place), low, high)
            for subset, place, (low, high) in zip(ranked, places, ends, strict=True)
        }

    @property
    def titles(self) -> list[str]:
        """The titles of the reviewers, in the order of the blocks of `rows`."""
        return [reviewer.title for reviewer in self.reviewers]

    @property
    def heads(self) -> list[str | Column]:
        """The head columns of a row; they name the reviewer if there are several."""
        return ["arm", *(["reviewer"] if len(self.reviewers) > 1 else [])]

    def label(self, subset: Subset, reviewer: Reviewer) -> tuple[Entry, ...]:
        return (subset.label, *([reviewer.title] if len(self.reviewers) > 1 else []))

    @cached_property
    def rows(self) -> Rows:
        """A row for every reviewer and system."""
        named = [
            Row(self.label(subset, reviewer), subset, reviewer)
            for reviewer in self.reviewers
            for subset in self.subsets
        ]
        return Rows(self.data, self.heads, named)


def _is_sound(problem: Problem) -> bool:
    return problem.tags.get(KIND, CLEAN) == CLEAN


def _reviewers(dimensions: Sequence[str]) -> tuple[Reviewer, ...]:
    """Return the reviewers whose scores are in the run, in the order of its scorers."""
    prefixes = [name.removesuffix("kpi") for name in dimensions if name.endswith("kpi")]
    return tuple(
        Reviewer(prefix.rstrip(".") or "verifier", prefix)
        for prefix in prefixes
        if all(f"{prefix}{name}" in dimensions for name in RUBRIC)
    )
