"""Tables as rows × columns of estimates: rows are parts of the attempts, columns say what to make of each."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ansatz.eval.score import PERCENT, Scale
from ansatz.eval.statistics import PairedDelta
from ansatz.eval.views.attempts import Floats, Mask, System
from ansatz.eval.views.results import Cut, Results
from ansatz.eval.views.section import COUNT, Column, Entry, Estimate, Table


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
        found = [[measure.of(row) for measure in measures] for row in self.rows]
        entries = [[*row.labels, *own] for row, own in zip(self.rows, self._judged(found), strict=True)]
        said = caption if caption.endswith(".") else f"{caption}{self.data.simulation}."
        return Table(name, said, columns, entries, shown, summary)

    def _judged(self, found: Sequence[Sequence[Entry | PairedDelta]]) -> list[list[Entry]]:
        """Differences as estimates, group by group."""
        groups: defaultdict[Hashable, dict[tuple[int, int], PairedDelta]] = defaultdict(dict)
        for at, row in enumerate(self.rows):
            for place, each in enumerate(found[at]):
                if isinstance(each, PairedDelta):
                    groups[self.together(row)][at, place] = each
        shown = {at: entry for group in groups.values() for at, entry in self.data.adjusted(group).items()}
        return [
            [
                shown[at, place] if isinstance(each, PairedDelta) else each
                for place, each in enumerate(entries)
            ]
            for at, entries in enumerate(found)
        ]


def systems(data: Results, part: Mask | None = None, head: str = "arm") -> Rows:
    """A row for every system."""
    return Rows(data, [head], [Row((cut.label,), cut) for cut in data.cuts(part)])


def _of(row: Row, values: Values, part: Mask | None) -> tuple[Cut, Floats]:
    return row.cut if part is None else row.cut.where(part), values(row) if callable(values) else values


def value(name: str, values: Values, part: Mask | None = None, scale: Scale = PERCENT) -> Measure:
    """The mean over problems, or over those of a part, without an interval."""

    def of(row: Row) -> float | None:
        cut, own = _of(row, values, part)
        return cut.value(own)

    return Measure(name, of, scale)


def plain_mean(name: str, values: Values, scale: Scale = PERCENT) -> Measure:
    """The mean over attempts, whatever problem they are at."""

    def of(row: Row) -> float | None:
        cut, own = _of(row, values, None)
        return cut.plain_mean(own)

    return Measure(name, of, scale)


def mean(name: str, values: Values, part: Mask | None = None) -> Measure:
    """The mean over problems of a share, with its interval."""

    def of(row: Row) -> Estimate:
        cut, own = _of(row, values, part)
        return cut.mean(own)

    return Measure(name, of)


def gain(name: str, values: Values, part: Mask | None = None, scale: Scale = PERCENT) -> Measure:
    """The difference from the baseline, empty for the baseline itself."""

    def of(row: Row) -> PairedDelta | None:
        cut, own = _of(row, values, part)
        return cut.gain(own)

    return Measure(name, of, scale, change=True)


def counted(name: str, of: Of) -> Measure:
    return Measure(name, of, COUNT)


def change(name: str, found: Mapping[System, Entry | PairedDelta], scale: Scale | None = PERCENT) -> Measure:
    """Differences that were found beforehand, by system."""
    return Measure(name, lambda row: found.get(row.cut.system), scale, change=True)


class Tally:
    """How often each kind of thing occurs in a row: columns of counts and of shares."""

    def __init__(self, of: Callable[[Row], Counter[Any]]) -> None:
        self._of = of
        self._found: dict[Row, Counter[Any]] = {}

    def __call__(self, row: Row) -> Counter[Any]:
        if row not in self._found:
            self._found[row] = self._of(row)
        return self._found[row]

    def count(self, name: str, *kinds: Hashable) -> Measure:
        """Of these kinds, or of all."""
        return counted(name, lambda row: self._number(row, kinds))

    def share(self, name: str, *kinds: Hashable, among: Sequence[Hashable] = ()) -> Measure:
        """The share of some kinds among others, or among all; None where there is nothing."""

        def of(row: Row) -> float | None:
            whole = self._number(row, among)
            return self._number(row, kinds) / whole if whole else None

        return Measure(name, of)

    def _number(self, row: Row, kinds: Sequence[Hashable]) -> int:
        found = self(row)
        return sum(found[kind] for kind in kinds) if kinds else found.total()
