"""Every problem in every system: how many of its attempts were verified as correct."""

from __future__ import annotations

from ansatz.experiments.report.section import POINTS, Column, Entry, Section, Table
from ansatz.experiments.report.tpbench.run import ALL, TPBenchRun

_SHOWN = 12


def problem_by_problem(run: TPBenchRun) -> Section | None:
    """The paper's table 7; None where nothing was verified."""
    if not run.outcomes:
        return None
    attempts = {system: run.attempts(system, ALL) for system in run.systems}
    columns = [Column("problem"), Column("level"), Column("domain")]
    columns += [Column(run.label(system), POINTS) for system in run.systems]
    rows: list[list[Entry]] = []
    for id, problem in run.problems.items():
        title, level, domain = (str(problem.tags.get(tag, "")) for tag in ("title", "level", "domain"))
        shares = [_share(attempts[system].get(id, [])) for system in run.systems]
        rows.append([title or id, level, domain, *shares])
    rows.sort(key=lambda row: -max((each for each in row[3:] if isinstance(each, float)), default=0.0))
    caption = f"Share of a problem's attempts that were verified, most solved first{run.simulated}."
    return Section(
        title="Problem by problem", tables=[Table("problems", caption, columns, rows, shown=_SHOWN)]
    )


def _share(values: list[float | None]) -> float | None:
    scored = [value for value in values if value is not None]
    return sum(scored) / len(scored) if scored else None
