"""Right answers by wrong ways: outcome against process, item by item (table 22)."""

from __future__ import annotations

from functools import partial

from ansatz.experiments.report.chart import Panel, Stacked
from ansatz.experiments.report.section import COUNT, POINTS, Column, Entry, Estimate, Section, Table
from ansatz.experiments.report.systems import System
from ansatz.experiments.report.tps.composite import kpi_published
from ansatz.experiments.report.tps.process import heading, label
from ansatz.experiments.report.tps.run import Reading, Reviewer, TPSRun

PROCESS_HIGH = 0.70
QUADRANTS = ("HH", "HL", "LH", "LL")
_NOTE = (
    "First letter: outcome, high where every target is exact or acceptable (within 10 %). Second: process, "
    "high where the item's published KPI is 70 or more (the other KPI is so high for right answers alone). "
    "HL is the right answer by a wrong or unexplained way, LH sound work with a slip. Of the readable "
    "answers that have a KPI."
)


def quadrants(run: TPSRun) -> Section | None:
    """The four shares for every model, arm and reviewer; None where nobody reviewed."""
    if not run.reviewers:
        return None
    columns = [*heading(run), *(Column(name, POINTS) for name in QUADRANTS), Column("problems", COUNT)]
    rows = [_row(run, system, reviewer) for reviewer in run.reviewers for system in run.systems]
    caption = f"Outcome × process, in % of reviewed answers{run.simulated}."
    return Section(
        title="Outcome against process",
        tables=[Table("quadrants", caption, columns, rows)],
        figures=[_figure(run)],
        notes=(_NOTE,),
    )


def quadrant(reviewer: Reviewer, reading: Reading) -> str | None:
    """The quadrant of an attempt; None for one that was not reviewed."""
    process = kpi_published(reviewer, reading)
    if process is None:
        return None
    return ("H" if reading.is_right else "L") + ("H" if process >= PROCESS_HIGH - 1e-9 else "L")


def _is_in(name: str, reviewer: Reviewer, reading: Reading) -> float | None:
    found = quadrant(reviewer, reading)
    return None if found is None else float(found == name)


def _share(run: TPSRun, system: System, reviewer: Reviewer, name: str) -> Estimate:
    return run.mean(run.scores(system, partial(_is_in, name, reviewer)))


def _row(run: TPSRun, system: System, reviewer: Reviewer) -> list[Entry]:
    shares = [_share(run, system, reviewer, name) for name in QUADRANTS]
    return [*label(run, system, reviewer), *shares, shares[0].n]


def _figure(run: TPSRun) -> Stacked:
    labels = [run.label(system) for system in run.systems]
    panels = [
        Panel(
            reviewer.title,
            labels,
            {
                name: [Estimate(_share(run, system, reviewer, name).value) for system in run.systems]
                for name in QUADRANTS
            },
        )
        for reviewer in run.reviewers
    ]
    caption = f"Outcome × process{run.simulated}: HL is right answers by a wrong or unexplained way"
    return Stacked("quadrants", caption, panels, axis="% of reviewed answers")
