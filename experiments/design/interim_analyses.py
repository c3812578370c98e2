"""Interim analyses: ask a study in parts, and decide after each part which arms are asked further."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import ceil
from typing import TYPE_CHECKING, Any

from ansatz.errors import StudyError
from ansatz.experiments.design.design import Design
from ansatz.experiments.design.study_settings import Stopping
from ansatz.experiments.ledger import Ledger, PlannedAttempt

if TYPE_CHECKING:
    from ansatz.experiments.results import Decision, Results, Stage, System

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
    if stopping is None or len(design.arms) < 2:
        if ledger.about("whole_study"):  # the study could stop arms before
            ledger.describe({"whole_study": None, "looks": None})
        yield design.attempts
        return
    parts = _Parts(design, Schedule.of(design, stopping))
    looks: list[dict[str, Any]] = []
    ledger.describe({"whole_study": parts.describe(), "looks": looks})
    for number in range(stopping.looks):
        attempts = parts.list_attempts(number)
        asked = dict.fromkeys(attempt.problem for attempt in attempts)
        ledger.plan(attempts, (design.problems[id] for id in asked))
        yield attempts
        stage = parts.schedule.decide(number, read(), parts.open)
        parts.last |= {system: number for system, found in stage.decisions.items() if found != "open"}
        looks.append(
            {
                "families": len(stage.families),
                "fraction": stage.fraction,
                "level": stage.level,
                "decisions": [[*system, found] for system, found in stage.decisions.items()],
            }
        )
        ledger.describe({"looks": looks})
        report(parts.describe_stage(number, stage))
        if not parts.open:
            return


@dataclass(frozen=True)
class Schedule:
    """The interim analyses of a study, with the boundaries of success and the levels of giving up."""

    stopping: Stopping
    families: tuple[str, ...]
    """In the order in which they are asked."""
    comparisons: int
    """How many differences are tested together."""

    @classmethod
    def of(cls, design: Design, stopping: Stopping) -> Schedule:
        arms = len(design.arms) - 1
        return cls(stopping, design.shuffled_families, len(design.models) * arms * len(design.primary))

    @cached_property
    def counts(self) -> tuple[int, ...]:
        """The number of families up to each analysis."""
        families, looks = len(self.families), self.stopping.looks
        return tuple(ceil(families * number / looks) for number in range(1, looks + 1))

    @cached_property
    def fractions(self) -> tuple[float, ...]:
        return tuple(count / self.counts[-1] for count in self.counts)

    @cached_property
    def levels(self) -> tuple[float, ...]:
        """The level of the simultaneous interval that shows success at each analysis."""
        from scipy.special import ndtr

        from ansatz.eval.statistics.resampling import FLIPS_MAIN
        from ansatz.eval.statistics.sequential import boundaries, least_p, spent_alpha

        least = tuple(least_p(count, FLIPS_MAIN) for count in self.counts)
        z = boundaries(self.fractions, self.stopping.success, least, max(self.comparisons, 1))
        never = (spent_alpha(each, self.stopping.success) for each in self.fractions)
        return tuple(1 - (float(2 * ndtr(-each)) or other) for each, other in zip(z, never, strict=True))

    @cached_property
    def futility_levels(self) -> tuple[float, ...]:
        """The level of the interval that gives up an arm at each analysis."""
        from ansatz.eval.statistics.sequential import giving_up_levels

        return giving_up_levels(self.fractions)

    def decide(self, number: int, data: Results, systems: Iterable[System]) -> Stage:
        """Decide open systems by the results up to analysis `number`."""
        from ansatz.experiments.results import Stage

        families = frozenset(self.families[: self.counts[number]])
        stage = Stage(families, self.fractions[number], self.levels[number])
        seen = data.at_stage(stage)
        return replace(stage, decisions={each: self._decide_system(each, seen, number) for each in systems})

    def _decide_system(self, system: System, seen: Results, number: int) -> Decision:
        """Return success if a primary difference has a star, futile if all exclude the named difference.

        The last analysis gives nothing up: no request is left to save, and the interval has the result.
        """
        verdicts = seen.primary_comparisons.verdicts
        found = {name: verdicts.get((*system, name)) for name in seen.primary}
        if any(each.is_significant for each in found.values() if each):
            return "success"
        futility = self.stopping.futility
        if futility is None or not found or number == self.stopping.looks - 1:
            return "open"
        for name, each in found.items():
            ends = each.delta.ends_at(self.futility_levels[number]) if each else None
            if ends is None:
                return "open"
            low, high = ends if seen.dimension(name).better == "higher" else (-ends[1], -ends[0])
            may_harm = low <= -futility.difference and self.stopping.only is None
            if high >= futility.difference or may_harm:
                return "open"
        return "futile"


@dataclass
class _Parts:
    """The parts of one run, and the systems that are still open."""

    design: Design
    schedule: Schedule
    last: dict[System, int] = field(default_factory=dict)
    """By decided system, the number of the analysis that decided it."""

    @cached_property
    def systems(self) -> tuple[System, ...]:
        """Every model under every arm but the baseline."""
        from ansatz.experiments.results import System

        treated = [name for name in self.design.arms if name != self.design.settings.baseline]
        return tuple(System(model, arm) for model in self.design.models for arm in treated)

    @property
    def open(self) -> list[System]:
        return [system for system in self.systems if system not in self.last]

    def describe(self) -> dict[str, Any]:
        """Return the whole study as plain JSON, for reports and for a run that is resumed from its folder."""
        stopping = self.schedule.stopping
        return {
            "problems": list(self.design.problems),
            "repeats": self.design.settings.most_repeats,
            "families": list(self.schedule.families),
            "stop": {
                "looks": stopping.looks,
                "success": stopping.success,
                "difference": stopping.futility.difference if stopping.futility else None,
                "only": stopping.only,
            },
        }

    def list_attempts(self, number: int) -> tuple[PlannedAttempt, ...]:
        """Return the attempts up to analysis `number`: those of open arms, and the earlier ones of others."""
        until: dict[tuple[str, str], int] = {each: self.last.get(each, number) for each in self.systems}
        for model, arm in self.systems:  # an arm that another one follows is asked as long as that one
            if other := self.design.arms[arm].follows:
                until[model, other] = max(until[model, arm], until.get((model, other), 0))
        for model in self.design.models:
            own = [until[each] for each in self.systems if each.model == model]
            until[model, self.design.settings.baseline] = max(own, default=number)
        counts = self.schedule.counts
        place = {family: at for at, family in enumerate(self.schedule.families)}
        home = {id: place[problem.family] for id, problem in self.design.problems.items()}
        return tuple(
            each for each in self.design.attempts if home[each.problem] < counts[until[each.model, each.arm]]
        )

    def describe_stage(self, number: int, stage: Stage) -> str:
        """Return one line on an analysis."""
        several = len(self.design.models) > 1
        words = _WORDS | {"open": "not found"} if stage.fraction == 1 else _WORDS
        listed = "; ".join(
            f"{f'{system.model}, ' * several}{system.arm}: {words[found]}"
            for system, found in stage.decisions.items()
        )
        looks, share = self.schedule.stopping.looks, f"{stage.fraction:.0%} of the families"
        return f"interim analysis {number + 1} of {looks}, {share}: {listed}"
