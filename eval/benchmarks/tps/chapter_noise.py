"""The effect of damaged items on scores and ranks (tables 13 and 14)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np

from ansatz.eval.benchmarks.tps.chapter_run import Reviewer, TPSRun
from ansatz.eval.benchmarks.tps.noise import CLEAN, CLEAN_ID, KIND
from ansatz.eval.score import PERCENT, POINTS, Dimension, Scale
from ansatz.eval.statistics import PairedDelta
from ansatz.eval.statistics.ranks import RankShift, SetShift, rank_shifts, set_shift
from ansatz.experiments.report.tables import COUNT, Section, Table, read_notes
from ansatz.experiments.report.tabulation import Measure, Row, Rows, system_rows
from ansatz.experiments.results import Estimate, Floats, System, values_of_tag

NOTES = read_notes(__name__)


class _Noise:
    """The run's sound and damaged items; damaged items count as further attempts at their originals."""

    def __init__(self, run: TPSRun) -> None:
        self.run = run
        self.paired = run.data.as_originals(CLEAN_ID)
        places = np.unique(run.data.attempts.problem[run.whole])
        problems = [run.data.problem_list[place] for place in places]
        self.places = places
        self.clean = np.array([problem.tags.get(KIND, CLEAN) == CLEAN for problem in problems])
        self.families = np.array([problem.family for problem in problems])
        self.kinds = sorted(set(values_of_tag(problems, KIND)) - {CLEAN})

    def means(self, values: Floats) -> Floats:
        """Return the means by system and item."""
        return np.stack(
            [subset.mean_by_problem(values)[self.places] for subset in self.run.data.subsets(self.run.whole)]
        )

    def shifts(self, values: Floats) -> list[SetShift]:
        """Return for each system the difference that damaged items make to the mean over all items."""
        seed = self.run.data.seed
        return [set_shift(own, self.clean, self.families, seed=seed) for own in self.means(values)]

    def pairs(self, *kinds: str) -> Rows:
        """Return a row for every system: the originals of items with some kinds of damage."""
        data, problems = self.run.data, self.paired.attempts.problem
        damaged = self.run.whole & data.where(lambda problem: problem.tags.get(KIND) in kinds)
        originals = np.isin(problems, problems[damaged]) & self.run.part
        rows = [Row((c.label,), c.where(originals), c.where(damaged)) for c in self.paired.subsets()]
        return Rows(data, ["arm"], rows)


def noise_sensitivity(run: TPSRun) -> Section | None:
    """Show the shifts of KPI, ranks and every dimension; None without damaged items."""
    if not run.has_noise:
        return None
    noise = _Noise(run)
    tables = [_ranks(noise)] if run.reviewers else []
    scored = [each for each in run.data.dimensions if each.role != "resource"]
    for name in ("process", "results"):
        group = [each for each in scored if (each.scale == POINTS) == (name == "process")]
        if group:
            tables += _dimensions(noise, name, group)
    tables += [_kinds(noise, reviewer) for reviewer in run.reviewers]
    return Section("Sensitivity to noise", tables=tables, notes=(NOTES["noise_note"],))


def _estimate(shift: SetShift) -> Estimate:
    return Estimate(shift.estimate, shift.low, shift.high)


def _ranks(noise: _Noise) -> Table:
    rows = []
    run = noise.run
    for reviewer in run.reviewers:
        kpi = run.data.values(f"{reviewer.prefix}kpi")
        moved = rank_shifts(noise.means(kpi), noise.clean, noise.families, seed=run.data.seed)
        for subset, shift, rank in zip(run.subsets, noise.shifts(kpi), moved, strict=True):
            if rank is not None:
                rows.append(Row(run.label(subset, reviewer), subset, (shift, rank)))

    def moved_by(rank: RankShift) -> Estimate:
        return Estimate(float(rank.moved), float(rank.low), float(rank.high))

    columns = [
        Measure("KPI, all", lambda row: row.context[0].mixed),
        Measure("KPI, sound", lambda row: row.context[0].clean),
        Measure("Δ KPI", lambda row: _estimate(row.context[0]), change=True),
        Measure("rank, all", lambda row: row.context[1].mixed, COUNT),
        Measure("rank, sound", lambda row: row.context[1].clean, COUNT),
        Measure("move", lambda row: moved_by(row.context[1]), COUNT, change=True),
        Measure("kept", lambda row: row.context[1].kept),
    ]
    caption = "KPI and rank on all items and on the sound ones"
    return Rows(run.data, run.heads, rows).table("noise_kpi", caption, *columns)


def _change(name: str, found: Mapping[System, Estimate | PairedDelta], scale: Scale = PERCENT) -> Measure:
    return Measure(name, lambda row: found[row.subset.system], scale, change=True)


def _dimensions(noise: _Noise, name: str, group: Sequence[Dimension]) -> list[Table]:
    """Compare sound items with all items, and each damaged item with its original."""
    data = noise.run.data

    def less(values: Floats, row: Row) -> PairedDelta:
        return row.subset.difference_from(row.context, values)

    sets, pairs = [], []
    for each in group:
        values = data.values(each.name)
        found = dict(zip(data.systems, map(_estimate, noise.shifts(values)), strict=True))
        sets.append(_change(f"Δ {each.name}", found, each.scale))
        pairs.append(Measure(f"Δ {each.name}", partial(less, values), each.scale, change=True))
    caption = f"Sound items against all items, {name} by dimension"
    paired_caption = f"Each damaged item against its original, {name} by dimension"
    return [
        system_rows(data).table(f"noise_{name}", caption, *sets),
        noise.pairs(*noise.kinds).table(f"noise_pairs_{name}", paired_caption, *pairs),
    ]


def _kinds(noise: _Noise, reviewer: Reviewer) -> Table:
    run = noise.run
    kpi = run.data.values(f"{reviewer.prefix}kpi")
    columns = []
    for kind in noise.kinds:
        found = {
            row.subset.system: row.subset.difference_from(row.context, kpi) for row in noise.pairs(kind).rows
        }
        columns.append(_change(kind.replace("_", " "), found))
    caption = f"KPI by the {reviewer.title}: each damaged item against its original, by kind of damage."
    name = "noise_kinds" if reviewer == run.reviewers[0] else f"noise_kinds_{reviewer.title}"
    return system_rows(run.data).table(name, caption, *columns)
