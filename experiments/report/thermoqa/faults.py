"""Both rules side by side, and what the benchmark's known faults are worth."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ansatz.eval import Problem
from ansatz.eval.benchmarks.thermoqa.analysis import RULES, Rule, Step, question_score, zero_steps
from ansatz.eval.benchmarks.thermoqa.rescore import free_items, lacks_reference_state
from ansatz.eval.statistics import Scores
from ansatz.experiments.report.section import COUNT, POINTS, Column, Entry, Section, Table
from ansatz.experiments.report.systems import System
from ansatz.experiments.report.thermoqa.run import ThermoQARun, by_problem

_NOTE = (
    "The published rule passes a value within 2 % or within an absolute tolerance, 0.5 for most, so that "
    "small numbers pass whatever is answered; the strict rule is relative, reads units, and keeps a floor "
    "only of the last digit that tables print. The row “0 everywhere” answers 0 to every number; free items "
    "are those that it passes."
)
_OPEN_NOTE = (
    "Open questions ask for h or s of a refrigerant without naming the reference state that their key uses."
)
_COLUMNS = (
    *(Column("tier"), Column("system"), Column("questions", COUNT)),
    *(Column(rule, POINTS) for rule in RULES),
    Column("strict − published", POINTS, change=True),
    Column("published without free items", POINTS),
)
_OPEN = (Column("open questions", COUNT), *(Column(f"{rule} without them", POINTS) for rule in RULES))

Marker = Callable[[Problem, tuple[Step, ...]], float | None]


def published_and_strict(run: ThermoQARun) -> Section:
    """Scores under both rules, with and without faulty parts, and the points that answering 0 earns."""
    has_open = any(map(lacks_reference_state, run.problems.values()))
    columns = [*_COLUMNS, *(_OPEN if has_open else ())]
    rows = [row[: len(columns)] for tier in run.tiers for row in _rows(run, tier)]
    caption = f"Both rules, with and without the faulty parts of the benchmark{run.simulated}."
    drifted, stored = _drift(run)
    drift = (
        f"{drifted} of {stored} stored scores differ from those given afresh here: they were made by other "
        "code or with other settings."
    )
    return Section(
        title="Published and strict",
        tables=[Table("faults", caption, columns, rows)],
        notes=[_NOTE, *[_OPEN_NOTE] * has_open, *[drift] * bool(drifted)],
    )


def _rows(run: ThermoQARun, tier: str) -> Iterator[list[Entry]]:
    asked = [problem for problem in run.problems.values() if problem.tags["tier"] == tier]
    open_ones = {problem.id for problem in asked if lacks_reference_state(problem)}
    for system in (*run.systems, None):
        whole = {rule: _scores(run, system, tier, _by(rule)) for rule in RULES}
        kept = {rule: {id: each for id, each in whole[rule].items() if id not in open_ones} for rule in RULES}
        strict, published = (run.mean(whole[rule]).value for rule in RULES)
        change = None if strict is None or published is None else strict - published
        earned = run.mean(_scores(run, system, tier, _without_free_items)).value
        without = [run.mean(kept[rule]).value if open_ones else None for rule in RULES]
        label = run.label(system) if system else "0 everywhere"
        yield [tier, label, len(asked), strict, published, change, earned, len(open_ones), *without]


def _scores(run: ThermoQARun, system: System | None, tier: str, mark: Marker) -> Scores:
    """Scores of a system by problem; without one those of an answer that states 0 everywhere."""
    if system is None:
        asked = {id: each for id, each in run.problems.items() if each.tags["tier"] == tier}
        return {id: [mark(each, zero_steps(each))] for id, each in asked.items()}
    attempts = run.of(system, tier)
    return by_problem(
        (each, None if each.steps is None else mark(each.problem, each.steps)) for each in attempts
    )


def _by(rule: Rule) -> Marker:
    return lambda _, steps: question_score(steps, rule)


def _without_free_items(problem: Problem, steps: tuple[Step, ...]) -> float | None:
    free = free_items(problem)
    return question_score([step for step in steps if step.name not in free], "published")


def _drift(run: ThermoQARun) -> tuple[int, int]:
    """How many stored scores differ from those given here, and how many are stored."""
    stored = {
        (cell.model, cell.arm, cell.problem, cell.repeat, cell.dimension): cell.value
        for cell in run.data.cells
        if cell.dimension in RULES and cell.value is not None
    }
    fresh = {
        (each.attempt.model, each.attempt.arm, each.attempt.problem, each.attempt.repeat, rule): each.score(
            rule
        )
        for system in run.systems
        for each in run.of(system)
        for rule in RULES
    }
    differing = [key for key, value in stored.items() if abs((fresh.get(key) or 0.0) - value) > 1e-9]
    return len(differing), len(stored)
