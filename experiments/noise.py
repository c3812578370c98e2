"""What noise does to the conclusions of a run over a set whose tags name damage and original."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from ansatz.eval.benchmarks.validation import InvalidData
from ansatz.eval.curation.noise_shift import (
    NoisePair,
    RankShift,
    SetShift,
    noise_pairs,
    paired_shift,
    paired_shift_by_kind,
    rank_shifts,
    set_shift,
)
from ansatz.eval.statistics import PairedDelta, Scores
from ansatz.experiments.report import ReportData

Solver = tuple[str, str]
"""A model and an arm."""


@dataclass(frozen=True)
class NoiseShifts:
    """The shifts of one dimension for every model and arm.

    `paired` compares each damaged item with its original, `by_kind` the same for each kind of damage; `sets`
    and `ranks` compare the sound items with the whole set, as published tables do.
    """

    dimension: str
    paired: Mapping[Solver, PairedDelta]
    by_kind: Mapping[Solver, Mapping[str, PairedDelta]]
    sets: Mapping[Solver, SetShift]
    ranks: Mapping[Solver, RankShift]


def noise_shifts(data: ReportData) -> tuple[NoiseShifts, ...]:
    """Clean minus noisy on every dimension of a run. Raises InvalidData where nothing was damaged in it."""
    problems = list((data.problems or {}).values())
    pairs = noise_pairs(problems)
    if not pairs:
        raise InvalidData(f"{data.title} has no problem with a tag `corruption`; run the benchmark tps_noisy")
    damaged = {pair.noisy for pair in pairs}
    families = {problem.id: problem.family for problem in problems}
    clean = [id for id in families if id not in damaged]
    return tuple(
        _shifts(dimension, _tables(data, dimension), pairs, (clean, families), data.seed)
        for dimension in data.dimensions
    )


def _shifts(
    dimension: str,
    tables: Mapping[Solver, Scores],
    pairs: tuple[NoisePair, ...],
    items: tuple[list[str], Mapping[str, str]],
    seed: int,
) -> NoiseShifts:
    named = {" / ".join(solver): table for solver, table in tables.items()}
    ranks = rank_shifts(named, *items, seed=seed)
    return NoiseShifts(
        dimension,
        {solver: paired_shift(table, pairs, seed=seed) for solver, table in tables.items()},
        {solver: paired_shift_by_kind(table, pairs, seed=seed) for solver, table in tables.items()},
        {solver: set_shift(table, *items, seed=seed) for solver, table in tables.items()},
        {solver: ranks[" / ".join(solver)] for solver in tables if " / ".join(solver) in ranks},
    )


def _tables(data: ReportData, dimension: str) -> dict[Solver, Scores]:
    """The scores of each model and arm by problem, one per repeat; None where one is unscored."""
    found: dict[Solver, defaultdict[str, list[float | None]]] = {}
    for cell in data.cells:
        if cell.dimension == dimension:
            table = found.setdefault((cell.model, cell.arm), defaultdict(list))
            table[cell.problem].append(cell.value)
    return dict(found)
