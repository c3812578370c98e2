"""A part of a report as data: tables, figures and notes, before anything decides how they are shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from ansatz.eval.score import Scale

POINTS = Scale("0–100", 100, 1)
COUNT = Scale("count", 1, 0)
COEFFICIENT = Scale("coefficient", 1, 2)
PROBABILITY = Scale("p", 1, 3)

LEVEL_OF_SIGNIFICANCE = 0.05


@dataclass(frozen=True)
class Estimate:
    """A number and what is known of its uncertainty. None is what could not be had."""

    value: float | None
    low: float | None = None
    high: float | None = None
    sigma: float | None = None
    p: float | None = None
    n: int | None = None

    @property
    def is_significant(self) -> bool:
        """Whether the interval excludes zero and p, where there is one, is below 0.05."""
        if self.low is None or self.high is None or self.low <= 0 <= self.high:
            return False
        return self.p is None or self.p < LEVEL_OF_SIGNIFICANCE


@dataclass(frozen=True)
class Column:
    """`scale` is None for text; a `change` is shown with its sign, and in bold where it is significant."""

    name: str
    scale: Scale | None = None
    change: bool = False


Entry = str | float | Estimate | None


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


class Figure(Protocol):
    """Something that can be drawn; `name` is the file name without its ending."""

    @property
    def name(self) -> str: ...

    @property
    def caption(self) -> str: ...

    def draw(self, path: Path) -> None: ...


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
    """The sections of one benchmark, or of what holds for all. `name` is the folder of its files.

    `beside` are further files, text by name, that belong next to the report itself.
    """

    name: str
    title: str
    sections: Sequence[Section]
    beside: Mapping[str, str] = field(default_factory=dict)
