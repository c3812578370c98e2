"""What damaged items do to scores and ranks (tables 13 and 14), where a run has them beside sound ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ansatz.eval.benchmarks.tps.tps_run import Reviewer, TPSRun
from ansatz.eval.score import PERCENT, POINTS, Dimension
from ansatz.eval.statistics import PairedDelta
from ansatz.eval.views.attempts import System
from ansatz.eval.views.noise_shifts import NoiseShifts, noise_shifts
from ansatz.eval.views.notes import Notes
from ansatz.eval.views.section import COUNT, Column, Entry, Estimate, Section, Table
from ansatz.eval.views.tabulation import change, systems

NOTES = Notes(__name__)


def noise_sensitivity(run: TPSRun) -> Section | None:
    """Shifts of KPI, ranks and every dimension; None without damaged items."""
    if not run.has_noise:
        return None
    shifts = {each.dimension: each for each in noise_shifts(run.data, run.whole)}
    tables = [_ranks(run, shifts)] if run.reviewers else []
    scored = [each for each in run.data.dimensions if each.role != "resource"]
    groups = {
        "process": [each for each in scored if each.scale == POINTS],
        "results": [each for each in scored if each.scale != POINTS],
    }
    for name, group in groups.items():
        if group:
            tables += [_sets(run, name, group, shifts), _pairs(run, name, group, shifts)]
    tables += [_kinds(run, shifts[f"{reviewer.prefix}kpi"], reviewer) for reviewer in run.reviewers]
    return Section("Sensitivity to noise", tables=tables, notes=(NOTES["noise_note"],))


def _ranks(run: TPSRun, shifts: Mapping[str, NoiseShifts]) -> Table:
    columns = [*(Column(str(head)) for head in run.heads), Column("KPI, all", PERCENT)]
    columns += [Column("KPI, sound", PERCENT), Column("Δ KPI", PERCENT, change=True)]
    columns += [Column("rank, all", COUNT), Column("rank, sound", COUNT)]
    columns += [Column("move", COUNT, change=True), Column("kept", PERCENT)]
    rows: list[list[Entry]] = []
    for row in run.rows.rows:
        found = shifts[f"{row.about.prefix}kpi"]
        shift, rank = found.sets.get(row.cut.system), found.ranks.get(row.cut.system)
        if shift is None or rank is None:
            continue
        moved = Estimate(float(rank.moved), float(rank.low), float(rank.high))
        means = (shift.mixed, shift.clean, Estimate(shift.estimate, shift.low, shift.high))
        rows.append([*row.labels, *means, rank.mixed, rank.clean, moved, rank.kept])
    caption = f"KPI and rank on all items and on the sound ones{run.data.simulation}."
    return Table("noise_kpi", caption, columns, rows)


def _sets(run: TPSRun, name: str, group: Sequence[Dimension], shifts: Mapping[str, NoiseShifts]) -> Table:
    columns = []
    for each in group:
        found = shifts[each.name].sets
        moved = {system: Estimate(one.estimate, one.low, one.high) for system, one in found.items()}
        columns.append(change(f"Δ {each.name}", moved, each.scale))
    caption = f"Sound items against all items, {name} by dimension"
    return systems(run.data).table(f"noise_{name}", caption, *columns)


def _pairs(run: TPSRun, name: str, group: Sequence[Dimension], shifts: Mapping[str, NoiseShifts]) -> Table:
    columns = [change(f"Δ {each.name}", shifts[each.name].paired, each.scale) for each in group]
    caption = f"Each damaged item against its original, {name} by dimension"
    return systems(run.data).table(f"noise_pairs_{name}", caption, *columns)


def _kinds(run: TPSRun, shifts: NoiseShifts, reviewer: Reviewer) -> Table:
    by_kind: dict[str, dict[System, PairedDelta]] = {}
    for system, found in shifts.by_kind.items():
        for kind, delta in found.items():
            by_kind.setdefault(kind, {})[system] = delta
    columns = [change(kind.replace("_", " "), found) for kind, found in by_kind.items()]
    caption = f"KPI by the {reviewer.title}: each damaged item against its original, by kind of damage."
    name = "noise_kinds" if reviewer == run.reviewers[0] else f"noise_kinds_{reviewer.title}"
    return systems(run.data).table(name, caption, *columns)
