"""Scores by the position of a question in its set."""

from __future__ import annotations

from ansatz.eval import Problem
from ansatz.experiments.report.apbench.run import RULES, APBenchRun, Wanted, count, is_message, position
from ansatz.experiments.report.chart import Panel, Progression
from ansatz.experiments.report.section import COUNT, POINTS, Column, Entry, Section, Table

_NOTE = (
    "Later questions are harder and more often ask for a message, so that a falling line says nothing "
    "of progressive asking by itself: compare lines at one position. Messages are left out of the "
    "figure and of the strict rule. Intervals resample whole sets."
)


def by_position(run: APBenchRun) -> Section:
    columns = [
        *(Column("system"), Column("position", COUNT)),
        *(Column("questions", COUNT), Column("published", POINTS)),
        *(Column("numbers and choices", COUNT), Column("their published", POINTS), Column("strict", POINTS)),
    ]
    rows: list[list[Entry]] = []
    for system in run.systems:
        for place in run.positions:
            everything = run.scores(system, "published", _at(place))
            numbers = run.scores(system, "published", _at(place, messages=False))
            strict = run.scores(system, "strict", _at(place, messages=False))
            rows.append(
                [
                    *(run.label(system), place, count(everything), run.mean(everything)),
                    *(count(numbers), run.mean(numbers), run.mean(strict)),
                ]
            )
    caption = f"Questions right by position in the set{run.simulated}."
    return Section(
        title="By position in the set",
        tables=[Table("positions", caption, columns, rows)],
        figures=[_figure(run)],
        notes=(_NOTE,),
    )


def _figure(run: APBenchRun) -> Progression:
    panels = []
    for rule in RULES:
        series = {
            run.label(system): [
                run.mean(run.scores(system, rule, _at(place, messages=False))) for place in run.positions
            ]
            for system in run.systems
        }
        panels.append(Panel(f"{rule} rule", [f"q{place}" for place in run.positions], series))
    caption = f"Numbers and choices right by position in the set{run.simulated}"
    return Progression("positions", caption, panels, "questions right, percent")


def _at(place: int, *, messages: bool = True) -> Wanted:
    def wanted(problem: Problem) -> bool:
        return position(problem) == place and (messages or not is_message(problem))

    return wanted
