"""What moved, as a report shows it: the forest plot, tables by group of dimensions, and rows for programs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ansatz.eval.score import Dimension
from ansatz.eval.views import TIMES, Chapter, Column, Cut, Entry, Figure, Panel, Results, Section, Table
from ansatz.experiments.report.comparisons import Comparison, column, comparisons, mean_of
from ansatz.experiments.report.text import P_DIGITS, csv_text, sentence, short

_MOST_PANELS = 5  # of a forest plot in a line


def forest(data: Results, dimensions: Sequence[Dimension]) -> Figure:
    """A panel for each model and dimension on which there is a difference, a row for each arm."""
    known = {row.dimension for row in comparisons(data) if row.delta.pairs}
    dimensions = [each for each in dimensions if each in known] or dimensions
    panels = []
    for model in data.models:
        named = f"{model}: " if len(data.models) > 1 else ""
        for each in dimensions:
            rows = [row for row in comparisons(data) if (row.model, row.dimension) == (model, each)]
            title = f"{named}{each.title}  ({each.scale.name})"
            series = {"difference": [row.estimate for row in rows]}
            panels.append(Panel(title, data.treatments, series, each.scale, each.better))
    about = ", ".join((data.title, *map(data.said_of, data.models)))
    caption = f"{about}: difference from {data.baseline} with intervals that hold for all at once"
    beside = math.ceil(len(dimensions) / math.ceil(len(dimensions) / _MOST_PANELS))
    return Figure("intervals", "deltas", caption, panels, zero=True, beside=beside)


def delta_chapters(data: Results) -> list[Chapter]:
    """For each model what moved, then differences and means by group of dimensions."""
    return [
        Chapter(
            data.per_model("deltas", model),
            data.said_of(model),
            [_moved(data, model), *(_group(data, model, *group) for group in _groups(data))],
        )
        for model in data.models
    ]


def _moved(data: Results, model: str) -> Section:
    """What a reader in a hurry wants: the changes that luck does not explain, largest first."""
    lines = []
    for arm in data.treatments:
        moved = [row for row in _rows(data, model, data.of_role("quality"), arm) if row.is_significant]
        moved.sort(key=lambda row: -abs(row.delta.estimate or 0.0))
        listed = "; ".join(
            f"{row.dimension.title} {short(column(row.dimension), row.estimate)}" for row in moved
        )
        lines.append(f"**{arm}**: {listed or 'nothing'}")
    return Section(f"Moved against {data.baseline} by more than luck explains", lines)


def _groups(data: Results) -> list[tuple[str, str, list[Dimension]]]:
    """What helped on first, then its details on their own scales, then what it cost."""
    quality = data.of_role("quality")
    groups = [
        ("outcome", "Outcome", [each for each in quality if each.scale.factor == 100]),
        ("rubric", "Rubric", [each for each in quality if each.scale.factor != 100]),
        ("resources", "Resources", list(data.of_role("resource"))),
    ]
    return [group for group in groups if group[2]]


def _group(data: Results, model: str, name: str, title: str, dimensions: Sequence[Dimension]) -> Section:
    deltas: list[list[Entry]] = [
        [arm, *(row.estimate for row in _rows(data, model, dimensions, arm))] for arm in data.treatments
    ]
    cuts = [cut for cut in data.cuts() if cut.system.model == model]
    means: list[list[Entry]] = [
        [cut.system.arm, *(_mean_entry(cut, dimension) for dimension in dimensions)] for cut in cuts
    ]
    spelled = "; ".join(f"**{each.name}** {each.summary}" for each in dimensions if each.summary)
    return Section(
        title,
        tables=[
            Table(
                name,
                f"{title}: difference from {data.baseline}.",
                [Column("arm"), *map(column, dimensions)],
                deltas,
            ),
            Table(
                f"{name}_means",
                f"{title}: means (scored / unscored / errors).",
                [Column("arm"), *(column(each, change=False) for each in dimensions)],
                means,
            ),
        ],
        notes=[sentence(spelled)] if spelled else [],
    )


def _mean_entry(cut: Cut, dimension: Dimension) -> str:
    mean = mean_of(cut, dimension)
    shown = dimension.scale.show(mean.value)
    return f"{shown} ({mean.scored} / {mean.unscored} / {mean.errors})"


def _rows(data: Results, model: str, dimensions: Sequence[Dimension], arm: str) -> list[Comparison]:
    found = {row.dimension: row for row in comparisons(data) if (row.model, row.arm) == (model, arm)}
    return [found[dimension] for dimension in dimensions]


def deltas_csv(data: Results) -> str:
    """One row per model, arm and dimension; empty where there is no number."""
    rows = delta_records(data)
    return csv_text(list(rows[0]) if rows else ["model", "arm"], rows)


def delta_records(data: Results) -> list[dict[str, Any]]:
    """The comparisons as data, in the scale that is named."""
    return [_record(row, data.baseline) for row in comparisons(data)]


def _record(row: Comparison, baseline: str) -> dict[str, Any]:
    scale, delta = row.dimension.scale, row.delta
    means = {
        f"{side}_{name}": value
        for side, mean in (("arm", row.mean), ("baseline", row.baseline))
        for name, value in (
            ("mean", scale.number(mean.value)),
            *((each, getattr(mean, each)) for each in ("scored", "unscored", "errors")),
        )
    }
    return {
        "model": row.model,
        "arm": row.arm,
        "baseline": baseline,
        "dimension": row.dimension.name,
        "scale": scale.name,
        "delta": scale.number(delta.estimate, change=True),
        "low": scale.number(delta.low, change=True),
        "high": scale.number(delta.high, change=True),
        "p": None if row.p is None else round(row.p, P_DIGITS),
        "low_all": scale.number(row.ends[0], change=True),
        "high_all": scale.number(row.ends[1], change=True),
        "p_adjusted": None if row.p_adjusted is None else round(row.p_adjusted, P_DIGITS),
        "p_holm": None if row.p_holm is None else round(row.p_holm, P_DIGITS),
        "ratio": None if row.factor is None else TIMES.number(row.factor.value),
        "pairs": delta.pairs,
        "families": delta.families,
        "dropped": delta.dropped,
        **means,
    }
