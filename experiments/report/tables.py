"""The parts of a report as data: columns, tables, figures, sections and chapters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Literal

import yaml

from ansatz.eval.score import PERCENT, Scale
from ansatz.experiments.results import Estimate, safe_file_name

COUNT = Scale("count", 1, 0)
COEFFICIENT = Scale("coefficient", 1, 2)
PROBABILITY = Scale("p", 1, 3)
TIMES = Scale("×", 1, 2)

Entry = str | float | Estimate | None


@dataclass(frozen=True)
class Column:
    """A column of a table."""

    name: str
    scale: Scale | None = None
    """How numbers are shown; None for text."""
    change: bool = False
    """Whether entries are differences: shown with their sign, and in bold if significant."""
    better: Literal["higher", "lower", "neither"] = "higher"
    """The direction of improvement, for the colours of a terminal."""

    def show(self, value: float | None) -> str:
        """Format a number of this column, which is not a text column."""
        assert self.scale is not None
        if self.scale is PROBABILITY and value is not None and value < 0.001:
            return "<0.001"
        return self.scale.show_change(value) if self.change else self.scale.show(value)


@dataclass(frozen=True)
class Table:
    """Rows of entries as stored: shares in [0, 1] and raw amounts. The columns state how to show them."""

    name: str
    """File name without its suffix."""
    caption: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Entry]]
    max_rows: int | None = None
    """Most rows in the report; data files have all."""
    in_summary: bool = False
    """Whether the terminal prints the table as well."""

    def split_rows(self, titles: Sequence[str], first: int = 0) -> dict[str, Table]:
        """Split the rows into equal blocks, one per title, without the columns before `first`."""
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
        return f"{safe_file_name(self.name)}.csv"

    def column(self, name: str) -> list[Entry]:
        """Return the entries of a column. Raises ValueError for an unknown name."""
        at = [each.name for each in self.columns].index(name)
        return [row[at] for row in self.rows]


@dataclass(frozen=True)
class Panel:
    """One plot of a figure: a value for each label in each series."""

    title: str
    labels: Sequence[str]
    series: Mapping[str, Sequence[Estimate]]
    scale: Scale = PERCENT
    """How interval plots show values."""
    better: Literal["higher", "lower", "neither"] = "higher"
    """The direction of improvement, for the colours of interval plots."""

    @classmethod
    def from_columns(cls, table: Table, names: Sequence[str], title: str = "", label: str = "") -> Panel:
        """Plot the named columns as series. `label` is the column of labels, by default the first."""
        labels = table.column(label) if label else [row[0] for row in table.rows]
        series = {name: [as_estimate(entry) for entry in table.column(name)] for name in names}
        return cls(title, [str(each) for each in labels], series)

    @classmethod
    def from_rows(cls, table: Table, title: str = "", first: int = 1, labels: Sequence[str] = ()) -> Panel:
        """Plot rows as series, named by their first entry. Labels are the columns from `first`."""
        names = labels or [column.name for column in table.columns[first:]]
        end = first + len(names)
        series = {str(row[0]): [as_estimate(entry) for entry in row[first:end]] for row in table.rows}
        return cls(title, names, series)


@dataclass(frozen=True)
class Figure:
    """A figure of one or more panels. Values are shares, shown as 0-100.

    Kinds: a heatmap has series as rows and labels as columns. Intervals are a dot with its interval for each
    label and series. A progression has labels from left to right and a line for each series. Stacked bars are
    one bar for each label, made of the series. A frontier has a point with two intervals for each series:
    the amount from left to right, the value upwards, and 1 if no cheaper point is at least as good, else 0.
    """

    kind: Literal["heatmap", "intervals", "progression", "stacked", "frontier"]
    name: str
    """File name without its suffix."""
    caption: str
    panels: Sequence[Panel]
    axis: str = ""
    zero: bool = False
    """Whether values are differences around zero; a single series is then coloured by its verdicts."""
    threshold: str = "0.05"
    """The bound of adjusted p of a difference that is drawn as significant."""
    panels_per_row: int | None = None
    """By default one heatmap or frontier, or all panels of any other kind."""

    @property
    def file(self) -> str:
        return f"{safe_file_name(self.name)}.png"


@dataclass(frozen=True)
class Section:
    """One analysis."""

    title: str
    findings: Sequence[str] = ()
    """The result, in a sentence or two."""
    tables: Sequence[Table] = ()
    figures: Sequence[Figure] = ()
    notes: Sequence[str] = ()
    """How to read the tables."""
    is_analysis: bool = False
    """Whether it analyses differences further: left out if the families are too few for a significant one."""
    is_detail: bool = False
    """Whether the report.md of a small study leaves it out; its data files are written."""
    is_normal: bool = False
    """Whether it shows that all is normal, so that report.md leaves it out; its data files are written."""


@dataclass(frozen=True)
class Chapter:
    """The sections on one benchmark, or on the whole run."""

    name: str
    """The folder of its files."""
    title: str
    sections: Sequence[Section]

    @classmethod
    def from_sections(cls, name: str, title: str, sections: Iterable[Section | None]) -> Chapter | None:
        """Collect the sections that are not None; None without any."""
        found = [section for section in sections if section is not None]
        return cls(name, title, found) if found else None


def without_intervals(table: Table, *names: str) -> Table:
    """Remove the intervals of the named columns, or of all, where a figure shows them."""
    keeps = [bool(names) and column.name not in names for column in table.columns]
    rows = [
        [
            entry.value if isinstance(entry, Estimate) and not keep else entry
            for keep, entry in zip(keeps, row, strict=True)
        ]
        for row in table.rows
    ]
    return replace(table, rows=rows)


def as_estimate(entry: Entry) -> Estimate:
    """Convert an entry for a figure; a text has no value."""
    if isinstance(entry, Estimate):
        return entry
    return Estimate(None if isinstance(entry, str) else entry)


@cache
def read_notes(module: str) -> Mapping[str, str]:
    """Read `notes.yaml` of the package of a module: the notes below tables, by name."""
    text = files(module.rpartition(".")[0]).joinpath("notes.yaml").read_text(encoding="utf-8")
    return {name: " ".join(note.split()) for name, note in yaml.load(text, Loader=yaml.CSafeLoader).items()}
