"""The summary of a run in the terminal: arms by headline dimensions, or all tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.table import Table as Grid
from rich.text import Text

from ansatz.eval.score import Dimension
from ansatz.experiments.report.chapters import benchmark_chapters, run_chapters
from ansatz.experiments.report.comparisons import (
    Comparison,
    compare_arms,
    describe_threshold,
    headline_dimensions,
    order_arms,
    summarize_mean,
)
from ansatz.experiments.report.screening_chapter import describe_fit
from ansatz.experiments.report.stop_reasons import (
    IMPORTED,
    count_failures,
    count_finished,
    count_stop_reasons,
    list_warnings,
)
from ansatz.experiments.report.stopped_arms import describe_stopping
from ansatz.experiments.report.tables import TIMES, Chapter, Column, Entry, Table
from ansatz.experiments.report.text import sentence, show, show_end
from ansatz.experiments.report.write import PROVISIONAL
from ansatz.experiments.results import Estimate, Results, System

_GAP = 2  # characters between two columns
_WIDEST = 100
_MOST = 5  # headline dimensions
_SIMULATED = "simulated: a rule-based solver, not a language model"

Cells = list[Text]


class Summary:
    """Arms × headline dimensions, with lines on cost and stop reasons, and a legend.

    In `full` every dimension and the main tables of chapters follow.
    """

    def __init__(self, data: Results, *, full: bool = False) -> None:
        self._data, self._full = data, full

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield from _summary(self._data, min(options.max_width, _WIDEST))
        for chapter in (*run_chapters(self._data), *benchmark_chapters(self._data)) if self._full else ():
            whole = chapter.name.startswith("deltas")
            for table in (each for each in _tables(chapter) if whole or each.in_summary):
                yield Text(f"\n{chapter.title}")
                yield from rendered(table, options.max_width)


def _summary(data: Results, width: int) -> Iterator[RenderableType]:
    shown = headline_dimensions(data)[:_MOST]
    yield from (Text(f"{line}\n", style="bold yellow") for line in list_warnings(data))
    for model in data.models:
        yield Text(f"{model} ({_SIMULATED})" if model in data.simulated else model, style="bold")
        yield from _grids(_summary_columns(data, model, shown), width, has_baseline_row=True)
    if len(data.models) > 1:
        yield Text()
        for table in [each for chapter in run_chapters(data) for each in _tables(chapter) if each.in_summary][
            :1
        ]:
            yield from rendered(table, width)
    spelled = "; ".join(f"{each.name}: {each.summary}" for each in shown if each.summary)
    what = "Effect of a switch, averaged over the others," if data.screened else f"Δ from {data.baseline}"
    yield Text(
        f"{what} with the simultaneous interval; * interval excludes zero, adjusted "
        f"p < {describe_threshold(data)}. {sentence(spelled)}".rstrip(),
        style="dim",
    )
    if data.screened:
        yield from (Text(sentence(describe_fit(data, model))) for model in data.models)
    yield Text("\n".join([_attempts_lines(data), *describe_stopping(data)]))


def _summary_columns(data: Results, model: str, dimensions: Sequence[Dimension]) -> list[Cells]:
    """Make a line for each arm, in the order of improvement on the first dimension."""
    compared, arms = compare_arms(data), order_arms(data, model)
    first = ("switch", "all attempts") if data.screened else ("arm", data.baseline)
    columns: list[Cells] = [[Text(name) for name in (*first, *arms)]]
    for each in dimensions:
        unit = each.scale.name.removeprefix(each.name).strip()
        head = Text.assemble(each.name, (f" {unit}", "dim"))
        cells = [_short_cell(compared[model, arm, each.name]) for arm in arms]
        columns.append([head, Text(each.scale.show(_reference_mean(data, model, each))), *cells])
    unknown = data.imported and np.isnan(data.values("tokens")).all()
    for each in (each for each in data.with_role("resource") if each.name == "tokens" and not unknown):
        factors = [compared[model, arm, "tokens"].factor for arm in arms]
        cells = [Text(f"× {TIMES.show(times.value)}" if times else "–", style="dim") for times in factors]
        columns.append([Text("tokens"), Text(each.scale.show(_reference_mean(data, model, each))), *cells])
    return columns


def _reference_mean(data: Results, model: str, dimension: Dimension) -> float | None:
    """Return the mean of the baseline; in a screening design, that of all attempts."""
    if not data.screened:
        return summarize_mean(data.subset(System(model, data.baseline)), dimension).value
    values = data.values(dimension.name)[data.attempts.model == data.models.index(model)]
    return None if np.isnan(values).all() else float(np.nanmean(values))


def _short_cell(row: Comparison) -> Text:
    scale, (low, high) = row.dimension.scale, row.ends
    style = "bold" if row.dimension.role == "resource" else "bold green" if row.is_better else "bold red"
    if not row.is_clear or row.delta.estimate is None:
        style = "dim"
    text = Text(f"{scale.show_change(row.delta.estimate)}{'*' if row.is_significant else ' '}", style=style)
    if low is not None and high is not None:
        show_end = scale.show_end if row.is_significant else scale.show_change
        text.append(f" [{show_end(low)}, {show_end(high)}]", style="dim")
    return text


def _attempts_lines(data: Results) -> str:
    """Format total cost and stop reasons."""
    counts: Counter[str] = sum(map(count_stop_reasons, data.subsets()), start=Counter())
    ends = {"answered": counts["answered"], **dict(counts.most_common())}
    shown = [
        f"{count:,} {name}"
        for name, count in ends.items()
        if name != "error" and (count or not counts[IMPORTED])
    ]
    known = {
        name: data.values(name)[~np.isnan(data.values(name))] for name in ("tokens", "seconds", "dollars")
    }
    tokens = f"{known['tokens'].sum():,.0f} tokens" if len(known["tokens"]) else "unknown tokens"
    seconds = f", {known['seconds'].sum():,.0f} s of work" if len(known["seconds"]) else ""
    money = f", ${known['dollars'].sum():,.2f}" if "dollars" in data.dimension_names else ""
    if money and any(each["dollars"] is None for each in data.usage):
        money += " plus requests of unknown price"
    failed = len(data.attempts) - count_finished(data)
    cost = [] if data.imported and not any(map(len, known.values())) else [f"Cost: {tokens}{seconds}{money}."]
    lines = [
        *cost,
        f"Attempts: {count_finished(data):,} of {data.planned:,} finished, {failed:,} failed; "
        f"{', '.join(shown)}.",
    ]
    for reason, count in count_failures(data).most_common(1):
        lines.append(f"Most frequent failure ({count:,}): {reason}")
    if count_finished(data) < data.planned:
        lines.append("The run is not complete; resume it with `ansatz run`.")
    if not data.is_complete:
        lines.append(PROVISIONAL)
    return "\n".join(lines)


def _tables(chapter: Chapter) -> list[Table]:
    return [table for section in chapter.sections for table in section.tables]


def rendered(table: Table, width: int) -> Iterator[RenderableType]:
    """Render a table with its caption, in blocks of columns that fit the width.

    A change is shown below the value in the column before it.
    """
    yield Text(table.caption, style="bold")
    columns: list[Cells] = []
    for at, column in enumerate(table.columns):
        cells = [Text(column.name), *(_entry_cell(column, row[at]) for row in table.rows)]
        if column.change and len(columns) > 1 and not table.columns[at - 1].change:
            pairs = zip(columns.pop(), cells, strict=True)
            cells = [Text("\n").join(filter(None, pair)) for pair in pairs]
        columns.append(cells)
    yield from _grids(columns, width)


def _entry_cell(column: Column, entry: Entry) -> Text:
    if not isinstance(entry, Estimate):
        return Text("" if entry is None else show(column, entry))
    star = "*" if column.change and entry.is_significant else ""
    better = ((entry.value or 0.0) > 0) == (column.better == "higher")
    style = "dim" if not star else "bold green" if better else "bold red"
    lines = []
    if entry.low is not None and entry.high is not None:
        lines.append(f"\n{show_end(column, entry, entry.low)} … {show_end(column, entry, entry.high)}")
    if entry.dropped is not None:
        lines.append(f"\nn {entry.n}{f' ({entry.dropped})' if entry.dropped else ''}")
    shown = (f"{show(column, entry.value)}{star}", style if lines else "")
    return Text.assemble(shown, *((line, "dim") for line in lines))


def _grids(columns: Sequence[Cells], width: int, *, has_baseline_row: bool = False) -> Iterator[Grid]:
    """Arrange columns in groups that fit, each with the first column; a column that is too wide is folded.

    The first row has the headings. A rule separates the second row if it is the baseline.
    """
    widths = [
        max(cell_len(line) for cell in own for line in cell.plain.split("\n")) + _GAP for own in columns
    ]
    groups: list[list[Cells]] = []
    room = 0
    for column, wide in zip(columns[1:], widths[1:], strict=True):
        if not groups or wide > room:
            groups.append([columns[0]])
            room = width - widths[0]
        groups[-1].append(column)
        room -= wide
    for group in groups:
        table = Grid(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
        for at, column in enumerate(group):
            table.add_column(column[0], justify="right" if at else "left", overflow="fold")
        for number, row in enumerate(list(zip(*group, strict=True))[1:]):
            table.add_row(*row, end_section=has_baseline_row and not number)
        yield table
