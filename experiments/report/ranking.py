"""Ranks of the systems of imported scores, with the range that the choice of problems leaves open."""

from __future__ import annotations

import numpy as np

from ansatz.eval.score import Dimension
from ansatz.eval.statistics.ranks import rank_means, rank_ranges
from ansatz.experiments.report.comparisons import column, headline_dimensions
from ansatz.experiments.report.tables import COUNT, Column, Entry, Section, Table
from ansatz.experiments.results import Estimate, Results, System

_NOTE = (
    "A rank counts the systems with a higher mean over the problems that all of them have a score for; "
    "equal means "
    "share the better rank. The range has 95 % of the resamples of whole families. Overlapping ranges do not "
    "distinguish systems; the differences do."
)


def rank_systems(data: Results, dimension: Dimension) -> dict[System, tuple[Estimate, Estimate]]:
    """Return the mean and the rank of each system with a score, best first, both with their intervals.

    Means and ranks are over the problems that all these systems have a score for.
    """
    values = data.values(dimension.name)
    ranked = [subset for subset in data.subsets() if subset.count_scored(values)]
    if not ranked:
        return {}
    means = np.stack([subset.mean_by_problem(values) for subset in ranked])
    shared = np.flatnonzero(~np.isnan(means).any(axis=0))
    if not len(shared):
        return {}
    scores = means[:, shared] * (1 if dimension.better == "higher" else -1)
    families = data.family[shared]
    ranges = rank_ranges(scores, families, seed=data.seed, resamples=data.resamples, level=data.level)
    found = []
    for at, (subset, place) in enumerate(zip(ranked, rank_means(scores.mean(axis=1)).tolist(), strict=True)):
        mean = data.mean_over_families(means[at, shared], shared, ends=(0.0, 1.0))
        low, high = (None, None) if ranges is None else ranges[at].tolist()
        about = Estimate(mean.estimate, mean.low, mean.high, n=len(shared))
        found.append((place, subset.system, about, Estimate(place, low, high)))
    return {system: (about, rank) for place, system, about, rank in sorted(found, key=lambda each: each[0])}


def ranks(data: Results) -> Section | None:
    """Rank the systems of imported scores on each headline dimension; None for other runs and one system."""
    if not data.imported or len(data.systems) < 2:
        return None
    tables = []
    for dimension in headline_dimensions(data):
        found = rank_systems(data, dimension)
        shown = column(dimension, change=False)
        columns = [Column("system"), shown, Column("rank", COUNT, better="neither")]
        rows: list[list[Entry]] = [[data.label(system), *pair] for system, pair in found.items()]
        problems = next((mean.n for mean, _ in found.values()), 0)
        caption = f"{dimension.name}: ranks over the {problems:,} problems that every system has a score for."
        tables.append(Table(f"ranks_{dimension.name}", caption, columns, rows))
    return Section("Ranks", tables=tables, notes=(_NOTE,))
