"""Read quantities from tables in plain text, with any header, labels and order of columns."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest
from typing import NamedTuple

from ansatz.quantities.notation import read_whole_unit
from ansatz.quantities.terms import NAME, WHOLE_NAME, Chain, is_symbolic, read_value

Cells = tuple[str, ...]

_VALUE = re.compile(
    r"(?:final |calculated |computed |numerical )?(?:value|result|answer|magnitude)s?\b.*", re.I
)
_UNIT = re.compile(r"units?\b.*", re.I)
_PLACE = re.compile(r"(?:state|point|station|location|node|stage|#|no\.?)s?\b.*|#|", re.I)
_STATE = re.compile(r"\(?(?:state|point|station|st\.?)? ?[#(]?(?P<state>\d{1,2}[a-z]?)\b.*", re.I)
_RULE = re.compile(r":?-+:?")
_ASIDES = re.compile(r"[(\[]((?:[^()\[\]]|\([^()]{0,20}\)){1,60})[)\]]")
_LONGEST_LABEL = 200
_WRAPPED = re.compile(r"[(\[]([^()\[\]]*(?:\([^()]*\))?)[)\]]")
_NAMES = re.compile(rf"(?<![\w/·*^]){NAME}(?![/·*^])")


@dataclass(frozen=True)
class TableRow:
    """One line of a table."""

    cells: Cells
    position: int
    """The offset of the line in the plain text."""
    line: str

    @cached_property
    def places(self) -> tuple[int, ...]:
        """The offset of each cell in the plain text."""
        places, at = [], 0
        for cell in self.cells:
            at = self.line.index(cell, at)
            places.append(self.position + at)
            at += len(cell)
        return tuple(places)


class Title(NamedTuple):
    """The title of a column or the label of a row."""

    name: str
    """Its symbol, or its words joined by underscores."""
    unit: str
    """The unit given with it; "" for none."""
    is_symbol: bool


def split_cells(line: str) -> Cells:
    """Split a table row into cells; () for any other line."""
    if line.count("|") > 1:
        return tuple(cell.strip() for cell in re.sub(r"^ *\||\| *$", "", line).split("|"))
    name, bar, value = (part.strip() for part in line.partition("|"))
    return (name, value) if bar and WHOLE_NAME.fullmatch(name[:90]) and read_value(value) else ()


def read_table(rows: Sequence[TableRow]) -> list[Chain]:
    """Read the quantities of one table. Below the rule of a header, rows without a number are skipped."""
    header: Cells = ()
    is_ruled = False
    found = []
    for row, after in zip_longest(rows, rows[1:]):
        cells = row.cells
        if _is_rule(row):
            continue
        is_named = not any(map(read_value, cells))
        if is_named and is_ruled and not _is_rule(after):
            continue
        # The first row may name states by numbers: a corner that is empty or a word, then 1 | 2 | 2s.
        states = not header and len(cells) > 2 and all(map(_STATE.fullmatch, cells[1:]))
        if is_named or (states and not read_value(cells[0])):
            header, is_ruled = cells, _is_rule(after)
        else:
            found += _read_row(row, header if len(header) == len(cells) else ())
    return found


def _is_rule(row: TableRow | None) -> bool:
    return row is not None and all(_RULE.fullmatch(cell) for cell in row.cells)


def _read_row(row: TableRow, header: Cells) -> list[Chain]:
    """Read the quantities of a row.

    If the titles are symbols or states, each column has a quantity. Otherwise there is one quantity, in the
    column of values; other cells of the row have its name and unit.
    """
    cells = row.cells
    columns = [index for index, cell in enumerate(cells) if read_value(cell)]
    if not columns:
        return []
    values = [index for index, title in enumerate(header) if _VALUE.fullmatch(title) and index in columns]
    units = [index for index, title in enumerate(header) if _UNIT.fullmatch(title)]
    first = header[columns[0]] if header else ""
    names_below = (
        len(columns) > 1 or _read_title(first).is_symbol or _read_title(first).unit or _STATE.fullmatch(first)
    )
    if header and names_below and not values and not units:
        return _read_crossed_row(row, header)
    column = (values or columns)[0]
    others = [index for index in range(len(cells)) if index != column and index not in units]
    before = [index for index in others if index < column] or others
    whole = [cells[index] for index in before if re.fullmatch(NAME, cells[index])]
    named = [title for index in before if (title := _read_title(cells[index])).name]
    named = [_read_title(cell) for cell in whole if is_symbol(cell)] or named
    symbols = sorted((title.name for title in named if title.is_symbol), key=len)
    name = next(iter(symbols), "") or "_".join(title.name for title in named[-1:])
    given = [_read_cell_unit(cells[index]) for index in units or [column + 1] if index < len(cells)]
    given += [title.unit for title in named] + ([_read_title(header[column]).unit] if header else [])
    label = " ".join(cells[index] for index in before)[:_LONGEST_LABEL]
    unit = next(filter(None, given), "")
    if not name:
        return []
    return [Chain((name,), (cells[column],), label, unit, row.position, (row.places[column],))]


def _read_crossed_row(row: TableRow, header: Cells) -> list[Chain]:
    """Read a value in every column; symbols are the titles and states the labels, or the reverse."""
    label = row.cells[0][:_LONGEST_LABEL]
    place = _read_place(header[0], label)
    found = []
    for index, (title, cell) in enumerate(zip(header, row.cells, strict=True)):
        if not read_value(cell) or (index == 0 and _PLACE.fullmatch(title)):
            continue
        across = _STATE.fullmatch(title)
        meant = _read_title(label if across else title)
        suffix = across["state"] if across else place
        if meant.name:
            joined = f"{meant.name}_{suffix}" if suffix else meant.name
            about = f"{label} {title}"[:_LONGEST_LABEL]
            places = (row.places[index],)
            found.append(Chain((joined,), (cell,), about, meant.unit, row.position, places))
    return found


def _read_place(corner: str, label: str) -> str:
    """Return the suffix that a row's label adds to the symbols in the header: a state or a component."""
    state = _STATE.fullmatch(label)
    if state and (_PLACE.fullmatch(corner) or not re.fullmatch(r"[\d.]+", label)):
        return state["state"]
    return "" if read_value(label) else _join_words(label)


def _read_title(cell: str) -> Title:
    """Read the name and the unit of a title or label."""
    cell = cell.strip(" :")[:120]
    unit = ""
    for aside in _ASIDES.findall(cell):
        unit = _read_cell_unit(aside) or unit
    head, _, tail = cell.rpartition(", ")
    if head and _read_cell_unit(tail):
        cell, unit = head, _read_cell_unit(tail)
    symbols = [
        word for word in _NAMES.findall(cell.partition("=")[0]) if is_symbol(word) and word not in unit
    ]
    if symbols:
        return Title(min(symbols[0], symbols[-1], key=len), unit, True)
    return Title(_join_words(cell), unit, False)


def is_symbol(name: str) -> bool:
    """Whether a name is a symbol rather than a word: short, Greek or with an index."""
    return is_symbolic(name) or bool(re.fullmatch(r"[A-Za-z]{1,3}\d{1,2}[a-z]?|[A-Z]{3,4}", name))


def _join_words(words: str) -> str:
    return re.sub(r"\W+", "_", re.sub(r"[(\[].*", "", words)).strip("_")


def _read_cell_unit(cell: str) -> str:
    wrapped = _WRAPPED.fullmatch(cell.strip())
    return read_whole_unit(wrapped[1] if wrapped else cell.strip())
