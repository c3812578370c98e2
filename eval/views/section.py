"""A part of a report as data: tables, figures and notes, before anything decides how they are shown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ansatz.eval.score import PERCENT, Scale

COUNT = Scale("count", 1, 0)
COEFFICIENT = Scale("coefficient", 1, 2)
PROBABILITY = Scale("p", 1, 3)
TIMES = Scale("×", 1, 2)

LEVEL_OF_SIGNIFICANCE = 0.05


@dataclass(frozen=True)
class Estimate:
    """A number and what is known of its uncertainty. None is what could not be had.

    `is_adjusted` tells that p and interval hold for all comparisons that it belongs to, not for it alone.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    sigma: float | None = None
    p: float | None = None
    n: int | None = None
    families: int | None = None
    dropped: int | None = None
    is_adjusted: bool = False

    @property
    def is_significant(self) -> bool:
        """Whether the interval excludes zero and p is below 0.05, both for all comparisons at once."""
        if not self.is_adjusted or self.p is None or self.low is None or self.high is None:
            return False
        return not self.low <= 0 <= self.high and self.p < LEVEL_OF_SIGNIFICANCE


Entry = str | float | Estimate | None


@dataclass(frozen=True)
class Column:
    """`scale` is None for text; a `change` is shown with its sign, and in bold where it is significant.

    `better` is the direction of improvement, by which a terminal colours changes.
    """

    name: str
    scale: Scale | None = None
    change: bool = False
    better: Literal["higher", "lower", "neither"] = "higher"

    def show(self, value: float | None) -> str:
        """A number of this column as text; the column is not one of text."""
        assert self.scale is not None
        if self.scale is PROBABILITY and value is not None and value < 0.001:
            return "<0.001"
        return self.scale.show_change(value) if self.change else self.scale.show(value)


def file_name(name: str) -> str:
    """A name that people gave as part of a file's."""
    return re.sub(r"[^\w.+ -]", "_", name)


@dataclass(frozen=True)
class Table:
    """Rows of entries as stored: shares in [0, 1], amounts raw; columns say how they are shown.

    `name` is the table's file name without its ending. `shown` limits the rows in the report; the data
    files hold all. `summary` also prints the table in the terminal.
    """

    name: str
    caption: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Entry]]
    shown: int | None = None
    summary: bool = False

    def blocks(self, titles: Sequence[str], first: int = 0) -> dict[str, Table]:
        """As many equal runs of rows as there are titles, by title, without the columns before `first`."""
        size = len(self.rows) // len(titles) if titles else 0
        return {
            title: replace(
                self,
                columns=self.columns[first:],
                rows=[row[first:] for row in self.rows[at * size : (at + 1) * size]],
            )
            for at, title in enumerate(titles)
        }

    @property
    def file(self) -> str:
        return f"{file_name(self.name)}.csv"

    def column(self, name: str) -> list[Entry]:
        """The entries of a column. Raises ValueError where there is none of this name."""
        at = [each.name for each in self.columns].index(name)
        return [row[at] for row in self.rows]


@dataclass(frozen=True)
class Panel:
    """One plot of a figure: a value for each of `labels`, in each of the named series.

    Of intervals `scale` says how values are shown, and `better` which differences are an improvement.
    """

    title: str
    labels: Sequence[str]
    series: Mapping[str, Sequence[Estimate]]
    scale: Scale = PERCENT
    better: Literal["higher", "lower", "neither"] = "higher"

    @classmethod
    def of_columns(cls, table: Table, names: Sequence[str], title: str = "", label: str = "") -> Panel:
        """Rows of a table as labels, the named columns as series; `label` is the column that names rows."""
        labels = table.column(label) if label else [row[0] for row in table.rows]
        series = {name: [as_estimate(entry) for entry in table.column(name)] for name in names}
        return cls(title, [str(each) for each in labels], series)

    @classmethod
    def of_rows(cls, table: Table, title: str = "", first: int = 1, labels: Sequence[str] = ()) -> Panel:
        """Columns from `first` on as labels, rows by their first entry as series."""
        names = labels or [column.name for column in table.columns[first:]]
        end = first + len(names)
        series = {str(row[0]): [as_estimate(entry) for entry in row[first:end]] for row in table.rows}
        return cls(title, names, series)


@dataclass(frozen=True)
class Figure:
    """What is to be drawn; `name` is the file name without its ending, values are shares shown as 0–100.

    At most `beside` panels stand in a line: by default one heatmap, or all of any other kind. A heatmap has
    series as rows and labels as columns. Intervals are a dot with its interval for every label and series;
    one series of differences, around `zero`, has the colours of what is clear. A progression has labels from
    left to right and a line for every series. Stacked bars are one for every label, made of the series. A
    frontier has a point with two intervals for each series: an amount from left to right, a value upwards,
    and 1 where nothing cheaper excels it, else 0.
    """

    kind: Literal["heatmap", "intervals", "progression", "stacked", "frontier"]
    name: str
    caption: str
    panels: Sequence[Panel]
    axis: str = ""
    zero: bool = False
    beside: int | None = None

    @property
    def file(self) -> str:
        return f"{file_name(self.name)}.png"


@dataclass(frozen=True)
class Section:
    """One analysis: what it found in a sentence or two, its tables and figures, and how to read them."""

    title: str
    findings: Sequence[str] = ()
    tables: Sequence[Table] = ()
    figures: Sequence[Figure] = ()
    notes: Sequence[str] = ()


@dataclass(frozen=True)
class Chapter:
    """The sections of one benchmark, or of what holds for all. `name` is the folder of its files."""

    name: str
    title: str
    sections: Sequence[Section]

    @classmethod
    def of(cls, name: str, title: str, made: Iterable[Section | None]) -> Chapter | None:
        """The sections that have something to say; None without any."""
        sections = [section for section in made if section is not None]
        return cls(name, title, sections) if sections else None


def plain(table: Table, *names: str) -> Table:
    """A table without the intervals of these columns, or of all, for which a figure has room."""
    kept = [bool(names) and column.name not in names for column in table.columns]
    rows = [
        [
            entry.value if isinstance(entry, Estimate) and not keep else entry
            for keep, entry in zip(kept, row, strict=True)
        ]
        for row in table.rows
    ]
    return replace(table, rows=rows)


def as_estimate(entry: Entry) -> Estimate:
    """An entry of a table as a figure takes it; text is no number."""
    if isinstance(entry, Estimate):
        return entry
    return Estimate(None if isinstance(entry, str) else entry)
