"""Tidy data frames and the plot of a study, for notebooks and programs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ansatz.experiments.report.comparisons import compare_arms
from ansatz.experiments.report.deltas import plot_headlines
from ansatz.experiments.report.text import format_target
from ansatz.experiments.results import Evidence, Floats, Results

if TYPE_CHECKING:
    import polars

    from ansatz.experiments.report.charts import Plot


def deltas_frame(data: Results) -> polars.DataFrame:
    """Return the comparisons, one row for each model, arm and dimension.

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
    for place, row in compare_arms(data).items():
        delta, judged = row.delta, (*row.ends, row.p_adjusted, row.p_holm)
        alone = (delta.estimate, delta.low, delta.high, row.p)
        rows.append((*place, *alone, *judged, delta.pairs, delta.dropped))
    return polars.DataFrame(rows, schema=schema, orient="row")


def attempts_frame(data: Results, rows: slice = slice(None)) -> polars.DataFrame:
    """Return a row for each attempt: its names, question, values, stop reason, usage, and scores.

    `reference` has the right values, `values_read` those of the answer as JSON by target, with their units.
    """
    import polars

    asked = [f"{problem.context}\n\n{problem.question}".strip() for problem in data.problem_list]
    keys = ["; ".join(map(format_target, problem.targets)) for problem in data.problem_list]
    found = data.read_evidence(range(*rows.indices(len(data.attempts))))
    texts = [
        polars.Series("question", asked, polars.String).gather(data.attempts.problem[rows]),
        polars.Series("reference", keys, polars.String).gather(data.attempts.problem[rows]),
        polars.Series("values_read", map(_format_values, found), polars.String),
    ]
    ended = {"stop": data.attempts.stop, "error": data.attempts.error}
    texts += [
        polars.Series(name, [w or None for w in words[rows]], polars.String) for name, words in ended.items()
    ]
    values = [_known(name, own[rows]) for name, own in data.attempts.values.items()]
    return polars.DataFrame([*_who(data, rows), *texts, *values])


def _format_values(evidence: Evidence) -> str | None:
    """Return the values that scorers read, as JSON by target; None if they read none."""
    values: dict[str, dict[str, Any]] = {}
    for _, details in evidence.values():
        targets = details.get("targets")
        for name, read in targets.items() if isinstance(targets, dict) else ():
            if isinstance(read, dict) and read.get("value") is not None:
                values.setdefault(name, {key: read[key] for key in ("value", "unit") if key in read})
    return json.dumps(values, ensure_ascii=False) if values else None


def score_frames(data: Results, size: int) -> Iterator[polars.DataFrame]:
    """Yield the tidy table in slices: a row for each attempt and dimension; the value may be null.

    `evidence` is the scorer's reason, null for resources.
    """
    import polars

    names = [each.name for each in data.dimensions if each.name in data.attempts.values]
    for rows in slices(data, size):
        who = polars.DataFrame(_who(data, rows)).with_row_index("row")
        found = data.read_evidence(range(*rows.indices(len(data.attempts))))
        texts = [{name: text for name, (text, _) in evidence.items()} for evidence in found]
        parts = [
            who.with_columns(
                polars.lit(name).alias("dimension"),
                _known("value", data.attempts.values[name][rows]),
                polars.Series("evidence", [each.get(name) for each in texts], polars.String),
            )
            for name in names
        ]
        yield polars.concat(parts).sort("row", maintain_order=True).drop("row")


def slices(data: Results, size: int) -> Iterator[slice]:
    """Return slices of `size` attempts; a run without attempts has one empty slice."""
    return (slice(start, start + size) for start in range(0, max(len(data.attempts), 1), size))


def _who(data: Results, rows: slice) -> list[polars.Series]:
    """Return the columns that name an attempt, and whether it failed."""
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


def plot_deltas(data: Results) -> Plot:
    """Plot the differences on the headline dimensions; without any, on resources. Notebooks display it."""
    from ansatz.experiments.report.charts import draw_canvas

    return draw_canvas(plot_headlines(data))
