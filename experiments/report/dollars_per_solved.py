"""What a solved problem costs: the dollars of all attempts over the attempts that came out right."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ansatz.eval.score import Scale
from ansatz.eval.statistics.fieller import share
from ansatz.eval.views import Column, Estimate, Results, Table
from ansatz.eval.views.section import COUNT
from ansatz.experiments.report.deltas import headlines

_FULL = 1 - 1e-9
_CAPTION = (
    "What a solved attempt costs (full marks in {}): the dollars of all attempts over those solved, with "
    "Fieller's interval over families."
)


@dataclass(frozen=True)
class Solved:
    """Of one model and arm: attempts with a score and known dollars, how many have full marks, and what each
    of these costs; None where none has, its ends also where too few have for an interval."""

    model: str
    arm: str
    attempts: int
    solved: int
    dollars: float
    dollars_per_solved: float | None
    low: float | None
    high: float | None


def per_solved(data: Results) -> Iterator[Solved]:
    """By the first headline dimension; nothing where no dollars are known."""
    if not headlines(data):
        return
    values, dollars = data.values(headlines(data)[0].name), data.values("dollars")
    for cut in data.cuts():
        known = cut.rows[~np.isnan(values[cut.rows]) & ~np.isnan(dollars[cut.rows])]
        if not len(known):
            continue
        spent, right = dict[str, float](), dict[str, float]()
        ids = list(data.problems)
        for row in known.tolist():
            problem = ids[data.attempts.problem[row]]
            spent[problem] = spent.get(problem, 0.0) + float(dollars[row])
            right[problem] = right.get(problem, 0.0) + float(values[row] >= _FULL)
        solved, total = round(sum(right.values())), sum(spent.values())
        several = len({data.families[problem] for problem in right}) > 1
        found = share(spent, right, data.families, data.level) if solved and several else None
        ends = (found.low, found.high) if found else (None, None)
        each = total / solved if solved else None
        yield Solved(cut.system.model, cut.system.arm, len(known), solved, total, each, *ends)


def solved_table(data: Results) -> Table | None:
    """None where no attempt cost anything that is known."""
    rows = list(per_solved(data))
    if not any(row.dollars for row in rows):
        return None
    scale = Scale("dollars", 1, 4)
    columns = [Column("model"), Column("arm"), Column("attempts", COUNT), Column("solved", COUNT)]
    columns += [Column("dollars in all", Scale("dollars", 1, 2)), Column("dollars per solved", scale)]
    entries = [
        [
            *(row.model, row.arm, row.attempts, row.solved, row.dollars),
            None if row.dollars_per_solved is None else Estimate(row.dollars_per_solved, row.low, row.high),
        ]
        for row in rows
    ]
    return Table("solved", _CAPTION.format(headlines(data)[0].name), columns, entries)
