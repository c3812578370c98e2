"""Scores by topic of astrodynamics."""

from __future__ import annotations

from ansatz.eval import Problem
from ansatz.experiments.report.apbench.run import RULES, APBenchRun, Rule, Wanted
from ansatz.experiments.report.chart import Heatmap, Panel
from ansatz.experiments.report.section import COUNT, POINTS, Column, Entry, Section, Table

_NOTE = (
    "A question is right if all that it asks for is. The published rule compares bare numbers within "
    "its adaptive margin and takes a message above a likeness of 0.6; the strict rule reads units, "
    "accepts a small relative deviation, and has no verdict on messages. Intervals resample whole sets."
)


def by_topic(run: APBenchRun) -> Section | None:
    """None for files without topics."""
    topics = run.tag_values("topic")
    if not topics:
        return None
    return Section(
        title="By topic",
        tables=[_table(run, topics, rule) for rule in RULES],
        figures=[_figure(run, topics)],
        notes=(_NOTE,),
    )


def _table(run: APBenchRun, topics: list[str], rule: Rule) -> Table:
    columns = [
        *(Column("topic"), Column("questions", COUNT)),
        *(Column(run.label(system), POINTS) for system in run.systems),
    ]
    rows: list[list[Entry]] = []
    for topic in (*topics, ""):
        wanted = _of(topic)
        asked = sum(map(wanted, run.problems.values()))
        means = [run.mean(run.scores(system, rule, wanted)).value for system in run.systems]
        rows.append([topic or "all", asked, *means])
    return Table(
        f"topics_{rule}", f"Questions right under the {rule} rule, by topic{run.simulated}.", columns, rows
    )


def _figure(run: APBenchRun, topics: list[str]) -> Heatmap:
    panels = []
    for rule in RULES:
        series = {
            run.label(system): [run.mean(run.scores(system, rule, _of(topic))) for topic in topics]
            for system in run.systems
        }
        panels.append(Panel(f"{rule} rule", topics, series))
    return Heatmap("topics", f"Questions right by topic, in percent{run.simulated}", panels)


def _of(topic: str) -> Wanted:
    """Questions of a topic; all for none."""

    def wanted(problem: Problem) -> bool:
        return not topic or problem.tags.get("topic") == topic

    return wanted
