"""The delta table for a terminal; rich leaves colour out where the output is not one."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from ansatz.experiments.report.scale import scale_of
from ansatz.experiments.report.table import RESOURCES, Comparison, ReportData, mean_of

_COLUMN = 16  # characters of a dimension's column, with its padding


class DeltaTables:
    """Arms against the baseline, as many dimensions beside each other as the terminal has room for."""

    def __init__(self, data: ReportData) -> None:
        self._data = data

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        data = self._data
        room = options.max_width - max(map(len, data.arms), default=0) - 2
        per_table = max(1, room // _COLUMN)
        for model in data.models:
            note = (
                "  (simulated: a rule-based solver, not a language model)" if model in data.simulated else ""
            )
            yield Text(f"{model}{note}", style="bold")
            for start in range(0, len(data.dimensions), per_table):
                yield self._table(model, data.dimensions[start : start + per_table])
        yield Text(
            f"Difference from {data.baseline}, {data.level:.0%} interval, n pairs (dropped). "
            "* clear of zero with Holm-adjusted p < 0.05.\n"
            f"The {data.baseline} row gives means, with attempts scored/unscored/errors.",
            style="dim",
        )

    def _table(self, model: str, dimensions: Sequence[str]) -> Table:
        data = self._data
        table = Table(box=box.SIMPLE_HEAD, padding=(0, 1), pad_edge=False)
        table.add_column("arm", no_wrap=True)
        for dimension in dimensions:
            heading = Text.assemble(dimension, "\n", (scale_of(dimension).name.split()[0], "dim"))
            table.add_column(heading, justify="right", no_wrap=True, min_width=_COLUMN - 2)
        means = [self._baseline_cell(model, dimension) for dimension in dimensions]
        table.add_row(data.baseline, *means, end_section=True)
        rows = {(row.arm, row.dimension): row for row in data.comparisons if row.model == model}
        for arm in data.treatments:
            table.add_row(arm, *(_delta_cell(rows[arm, dimension]) for dimension in dimensions))
        return table

    def _baseline_cell(self, model: str, dimension: str) -> Text:
        mean = mean_of(self._data.grouped.get((model, self._data.baseline, dimension), []))
        counts = f"{mean.scored}/{mean.unscored}/{mean.errors}"
        return Text.assemble(scale_of(dimension).show(mean.value), "\n", (counts, "dim"))


def render_table(data: ReportData) -> DeltaTables:
    """Something for `Console.print`."""
    return DeltaTables(data)


def _delta_cell(row: Comparison) -> Text:
    scale, delta = scale_of(row.dimension), row.delta
    dropped = f" ({delta.dropped})" if delta.dropped else ""
    estimate = f"{scale.show_change(delta.estimate)}{'*' if row.is_significant else ''}"
    lines = [(f"{estimate}\n", _style(row))]
    if delta.low is not None and delta.high is not None:
        lines.append((f"{scale.show_change(delta.low)} … {scale.show_change(delta.high)}\n", "dim"))
    return Text.assemble(*lines, (f"n {delta.pairs}{dropped}", "dim"))


def _style(row: Comparison) -> str:
    if not row.is_clear or row.delta.estimate is None:
        return "dim"
    if row.dimension in RESOURCES:
        return "bold"
    return "bold green" if row.delta.estimate > 0 else "bold red"
