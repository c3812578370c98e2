"""Where an arm helps: the headline dimensions by level, domain and the other tags that problems have."""

from __future__ import annotations

from ansatz.eval.score import Dimension
from ansatz.eval.views import Chapter, Column, Cut, Entry, Results, Section, Table, values_of_tag
from ansatz.experiments.report.comparisons import column, headlines, mean_of

_TAGS = ("domain", "level", "task_type", "tier", "category", "difficulty", "fluid")
_MOST = 3  # dimensions
_NOTE = (
    "Mean of the baseline (attempts), then differences; p and intervals hold for all cells of a table at "
    "once, n is problems in families."
)


def breakdowns(data: Results) -> list[Chapter]:
    """By model, a section for every tag that has several values; none where no tag has."""
    values = {tag: sorted(values_of_tag(data.asked, tag)) for tag in _TAGS}
    tags = {tag: found for tag, found in values.items() if len(found) > 1}
    if not tags:
        return []
    return [
        Chapter(
            data.per_model("breakdown", model),
            f"{data.said_of(model)}: where it falls",
            [_section(data, model, tag, found) for tag, found in tags.items()],
        )
        for model in data.models
    ]


def _section(data: Results, model: str, tag: str, values: list[str]) -> Section:
    name = tag.replace("_", " ")
    parts = {
        value: [cut for cut in data.cuts(data.tagged(tag, value)) if cut.system.model == model]
        for value in values
    }
    tables = [_table(data, tag, parts, dimension) for dimension in headlines(data)[:_MOST]]
    return Section(f"By {name}", tables=tables, notes=(_NOTE,))


def _table(data: Results, tag: str, parts: dict[str, list[Cut]], dimension: Dimension) -> Table:
    """All cells of a table are judged together."""
    name = tag.replace("_", " ")
    shown, values = column(dimension), data.values(dimension.name)
    columns = [Column(name), *(Column(arm, shown.scale, True, shown.better) for arm in data.arms)]
    changes = data.adjusted(
        {(value, cut.system.arm): cut.gain(values) for value, cuts in parts.items() for cut in cuts}
    )
    rows: list[list[Entry]] = [
        [
            value,
            *(_mean(cut, dimension) if cut.is_baseline else changes[value, cut.system.arm] for cut in cuts),
        ]
        for value, cuts in parts.items()
    ]
    return Table(f"{dimension.name}_by_{tag}", f"{shown.name} by {name}.", columns, rows)


def _mean(cut: Cut, dimension: Dimension) -> str:
    """The baseline's mean with the number of attempts."""
    mean = mean_of(cut, dimension)
    asked = mean.scored + mean.unscored + mean.errors
    counts = f"{asked}" if mean.scored == asked else f"{mean.scored} of {asked}"
    return f"{dimension.scale.show(mean.value)} ({counts})"
