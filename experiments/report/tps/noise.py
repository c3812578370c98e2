"""What damaged items do to scores and ranks (tables 13 and 14), where a run has them beside sound ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ansatz.eval.curation.noise_shift import SetShift
from ansatz.experiments.noise import NoiseShifts, Solver, noise_shifts
from ansatz.experiments.report.scale import is_rubric, scale_of
from ansatz.experiments.report.section import COUNT, POINTS, Column, Entry, Estimate, Section, Table
from ansatz.experiments.report.systems import System, estimate
from ansatz.experiments.report.table import RESOURCES
from ansatz.experiments.report.tps.process import heading, label
from ansatz.experiments.report.tps.run import Reviewer, TPSRun

_NOTE = (
    "Sound items alone against all items, as published tables compare them, and each damaged item against "
    "its own original, which is the sharper comparison. All differences are sound minus damaged (or all): "
    "above zero, the system does better on sound items; of errors, less is better. Rank 1 is the highest "
    "KPI among the systems here; kept: resamples of families in which both sets give the same rank. p is "
    "not adjusted."
)


def noise_sensitivity(run: TPSRun) -> Section | None:
    """Shifts of KPI, ranks and every dimension; None without damaged items."""
    if not run.has_noise:
        return None
    shifts = {each.dimension: each for each in noise_shifts(run.whole)}
    tables = [_ranks(run, shifts)] if run.reviewers else []
    for name, chosen in _groups(shifts):
        tables += [_sets(run, name, chosen), _pairs(run, name, chosen)]
    tables += [_kinds(run, shifts[reviewer.kpi], reviewer) for reviewer in run.reviewers]
    return Section(title="Sensitivity to noise", tables=tables, notes=(_NOTE,))


def _solver(system: System) -> Solver:
    return system.model, system.arm


def _ranks(run: TPSRun, shifts: dict[str, NoiseShifts]) -> Table:
    columns = [*heading(run), Column("KPI, all", POINTS), Column("KPI, sound", POINTS)]
    columns += [
        Column("Δ KPI", POINTS, change=True),
        Column("rank, all", COUNT),
        Column("rank, sound", COUNT),
    ]
    columns += [Column("move", COUNT, change=True), Column("kept", POINTS)]
    rows: list[list[Entry]] = []
    for reviewer in run.reviewers:
        found = shifts[reviewer.kpi]
        for system in run.systems:
            shift, rank = found.sets.get(_solver(system)), found.ranks.get(_solver(system))
            if shift is None or rank is None:
                continue
            moved = Estimate(float(rank.moved), float(rank.low), float(rank.high))
            means: list[Entry] = [shift.mixed, shift.clean, _estimate(shift)]
            rows.append([*label(run, system, reviewer), *means, rank.mixed, rank.clean, moved, rank.kept])
    caption = f"KPI and rank on all items and on the sound ones{run.simulated}."
    return Table("noise_kpi", caption, columns, rows)


def _estimate(shift: SetShift) -> Estimate:
    return Estimate(shift.estimate, shift.low, shift.high)


def _groups(shifts: Mapping[str, NoiseShifts]) -> list[tuple[str, list[NoiseShifts]]]:
    """The dimensions of each pair of tables, by name."""
    told = [each for name, each in shifts.items() if name not in RESOURCES]
    process = [each for each in told if is_rubric(each.dimension)]
    others = [each for each in told if not is_rubric(each.dimension)]
    return [(name, group) for name, group in (("process", process), ("results", others)) if group]


def _columns(shifts: Sequence[NoiseShifts]) -> list[Column]:
    names = [each.dimension for each in shifts]
    return [Column("arm"), *(Column(f"Δ {name}", scale_of(name), change=True) for name in names)]


def _sets(run: TPSRun, name: str, shifts: Sequence[NoiseShifts]) -> Table:
    rows: list[list[Entry]] = []
    for system in run.systems:
        found = [each.sets.get(_solver(system)) for each in shifts]
        rows.append([run.label(system), *(_estimate(shift) if shift else None for shift in found)])
    caption = f"Sound items against all items, {name} by dimension{run.simulated}."
    return Table(f"noise_{name}", caption, _columns(shifts), rows)


def _pairs(run: TPSRun, name: str, shifts: Sequence[NoiseShifts]) -> Table:
    rows: list[list[Entry]] = []
    for system in run.systems:
        found = [each.paired.get(_solver(system)) for each in shifts]
        rows.append([run.label(system), *(estimate(delta) if delta else None for delta in found)])
    caption = f"Each damaged item against its original, {name} by dimension{run.simulated}."
    return Table(f"noise_pairs_{name}", caption, _columns(shifts), rows)


def _kinds(run: TPSRun, shifts: NoiseShifts, reviewer: Reviewer) -> Table:
    kinds = list(dict.fromkeys(kind for found in shifts.by_kind.values() for kind in found))
    columns = [Column("arm"), *(Column(kind.replace("_", " "), POINTS, change=True) for kind in kinds)]
    rows: list[list[Entry]] = []
    for system in run.systems:
        found = shifts.by_kind.get(_solver(system), {})
        rows.append(
            [run.label(system), *(estimate(found[kind]) if kind in found else None for kind in kinds)]
        )
    caption = f"KPI by the {reviewer.title}: each damaged item against its original, by kind of damage."
    name = "noise_kinds" if reviewer == run.reviewers[0] else f"noise_kinds_{reviewer.title}"
    return Table(name, caption, columns, rows)
