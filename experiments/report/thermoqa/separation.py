"""Discriminators: the kinds of questions and the steps on which systems differ most."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator

from ansatz.experiments.report.section import COUNT, POINTS, Column, Entry, Section, Table
from ansatz.experiments.report.systems import System
from ansatz.experiments.report.thermoqa.run import FIRST, Judged, ThermoQARun

_SHOWN = 12
_FEWEST = 3  # questions in a group, below which a spread is chance
_TAGS = ("category", "fluid")

Group = tuple[str, str]
Values = Callable[[Judged], Iterator[tuple[Group, float]]]
Means = dict[Group, dict[System, tuple[float, int]]]


def discriminators(run: ThermoQARun) -> Section | None:
    """Groups by the spread between the best and the worst system; None for a single system."""
    systems = run.baselines() if run.several_models else list(run.systems)
    if len(systems) < 2:
        return None
    what = "models" if run.several_models else "arms"
    tables = [
        _table(run, "discriminators", f"Kinds of questions by the spread between {what}", systems, _kinds),
        _table(run, "discriminating_steps", f"Steps by the spread between {what}", systems, _steps),
    ]
    note = (
        f"Spread is the best system's mean minus the worst's, on groups of at least {_FEWEST} questions. "
        "The largest of many spreads is partly luck: read it as where to look, not as a finding."
    )
    return Section(title=f"What separates the {what}", tables=tables, notes=(note,))


def _kinds(judged: Judged) -> Iterator[tuple[Group, float]]:
    score = judged.score(FIRST)
    tags = judged.problem.tags
    for tag in _TAGS:
        if score is not None and tag in tags:
            yield (f"tier {tags['tier']}", str(tags[tag])), score


def _steps(judged: Judged) -> Iterator[tuple[Group, float]]:
    for step in judged.steps or ():
        if step.strict is not None:
            yield (f"tier {judged.problem.tags['tier']}", step.name), float(step.strict == "pass")


def _table(run: ThermoQARun, name: str, caption: str, systems: list[System], values: Values) -> Table:
    spreads = []
    for group, means in _means(run, systems, values).items():
        if len(means) == len(systems) and min(count for _, count in means.values()) >= _FEWEST:
            best = max(means, key=lambda system: means[system][0])
            worst = min(means, key=lambda system: means[system][0])
            spread = means[best][0] - means[worst][0]
            if spread > 0:
                spreads.append((spread, group, best, worst, means))
    spreads.sort(key=lambda each: (-each[0], each[1]))
    rows: list[list[Entry]] = [
        [*group, means[best][1], spread, means[best][0], run.label(best), means[worst][0], run.label(worst)]
        for spread, group, best, worst, means in spreads
    ]
    columns = [
        *(Column("tier"), Column("group"), Column("questions", COUNT), Column("spread", POINTS)),
        *(Column("best", POINTS), Column("best system"), Column("worst", POINTS), Column("worst system")),
    ]
    return Table(name, f"{caption}, {FIRST} rule{run.simulated}.", columns, rows, shown=_SHOWN)


def _means(run: ThermoQARun, systems: Iterable[System], values: Values) -> Means:
    """By group and system: the mean over attempts, and the number of questions behind it."""
    found: Means = {}
    for system in systems:
        sums: defaultdict[Group, list[float]] = defaultdict(list)
        questions: defaultdict[Group, set[str]] = defaultdict(set)
        for judged in run.of(system):
            for group, value in values(judged):
                sums[group].append(value)
                questions[group].add(judged.attempt.problem)
        for group, scores in sums.items():
            mean = math.fsum(scores) / len(scores)
            found.setdefault(group, {})[system] = mean, len(questions[group])
    return found
