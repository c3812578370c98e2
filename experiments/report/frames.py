"""Tidy data frames of a study, for notebooks and programs, and the plot that goes with them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ansatz.eval.views import Results
from ansatz.experiments.report.deltas import comparisons, headlines

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


def attempts_frame(data: Results) -> polars.DataFrame:
    """A row for each attempt: who answered what, how it ended, what it took, and its value by dimension."""
    import polars

    attempts = data.attempts
    ids, families = list(data.problems), [problem.family for problem in data.asked]
    named = {
        "model": (data.models, attempts.model),
        "arm": (data.arms, attempts.arm),
        "problem": (ids, attempts.problem),
        "family": (families, attempts.problem),
    }
    columns: dict[str, polars.Series] = {
        name: polars.Series(name, [words[at] for at in places.tolist()], polars.String)
        for name, (words, places) in named.items()
    }
    columns["repeat"] = polars.Series("repeat", attempts.repeat)
    columns["state"] = polars.Series("state", np.where(attempts.failed, "error", "scored"), polars.String)
    for name, words in (("stop", attempts.stop), ("error", attempts.error)):
        columns[name] = polars.Series(name, [word or None for word in words], polars.String)
    frame = polars.DataFrame(columns)
    return frame.with_columns(
        polars.Series(name, values).fill_nan(None) for name, values in attempts.values.items()
    )


def scores_frame(data: Results) -> polars.DataFrame:
    """The tidy table: a row for each attempt and dimension with its value, null where it has none."""
    return attempts_frame(data).unpivot(
        on=[each.name for each in data.dimensions if each.name in data.attempts.values],
        index=["model", "arm", "problem", "family", "repeat", "state"],
        variable_name="dimension",
        value_name="value",
    )


def plot_deltas(data: Results) -> Figure:
    """A forest plot of the headline dimensions, one panel each."""
    from ansatz.experiments.report.charts import forest_plot

    return forest_plot(data, headlines(data))
