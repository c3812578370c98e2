"""What is stated of each published set: where it is from, how its scores are read, and how it is run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars

import ansatz as az

from .clone import Clone

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Published:
    """A set of published results of real models."""

    name: str
    repository: str
    """Owner and name at GitHub."""
    commit: str
    licence: str
    citation: str
    fields: str
    """A sentence: which fields of the publisher's files the scores are."""
    derive: Callable[[Clone], polars.DataFrame]
    """Reads the scores from a clone."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    """How `az.from_scores` reads the table."""
    arrange: Callable[[polars.DataFrame], polars.DataFrame] = lambda table: table
    """Makes the table that `az.from_scores` reads of the stored one, which is small."""

    @property
    def table(self) -> Path:
        """The stored scores."""
        return FOLDER / f"{self.name}.csv"

    def update(self, folder: Path) -> None:
        """Derive the scores from a clone again, and store them."""
        with closing(Clone(folder, self.commit)) as clone:
            self.derive(clone).write_csv(self.table)

    def run(self, out: Path) -> az.Run:
        """Make a run of the stored scores."""
        stored = polars.read_csv(self.table, infer_schema=False)
        return az.from_scores(self.arrange(stored), out, **self.settings)


def trim(number: float) -> str:
    """Return a score as short text, for small tables."""
    return f"{number:.4f}".rstrip("0").rstrip(".")
