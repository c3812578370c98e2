"""Tables built from rows (subsets of the attempts) and columns (functions of a row)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import Any

from ansatz.eval.score import PERCENT, Scale
from ansatz.eval.statistics import PairedDelta
from ansatz.experiments.report.tables import COUNT, Column, Entry, Table
from ansatz.experiments.results import Floats, Mask, Results, Subset

_MOST_SETTINGS = 20  # rows on the settings of a screening design in a report; data files have all


@dataclass(frozen=True, eq=False)
class Row:
    """A row of a table."""

    labels: tuple[Entry, ...]
    """The first entries, which name the row."""
    subset: Subset
    """The attempts that the row is about."""
    context: Any = None
    """Further data that the columns of a table need."""


@dataclass(frozen=True)
class Measure:
    """A column of a table and the function that computes its entries."""

    name: str
    compute: Callable[[Row], Entry | PairedDelta]
    """A paired difference becomes an estimate with its p."""
    scale: Scale | None = PERCENT
    change: bool = False
    """Whether entries are differences."""


@dataclass(frozen=True, eq=False)
class Rows:
    """The rows of one or more tables."""

    data: Results
    heads: Sequence[str | Column]
    """The columns of the rows' labels."""
    rows: Sequence[Row]
    comparison_group: Callable[[Row], Hashable] = lambda row: row.subset.system.model
    """Differences in rows with an equal value are adjusted together, over all columns of a table."""

    def where(self, is_wanted: Callable[[Row], object]) -> Rows:
        return replace(self, rows=[row for row in self.rows if is_wanted(row)])

    @property
    def without_baseline(self) -> Rows:
        return self.where(lambda row: not row.subset.is_baseline)

    def table(
        self,
        name: str,
        caption: str,
        *measures: Measure,
        max_rows: int | None = None,
        in_summary: bool = False,
    ) -> Table:
        """Build a table. A caption without a full stop gets one, after a remark on simulated models."""
        columns = [each if isinstance(each, Column) else Column(each) for each in self.heads]
        columns += [Column(each.name, each.scale, each.change) for each in measures]
        found: list[list[Any]] = [[measure.compute(row) for measure in measures] for row in self.rows]
        groups: defaultdict[Hashable, dict[tuple[int, int], PairedDelta]] = defaultdict(dict)
        for at, row in enumerate(self.rows):
            for place, entry in enumerate(found[at]):
                if isinstance(entry, PairedDelta):
                    groups[self.comparison_group(row)][at, place] = entry
        for group in groups.values():
            for (at, place), estimate in self.data.estimate_deltas(group).items():
                found[at][place] = estimate
        entries = [[*row.labels, *computed] for row, computed in zip(self.rows, found, strict=True)]
        if not caption.endswith("."):
            caption += f"{self.data.simulation_note}."
        if self.data.screened:  # each setting of the switches is a row
            max_rows = min(max_rows or _MOST_SETTINGS, _MOST_SETTINGS)
        return Table(name, caption, columns, entries, max_rows, in_summary)


def system_rows(data: Results, part: Mask | None = None, head: str = "arm") -> Rows:
    """Make one row for each system."""
    return Rows(data, [head], [Row((subset.label,), subset) for subset in data.subsets(part)])


def _measure(
    compute: Callable[[Subset, Floats], Any],
    name: str,
    values: Floats | Callable[[Row], Floats],
    part: Mask | None = None,
    scale: Scale = PERCENT,
    *,
    change: bool = False,
) -> Measure:
    """Compute a column from the row's attempts, or from a part of them, and values of all attempts."""

    def entry(row: Row) -> Any:
        subset = row.subset if part is None else row.subset.where(part)
        return compute(subset, values(row) if callable(values) else values)

    return Measure(name, entry, scale, change)


mean_column = partial(_measure, Subset.mean_value)
"""The mean over problems, without an interval."""
attempt_mean_column = partial(_measure, Subset.attempt_mean)
"""The mean over attempts, however many a problem has."""
estimate_column = partial(_measure, Subset.estimate_mean)
"""The mean over problems of a share, with its interval."""
delta_column = partial(_measure, Subset.delta, change=True)
"""The difference from the baseline, empty for the baseline itself."""
count_column = partial(Measure, scale=COUNT)


class Tally:
    """Counts how often each kind of event occurs in a row, for columns of counts and shares."""

    def __init__(self, count_kinds: Callable[[Row], Counter[Any]]) -> None:
        self._counts = cache(count_kinds)

    def __call__(self, row: Row) -> Counter[Any]:
        return self._counts(row)

    def count(self, name: str, *kinds: Hashable) -> Measure:
        """Make a column of the count of these kinds, or of all."""
        return count_column(name, lambda row: self._sum(row, kinds))

    def share(self, name: str, *kinds: Hashable, among: Sequence[Hashable] = ()) -> Measure:
        """Make a column of the share of some kinds among others, or among all; None if there are none."""
        return Measure(
            name,
            lambda row: self._sum(row, kinds) / total if (total := self._sum(row, among)) else None,
        )

    def _sum(self, row: Row, kinds: Sequence[Hashable]) -> int:
        counts = self(row)
        return sum(counts[kind] for kind in kinds) if kinds else counts.total()
