"""Which column of a row is which field of a problem; columns without a field become metadata."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from ansatz.errors import InvalidData
from ansatz.eval.problem import Solution
from ansatz.eval.problem_schema import Item
from ansatz.quantities.did_you_mean import nearest
from ansatz.quantities.notation import has_decimal_commas

FIELDS = (*Item.model_fields, *Item.short_forms)
_LISTS = frozenset(name for name, field in Item.model_fields.items() if field.annotation == tuple[str, ...])
_TEXTS = frozenset(name for name, field in Item.model_fields.items() if field.annotation is str)
_NAMES = ("id", "family", "version")
_METADATA = "metadata"
_NUMBERS = ("answer", "value")
_ONE_COMMA = re.compile(r"\s*[+−-]?[1-9]\d{0,2},\d{3}(?![\d,.])")
_COMMA = re.compile(r"(?<=\d),(?=\d)")
_MISSPELLED = 0.8  # likeness, as difflib has it, from which a name is a misspelled field
_REMEMBERED = 1000  # columns, whose names are the same in all rows of a table
_SHORTEST = 4  # letters of a name that can be recognised as misspelled


@dataclass(frozen=True)
class Source:
    """Rows that are to be problems."""

    name: str
    """The path of a file, or "problems"."""
    rows: Iterable[tuple[str, Any]]
    """The place of each row with its content: fields, a pair, a Problem, or what is wrong with it as text."""
    columns: tuple[str, ...] | None = None
    """The columns of a table; None if each row has its own fields."""
    delimiter: str = ""
    """The character between the cells of a CSV file."""


class ProblemColumns:
    """The fields of a problem by the columns of a table.

    `fields` names the column of a field: {"question": "input"}. A name with a dot is a part of a field:
    "options.A", "metadata.page". Raises InvalidData for a name that is no field.
    """

    def __init__(self, fields: Mapping[str, str] | None = None) -> None:
        self.fields = dict(fields or {})
        for name, column in self.fields.items():
            if name.partition(".")[0] not in FIELDS:
                raise InvalidData(f"fields: {name!r} is no field of a problem{nearest(name, FIELDS)}")
            if not isinstance(column, str):
                raise InvalidData(f"fields.{name}: must be the name of a column, not {column!r}")
        self._mapped = frozenset(self.fields.values())
        self.seen: dict[str, None] = {}
        """The columns so far, in order."""
        self.extra: dict[str, None] = {}
        """Those without a field, which are stored as metadata."""

    def is_known(self, column: str) -> bool:
        """Whether a column is a field, or one of `fields`."""
        return column in self._mapped or _field_of(column) is not None

    def arrange(self, row: Mapping[Any, Any]) -> dict[str, Any]:
        """Return the fields of a row.

        A column that looks like a misspelled field, or that would overwrite a part of one, keeps its name, so
        that the schema refuses it.
        """
        cells = {str(column): value for column, value in row.items()}
        self.seen.update(dict.fromkeys(cells))
        named = {field: cells[column] for field, column in self.fields.items() if column in cells}
        refused: dict[str, Any] = {}
        extra: dict[str, Any] = {}
        for column, value in cells.items():
            field = _field_of(column)
            if column in self._mapped:
                continue
            if field is not None and field not in named:
                named[field] = value
            elif field is None and (_is_misspelled(column) or _is_misplaced(column, value)):
                refused[column] = value
            else:
                extra[column] = _to_metadata(value)
        self.extra.update(dict.fromkeys(extra))
        parts = {field: value for field, value in named.items() if "." in field}
        parts |= {f"{_METADATA}.{column}": value for column, value in extra.items()}
        whole = {field: _parse_cell(field, value) for field, value in named.items() if field not in parts}
        return _join_parts(whole, parts) | refused

    def read_decimal_commas(self, source: Source) -> Source:
        """Return rows with points if their numbers show decimal commas: 1,510 next to 2,5 is 1.510."""
        rows = list(source.rows)
        numbers = "\n".join(cell for _, row in rows for _, cell in self._list_numbers(row))
        if not has_decimal_commas(numbers):
            return replace(source, rows=rows)
        changed: list[tuple[str, Any]] = []
        for place, row in rows:
            points = {column: _COMMA.sub(".", cell) for column, cell in self._list_numbers(row)}
            changed.append((place, {**row, **points} if points else row))
        return replace(source, rows=changed)

    def _list_numbers(self, row: Any) -> Iterator[tuple[str, str]]:
        """Yield the cells of the fields that hold numbers, by column."""
        cells = row if isinstance(row, Mapping) else {}
        for column, cell in cells.items():
            fields = [field for field, mapped in self.fields.items() if mapped == column]
            field = fields[0] if fields else _field_of(column)
            if field in _NUMBERS and isinstance(cell, str):
                yield column, cell

    def find_doubtful_number(self, row: Any) -> str:
        """Return what is wrong with a number such as 1,510 in a file with semicolons; empty if nothing is.

        Spreadsheets write semicolons where the comma is the decimal sign.
        """
        for column, cell in self._list_numbers(row):
            if _ONE_COMMA.match(cell):
                point, none = cell.replace(",", "."), cell.replace(",", "")
                return f"{column}: {cell!r} may be {point} or {none}; write one of them"
        return ""

    def name_column(self, fault: str) -> str:
        """Return a fault, which begins with its field, with the column of the field instead."""
        field = re.match(r"\w*", fault)
        column = self.fields.get(field[0]) if field else None
        return fault if column is None or field is None else f"{column}{fault[field.end() :]}"

    def check(self, source: Source) -> None:
        """Check that a table has a question, and the columns of `fields`. Raises InvalidData."""
        if source.columns is None:
            return
        self.seen.update(dict.fromkeys(source.columns))
        self.check_mapped(source)
        found = {*self.fields, *map(_field_of, source.columns)}
        if "question" not in found:
            heading = "" if any(found) else "; a file needs a heading line"
            columns = ", ".join(source.columns) or "none"
            raise InvalidData(
                f"{source.name}: there is no column 'question' (columns: {columns})"
                f'; name it by fields={{"question": "<column>"}}{heading}'
            )

    def check_mapped(self, source: Source) -> None:
        """Check that the columns of `fields` have occurred. Raises InvalidData."""
        for field, column in self.fields.items():
            if column not in self.seen:
                hint = nearest(column, self.seen)
                raise InvalidData(f"{source.name}: fields.{field}: there is no column {column!r}{hint}")


@lru_cache(_REMEMBERED)
def _field_of(column: str) -> str | None:
    """Return the field that a column is by its own name, in any case; None for none."""
    for name in (column, column.strip().lower()):
        if name in FIELDS or ("." in name and name.partition(".")[0] in FIELDS):
            return name
    return None


def _join_parts(whole: dict[str, Any], parts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields with their parts. A part that is there already, or of a text, stays separate."""
    joined = dict(whole)
    for field, value in parts.items():
        name, _, part = field.partition(".")
        present = joined.get(name, {})
        if isinstance(present, Mapping) and part not in present:
            joined[name] = {**present, part: value}
        else:
            joined[field] = value
    return joined


def _parse_cell(field: str, value: Any) -> Any:
    """Return the value of a field.

    Tables write objects as JSON, a list of one text as the text, and names as numbers.
    """
    if field in _NAMES and isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str) or field in _TEXTS:
        return value
    if value.lstrip().startswith(("[", "{")):
        try:
            return json.loads(value)
        except ValueError:
            return value
    return [value] if field in _LISTS else value


@lru_cache(_REMEMBERED)
def _is_misspelled(column: str) -> bool:
    """Whether a name looks like a misspelled field. `question_id` does not: it has a further word."""
    name = column.strip(" _").lower()
    words = re.split(r"[\W_]+", name)
    if len(name) < _SHORTEST or (len(words) > 1 and not {*words}.isdisjoint(FIELDS)):
        return False
    return bool(nearest(name, FIELDS, shown=0, cutoff=_MISSPELLED))


def _is_misplaced(column: str, value: Any) -> bool:
    """Whether a column is a part of the reference solution, such as `steps`."""
    return column in Solution.model_fields and isinstance(value, list | dict)


def _to_metadata(value: Any) -> str | bool | int | float | None:
    """Return a value that metadata can store; objects and lists become JSON."""
    if isinstance(value, str | bool | int | float) or value is None:
        return value
    if isinstance(value, dict | list | tuple):
        return json.dumps(value, ensure_ascii=False, default=str)
    return str(value)
