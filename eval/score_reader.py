"""Parse the rows of a table of scores by column: equal cells are parsed once, so a million rows are quick."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ansatz.errors import InvalidData
from ansatz.eval.problem_columns import Source
from ansatz.eval.score_cells import ScoreScale, is_missing, parse_count, parse_number, parse_score
from ansatz.eval.score_columns import AMOUNTS, AXES, DEFAULTS, TAG, ScoreColumns

Numbers = NDArray[np.int64]
Floats = NDArray[np.float64]

_MOST_FAULTS = 1000
_ROUNDING = 1e-9
_UNNAMED = re.compile(r"column_\d+")  # as a column without a heading is called
_PARSERS = {"tokens": parse_count, "seconds": parse_number, "dollars": parse_number}
_MERGED = "has no heading; cells that were merged need a name each"
_BLANK = "is missing; if cells were merged, fill each of them"


@dataclass(frozen=True, eq=False)
class ScoreTable:
    """The scores of a table in columns, one entry per score."""

    name: str
    """The file, or "scores"."""
    models: tuple[str, ...]
    arms: tuple[str, ...]
    problems: tuple[str, ...]
    scales: Mapping[str, ScoreScale]
    """The scale of each dimension, in the order of the table."""
    model: Numbers
    """Index in `models`; so are the next three. An entry that has only an amount has a negative dimension."""
    arm: Numbers
    problem: Numbers
    dimension: Numbers
    repeat: Numbers
    value: Floats
    """From 0 to 1; NaN for a missing score."""
    amounts: Mapping[str, Floats]
    """Tokens, seconds and dollars, if the table has them."""
    failed: frozenset[int]
    """The entries of attempts that failed."""
    texts: Mapping[int, str]
    """The answer, by entry."""
    families: Mapping[str, str]
    """By problem, if the table has them; so are the next two."""
    tags: Mapping[str, Mapping[str, str]]
    questions: Mapping[str, str]
    has_arms: bool
    """Whether the table names arms."""
    notes: tuple[str, ...]
    """What was inferred or left out."""


class ScoreReader:
    """Collects the rows of a table by column, then parses the columns. Faults are reported together."""

    def __init__(self, source: Source, columns: ScoreColumns, scales: Mapping[str, ScoreScale]) -> None:
        self._source, self._wide, self._scales = source, columns.wide, scales
        fields, wide = columns.arrange(source)
        self._column = {name: column for column, name in fields.items()}
        self._cells: dict[str, list[Any]] = {column: [] for column in (*fields, *wide)}
        self._wide_columns = wide
        self._places: list[str] = []
        self._texts: dict[str, str] = {}
        self._faults: dict[tuple[str, str], tuple[str, int]] = {}
        self._notes: list[str] = []

    def add(self, place: str, row: Any) -> None:
        """Store the cells of a row."""
        if not isinstance(row, Mapping):
            self._fault(place, "", row if isinstance(row, str) else "must be a row with names")
            return
        for column, cells in self._cells.items():
            cell = row.get(column)
            if isinstance(cell, str):
                cell = self._texts.setdefault(cell, cell)  # one object for equal texts
            elif not (cell is None or type(cell) is int or type(cell) is float):
                cell = json.dumps(cell, default=str, sort_keys=True)  # truth values, and tags as objects
            cells.append(cell)
        self._places.append(place)

    def read(self) -> ScoreTable:
        """Return the scores. Raises InvalidData with every fault."""
        axes = [axis for axis in (*AXES, "problem") if axis != self._wide]
        names, codes = {}, {}
        for axis in axes:
            names[axis], codes[axis] = self._parse_names(axis)
        about = self._read_problems(names["problem"], codes["problem"])
        repeats = self._parse_repeats()
        amounts = {name: self._parse_amounts(name) for name in AMOUNTS if name in self._column}
        rows = np.arange(len(self._places))
        if self._wide is not None:
            names[self._wide] = tuple(self._find_wide_columns())
            count = len(names[self._wide])
            codes[self._wide] = np.repeat(np.arange(count), len(rows))
            rows = np.tile(rows, count)
        codes = {axis: own if axis == self._wide else own[rows] for axis, own in codes.items()}
        value = self._parse_scores(names["dimension"], codes["dimension"], rows)
        amounts = {name: own[rows] for name, own in amounts.items()}
        dimensions = self._separate_amounts(names["dimension"], codes, value, amounts)
        repeat = self._number_repeats(names, codes, None if repeats is None else repeats[rows], rows)
        scales = {name: self._scale(name) for name in dimensions}
        self._check_scales(scales, codes["dimension"], value, rows)
        self._raise_faults(codes["dimension"])
        self._note_missing(value[codes["dimension"] >= 0])
        return ScoreTable(
            name=self._source.name,
            models=names["model"],
            arms=names["arm"],
            problems=names["problem"],
            scales=scales,
            **codes,
            repeat=repeat,
            value=np.clip(value, 0, 1),
            amounts={name: own for name, own in amounts.items() if not np.isnan(own).all()},
            failed=frozenset(self._find_failed(rows)),
            texts=self._find_texts(rows),
            families=about.pop("family", {}),
            questions=about.pop("question", {}),
            tags=_join_tags(about),
            has_arms="arm" in self._column or self._wide == "arm",
            notes=tuple(self._notes),
        )

    def _fault(self, place: str, name: str, what: str) -> None:
        """Store a fault of a column; equal faults of further rows are counted."""
        first, count = self._faults.get((name, what), (place, 0))
        if count or len(self._faults) < _MOST_FAULTS:
            self._faults[name, what] = first, count + 1

    def _raise_faults(self, dimension: Numbers) -> None:
        lines = []
        for (name, what), (place, count) in self._faults.items():
            rows = f" ({count:,} rows)" if count > 1 else ""
            lines.append(f"{place}: {f'{name}: ' if name else ''}{what}{rows}")
        if not lines and not (dimension >= 0).any():
            lines.append(f"{self._source.name}: there is no score in it")
        if lines:
            raise InvalidData("\n".join(lines))

    def _parse(
        self, column: str, keys: Sequence[Hashable], parse: Callable[[Any], Any], what: str
    ) -> dict[Any, Any]:
        """Parse each of the different keys of the rows. A key whose result is None is a fault."""
        parsed = {key: parse(key) for key in dict.fromkeys(keys)}
        wrong = {key for key, found in parsed.items() if found is None}
        for row in (row for row, key in enumerate(keys) if wrong and key in wrong):
            self._fault(self._places[row % len(self._places)], column, what.format(_last(keys[row])))
        return parsed

    def _parse_names(self, axis: str) -> tuple[tuple[str, ...], Numbers]:
        """Return the names of an axis in the order of their rows, and the number of each row's name."""
        if axis not in self._column:
            return (DEFAULTS[axis],), np.zeros(len(self._places), dtype=np.int64)
        cells = self._cells[self._column[axis]]
        parsed = self._parse(self._column[axis], cells, _parse_name, _BLANK)
        numbers = {name: number for number, name in enumerate(dict.fromkeys(parsed.values()))}
        return tuple(map(str, numbers)), np.array([numbers[parsed[cell]] for cell in cells], dtype=np.int64)

    def _parse_amounts(self, name: str) -> Floats:
        cells = self._cells[self._column[name]]
        parsed = self._parse(
            self._column[name], cells, lambda cell: _parse_amount(name, cell), "{} is not an amount"
        )
        return np.array([parsed[cell] for cell in cells], dtype=np.float64)

    def _parse_repeats(self) -> Numbers | None:
        """Return the numbers of repeats from 0 in their order; None without a column of them."""
        if "repeat" not in self._column:
            return None
        cells = self._cells[self._column["repeat"]]
        what = "must be a whole number from 0, not {}"
        parsed = self._parse(self._column["repeat"], cells, _parse_whole, what)
        stated = np.array([parsed[cell] or 0 for cell in cells], dtype=np.int64)
        return np.unique(stated, return_inverse=True)[1].astype(np.int64)

    def _find_wide_columns(self) -> list[str]:
        """Return the columns of scores of a wide table; one without a heading must be empty."""
        for column in filter(_UNNAMED.fullmatch, self._wide_columns):
            for place, cell in zip(self._places, self._cells[column], strict=True):
                if not is_missing(cell):
                    self._fault(place, column, _MERGED)
        return [column for column in self._wide_columns if not _UNNAMED.fullmatch(column)]

    def _parse_scores(self, names: Sequence[str], dimension: Numbers, rows: Numbers) -> Floats:
        """Return the value of each entry: a score as a share of its scale, or an amount."""
        columns = [self._column["value"]] if self._wide is None else self._find_wide_columns()
        found, size = [], len(self._places)
        for at, column in enumerate(columns):
            own = dimension[at * size : (at + 1) * size].tolist()
            keys = list(zip(own, self._cells[column], strict=True))

            def parse(key: tuple[int, Any]) -> float | None:
                name, cell = names[key[0]], key[1]
                if name in AMOUNTS:
                    return _parse_amount(name, cell)
                return math.nan if is_missing(cell) else parse_score(cell, self._scale(name))

            parsed = self._parse(column, keys, parse, "{} is not a score")
            found += [parsed[key] for key in keys]
        return np.array(found, dtype=np.float64)

    def _scale(self, dimension: str) -> ScoreScale:
        return self._scales.get(dimension) or self._scales.get("", ScoreScale())

    def _separate_amounts(
        self, names: Sequence[str], codes: dict[str, Numbers], value: Floats, amounts: dict[str, Floats]
    ) -> list[str]:
        """Move the amounts that an export has as dimensions to `amounts`; return the other dimensions."""
        kept = [name for name in names if name not in AMOUNTS]
        renumbered = np.array(
            [kept.index(name) if name in kept else -1 - AMOUNTS.index(name) for name in names]
        )
        codes["dimension"] = renumbered[codes["dimension"]] if len(names) else codes["dimension"]
        for number, name in enumerate(AMOUNTS):
            chosen = codes["dimension"] == -1 - number
            if chosen.any():
                own = amounts.setdefault(name, np.full(len(value), np.nan))
                own[chosen], value[chosen] = value[chosen], np.nan
        return kept

    def _number_repeats(
        self,
        names: Mapping[str, Sequence[str]],
        codes: Mapping[str, Numbers],
        stated: Numbers | None,
        rows: Numbers,
    ) -> Numbers:
        """Number the repeats from 0, and store a fault for each score that is there twice.

        Without a column of repeats, rows count as repeats if every score has the same number of them.
        """
        keys = np.zeros(len(rows), dtype=np.int64)
        for axis, own in codes.items():
            keys = keys * (len(names[axis]) + len(AMOUNTS)) + own + len(AMOUNTS)
        if stated is not None and len(stated):
            keys = keys * (int(stated.max()) + 1) + stated
        order = np.argsort(keys, kind="stable")
        _, starts, counts = np.unique(keys[order], return_index=True, return_counts=True)
        repeat = np.zeros(len(keys), dtype=np.int64) if stated is None else stated
        if not len(counts) or counts.max() == 1:
            return repeat
        if stated is None and counts.min() == counts.max():
            repeat[order] = np.arange(len(keys)) - np.repeat(starts, counts)
            self._notes.append(
                f"there is no column 'repeat': {counts.max()} rows of each score count as repeats"
            )
            return repeat
        advice = "; add a column 'repeat' if it is a further attempt" if stated is None else ""
        several = [axis for axis in ("problem", *AXES) if axis == "problem" or len(names[axis]) > 1]
        for start, count in zip(starts[counts > 1].tolist(), counts[counts > 1].tolist(), strict=True):
            first, *more = order[start : start + count].tolist()
            before = self._places[rows[first]].rpartition("/")[2]
            for entry in more[:_MOST_FAULTS]:
                named = ", ".join(f"{axis} {names[axis][codes[axis][entry]]!r}" for axis in several)
                self._fault(self._places[rows[entry]], "", f"{named} is already at {before}{advice}")
        return repeat

    def _check_scales(
        self, scales: Mapping[str, ScoreScale], dimension: Numbers, value: Floats, rows: Numbers
    ) -> None:
        """Store one fault for each dimension with scores outside its scale."""
        outside = (value < -_ROUNDING) | (value > 1 + _ROUNDING)
        for number, (name, scale) in enumerate(scales.items()):
            found = np.flatnonzero(outside & (dimension == number))
            if not len(found):
                continue
            shown = scale.low + value[found[0]] * (scale.high - scale.low)
            more = f" (of {len(found):,} such scores)" if len(found) > 1 else ""
            what = f"{shown:g} is not on the scale {scale}{more}; state the scale, as --scale {name}=0:100"
            self._fault(self._places[rows[found[0]]], self._column.get("value", "score"), what)

    def _note_missing(self, value: Floats) -> None:
        if missing := int(np.isnan(value).sum()):
            self._notes.append(
                f"{missing:,} of {len(value):,} scores are missing; they are unknown, not wrong"
            )

    def _find_failed(self, rows: Numbers) -> list[int]:
        """Return the entries of attempts that an export calls failed."""
        if "state" not in self._column:
            return []
        state = np.array([cell == "error" for cell in self._cells[self._column["state"]]], dtype=np.bool_)
        return [int(entry) for entry in np.flatnonzero(state[rows])]

    def _find_texts(self, rows: Numbers) -> dict[int, str]:
        if "text" not in self._column:
            return {}
        cells = self._cells[self._column["text"]]
        return {entry: str(cells[row]) for entry, row in enumerate(rows) if not is_missing(cells[row])}

    def _read_problems(self, problems: Sequence[str], problem: Numbers) -> dict[str, dict[str, Any]]:
        """Return what the rows state on each problem, by field; rows of a problem must agree."""
        found: dict[str, dict[str, Any]] = {}
        numbers = problem.tolist()
        for name, column in self._column.items():
            if name not in ("family", "question", "tags") and not name.startswith(TAG):
                continue
            own = found.setdefault(name, {})
            for (number, cell), place in _first_places(numbers, self._cells[column], self._places):
                value = _parse_tags(cell) if name == "tags" else str(cell).strip()
                known = own.setdefault(problems[number], value)
                if value is None:
                    self._fault(place, column, f"must be an object, not {cell!r}; use a column tags.NAME")
                elif known != value:
                    which = f"an earlier row of {problems[number]!r}"
                    self._fault(place, column, f"{value!r} differs from {known!r} of {which}")
        return found


def _first_places(
    numbers: Sequence[int], cells: Sequence[Any], places: Sequence[str]
) -> list[tuple[tuple[int, Any], str]]:
    """Return the different pairs of number and cell, with the place of the first; no missing cells."""
    first: dict[tuple[int, Any], str] = {}
    for number, cell, place in zip(numbers, cells, places, strict=True):
        first.setdefault((number, cell), place)
    return [(pair, place) for pair, place in first.items() if not is_missing(pair[1])]


def _last(key: Any) -> str:
    """Return a cell as a message shows it; a key may be a dimension with a cell."""
    return repr(key[1] if isinstance(key, tuple) else key)


def _parse_name(cell: Any) -> str | None:
    return None if is_missing(cell) else str(cell).strip()


def _parse_whole(cell: Any) -> int | None:
    number = None if is_missing(cell) else parse_number(cell)
    return int(number) if number is not None and number == int(number) and number >= 0 else None


def _parse_amount(name: str, cell: Any) -> float | None:
    """Return an amount, NaN for a missing one, and None for a fault."""
    number = math.nan if is_missing(cell) else _PARSERS[name](cell)
    return None if number is None or number < 0 else number


def _parse_tags(cell: Any) -> dict[str, str] | None:
    try:
        found = json.loads(cell)
    except (TypeError, ValueError):
        return None
    return {str(name): str(value) for name, value in found.items()} if isinstance(found, dict) else None


def _join_tags(about: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, str]]:
    """Join the tags of columns `tags.NAME` and of a column of objects, by problem."""
    found: dict[str, dict[str, str]] = {}
    for name, by_problem in about.items():
        for problem, value in by_problem.items():
            found.setdefault(problem, {}).update(value if name == "tags" else {name.removeprefix(TAG): value})
    return found
