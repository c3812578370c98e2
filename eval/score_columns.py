"""Which column of a table of scores is which field of a score."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from ansatz.errors import InvalidData
from ansatz.eval.problem_columns import Source
from ansatz.quantities.did_you_mean import nearest

Axis = Literal["model", "arm", "dimension"]
AXES = ("model", "arm", "dimension")
AMOUNTS = ("tokens", "seconds", "dollars")
"""What an attempt used."""
_NAMES = (*AXES, "problem", "family")
FIELDS = (*_NAMES, "repeat", "value", *AMOUNTS, "question", "text", "state", "tags")
DEFAULTS = {"model": "imported", "arm": "imported", "dimension": "score"}
TAG = "tags."
_MISSPELLED = 0.8  # likeness, as difflib has it, from which a name is a misspelled field


@dataclass(frozen=True)
class ScoreColumns:
    """Which column is which field of a score.

    `fields` names the column of a field: {"value": "accuracy"}. In a wide table, each further column is a
    `wide` one: a model, an arm or a dimension. Raises InvalidData.
    """

    fields: Mapping[str, str] = field(default_factory=dict)
    wide: Axis | None = None

    def __post_init__(self) -> None:
        for name in self.fields:
            if name not in FIELDS and not name.startswith(TAG):
                raise InvalidData(f"fields: {name!r} is no field of a score{nearest(name, FIELDS)}")

    def is_known(self, column: str) -> bool:
        """Whether a column is a field."""
        return self.field_of(column) is not None

    def field_of(self, column: str) -> str | None:
        """Return the field that a column is; None for none."""
        for name, mapped in self.fields.items():
            if column == mapped:
                return name
        name = column.strip().lower()
        known = name in FIELDS or name.startswith(TAG)
        return name if known and name not in self.fields else None

    def arrange(self, source: Source) -> tuple[dict[str, str], list[str]]:
        """Return the field of each column, and the wide columns of a table. Raises InvalidData."""
        columns = list(source.columns or ())
        found = {column: name for column in columns if (name := self.field_of(column)) is not None}
        others = [column for column in columns if column not in found]
        for name, column in self.fields.items():
            if column not in columns:
                raise InvalidData(
                    f"{source.name}: fields.{name}: there is no column {column!r}{nearest(column, columns)}"
                )
        wanted = ["problem", *["value"] * (self.wide is None)]
        for name in (name for name in wanted if name not in found.values()):
            wide = " or, if the scores are in a column for each model, use --wide" if name == "value" else ""
            advice = self._find_heading(source) or f"name it by --field {name}=COLUMN, or in fields{wide}"
            raise InvalidData(
                f"{source.name}: there is no column {name!r} (columns: {', '.join(columns)}); {advice}"
            )
        for column in others:
            if self.wide is None and (hint := nearest(column.lower(), FIELDS, shown=0, cutoff=_MISSPELLED)):
                raise InvalidData(
                    f"{source.name}: {column!r} is no field of a score{hint} Name its field by "
                    f"--field FIELD={column}, or make it a tag by --field {TAG}{column}={column}"
                )
        if self.wide is not None:
            several = () if self.wide == "dimension" else (*AMOUNTS, "text")
            for name in {self.wide, "value", *several} & {*found.values()}:
                raise InvalidData(
                    f"{source.name}: a table with a column for each {self.wide} has no column {name!r}; "
                    "leave out --wide, or remove the column"
                )
        return found, others if self.wide else []

    def _find_heading(self, source: Source) -> str:
        """Return a hint if the first row has names of fields, as below a title over merged cells."""
        for place, row in source.rows:
            cells = row.values() if isinstance(row, Mapping) else ()
            if sum(isinstance(cell, str) and self.is_known(cell) for cell in cells) > 1:
                return f"{place} looks like the heading: delete the lines above it"
            break
        return ""
