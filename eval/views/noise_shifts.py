"""What noise does to the conclusions of a run over a set whose tags name damage and original."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ansatz.eval.statistics import PairedDelta
from ansatz.eval.statistics.noise_shift import (
    RankShift,
    SetShift,
    noise_pairs,
    paired_shift,
    paired_shift_by_kind,
    rank_shifts,
    set_shift,
)
from ansatz.eval.views.attempts import Mask, System
from ansatz.eval.views.results import Results


@dataclass(frozen=True)
class NoiseShifts:
    """The shifts of one dimension for every model and arm that it was scored for.

    `paired` compares each damaged item with its original, `by_kind` the same for each kind of damage; `sets`
    and `ranks` compare the sound items with the whole set, as published tables do.
    """

    dimension: str
    paired: Mapping[System, PairedDelta]
    by_kind: Mapping[System, Mapping[str, PairedDelta]]
    sets: Mapping[System, SetShift]
    ranks: Mapping[System, RankShift]


def noise_shifts(data: Results, part: Mask | None = None) -> tuple[NoiseShifts, ...]:
    """Sound minus damaged on every dimension of a run; empty where nothing was damaged in it."""
    mask = data.everything if part is None else part
    asked = {int(place) for place in data.attempts.problem[mask]}
    problems = [problem for place, problem in enumerate(data.asked) if place in asked]
    pairs = noise_pairs(problems)
    if not pairs:
        return ()
    damaged = {pair.noisy for pair in pairs}
    families = {problem.id: problem.family for problem in problems}
    clean = [id for id in families if id not in damaged]
    found = []
    for dimension in data.dimensions:
        values = data.values(dimension.name)
        tables = {cut.system: cut.scores(values) for cut in data.cuts(mask) if len(cut.rows)}
        named = {" / ".join((each.model, each.arm)): table for each, table in tables.items()}
        ranks = rank_shifts(named, clean, families, seed=data.seed)
        found.append(
            NoiseShifts(
                dimension.name,
                {each: paired_shift(table, pairs, seed=data.seed) for each, table in tables.items()},
                {each: paired_shift_by_kind(table, pairs, seed=data.seed) for each, table in tables.items()},
                {each: set_shift(table, clean, families, seed=data.seed) for each, table in tables.items()},
                {each: ranks[name] for each in tables if (name := f"{each.model} / {each.arm}") in ranks},
            )
        )
    return tuple(found)
