"""Tables as rows × columns of estimates: rows are parts of the attempts, columns say what to make of each."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any

from ansatz.eval.score import PERCENT, Scale
from ansatz.eval.statistics import PairedDelta
from ansatz.eval.views.attempts import Floats, Mask
from ansatz.eval.views.results import Cut, Results
from ansatz.eval.views.section import COUNT, Column, Entry, Table


@dataclass(frozen=True, eq=False)
class Row:
    """What a row is called, the attempts that it is about, and whatever else its columns need."""

    labels: tuple[Entry, ...]
    cut: Cut
    about: Any = None


@dataclass(frozen=True)
class Measure:
    """A column, and how an entry of it is found. A difference becomes an estimate with its p."""

    name: str
    of: Callable[[Row], Entry | PairedDelta]
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
    of: Callable[[Cut, Floats], Any],
    name: str,
    values: Floats | Callable[[Row], Floats],
    part: Mask | None = None,
    scale: Scale = PERCENT,
    *,
    change: bool = False,
) -> Measure:
    """What is made of a row's attempts, or of a part of them, and of values, one for all or by row."""

    def found(row: Row) -> Any:
        cut = row.cut if part is None else row.cut.where(part)
        return of(cut, values(row) if callable(values) else values)

    return Measure(name, found, scale, change)


value = partial(_measure, Cut.value)
"""The mean over problems, or over those of a part, without an interval."""
plain_mean = partial(_measure, Cut.plain_mean)
"""The mean over attempts, whatever problem they are at."""
mean = partial(_measure, Cut.mean)
"""The mean over problems of a share, with its interval."""
gain = partial(_measure, Cut.gain, change=True)
"""The difference from the baseline, empty for the baseline itself."""
counted = partial(Measure, scale=COUNT)


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
