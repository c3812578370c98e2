"""Track A: how near the stated values are, and whether their units are right (tables 8 and 11)."""

from __future__ import annotations

from ansatz.experiments.report.chart import Panel, Stacked
from ansatz.experiments.report.section import COUNT, POINTS, Column, Entry, Estimate, Section, Table
from ansatz.experiments.report.systems import System
from ansatz.experiments.report.tps.run import ACCEPTABLE, EXACT, ORDER, WRONG, TPSRun

SHARES = (EXACT, ACCEPTABLE, ORDER, WRONG)
_NOTE = (
    "Exact: relative error below 1 %; acceptable: below 10 %; order-correct: below 50 %; wrong: the rest, "
    "and whatever is not stated. An item with several targets counts in each band by the weight of the "
    "targets there. Units right: of the numbers asked for, those with a unit of the right dimension; a "
    "number that is not stated has none. Pred OK: attempts with a readable value for at least one target. "
    "An attempt that failed for want of infrastructure is no wrong answer: it is in no share but Pred OK."
)


def track_a(run: TPSRun) -> Section:
    """Shares of the bands for every model and arm."""
    columns = [Column("arm"), Column(EXACT, POINTS), *(Column(name, POINTS) for name in SHARES[1:])]
    columns += [Column("units right", POINTS), Column("Pred OK", POINTS)]
    columns += [Column("attempts", COUNT), Column("failed", COUNT)]
    caption = f"Outcome, in % of targets by weight{run.simulated}."
    rows = [_row(run, system) for system in run.systems]
    return Section(
        title="Track A: outcome",
        tables=[Table("track_a", caption, columns, rows)],
        figures=[_figure(run)],
        notes=(_NOTE,),
    )


def band(run: TPSRun, system: System, name: str) -> Estimate:
    """The share of a band, with its interval."""
    return run.mean(run.scores(system, lambda reading: reading.band(name)))


def units_right(run: TPSRun, system: System) -> Estimate:
    return run.mean(run.scores(system, lambda reading: reading.units()))


def predicted(run: TPSRun, system: System) -> float | None:
    """The share of all attempts that gave a readable answer."""
    readings = run.readings[system]
    return sum(reading.is_readable for reading in readings) / len(readings) if readings else None


def failed(run: TPSRun, system: System) -> int:
    return sum(reading.verdicts is None for reading in run.readings[system])


def _row(run: TPSRun, system: System) -> list[Entry]:
    exact = band(run, system, EXACT)
    shares: list[Entry] = [band(run, system, name).value for name in SHARES[1:]]
    counts: list[Entry] = [len(run.readings[system]), failed(run, system)]
    return [run.label(system), exact, *shares, units_right(run, system), predicted(run, system), *counts]


def _figure(run: TPSRun) -> Stacked:
    labels = [run.label(system) for system in run.systems]
    series = {name: [Estimate(band(run, system, name).value) for system in run.systems] for name in SHARES}
    caption = f"Outcome by arm{run.simulated}: shares of the bands of relative error"
    return Stacked("track_a", caption, [Panel("all items", labels, series)], "% of targets by weight")
