"""Tidy data frames of a study, for notebooks and programs, and the plot that goes with them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from ansatz.experiments.report.comparisons import comparisons, headlines
from ansatz.experiments.report.deltas import forest
from ansatz.experiments.results import Floats, Results

if TYPE_CHECKING:
    import polars
    from matplotlib.figure import Figure


def deltas_frame(data: Results) -> polars.DataFrame:
    """A row for each model, arm and dimension: estimate, low, high, p, p_adjusted, p_holm, pairs, dropped.

    `low` and `high` hold for one comparison, `low_simultaneous` and `high_simultaneous` for all at once.

    Differences are in stored units: shares of 1, amounts as they are.
    """
    import polars

    numbers = [
        "estimate",
        "low",
        "high",
        "p",
        "low_simultaneous",
        "high_simultaneous",
        "p_adjusted",
        "p_holm",
    ]
    schema = {
        **dict.fromkeys(("model", "arm", "dimension"), polars.String),
        **dict.fromkeys(numbers, polars.Float64),
        **dict.fromkeys(("pairs", "dropped"), polars.Int64),
    }
    rows = []
    for place, row in comparisons(data).items():
        delta, judged = row.delta, (*row.ends, row.p_adjusted, row.p_holm)
        alone = (delta.estimate, delta.low, delta.high, row.p)
        rows.append((*place, *alone, *judged, delta.pairs, delta.dropped))
    return polars.DataFrame(rows, schema=schema, orient="row")


def attempts_frame(data: Results, rows: slice = slice(None)) -> polars.DataFrame:
    """A row for each attempt: who answered what, how it ended, what it took, and its value by dimension."""
    import polars

    ended = {"stop": data.attempts.stop, "error": data.attempts.error}
    words = [
        polars.Series(name, [w or None for w in said[rows]], polars.String) for name, said in ended.items()
    ]
    values = [_known(name, own[rows]) for name, own in data.attempts.values.items()]
    return polars.DataFrame([*_who(data, rows), *words, *values])


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
    families = [problem.family for problem in data.problem_list]
    return [
        polars.Series("model", data.models, text).gather(attempts.model[rows]),
        polars.Series("arm", data.arms, text).gather(attempts.arm[rows]),
        polars.Series("problem", list(data.problems), text).gather(attempts.problem[rows]),
        polars.Series("family", families, text).gather(attempts.problem[rows]),
        polars.Series("repeat", attempts.repeat[rows]),
        polars.Series("state", np.where(attempts.failed[rows], "error", "scored"), text),
    ]


def _known(name: str, values: Floats) -> polars.Series:
    import polars

    return polars.Series(name, values).fill_nan(None)


def plot_deltas(data: Results) -> Figure:
    """A forest plot of the headline dimensions, one panel each; without any, of what attempts took."""
    from ansatz.experiments.report.charts import drawn

    return drawn(forest(data, headlines(data) or data.with_role("resource")))
