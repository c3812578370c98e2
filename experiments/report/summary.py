"""What a terminal shows: arms by what they do to the headline dimensions, or every table in full."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.table import Table as Grid
from rich.text import Text

from ansatz.eval.score import Dimension
from ansatz.eval.views import TIMES, Chapter, Column, Entry, Estimate, Results, System, Table
from ansatz.experiments.report.chapters import chapters, views
from ansatz.experiments.report.comparisons import Comparison, comparisons, headlines, mean_of
from ansatz.experiments.report.endings import ends, finished, reasons_of_failure, warnings
from ansatz.experiments.report.text import sentence, show
from ansatz.experiments.report.write import PROVISIONAL

_GAP = 2  # characters between two columns
_WIDEST = 100
_MOST = 5  # headline dimensions
_SIMULATED = "simulated: a rule-based solver, not a language model"

Cells = list[Text]


class Summary:
    """Arms × headline dimensions, a line on cost, one on how attempts ended, and what to read them by.

    In `full` every dimension and the main tables of chapters follow.
    """

    def __init__(self, data: Results, *, full: bool = False) -> None:
        self._data, self._full = data, full

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield from _summary(self._data, min(options.max_width, _WIDEST))
        if self._full:
            for chapter in (*views(self._data), *chapters(self._data)):
                whole = chapter.name.startswith("deltas")
                tables = [each for each in _tables(chapter) if whole or each.summary]
                for table in tables:
                    yield Text(f"\n{chapter.title}")
                    yield from rendered(table, options.max_width)


def _summary(data: Results, width: int) -> Iterator[RenderableType]:
    shown = headlines(data)[:_MOST]
    for model in data.models:
        yield _headline(data, model)
        arms, *columns = _summary_columns(data, model, shown)
        for beside in _packed(columns, width - _width(arms) - _GAP):
            yield _grid([arms, *beside], parted=True)
    if len(data.models) > 1:
        yield Text()
        for table in [each for chapter in views(data) for each in _tables(chapter) if each.summary][:1]:
            yield from rendered(table, width)
    spelled = "; ".join(f"{each.name}: {each.summary}" for each in shown if each.summary)
    yield Text(
        f"Δ from {data.baseline} with the interval that holds for all at once; * clear of zero, adjusted "
        f"p < 0.05. {sentence(spelled)}".rstrip(),
        style="dim",
    )
    yield Text(_attempts_line(data))
    yield from (Text(line, style="bold yellow") for line in warnings(data))


def _headline(data: Results, model: str) -> Text:
    return Text(f"{model} ({_SIMULATED})" if model in data.simulated else model, style="bold")


def _summary_columns(data: Results, model: str, dimensions: Sequence[Dimension]) -> list[Cells]:
    """A line for each arm, by its effect on the first dimension."""
    found = {(row.arm, row.dimension): row for row in comparisons(data) if row.model == model}
    baseline = data.cut(System(model, data.baseline))
    columns: list[Cells] = [[Text("arm"), Text(data.baseline)]]
    columns += [[_head(each), Text(each.scale.show(mean_of(baseline, each).value))] for each in dimensions]
    tokens = next((each for each in data.of_role("resource") if each.name == "tokens"), None)
    if tokens:
        columns.append([Text("tokens"), Text(tokens.scale.show(mean_of(baseline, tokens).value))])
    for arm in _by_effect(data, found, dimensions):
        columns[0].append(Text(arm))
        for at, each in enumerate(dimensions, start=1):
            columns[at].append(_short_cell(found[arm, each]))
        if tokens:
            times = found[arm, tokens].factor
            columns[-1].append(Text(f"× {TIMES.show(times.value)}" if times else "–", style="dim"))
    return columns


def _by_effect(
    data: Results, found: dict[tuple[str, Dimension], Comparison], dimensions: Sequence[Dimension]
) -> list[str]:
    """The arms, the one that raises the first dimension most at the top."""
    if not dimensions:
        return list(data.treatments)
    sign = 1 if dimensions[0].better == "higher" else -1
    return sorted(data.treatments, key=lambda arm: -sign * (found[arm, dimensions[0]].delta.estimate or 0.0))


def _head(dimension: Dimension) -> Text:
    return Text.assemble(dimension.name, (f" {_unit(dimension)}", "dim"))


def _unit(dimension: Dimension) -> str:
    return dimension.scale.name.removeprefix(dimension.name).strip()


def _short_cell(row: Comparison) -> Text:
    scale, (low, high) = row.dimension.scale, row.ends
    shown = scale.show_change(row.delta.estimate)
    text = Text(f"{shown}{'*' if row.is_significant else ' '}", style=_style(row))
    if low is not None and high is not None:
        interval = f" [{scale.show_change(low)}, {scale.show_change(high)}]"
        text.append(interval, style="dim")
    return text


def _style(row: Comparison) -> str:
    if not row.is_clear or row.delta.estimate is None:
        return "dim"
    if row.dimension.role == "resource":
        return "bold"
    return "bold green" if row.is_better else "bold red"


def _attempts_line(data: Results) -> str:
    """What the attempts took all together, and how they ended."""
    counts = sum((ends(cut) for cut in data.cuts()), start=ends(data.cut(data.systems[0], ~data.everything)))
    others = [
        f"{count:,} {name}" for name, count in counts.most_common() if name not in ("answered", "error")
    ]
    sums = {name: sum(float(cut.known(data.values(name)).sum()) for cut in data.cuts()) for name in _SPENT}
    money = f", ${sums['dollars']:,.2f}" if "dollars" in data.names else ""
    if money and any(each["dollars"] is None for each in data.bill):
        money += " and what is of unknown price"
    failed = len(data.attempts) - finished(data)
    lines = [
        f"Cost: {sums['tokens']:,.0f} tokens, {sums['seconds']:,.0f} s of work{money}.",
        f"Attempts: {finished(data):,} of {data.planned:,} finished, {failed:,} failed; "
        f"{counts['answered']:,} answered{''.join(f', {each}' for each in others)}.",
    ]
    for reason, count in reasons_of_failure(data).most_common(1):
        lines.append(f"Most frequent failure ({count:,}): {reason}")
    if finished(data) < data.planned:
        lines.append("The run is not complete; resume it with `ansatz run`.")
    if not data.is_complete:
        lines.append(PROVISIONAL)
    return "\n".join(lines)


_SPENT = ("tokens", "seconds", "dollars")


def _tables(chapter: Chapter) -> list[Table]:
    return [table for section in chapter.sections for table in section.tables]


def rendered(table: Table, width: int) -> Iterator[RenderableType]:
    """A table with its caption, as many columns beside each other as there is room for."""
    yield Text(table.caption, style="bold")
    texts, *columns = _chapter_columns(table)
    for beside in _packed(columns, width - _width(texts) - _GAP):
        yield _grid([texts, *beside])


def _chapter_columns(table: Table) -> list[Cells]:
    """Each column of a chapter's table, its heading first; a change stands below the value it belongs to."""
    columns: list[Cells] = []
    for at, column in enumerate(table.columns):
        cells = [Text(column.name), *(_entry_cell(column, row[at]) for row in table.rows)]
        if column.change and len(columns) > 1 and not table.columns[at - 1].change:
            columns[-1] = [
                Text("\n").join(filter(None, pair)) for pair in zip(columns[-1], cells, strict=True)
            ]
        else:
            columns.append(cells)
    return columns


def _entry_cell(column: Column, entry: Entry) -> Text:
    if not isinstance(entry, Estimate):
        return Text("" if entry is None else show(column, entry))
    star = "*" if column.change and entry.is_significant else ""
    better = ((entry.value or 0.0) > 0) == (column.better == "higher")
    style = "dim" if not star else "bold green" if better else "bold red"
    lines = []
    if entry.low is not None and entry.high is not None:
        lines.append(f"\n{show(column, entry.low)} … {show(column, entry.high)}")
    if entry.dropped is not None:
        lines.append(f"\nn {entry.n}{f' ({entry.dropped})' if entry.dropped else ''}")
    shown = (f"{show(column, entry.value)}{star}", style if lines else "")
    return Text.assemble(shown, *((line, "dim") for line in lines))


def _packed(columns: Sequence[Cells], room: int) -> Iterator[list[Cells]]:
    """The columns in their order, in groups that fit; a column that is too wide stands alone."""
    beside: list[Cells] = []
    for column in columns:
        if beside and sum(_width(each) + _GAP for each in [*beside, column]) > room:
            yield beside
            beside = []
        beside.append(column)
    if beside:
        yield beside


def _width(column: Cells) -> int:
    return max(cell_len(line) for cell in column for line in cell.plain.split("\n"))


def _grid(columns: Sequence[Cells], *, parted: bool = False) -> Grid:
    """Headings, then the rows; the first of them, the baseline, may be parted from the others.

    Only what is too wide for a line of its own is folded.
    """
    table = Grid(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for at, column in enumerate(columns):
        table.add_column(column[0], justify="right" if at else "left", overflow="fold")
    for number, row in enumerate(list(zip(*columns, strict=True))[1:]):
        table.add_row(*row, end_section=parted and not number)
    return table
