"""The delta table for a terminal; rich leaves colour out where the output is not one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich import box
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from ansatz.experiments.report.scale import scale_of
from ansatz.experiments.report.section import Column as ChapterColumn
from ansatz.experiments.report.section import Entry, Estimate
from ansatz.experiments.report.section import Table as ChapterTable
from ansatz.experiments.report.section_text import show
from ansatz.experiments.report.table import RESOURCES, Comparison, ReportData, mean_of

_GAP = 3  # characters between two columns

Column = list[Text]


class DeltaTables:
    """Arms against the baseline, as many dimensions beside each other as the terminal has room for."""

    def __init__(self, data: ReportData) -> None:
        self._data = data

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        data = self._data
        arms = [Text(arm) for arm in ("arm", data.baseline, *data.treatments)]
        for model in data.models:
            note = " (simulated: a rule-based solver, not a language model)"
            yield Text(model + (note if model in data.simulated else ""), style="bold")
            columns = [self._column(model, dimension) for dimension in (*data.quality, *data.resources)]
            for beside in _packed(columns, options.max_width - _width(arms) - _GAP):
                yield _table([arms, *beside])
        yield Text(
            f"Difference from {data.baseline}, {data.level:.0%} interval, n pairs (dropped). "
            "* clear of zero with Holm-adjusted p < 0.05.\n"
            f"The {data.baseline} row gives means, with attempts scored/unscored/errors.",
            style="dim",
        )
        if data.finished < data.planned:
            yield Text(
                f"The run is not complete: {data.finished} of {data.planned} attempts finished; resume it "
                "with `ansatz run`."
            )
        for table in _summaries(data):
            yield Text(f"\n{table.caption}", style="bold")
            texts, *columns = _chapter_columns(table)
            for beside in _packed(columns, options.max_width - _width(texts) - _GAP):
                yield _table([texts, *beside])

    def _column(self, model: str, dimension: str) -> Column:
        data, scale = self._data, scale_of(dimension)
        mean = mean_of(data.grouped.get((model, data.baseline, dimension), []))
        counts = f"{mean.scored}/{mean.unscored}/{mean.errors}"
        rows = [row for row in data.comparisons if (row.model, row.dimension) == (model, dimension)]
        return [
            Text.assemble(dimension, "\n", (scale.name.removeprefix(dimension).strip(), "dim")),
            Text.assemble(scale.show(mean.value), "\n", (counts, "dim")),
            *map(_delta_cell, rows),
        ]


def render_table(data: ReportData) -> DeltaTables:
    """Something for `Console.print`."""
    return DeltaTables(data)


def _summaries(data: ReportData) -> Iterator[ChapterTable]:
    """The tables of chapters that are meant to be seen at once."""
    for chapter in data.chapters:
        for section in chapter.sections:
            yield from (table for table in section.tables if table.summary)


def _chapter_columns(table: ChapterTable) -> list[Column]:
    """Each column of a chapter's table, its heading first; a change stands below the value it belongs to."""
    columns: list[Column] = []
    for at, column in enumerate(table.columns):
        cells = [Text(column.name), *(_entry_cell(column, row[at]) for row in table.rows)]
        if column.change and len(columns) > 1:
            columns[-1] = [
                Text("\n").join(filter(None, pair)) for pair in zip(columns[-1], cells, strict=True)
            ]
        else:
            columns.append(cells)
    return columns


def _entry_cell(column: ChapterColumn, entry: Entry) -> Text:
    if not isinstance(entry, Estimate):
        return Text("" if entry is None else show(column, entry))
    star = "*" if column.change and entry.is_significant else ""
    shown = show(column, entry.value) + star
    if entry.low is None or entry.high is None:
        return Text(shown)
    style = "dim" if not star else "bold green" if (entry.value or 0.0) > 0 else "bold red"
    interval = f"\n{show(column, entry.low)} … {show(column, entry.high)}"
    return Text.assemble((shown, style), (interval, "dim"))


def _packed(columns: Sequence[Column], room: int) -> Iterator[list[Column]]:
    """The columns in their order, in groups that fit; a column that is too wide stands alone."""
    beside: list[Column] = []
    for column in columns:
        if beside and sum(_width(each) + _GAP for each in [*beside, column]) > room:
            yield beside
            beside = []
        beside.append(column)
    if beside:
        yield beside


def _width(column: Column) -> int:
    return max(len(line) for cell in column for line in cell.plain.split("\n"))


def _table(columns: Sequence[Column]) -> Table:
    """Headings, then the baseline's means, then the arms."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for at, column in enumerate(columns):
        table.add_column(column[0], justify="right" if at else "left", no_wrap=True)
    _, baseline, *arms = zip(*columns, strict=True)
    table.add_row(*baseline, end_section=True)
    for arm in arms:
        table.add_row(*arm)
    return table


def _delta_cell(row: Comparison) -> Text:
    scale, delta = scale_of(row.dimension), row.delta
    estimate = f"{scale.show_change(delta.estimate)}{'*' if row.is_significant else ''}"
    interval = ""
    if delta.low is not None and delta.high is not None:
        interval = f"\n{scale.show_change(delta.low)} … {scale.show_change(delta.high)}"
    dropped = f" ({delta.dropped})" if delta.dropped else ""
    return Text.assemble((estimate, _style(row)), (f"{interval}\nn {delta.pairs}{dropped}", "dim"))


def _style(row: Comparison) -> str:
    if not row.is_clear or row.delta.estimate is None:
        return "dim"
    if row.dimension in RESOURCES:
        return "bold"
    return "bold green" if row.delta.estimate > 0 else "bold red"
