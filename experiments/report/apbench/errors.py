"""How answers fail: every wrong number or choice in one class."""

from __future__ import annotations

from collections import Counter

from ansatz.eval.benchmarks.apbench.error_classes import CLASSES, ErrorClass
from ansatz.eval.benchmarks.apbench.scoring import error_classes
from ansatz.experiments.report.apbench.run import APBenchRun
from ansatz.experiments.report.section import COUNT, POINTS, Column, Entry, Section, Table
from ansatz.experiments.report.systems import System

_NOTE = (
    "Numbers and choices count one by one here. Each that is wrong by the strict rule is in the first "
    "class that fits, in percent of the wrong ones: no value could be read; a unit of another "
    "dimension; the key with the other sign; the key times a power of ten; times 180/π or its inverse; "
    "twice or half the key; then by relative deviation."
)


def how_answers_fail(run: APBenchRun) -> Section | None:
    """None where no number or choice is asked for."""
    rows = [row for system in run.systems if (row := _row(run, system))]
    if not rows:
        return None
    columns = [
        *(Column("system"), Column("asked", COUNT), Column("wrong", COUNT)),
        *(Column(name, POINTS) for name in CLASSES),
    ]
    caption = f"Wrong numbers and choices by class{run.simulated}."
    return Section(title="How answers fail", tables=[Table("errors", caption, columns, rows)], notes=(_NOTE,))


def _row(run: APBenchRun, system: System) -> list[Entry]:
    found: Counter[ErrorClass | None] = Counter(
        each
        for _, problem, answer in run.answered(system)
        for each in error_classes(problem, answer).values()
    )
    if not found:
        return []
    wrong = found.total() - found[None]
    return [
        run.label(system),
        found.total(),
        wrong,
        *(found[name] / wrong if wrong else None for name in CLASSES),
    ]
