"""What becomes of answers in auto-verification, by system."""

from __future__ import annotations

from collections import Counter

from ansatz.eval.benchmarks.tpbench.verification import OUTCOMES, Outcome
from ansatz.experiments.report.chart import Panel, Stacked
from ansatz.experiments.report.section import COUNT, POINTS, Column, Entry, Estimate, Section, Table
from ansatz.experiments.report.systems import System
from ansatz.experiments.report.tpbench.run import ALL, TPBenchRun


def outcomes(run: TPBenchRun) -> Section | None:
    """Shares of the outcome classes; None where nothing was verified."""
    if not run.outcomes:
        return None
    return Section(
        title="Outcomes of auto-verification",
        figures=[_figure(run)],
        tables=[_table(run)],
        notes=(
            "The class is that of the first test input that fails. Code that does not end in the time given "
            "is a timeout; an exception is any other end without a value, errors of syntax and exhausted "
            "memory included. No code means that the answer holds no function at all.",
        ),
    )


def _counted(run: TPBenchRun, system: System, level: str = ALL) -> Counter[Outcome]:
    wanted = set(run.at(level))
    return Counter(
        outcome
        for (model, arm, problem, _), outcome in run.outcomes.items()
        if (model, arm) == (system.model, system.arm) and problem in wanted
    )


def _table(run: TPBenchRun) -> Table:
    columns = [Column("level"), Column("system"), Column("answers", COUNT)]
    columns += [Column(outcome, POINTS) for outcome in OUTCOMES]
    rows: list[list[Entry]] = []
    for level in run.levels:
        for system in run.systems:
            counted = _counted(run, system, level)
            total = counted.total()
            if total:
                shares = [counted[outcome] / total for outcome in OUTCOMES]
                rows.append([run.level_name(level), run.label(system), total, *shares])
    caption = f"Answers by their outcome, in percent of those verified{run.simulated}."
    return Table("outcomes", caption, columns, rows)


def _figure(run: TPBenchRun) -> Stacked:
    counted = {run.label(system): _counted(run, system) for system in run.systems}
    series: dict[str, list[Estimate]] = {
        outcome: [
            Estimate(each[outcome] / each.total()) if each.total() else Estimate(None)
            for each in counted.values()
        ]
        for outcome in OUTCOMES
    }
    caption = f"Outcomes of auto-verification by arm{run.simulated}"
    return Stacked("outcomes", caption, [Panel("all levels", list(counted), series)], axis="% of answers")
