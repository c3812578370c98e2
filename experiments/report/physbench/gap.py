"""Right answers with a wrong way to them: final answers against fully correct solutions (figure 4)."""

from __future__ import annotations

from ansatz.experiments.report.chart import Intervals, Panel
from ansatz.experiments.report.physbench.run import KINDS, Marked, PhysBenchRun
from ansatz.experiments.report.section import COUNT, POINTS, Column, Entry, Section, Table
from ansatz.experiments.report.systems import System, estimate

_NOTE = (
    "Final answer correct: full marks on the final answer. Fully correct: full marks on every criterion. "
    "The gap is the share of attempts with a correct final answer that lack full marks elsewhere, with an "
    "interval over question families; differences are paired by question, and their p is not adjusted."
)


def reasoning_gap(run: PhysBenchRun) -> Section | None:
    """None where nowhere both are known."""
    kinds = run.kinds_with("fully_correct")
    if not kinds:
        return None
    return Section(
        title="The reasoning gap",
        findings=[line for kind in kinds if (line := _finding(run, kind))],
        figures=[_figure(run, kinds)],
        tables=[_table(run, kind) for kind in kinds],
        notes=(_NOTE,),
    )


def flawed(attempt: Marked) -> float | None:
    """Of an attempt with a correct final answer, whether anything before it lacks marks; else None."""
    full = attempt.values.get("fully_correct")
    if attempt.values.get("final_correct") != 1.0 or full is None:
        return None
    return 1.0 - full


def _table(run: PhysBenchRun, kind: str) -> Table:
    columns = [Column("arm")]
    for name in ("final answer correct", "fully correct"):
        columns += [Column(name, POINTS), Column(f"Δ {name}", POINTS, change=True)]
    columns += [Column("gap", POINTS), Column("correct finals", COUNT)]
    rows: list[list[Entry]] = []
    for system in run.systems:
        row: list[Entry] = [run.label(system)]
        control = run.baseline(system.model)
        for name in ("final_correct", "fully_correct"):
            scores = run.scores(system, name, kind)
            row.append(run.mean(scores).value)
            apart = run.difference(scores, run.scores(control, name, kind))
            row.append(None if system == control else estimate(apart))
        row += [run.mean(run.measured(system, kind, flawed)), float(_correct(run, system, kind))]
        rows.append(row)
    caption = f"Final answers and whole solutions, {KINDS[kind]} questions{run.said}."
    return Table(f"gap_{kind}", caption, columns, rows, summary=kind == "problem_solving")


def _correct(run: PhysBenchRun, system: System, kind: str) -> int:
    return sum(flawed(each) is not None for each in run.of(system, kind))


def _figure(run: PhysBenchRun, kinds: tuple[str, ...]) -> Intervals:
    panels = [
        Panel(
            KINDS[kind],
            [run.label(system) for system in run.systems],
            {
                title: [run.mean(run.scores(system, name, kind)) for system in run.systems]
                for title, name in (
                    ("final answer correct", "final_correct"),
                    ("fully correct", "fully_correct"),
                )
            },
        )
        for kind in kinds
    ]
    caption = f"Final answer against full correctness{run.said}, {run.data.level:.0%} intervals"
    return Intervals("gap", caption, panels, axis="% of questions")


def _finding(run: PhysBenchRun, kind: str) -> str:
    attempts = [flawed(each) for system in run.systems for each in run.of(system, kind)]
    known = [value for value in attempts if value is not None]
    if not known:
        return ""
    return (
        f"{KINDS[kind]}: of {len(known)} attempts with a correct final answer, {sum(known):.0f} "
        f"({sum(known) / len(known):.0%}) lack full marks on the way to it"
    )
