"""Where an arm helps: the headline dimensions by level, domain and the other tags that problems have."""

from __future__ import annotations

from ansatz.eval.score import Dimension
from ansatz.eval.views import Chapter, Column, Cut, Entry, Results, Section, System, Table, values_of_tag
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
    return [
        Chapter(
            data.per_model("breakdown", model),
            f"{data.said_of(model)}: where it falls",
            [_section(data, model, tag, found) for tag, found in tags.items()],
        )
        for model in data.models
        if tags
    ]


def _section(data: Results, model: str, tag: str, values: list[str]) -> Section:
    """A table for each dimension, of which all cells are judged together."""
    name, tables = tag.replace("_", " "), []
    systems = [System(model, arm) for arm in data.arms]
    cuts = {value: [data.cut(each, data.tagged(tag, value)) for each in systems] for value in values}
    for dimension in headlines(data)[:_MOST]:
        shown, of = column(dimension), data.values(dimension.name)
        columns = [Column(name), *(Column(arm, shown.scale, True, shown.better) for arm in data.arms)]
        changes = data.adjusted({cut: cut.gain(of) for own in cuts.values() for cut in own})
        rows: list[list[Entry]] = [
            [value, *(_mean(cut, dimension) if cut.is_baseline else changes[cut] for cut in own)]
            for value, own in cuts.items()
        ]
        tables.append(Table(f"{dimension.name}_by_{tag}", f"{shown.name} by {name}.", columns, rows))
    return Section(f"By {name}", tables=tables, notes=(_NOTE,))


def _mean(cut: Cut, dimension: Dimension) -> str:
    """The baseline's mean with the number of attempts."""
    mean, asked = mean_of(cut, dimension), len(cut.rows)
    counts = f"{asked}" if mean.scored == asked else f"{mean.scored} of {asked}"
    return f"{dimension.scale.show(mean.value)} ({counts})"
