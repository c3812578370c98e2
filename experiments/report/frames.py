"""Tidy data frames of a study, for notebooks and programs, and the plot that goes with them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ansatz.eval.views import Results
from ansatz.eval.views.attempts import Floats
from ansatz.experiments.report.comparisons import comparisons, headlines
from ansatz.experiments.report.deltas import forest

if TYPE_CHECKING:
    import polars
    from matplotlib.figure import Figure


def deltas_frame(data: Results) -> polars.DataFrame:
    """A row for each model, arm and dimension: estimate, low, high, p, p_adjusted, p_holm, pairs, dropped.

    With a prior also `chance`, the posterior one of a difference above zero.

    `low` and `high` are of one comparison alone, `low_all` and `high_all` hold for all at once.

    Differences are in stored units: shares of 1, amounts as they are.
    """
    import polars

    rows: list[dict[str, Any]] = [
        {
            "model": row.model,
            "arm": row.arm,
            "dimension": row.dimension.name,
            "estimate": row.delta.estimate,
            "low": row.delta.low,
            "high": row.delta.high,
            "p": row.p,
            "low_all": row.ends[0],
            "high_all": row.ends[1],
            "p_adjusted": row.p_adjusted,
            "p_holm": row.p_holm,
            "chance": row.delta.chance,
            "pairs": row.delta.pairs,
            "dropped": row.delta.dropped,
        }
        for row in comparisons(data)
    ]
    floats = ["estimate", "low", "high", "p", "low_all", "high_all", "p_adjusted", "p_holm"]
    numbers = dict.fromkeys([*floats, *(["chance"] if data.prior else [])], polars.Float64)
    counts = dict.fromkeys(("pairs", "dropped"), polars.Int64)
    schema = {**dict.fromkeys(("model", "arm", "dimension"), polars.String), **numbers, **counts}
    return polars.DataFrame([{k: row[k] for k in schema} for row in rows], schema=schema)


def attempts_frame(data: Results, rows: slice = slice(None)) -> polars.DataFrame:
    """A row for each attempt: who answered what, how it ended, what it took, and its value by dimension."""
    import polars

    attempts, text = data.attempts, polars.String
    ended = {name: [word or None for word in getattr(attempts, name)[rows]] for name in ("stop", "error")}
    return polars.DataFrame(
        [
            *_who(data, rows),
            *(polars.Series(name, words, text) for name, words in ended.items()),
            *(_known(name, values[rows]) for name, values in attempts.values.items()),
        ]
    )


def score_frames(data: Results, size: int) -> Iterator[polars.DataFrame]:
    """The tidy table in slices: a row for each dimension and attempt with its value; null without one."""
    import polars

    for name in (each.name for each in data.dimensions if each.name in data.attempts.values):
        for rows in slices(data, size):
            who = polars.DataFrame(_who(data, rows))
            said = polars.lit(name).alias("dimension")
            yield who.with_columns(said, _known("value", data.attempts.values[name][rows]))


def slices(data: Results, size: int) -> Iterator[slice]:
    """Of the attempts, so many at a time; a run without any has one."""
    return (slice(start, start + size) for start in range(0, max(len(data.attempts), 1), size))


def _who(data: Results, rows: slice) -> list[polars.Series]:
    """The columns that name an attempt, and whether it has scores."""
    import polars

    attempts, text = data.attempts, polars.String
    named = {
        "model": (data.models, attempts.model),
        "arm": (data.arms, attempts.arm),
        "problem": (list(data.problems), attempts.problem),
        "family": ([problem.family for problem in data.asked], attempts.problem),
    }
    return [
        *(polars.Series(name, words, text).gather(places[rows]) for name, (words, places) in named.items()),
        polars.Series("repeat", attempts.repeat[rows]),
        polars.Series("state", np.where(attempts.failed[rows], "error", "scored"), text),
    ]


def _known(name: str, values: Floats) -> polars.Series:
    import polars

    return polars.Series(name, values).fill_nan(None)


def plot_deltas(data: Results) -> Figure:
    """A forest plot of the headline dimensions, one panel each; without any, of what attempts took."""
    from ansatz.experiments.report.charts import drawn

    return drawn(forest(data, headlines(data) or data.of_role("resource")))
