"""Cost: tokens, calls, time and money, also per solved attempt; and models compared."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from ansatz.eval.score import Scale
from ansatz.eval.statistics import PairedDelta, estimate_share
from ansatz.experiments.report.comparisons import column, compare_arms, headline_dimensions
from ansatz.experiments.report.tables import COUNT, Column, Entry, Section, Table, read_notes
from ansatz.experiments.report.tabulation import Measure, attempt_mean_column, count_column, system_rows
from ansatz.experiments.results import Estimate, Floats, Results, System

NOTES = read_notes(__name__)

_MEANS = (
    ("input_tokens", "input tokens", 0),
    ("cached_tokens", "of these cached", 0),
    ("output_tokens", "output tokens", 0),
    ("reasoning_tokens", "of these reasoning", 0),
    ("model_calls", "model calls", 1),
    ("tool_calls", "tool calls", 1),
    ("seconds", "seconds", 2),
    ("dollars", "dollars", 4),
)
_UNKNOWN = "unknown"
_FULL = 1 - 1e-9
_SOLVED = (
    "What a solved attempt costs (full marks in {}): the dollars of all attempts over those solved, with "
    "Fieller's interval over families."
)


def cost(data: Results) -> Section:
    """Show the mean cost of an attempt, and totals if prices are known."""
    columns = [count_column("attempts", lambda row: len(row.subset.known_values(data.values("tokens"))))]
    for name, title, decimals in _MEANS:
        values = data.values(name)
        if not np.isnan(values).all():
            columns.append(attempt_mean_column(title, values, scale=Scale(title, 1, decimals)))
    dollars = data.values("dollars")
    if not np.isnan(dollars).all():
        total = Scale("dollars in all", 1, 2)
        columns.append(
            Measure(
                "dollars in all",
                lambda row: float(known.sum()) if len(known := row.subset.known_values(dollars)) else None,
                total,
            )
        )
    table = system_rows(data).table("cost", "What attempts took", *columns)
    return Section("Cost", tables=[table, *_solved(data), *_usage(data)], notes=(NOTES["cost"],))


def per_solved(data: Results) -> list[dict[str, Any]]:
    """Compute the dollars per solved attempt: one with full score on the first headline dimension.

    Returns
    -------
    list of dict
        By model and arm: attempts with a score and known dollars, solved attempts, total dollars, dollars per
        solved attempt and the ends of its interval. The last three are None if they cannot be computed.
    """
    found = []
    values = data.values(headline_dimensions(data)[0].name if headline_dimensions(data) else "")
    dollars = data.values("dollars")
    for subset in data.subsets():
        known = subset.rows[~np.isnan(values[subset.rows]) & ~np.isnan(dollars[subset.rows])]
        if not len(known):
            continue
        spent, right = dollars[known], (values[known] >= _FULL).astype(np.float64)
        families = data.family[data.attempts.problem[known]]
        solved, total = int(right.sum()), math.fsum(spent.tolist())
        several = solved and len(np.unique(families)) > 1
        interval = estimate_share(spent, right, families, data.level) if several else None
        found.append(
            {
                "model": subset.system.model,
                "arm": subset.system.arm,
                "attempts": len(known),
                "solved": solved,
                "dollars": total,
                "dollars_per_solved": total / solved if solved else None,
                "low": interval and interval.low,
                "high": interval and interval.high,
            }
        )
    return found


def _solved(data: Results) -> Iterator[Table]:
    """Make the table of dollars per solved attempt, if any attempt has known dollars."""
    columns = [Column("model"), Column("arm"), Column("attempts", COUNT), Column("solved", COUNT)]
    columns.append(Column("dollars in all", Scale("dollars", 1, 2)))
    columns.append(Column("dollars per solved", Scale("dollars", 1, 4)))
    rows: list[list[Entry]] = []
    for *row, each, low, high in (found.values() for found in per_solved(data)):
        rows.append([*row, None if each is None else Estimate(each, low, high)])
    if any(row[-2] for row in rows):
        yield Table("solved", _SOLVED.format(headline_dimensions(data)[0].name), columns, rows)


def _usage(data: Results) -> Iterator[Table]:
    """Make the table of the usage of all requests, including failed attempts and judges."""
    if data.usage:
        scales = {"model": None, "arm": None, "dollars": Scale("dollars", 1, 2)}
        columns = [Column(name, scales.get(name, COUNT)) for name in data.usage[0]]
        rows = [
            [_UNKNOWN if name == "dollars" and value is None else value for name, value in each.items()]
            for each in data.usage
        ]
        yield Table("usage", "Usage of all requests, by model and arm, and by judge.", columns, rows)


def models_compared(data: Results) -> Section | None:
    """Compare models on each headline dimension; None with a single model."""
    tables: list[Table] = []
    pairs = list(combinations(data.models, 2))
    titles = [f"Δ {model}" for model in data.models]
    titles += [f"{second} − {first}" for first, second in pairs]
    titles += [f"Δ {second} − Δ {first}" for first, second in pairs]
    for dimension in headline_dimensions(data) if pairs else ():
        values, shown = data.values(dimension.name), column(dimension)
        subsets = {subset.system: subset for subset in data.subsets()}
        between = data.estimate_deltas(
            {
                (pair, arm): subsets[System(pair[1], arm)].difference_from(
                    subsets[System(pair[0], arm)], values
                )
                for pair in pairs
                for arm in data.arms
            }
        )
        interactions = data.estimate_deltas(
            {(pair, arm): _interaction(data, values, pair, arm) for pair in pairs for arm in data.treatments}
        )
        deltas = {place: replace(row.estimate, dropped=None) for place, row in compare_arms(data).items()}
        columns = [Column("arm"), *(Column(title, shown.scale, True, shown.better) for title in titles)]
        rows: list[list[Entry]] = [
            [
                arm,
                *(deltas.get((model, arm, dimension.name)) for model in data.models),
                *(between[pair, arm] for pair in pairs),
                *(interactions.get((pair, arm)) for pair in pairs),
            ]
            for arm in data.arms
        ]
        caption = (
            f"{shown.name}: what each arm adds by model, and one model against another{data.simulation_note}."
        )
        tables.append(Table(f"models_{dimension.name}", caption, columns, rows, in_summary=not tables))
    return Section("Models compared", tables=tables, notes=(NOTES["models"],)) if pairs else None


def _interaction(data: Results, values: Floats, models: tuple[str, str], arm: str) -> PairedDelta:
    """Return how much more an arm adds to the second model than to the first, paired by problem."""
    subsets = [data.subset(System(model, arm)) for model in models]
    first, second = (
        subset.mean_by_problem(values) - subset.control.mean_by_problem(values) for subset in subsets
    )
    [known] = np.nonzero(~np.isnan(second - first))
    ends = (-2.0, 2.0) if data.is_share(values) else None
    return data.mean_over_families((second - first)[known], known, len(data.problem_list) - len(known), ends)
