"""One simulated study with interim analyses, without them, or by the rule of version 0.1.

Decisions come from the code of `ansatz run`, with fewer sign flips and resamples for speed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from scipy.special import ndtr, ndtri

from ansatz.eval import Dimension, Problem
from ansatz.eval.problem import LabelTarget
from ansatz.eval.statistics.sequential import boundaries
from ansatz.experiments.design.interim_analyses import Schedule
from ansatz.experiments.design.study_settings import Stopping
from ansatz.experiments.results import Attempts, Interim, Results, Stage, System

FLIPS, RESAMPLES = 4999, 300
Scores = np.ndarray
"""Right or wrong, of shape (1 + arms, problems); the baseline is first."""


class QuickResults(Results):
    """Results with fewer sign flips."""

    def adjust(self, deltas, flips=FLIPS):  # type: ignore[no-untyped-def]
        return super().adjust(deltas, min(flips, FLIPS))


@dataclass(frozen=True)
class Trial:
    """The problems of a study, the rule by which it stops, and its number of arms."""

    families: np.ndarray
    """By problem, ascending from 0."""
    arms: int
    stopping: Stopping

    @cached_property
    def problems(self) -> dict[str, Problem]:
        target = LabelTarget(name="x", weight=1, value="y")
        every = (
            Problem(id=str(n), family=str(home), benchmark="own", question="?", targets=(target,))
            for n, home in enumerate(self.families)
        )
        return {each.id: each for each in every}

    @cached_property
    def schedule(self) -> Schedule:
        names = tuple(map(str, range(int(self.families.max()) + 1)))
        return Schedule(self.stopping, names, self.arms)

    @cached_property
    def names(self) -> tuple[str, ...]:
        return ("baseline", *(f"arm {n}" for n in range(1, self.arms + 1)))

    def results(self, scores: Scores, until: Sequence[int], stages: Sequence[Stage] = ()) -> Results:
        """Return the results if each arm was asked up to a number of families."""
        arm, problem = np.nonzero(self.families[None, :] < np.array(until)[:, None])
        zeros = np.zeros(len(arm), dtype=np.intp)
        values = {"exact": scores[arm, problem].astype(np.float64)}
        attempts = Attempts(zeros, arm, problem, zeros, [""] * len(arm), [""] * len(arm), values)
        only = self.stopping.only is not None
        interim = Interim(
            "baseline", len(self.families), self.stopping.looks, 0.05, None, only, tuple(stages)
        )
        return QuickResults(
            "simulated", ("m",), self.names, "baseline", (Dimension("exact"),), self.problems, attempts,
            len(arm), resamples=RESAMPLES, primary=("exact",), interim=interim,
        )  # fmt: skip


@dataclass
class Outcome:
    """What became of one study."""

    found: np.ndarray
    """By arm."""
    share: float
    """Requests made, of those of the whole study."""
    covered: np.ndarray = field(default_factory=lambda: np.zeros(0))
    """Whether the simultaneous interval of each arm has the true difference."""
    alone: np.ndarray = field(default_factory=lambda: np.zeros(0))
    """The same for the interval of the arm alone."""
    agrees: bool = True
    """Whether found arms are those with a star in the report."""
    estimates: np.ndarray = field(default_factory=lambda: np.zeros(0))


def run_stopped(trial: Trial, scores: Scores, truth: np.ndarray) -> Outcome:
    """Run a study with interim analyses, then read its report."""
    counts, arms = trial.schedule.counts, [System("m", name) for name in trial.names[1:]]
    last: dict[System, int] = {}
    stages: list[Stage] = []
    until = [0] * (trial.arms + 1)
    for number in range(trial.stopping.looks):
        now = [last.get(each, number) for each in arms]
        until = [counts[max(now)], *(counts[at] for at in now)]
        data, still = trial.results(scores, until, stages), [each for each in arms if each not in last]
        stage = trial.schedule.decide(number, data, still)
        stages.append(stage)
        last |= {each: number for each, found in stage.decisions.items() if found != "open"}
        if len(last) == trial.arms:
            break
    found = np.array([any(each.decisions.get(arm) == "success" for each in stages) for arm in arms])
    verdicts = trial.results(scores, until, stages).main_comparisons.verdicts
    rows = [verdicts["m", arm.arm, "exact"] for arm in arms]
    sizes = np.bincount(trial.families).cumsum()
    return Outcome(
        found,
        sum(sizes[count - 1] for count in until) / (len(trial.families) * (trial.arms + 1)),
        np.array([row.low <= true <= row.high for row, true in zip(rows, truth, strict=True)]),
        np.array([row.delta.low <= true <= row.delta.high for row, true in zip(rows, truth, strict=True)]),
        agrees=[row.is_significant for row in rows] == found.tolist(),
        estimates=np.array([row.delta.estimate for row in rows]),
    )


def run_fixed(trial: Trial, scores: Scores) -> Outcome:
    """Run a study without interim analyses."""
    until = [trial.schedule.counts[-1]] * (trial.arms + 1)
    data = replace(trial.results(scores, until), interim=None)
    verdicts = data.main_comparisons.verdicts
    rows = [verdicts["m", name, "exact"] for name in trial.names[1:]]
    return Outcome(np.array([row.is_significant for row in rows]), 1.0)


def run_earlier(trial: Trial, scores: Scores, futility: float = 0.1) -> Outcome:
    """Run a study by the rule of version 0.1: conditional power by z of adjusted p; all arms stop together."""
    schedule = trial.schedule
    bounds, found = boundaries(schedule.fractions), np.zeros(trial.arms, dtype=bool)
    for count, t, bound in zip(schedule.counts, schedule.fractions, bounds, strict=True):
        data = replace(trial.results(scores, [count] * (trial.arms + 1)), interim=None)
        verdicts = data.primary_comparisons.verdicts
        z = np.array([-ndtri(verdicts["m", name, "exact"].p_adjusted / 2) for name in trial.names[1:]])
        found = z > bound
        final = boundaries((*(each for each in schedule.fractions if each <= t), 1.0))[-1] if t < 1 else bound
        ahead = z * np.sqrt(t) + z / np.sqrt(t) * (1 - t)
        futile = ndtr((ahead - final) / np.sqrt(1 - t)) < futility if t < 1 else z <= bound
        if (found | futile).all():
            break
    asked = np.count_nonzero(trial.families < count) / len(trial.families)
    return Outcome(found, asked)
