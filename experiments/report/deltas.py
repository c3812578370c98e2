"""Differences from the baseline: the interval plot, tables by group of dimensions and by tag, records."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ansatz.eval.score import Dimension
from ansatz.experiments.report.comparisons import (
    Comparison,
    can_be_significant,
    column,
    compare_arms,
    describe_threshold,
    headline_dimensions,
    order_arms,
    summarize_mean,
)
from ansatz.experiments.report.tables import (
    TIMES,
    Chapter,
    Column,
    Entry,
    Figure,
    Panel,
    Section,
    Table,
    read_notes,
)
from ansatz.experiments.report.text import csv_text, rounded, sentence, short
from ansatz.experiments.results import Results, Subset, System, values_of_tag

NOTES = read_notes(__name__)

_MOST_PANELS = 4  # of a forest plot in a line
_TAGS = ("domain", "level", "task_type", "tier", "category", "difficulty", "fluid")
_MOST_BROKEN_DOWN = 3  # dimensions


def plot_headlines(data: Results) -> Figure:
    """Plot the differences on the first headline dimensions, one line of panels for each model.

    A run that measures no quality shows its resources.
    """
    dimensions = headline_dimensions(data)[:_MOST_PANELS] or data.with_role("resource")
    return plot_intervals(data, "deltas", data.models, dimensions)


def plot_intervals(
    data: Results, name: str, models: Sequence[str], dimensions: Sequence[Dimension]
) -> Figure:
    """Plot a panel for each model and dimension with a difference, and a row for each arm, best first."""
    compared = compare_arms(data)
    paired = [row for row in compared.values() if row.delta.pairs and row.dimension in dimensions]
    dimensions = [each for each in dimensions if each in {row.dimension for row in paired}] or dimensions
    models = [each for each in models if each in {row.model for row in paired}] or models
    panels = []
    for model in models:
        named, arms = f"{model}: " if len(data.models) > 1 else "", order_arms(data, model)
        for each in dimensions:
            title = f"{named}{each.title} ({each.scale.name})"
            series = {"difference": [compared[model, arm, each.name].estimate for arm in arms]}
            panels.append(Panel(title, arms, series, each.scale, each.better))
    about = ", ".join((data.title, *map(data.display_name, models)))
    what = "effect of each switch" if data.screened else f"difference from {data.baseline}"
    caption = f"{about}: {what} with intervals that hold for all at once"
    per_row = math.ceil(len(dimensions) / math.ceil(len(dimensions) / _MOST_PANELS))
    threshold = describe_threshold(data)
    return Figure("intervals", name, caption, panels, zero=True, threshold=threshold, panels_per_row=per_row)


def delta_chapters(data: Results) -> list[Chapter]:
    """Make a chapter for each model: significant changes, then outcome, rubric and resources."""

    def is_known(dimension: Dimension) -> bool:
        return not np.isnan(data.values(dimension.name)).all()

    quality = data.with_role("quality")
    groups = {
        "outcome": ("Outcome", [each for each in quality if each.scale.factor == 100]),
        "rubric": ("Rubric", [each for each in quality if each.scale.factor != 100]),
        "resources": ("Resources", [each for each in data.with_role("resource") if is_known(each)]),
    }
    return [
        Chapter(
            data.name_by_model("deltas", model),
            data.display_name(model),
            [_moved(data, model)]
            + [_group(data, model, name, *group) for name, group in groups.items() if group[1]],
        )
        for model in data.models
    ]


def _moved(data: Results, model: str) -> Section:
    """List the significant changes of each arm, largest first."""
    lines = []
    for arm in data.treatments:
        rows = (compare_arms(data)[model, arm, each.name] for each in data.with_role("quality"))
        moved = [row for row in rows if row.is_significant]
        moved.sort(key=lambda row: -abs(row.delta.estimate or 0.0))
        listed = "; ".join(
            f"{row.dimension.title} {short(column(row.dimension), row.estimate)}" for row in moved
        )
        lines.append(f"**{arm}**: {listed or 'nothing'}")
    return Section(f"Significant changes against {data.baseline}", lines, is_analysis=True, is_detail=True)


def _group(data: Results, model: str, name: str, title: str, dimensions: Sequence[Dimension]) -> Section:
    """Make the tables of some dimensions, with a figure of those that are no headline."""
    deltas: list[list[Entry]] = [
        [arm, *(compare_arms(data)[model, arm, each.name].estimate for each in dimensions)]
        for arm in data.treatments
    ]
    means: list[list[Entry]] = []
    for subset in (data.subset(System(model, arm)) for arm in data.arms):
        own = [(each.scale, summarize_mean(subset, each)) for each in dimensions]
        counted = (
            f"{scale.show(mean.value)} ({mean.scored} / {mean.unscored} / {mean.errors})"
            for scale, mean in own
        )
        means.append([subset.system.arm, *counted])
    changes = [Column("arm"), *map(column, dimensions)]
    values = [Column("arm"), *(column(each, change=False) for each in dimensions)]
    spelled = "; ".join(f"**{each.name}**: {each.summary}" for each in dimensions if each.summary)
    tables = [
        Table(name, f"{title}: difference from {data.baseline}.", changes, deltas),
        Table(f"{name}_means", f"{title}: means (scored / unscored / errors).", values, means),
    ]
    has_figure = name != "resources" and can_be_significant(data)
    details = [each for each in dimensions if each not in headline_dimensions(data)[:_MOST_PANELS]]
    figures = [plot_intervals(data, f"{name}_details", [model], details)] if has_figure and details else []
    notes = [sentence(spelled)] if spelled else []
    return Section(
        title, (), tables, figures, notes, is_detail=name == "resources" and bool(data.with_role("quality"))
    )


def breakdowns(data: Results) -> list[Chapter]:
    """Make a chapter for each model with a section for every tag that has several values."""
    values = {tag: sorted(values_of_tag(data.problem_list, tag)) for tag in _TAGS}
    tags = {tag: found for tag, found in values.items() if len(found) > 1}
    return [
        Chapter(
            data.name_by_model("breakdown", model),
            f"{data.display_name(model)}: differences by tag",
            [_broken_down(data, model, tag, found) for tag, found in tags.items()],
        )
        for model in data.models
        if tags
    ]


def _broken_down(data: Results, model: str, tag: str, values: list[str]) -> Section:
    """Make a table for each dimension, with p adjusted over its cells."""
    name, tables = tag.replace("_", " "), []
    systems = [System(model, arm) for arm in data.arms]
    subsets = {value: [data.subset(each, data.where_tag(tag, value)) for each in systems] for value in values}
    for dimension in headline_dimensions(data)[:_MOST_BROKEN_DOWN]:
        shown, of = column(dimension), data.values(dimension.name)
        columns = [Column(name), *(Column(arm, shown.scale, True, shown.better) for arm in data.arms)]
        changes = data.estimate_deltas(
            {subset: subset.delta(of) for own in subsets.values() for subset in own}
        )
        rows: list[list[Entry]] = [
            [
                value,
                *(
                    _baseline_mean(subset, dimension) if subset.is_baseline else changes[subset]
                    for subset in own
                ),
            ]
            for value, own in subsets.items()
        ]
        tables.append(Table(f"{dimension.name}_by_{tag}", f"{shown.name} by {name}.", columns, rows))
    return Section(f"By {name}", (), tables, notes=(NOTES["broken_down"],), is_analysis=True, is_detail=True)


def _baseline_mean(subset: Subset, dimension: Dimension) -> str:
    """Format the baseline's mean with its number of attempts."""
    mean, asked = summarize_mean(subset, dimension), len(subset.rows)
    counts = f"{asked}" if mean.scored == asked else f"{mean.scored} of {asked}"
    return f"{dimension.scale.show(mean.value)} ({counts})"


def deltas_csv(data: Results) -> str:
    """Return one row per model, arm and dimension; cells without a number are empty."""
    rows = delta_records(data)
    return csv_text(list(rows[0]) if rows else ["model", "arm"], rows)


def delta_records(data: Results) -> list[dict[str, Any]]:
    """Return the comparisons as data, on the scale that each record names."""
    return [_record(row, data.baseline) for row in compare_arms(data).values()]


def _record(row: Comparison, baseline: str) -> dict[str, Any]:
    scale, delta = row.dimension.scale, row.delta
    record = {
        "model": row.model,
        "arm": row.arm,
        "baseline": baseline,
        "dimension": row.dimension.name,
        "scale": scale.name,
        "delta": scale.to_number(delta.estimate, change=True),
        "low": scale.to_number(delta.low, change=True),
        "high": scale.to_number(delta.high, change=True),
        "p": rounded(row.p),
        "low_simultaneous": scale.to_number(row.ends[0], change=True),
        "high_simultaneous": scale.to_number(row.ends[1], change=True),
        "p_adjusted": rounded(row.p_adjusted),
        "p_holm": rounded(row.p_holm),
        "ratio": None if row.factor is None else TIMES.to_number(row.factor.value),
        "pairs": delta.pairs,
        "families": delta.families,
        "dropped": delta.dropped,
    }
    for side, mean in (("arm", row.mean), ("baseline", row.baseline)):
        counts = {"scored": mean.scored, "unscored": mean.unscored, "errors": mean.errors}
        own = {"mean": scale.to_number(mean.value), **counts}
        record |= {f"{side}_{name}": value for name, value in own.items()}
    return record
