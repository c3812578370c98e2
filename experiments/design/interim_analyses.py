"""Interim analyses: ask a study in parts, and decide after each part which arms are asked further."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import ceil
from typing import TYPE_CHECKING, Any

from ansatz.errors import StudyError
from ansatz.experiments.design.design import Design
from ansatz.experiments.design.study_settings import Stopping
from ansatz.experiments.ledger import Ledger, PlannedAttempt

if TYPE_CHECKING:
    from ansatz.experiments.results import Decision, Results, System

_WORDS = {"success": "found", "futile": "given up", "open": "open"}


def check_stopping(design: Design, stopping: Stopping | None) -> None:
    """Raise StudyError if the study cannot be run in parts."""
    if stopping and any(arm.builds_on for arm in design.arms.values()):
        raise StudyError("stop: an arm builds on earlier answers, which need all problems", ("stop",))
    if stopping and len(design.shuffled_families) < 2 * stopping.looks:
        found, least = len(design.shuffled_families), 2 * stopping.looks
        raise StudyError(f"stop: {stopping.looks} looks need {least} families, not {found}", ("stop",))


def plan_parts(
    design: Design,
    stopping: Stopping | None,
    ledger: Ledger,
    read: Callable[[], Results],
    report: Callable[[str], None] = lambda line: None,
) -> Iterator[Sequence[PlannedAttempt]]:
    """Yield the attempts to make up to each interim analysis, and store what each analysis decides.

    Each arm of a model is decided by itself. An arm that is found or given up is no longer asked; the
    baseline is asked as long as an arm of the model is open. `read` reads the results of the run, and
    `report` prints one line on an analysis. The ledger's plan has only the attempts of parts that have begun.

    Decisions follow from the stored scores alone. A run that is resumed therefore makes them again, with the
    same result.
    """
    if stopping is None:
        if ledger.about("whole_study"):  # the study could stop arms before
            ledger.describe({"whole_study": None, "looks": None})
        yield design.attempts
        return
    analyses = _Analyses(design, stopping)
    stages: list[dict[str, Any]] = []
    ledger.describe({"whole_study": analyses.describe(), "looks": []})
    for number in range(stopping.looks):
        attempts = analyses.take_part(number)
        asked = dict.fromkeys(attempt.problem for attempt in attempts)
        ledger.plan(attempts, (design.problems[id] for id in asked))
        yield attempts
        stages.append(analyses.decide(number, read()))
        ledger.describe({"looks": stages})
        report(analyses.describe_stage(number))
        if not analyses.open:
            return


@dataclass
class _Analyses:
    """The interim analyses of one run, and the systems that are still open."""

    design: Design
    stopping: Stopping
    last: dict[tuple[str, str], int] = field(default_factory=dict)
    """By decided model and arm, the number of the analysis that decided it."""
    decided: dict[int, dict[System, Decision]] = field(default_factory=dict)

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """The number of families up to each analysis."""
        families, looks = len(self.design.shuffled_families), self.stopping.looks
        return tuple(ceil(families * number / looks) for number in range(1, looks + 1))

    @cached_property
    def fractions(self) -> tuple[float, ...]:
        return tuple(count / self.counts[-1] for count in self.counts)

    @cached_property
    def systems(self) -> tuple[tuple[str, str], ...]:
        """Every model under every arm but the baseline."""
        treated = [name for name in self.design.arms if name != self.design.settings.baseline]
        return tuple((model, arm) for model in self.design.models for arm in treated)

    @cached_property
    def boundaries(self) -> tuple[float, ...]:
        """The boundaries of |z| of adjusted p."""
        from ansatz.eval.statistics.resampling import FLIPS_MAIN
        from ansatz.eval.statistics.sequential import boundaries, least_p

        least = tuple(least_p(count, FLIPS_MAIN) for count in self.counts)
        comparisons = len(self.systems) * len(self.design.primary)
        return boundaries(self.fractions, self.stopping.success, least, max(comparisons, 1))

    @property
    def open(self) -> list[tuple[str, str]]:
        return [system for system in self.systems if system not in self.last]

    def describe(self) -> dict[str, Any]:
        """Return the whole study as plain JSON, for reports and for a run that is resumed from its folder."""
        futility = self.stopping.futility
        return {
            "problems": list(self.design.problems),
            "repeats": self.design.settings.repeats,
            "families": list(self.design.shuffled_families),
            "stop": {
                "looks": self.stopping.looks,
                "success": self.stopping.success,
                "difference": futility.difference if futility else None,
                "only": self.stopping.only,
            },
        }

    def take_part(self, number: int) -> tuple[PlannedAttempt, ...]:
        """Return the attempts up to analysis `number`: those of open arms, and the earlier ones of others."""
        until = {system: self.last.get(system, number) for system in self.systems}
        for model, arm in self.systems:  # an arm whose calls are matched is asked as long as the other one
            if matched := self.design.arms[arm].matched:
                until[model, matched] = max(until[model, arm], until.get((model, matched), 0))
        for model in self.design.models:
            own = [until[each] for each in self.systems if each[0] == model]
            until[model, self.design.settings.baseline] = max(own, default=number)
        place = {family: at for at, family in enumerate(self.design.shuffled_families)}
        home = {id: place[problem.family] for id, problem in self.design.problems.items()}
        return tuple(
            each
            for each in self.design.attempts
            if home[each.problem] < self.counts[until[each.model, each.arm]]
        )

    def decide(self, number: int, data: Results) -> dict[str, Any]:
        """Decide the open arms at analysis `number`; return it as plain JSON for the ledger."""
        from scipy.special import ndtr

        from ansatz.eval.statistics.sequential import giving_up_levels, spent_alpha
        from ansatz.experiments.results import Stage, System

        z = self.boundaries[number]
        p = float(2 * ndtr(-z)) or spent_alpha(self.fractions[number], self.stopping.success)
        families = frozenset(self.design.shuffled_families[: self.counts[number]])
        seen = data.at_stage(Stage(families, self.fractions[number], 1 - p))
        level = giving_up_levels(self.fractions)[number]
        self.decided[number] = {
            System(*each): self._decide_system(System(*each), seen, level) for each in self.open
        }
        self.last |= {tuple(at): number for at, found in self.decided[number].items() if found != "open"}
        return {
            "families": self.counts[number],
            "fraction": self.fractions[number],
            "boundary": z if z < float("inf") else None,
            "level": 1 - p,
            "decisions": [[*system, found] for system, found in self.decided[number].items()],
        }

    def _decide_system(self, system: System, seen: Results, level: float) -> Decision:
        """Return success if a primary difference has a star, futile if all exclude the named difference."""
        verdicts = seen.primary_comparisons.verdicts
        found = {name: verdicts.get((*system, name)) for name in seen.primary}
        if any(each.is_significant for each in found.values() if each):
            return "success"
        least = self.stopping.futility
        if least is None or not found:
            return "open"
        for name, each in found.items():
            ends = each.delta.ends_at(level) if each else None
            if ends is None:
                return "open"
            low, high = ends if seen.dimension(name).better == "higher" else (-ends[1], -ends[0])
            if high >= least.difference or (low <= -least.difference and self.stopping.only is None):
                return "open"
        return "futile"

    def describe_stage(self, number: int) -> str:
        """Return one line on an analysis."""
        several = len(self.design.models) > 1
        named = {
            f"{system.model}, {system.arm}" if several else system.arm: _WORDS[found]
            for system, found in self.decided[number].items()
        }
        listed = "; ".join(f"{name}: {word}" for name, word in named.items())
        share = f"{self.fractions[number]:.0%} of the families"
        return f"interim analysis {number + 1} of {self.stopping.looks}, {share}: {listed}"
