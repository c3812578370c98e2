"""Tables as rows × columns of estimates: rows are parts of the attempts, columns say what to make of each."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from ansatz.eval.score import PERCENT, Scale
from ansatz.eval.statistics import PairedDelta
from ansatz.eval.views.attempts import Floats, Mask, System
from ansatz.eval.views.results import Cut, Results
from ansatz.eval.views.section import COUNT, Column, Entry, Table


@dataclass(frozen=True, eq=False)
class Row:
    """What a row is called, the attempts that it is about, and whatever else its columns need."""

    labels: tuple[Entry, ...]
    cut: Cut
    about: Any = None


Values = Floats | Callable[[Row], Floats]
"""Values by attempt, the same for all rows or by row."""
Of = Callable[[Row], Entry | PairedDelta]


@dataclass(frozen=True)
class Measure:
    """A column, and how an entry of it is found. A difference becomes an estimate with its p."""

    name: str
    of: Of
    scale: Scale | None = PERCENT
    change: bool = False


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows that tables are made of, and what their labels are headed by.

    Differences in rows with an equal value of `together`, by default their model, are judged together with
    all columns of a table.
    """

    data: Results
    heads: Sequence[str | Column]
    rows: Sequence[Row]
    together: Callable[[Row], Hashable] = lambda row: row.cut.system.model

    def where(self, wanted: Callable[[Row], object]) -> Rows:
        return replace(self, rows=[row for row in self.rows if wanted(row)])

    @property
    def treated(self) -> Rows:
        """The arms that are compared alone."""
        return self.where(lambda row: not row.cut.is_baseline)

    def table(
        self, name: str, caption: str, *measures: Measure, shown: int | None = None, summary: bool = False
    ) -> Table:
        """A caption without a full stop gets one, after what is said of simulated models."""
        columns = [each if isinstance(each, Column) else Column(each) for each in self.heads]
        columns += [Column(each.name, each.scale, each.change) for each in measures]
        found: list[list[Any]] = [[measure.of(row) for measure in measures] for row in self.rows]
        groups: defaultdict[Hashable, dict[tuple[int, int], PairedDelta]] = defaultdict(dict)
        for at, row in enumerate(self.rows):
            for place, each in enumerate(found[at]):
                if isinstance(each, PairedDelta):
                    groups[self.together(row)][at, place] = each
        for group in groups.values():
            for (at, place), shown_as in self.data.adjusted(group).items():
                found[at][place] = shown_as
        entries = [[*row.labels, *own] for row, own in zip(self.rows, found, strict=True)]
        said = caption if caption.endswith(".") else f"{caption}{self.data.simulation}."
        return Table(name, said, columns, entries, shown, summary)


def systems(data: Results, part: Mask | None = None, head: str = "arm") -> Rows:
    """A row for every system."""
    return Rows(data, [head], [Row((cut.label,), cut) for cut in data.cuts(part)])


def _measure(
    name: str, of: Callable[[Cut, Floats], Any], values: Values, part: Mask | None, *shown: Any
) -> Measure:
    """A column of what is made of a row's attempts, or of a part of them, and of their values."""

    def found(row: Row) -> Any:
        cut = row.cut if part is None else row.cut.where(part)
        return of(cut, values(row) if callable(values) else values)

    return Measure(name, found, *shown)


def value(name: str, values: Values, part: Mask | None = None, scale: Scale = PERCENT) -> Measure:
    """The mean over problems, or over those of a part, without an interval."""
    return _measure(name, Cut.value, values, part, scale)


def plain_mean(name: str, values: Values, scale: Scale = PERCENT) -> Measure:
    """The mean over attempts, whatever problem they are at."""
    return _measure(name, Cut.plain_mean, values, None, scale)


def mean(name: str, values: Values, part: Mask | None = None) -> Measure:
    """The mean over problems of a share, with its interval."""
    return _measure(name, Cut.mean, values, part)


def gain(name: str, values: Values, part: Mask | None = None, scale: Scale = PERCENT) -> Measure:
    """The difference from the baseline, empty for the baseline itself."""
    return _measure(name, Cut.gain, values, part, scale, True)


def counted(name: str, of: Of) -> Measure:
    return Measure(name, of, COUNT)


def change(name: str, found: Mapping[System, Entry | PairedDelta], scale: Scale | None = PERCENT) -> Measure:
    """Differences that were found beforehand, by system."""
    return Measure(name, lambda row: found.get(row.cut.system), scale, change=True)


class Tally:
    """How often each kind of thing occurs in a row: columns of counts and of shares."""

    def __init__(self, of: Callable[[Row], Counter[Any]]) -> None:
        self._found = cache(of)

    def __call__(self, row: Row) -> Counter[Any]:
        return self._found(row)

    def count(self, name: str, *kinds: Hashable) -> Measure:
        """Of these kinds, or of all."""
        return counted(name, lambda row: self._number(row, kinds))

    def share(self, name: str, *kinds: Hashable, among: Sequence[Hashable] = ()) -> Measure:
        """The share of some kinds among others, or among all; None where there is nothing."""
        return Measure(
            name,
            lambda row: self._number(row, kinds) / whole if (whole := self._number(row, among)) else None,
        )

    def _number(self, row: Row, kinds: Sequence[Hashable]) -> int:
        found = self(row)
        return sum(found[kind] for kind in kinds) if kinds else found.total()
