"""Measure interim analyses by the project's own functions, on simulated and on published answers.

    python -m benchmarks.stopping worlds [--studies 400]
    python -m benchmarks.stopping published --data FOLDER [--studies 400]

A study asks problems in families under a baseline and several arms, and scores each answer right or wrong.
Decisions come from the code of `ansatz run` (Westfall and Young, sign flips of families, simultaneous
intervals), with 4,999 flips and 300 resamples for speed. "Fixed" is the design without interim analyses for
which `ansatz plan` predicts a power of 80 %; "earlier" is the rule of version 0.1, whose futility takes the
difference so far for the true one, and which asks all arms until all are decided.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from scipy.special import ndtr, ndtri

from ansatz.eval import Dimension, Problem
from ansatz.eval.problem import LabelTarget
from ansatz.eval.statistics.power import Components, degrees_of_freedom, predict_detectable, sidak_level
from ansatz.eval.statistics.sequential import boundaries
from ansatz.experiments.design.interim_analyses import Schedule
from ansatz.experiments.design.study_settings import Futility, Stopping
from ansatz.experiments.planning.stopping_forecast import ScoreProcess
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


# Simulated worlds

CHANGED = 0.6
"""Share of a problem's answers that an arm gives anew; the others are the baseline's."""
EFFECT = 0.1


def draw_scores(rng: np.random.Generator, families: np.ndarray, effects: np.ndarray) -> Scores:
    """Draw right or wrong: the chance varies with the family, and all arms share the baseline's answers."""
    chance = rng.uniform(0.25, 0.7, families.max() + 1)[families]
    baseline = rng.random(len(families)) < chance
    shape = (len(effects), len(families))
    again = rng.random(shape) < chance + effects[:, None] / CHANGED
    return np.vstack([baseline, np.where(rng.random(shape) < CHANGED, again, baseline)]).astype(float)


def make_families(count: int) -> np.ndarray:
    """Families of one, two and three problems."""
    return np.repeat(np.arange(count), np.arange(count) % 3 + 1)


def true_components() -> Components:
    families = make_families(20_000)
    scores = draw_scores(np.random.default_rng(1), families, np.array([EFFECT]))
    return Components.estimate(scores[1] - scores[0], families, np.full(len(families), np.nan), 1)


def size_study(parts: Components, arms: int, growth: float) -> int:
    """Return how many families `ansatz plan` asks for, times `growth`."""
    level = sidak_level(arms)
    fits = (n for n in range(20, 5000) if _detects(parts, n, level))
    return round(next(fits) * growth)


def _detects(parts: Components, families: int, level: float) -> bool:
    sizes = np.bincount(make_families(families)).astype(float)
    return (predict_detectable(parts, sizes, 1, level=level) or 1.0) <= EFFECT


def measure_world(arms: int, working: int, only: str | None, studies: int) -> Iterator[str]:
    """Yield the row of a world: the stopped design with 80 % power beside the fixed one."""
    stopping = Stopping(futility=Futility(EFFECT), only=only)  # type: ignore[arg-type]
    parts = true_components()
    fixed = Trial(make_families(size_study(parts, arms, 1.0)), arms, stopping)
    degrees = degrees_of_freedom(np.bincount(fixed.families).astype(float))
    process = ScoreProcess(fixed.schedule, arms, degrees)
    growth = (process.drift / process.drift_without) ** 2
    stopped = Trial(make_families(size_study(parts, arms, growth)), arms, stopping)
    effects = np.where(np.arange(arms) < working, EFFECT, 0.0)
    found, plain = [], []
    for number in range(studies):
        scores = draw_scores(np.random.default_rng([37, number]), stopped.families, effects)
        found.append(run_stopped(stopped, scores, effects))
        plain.append(run_fixed(fixed, scores[:, : len(fixed.families)]))
    works = effects > 0
    requests = np.mean([each.share for each in found]) * len(stopped.families) / len(fixed.families)
    planned = process.share_asked(process.drift, working) * len(stopped.families) / len(fixed.families)
    cells = [
        _mean(found, lambda each: each.found[works].mean()) if working else None,
        _mean(plain, lambda each: each.found[works].mean()) if working else None,
        _mean(found, lambda each: each.found[~works].any()) if working < arms else None,
        _mean(plain, lambda each: each.found[~works].any()) if working < arms else None,
        requests,
        planned,
        _mean(found, lambda each: each.covered.all()),
        _mean(found, lambda each: each.alone.mean()),
        _mean(found, lambda each: each.agrees),
    ]
    lean = [each.estimates[each.found & works] for each in found]
    outward = 100 * (np.concatenate(lean).mean() - EFFECT) if working else None
    name = f"{arms} arm{'s' * (arms > 1)}, {working} work, {only or 'both'}"
    shown = " | ".join("–" if each is None else f"{each:.3f}" for each in cells)
    yield f"| {name} | {len(stopped.families)} / {len(fixed.families)} | {shown} | {'–' if outward is None else f'{outward:+.1f}'} |"


def _mean(outcomes: Sequence[Outcome], value: Callable[[Outcome], float]) -> float:
    return float(np.mean([value(each) for each in outcomes]))


def measure_worlds(studies: int) -> Iterator[str]:
    heads = (
        "world", "problems, stopped / fixed", "power", "fixed", "false", "fixed", "requests", "planned",
        "all covered", "each covered alone", "found is starred", "found lean, points",
    )  # fmt: skip
    yield f"| {' | '.join(heads)} |"
    yield f"| --- |{' ---: |' * (len(heads) - 1)}"
    for arms, working in ((8, 2), (8, 0), (4, 2), (4, 0), (1, 1), (1, 0), (8, 8)):
        for only in (None, "better"):
            yield from measure_world(arms, working, only, studies)


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("what", choices=("worlds",))
    asked.add_argument("--studies", type=int, default=400)
    chosen = asked.parse_args()
    started = time.perf_counter()
    for line in measure_worlds(chosen.studies):
        print(line, flush=True)
    print(f"{time.perf_counter() - started:.0f} s")


if __name__ == "__main__":
    main()
