"""Tables as rows × columns of estimates: rows are parts of the attempts, columns say what to make of each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from ansatz.eval.score import PERCENT, Scale
from ansatz.eval.statistics import PairedDelta
from ansatz.eval.views.results import Cut, Floats, Results
from ansatz.eval.views.section import COUNT, Column, Entry, Table


@dataclass(frozen=True, eq=False)
class Row:
    """What a row is called, the attempts that it is about, and whatever else its columns need."""

    labels: tuple[Entry, ...]
    cut: Cut
    about: Any = None


Fixed = TypeVar("Fixed")
Of = Callable[[Row], Entry | PairedDelta]


@dataclass(frozen=True)
class Measure:
    """A column, and how an entry of it is found. A difference becomes an estimate with its p."""

    name: str
    of: Of
    scale: Scale | None = PERCENT
    change: bool = False


@dataclass(frozen=True)
class TableText:
    """What a table is called, how many of its rows a report shows, and whether the terminal shows it too."""

    name: str
    caption: str
    shown: int | None = None
    summary: bool = False


def tabulate(
    text: TableText,
    heads: Sequence[str | Column],
    rows: Iterable[Row],
    measures: Sequence[Measure],
    together: Callable[[Row], Hashable] = lambda row: row.cut.system.model,
) -> Table:
    """The table. Differences in rows with an equal value of `together`, by default their model, are judged
    together with all of their columns.
    """
    columns = [each if isinstance(each, Column) else Column(each) for each in heads]
    columns += [Column(each.name, each.scale, each.change) for each in measures]
    kept = list(rows)
    raw = [[measure.of(row) for measure in measures] for row in kept]
    groups: defaultdict[Hashable, dict[tuple[int, int], PairedDelta]] = defaultdict(dict)
    for at, (row, found) in enumerate(zip(kept, raw, strict=True)):
        for place, each in enumerate(found):
            if isinstance(each, PairedDelta):
                groups[together(row)][at, place] = each
    shown = {at: entry for group in groups.values() for at, entry in kept[0].cut.data.adjusted(group).items()}
    entries: list[list[Entry]] = [
        [
            *row.labels,
            *(
                shown[at, place] if isinstance(each, PairedDelta) else each
                for place, each in enumerate(found)
            ),
        ]
        for at, (row, found) in enumerate(zip(kept, raw, strict=True))
    ]
    return Table(text.name, text.caption, columns, entries, text.shown, text.summary)


def given(of: Callable[[Row, Fixed], Entry | PairedDelta], fixed: Fixed) -> Of:
    """What to make of a row, with something fixed beforehand, as a loop over columns needs it."""
    return lambda row: of(row, fixed)


def value(name: str, values: Floats, scale: Scale = PERCENT) -> Measure:
    """The mean over problems, without an interval."""
    return Measure(name, lambda row: row.cut.value(values), scale)


def mean(name: str, values: Floats) -> Measure:
    """The mean over problems of a share, with its interval."""
    return Measure(name, lambda row: row.cut.mean(values))


def gain(name: str, values: Floats, scale: Scale = PERCENT) -> Measure:
    """The difference from the baseline, empty for the baseline itself."""
    return Measure(name, lambda row: row.cut.gain(values), scale, change=True)


def counted(name: str, of: Of) -> Measure:
    return Measure(name, of, COUNT)


def each_system(data: Results, part: Any = None) -> list[Row]:
    """A row for every system."""
    return [Row((cut.label,), cut) for cut in data.cuts(part)]
