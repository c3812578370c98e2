"""Read tables of scores: a row for each score, or a column for each model, arm or dimension."""

from __future__ import annotations

import math
import re
from array import array
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ansatz.errors import InvalidData
from ansatz.eval.problem_columns import Source
from ansatz.eval.problem_files import Frame, read_objects
from ansatz.eval.problem_tables import CSV, PARQUET, read_csv, read_object, read_parquet
from ansatz.eval.score_cells import ScoreScale, is_missing, parse_count, parse_number, parse_score
from ansatz.eval.score_columns import AMOUNTS, AXES, DEFAULTS, TAG, Axis, ScoreColumns

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_MOST_FAULTS = 1000
_ROUNDING = 1e-9
_UNNAMED = re.compile(r"column_\d+")  # as a column without a heading is called


@dataclass(frozen=True, eq=False)
class ScoreTable:
    """The scores of a table in columns, one entry per score."""

    name: str
    """The file, or "scores"."""
    models: tuple[str, ...]
    arms: tuple[str, ...]
    problems: tuple[str, ...]
    dimensions: tuple[str, ...]
    bounds: Mapping[str, ScoreScale]
    """The scale of each dimension."""
    model: NDArray[np.int64]
    """Index in `models`; so are the next three."""
    arm: NDArray[np.int64]
    problem: NDArray[np.int64]
    dimension: NDArray[np.int64]
    repeat: NDArray[np.int64]
    value: NDArray[np.float64]
    """From 0 to 1; NaN for a missing score."""
    amounts: Mapping[str, NDArray[np.float64]]
    """Tokens, seconds and dollars, if the table has them."""
    failed: frozenset[int]
    """The entries of attempts that failed."""
    texts: Mapping[int, str]
    """The answer, by entry."""
    families: Mapping[str, str]
    """By problem, if the table has them."""
    tags: Mapping[str, Mapping[str, str]]
    """By problem."""
    questions: Mapping[str, str]
    has_arms: bool
    """Whether the table names arms."""
    notes: tuple[str, ...]
    """What was inferred or left out."""


ScoresLike = str | Path | Frame | Iterable[Mapping[str, Any]]
"""What `read_scores` accepts."""


def read_scores(
    source: ScoresLike,
    fields: Mapping[str, str] | None = None,
    *,
    wide: Axis | None = None,
    scales: Mapping[str, ScoreScale] | None = None,
) -> ScoreTable:
    """Read scores from a CSV, Parquet or JSON Lines file, a frame, or a list of dicts.

    Parameters
    ----------
    source
        The table. A column is a field if it has the name of one: model, arm, problem, repeat, dimension,
        value, family, tags.NAME, tokens, seconds, dollars, question, text, state.
    fields
        The columns by field, such as {"value": "accuracy"}.
    wide
        What each further column is, if there is no column of values.
    scales
        The scales of dimensions; that of "" holds for all others. By default scores are from 0 to 1.

    Raises
    ------
    InvalidData
        With one line per fault, `file:line: field: what is wrong`.
    """
    columns = ScoreColumns(fields or {}, wide)
    table = _open(source, columns)
    reader = _Reader(table, columns, dict(scales or {}))
    for place, row in table.rows:
        reader.add(place, row)
    reader.number_repeats()
    return reader.finish()


def _open(source: ScoresLike, columns: ScoreColumns) -> Source:
    if isinstance(source, str | Path):
        suffix = Path(source).suffix.lower()
        if suffix in CSV:
            return read_csv(source, columns)
        if suffix in PARQUET:
            return read_parquet(source)
        found = Source(str(source), read_objects(source))
    else:
        given = read_object(source)
        rows = ((place.replace("problems", "scores", 1), row) for place, row in given.rows)
        found = Source("scores", rows, given.columns)
    if found.columns is not None:
        return found
    listed = list(found.rows)
    names = dict.fromkeys(str(name) for _, row in listed if isinstance(row, Mapping) for name in row)
    return Source(found.name, listed, tuple(names))


class _Reader:
    """Collects the rows of a table into columns, and their faults."""

    def __init__(self, source: Source, columns: ScoreColumns, scales: dict[str, ScoreScale]) -> None:
        self._source, self._wide, self._scales = source, columns.wide, scales
        fields, self._wide_columns = columns.arrange(source)
        self._column = {name: column for column, name in fields.items()}
        self._names: dict[str, dict[str, int]] = {axis: {} for axis in (*AXES, "problem")}
        self._codes = {axis: array("q") for axis in (*AXES, "problem", "repeat")}
        self._values = {name: array("d") for name in ("value", *AMOUNTS)}
        self._places: list[str] = []
        self._failed: set[int] = set()
        self._texts: dict[int, str] = {}
        self._about: dict[str, dict[str, str]] = {"family": {}, "question": {}}
        self._tags: dict[str, dict[str, str]] = {}
        self._faults: Counter[tuple[str, str]] = Counter()
        self._first: dict[tuple[str, str], str] = {}
        self._notes: list[str] = []

    def fault(self, place: str, name: str, what: str) -> None:
        """Store a fault of a field; equal faults of further rows are counted."""
        key = (self._column.get(name, name), what)
        if key in self._first or len(self._first) < _MOST_FAULTS:
            self._faults[key] += 1
            self._first.setdefault(key, place)

    def add(self, place: str, row: Any) -> None:
        """Add the scores of a row, or its faults."""
        if not isinstance(row, Mapping):
            self.fault(place, "", row if isinstance(row, str) else "must be a row with names")
            return
        cells = {name: row.get(column) for name, column in self._column.items()}
        names = {}
        for name in ("problem", *(axis for axis in AXES if axis != self._wide)):
            cell = cells.get(name) if name in self._column else DEFAULTS[name]
            if is_missing(cell):
                self.fault(place, name, "is missing; if cells were merged, fill each of them")
                return
            names[name] = str(cell).strip()
        repeat = self._read_repeat(place, cells)
        if repeat is None or not self._read_problem(place, names["problem"], cells):
            return
        if self._wide is None:
            self._add_score(place, names, repeat, cells, "value", cells["value"])
            return
        for column in self._wide_columns:
            if _UNNAMED.fullmatch(column):
                if not is_missing(row.get(column)):
                    self.fault(place, column, "has no heading; cells that were merged need a name each")
                continue
            self._add_score(place, {**names, self._wide: column}, repeat, cells, column, row.get(column))

    def _read_problem(self, place: str, problem: str, cells: Mapping[str, Any]) -> bool:
        """Store what a row states on its problem. Returns whether it is without a fault."""
        for name, known in self._about.items():
            if is_missing(cell := cells.get(name)):
                continue
            text = str(cell).strip()
            if known.setdefault(problem, text) != text:
                self.fault(
                    place, name, f"{text!r} differs from {known[problem]!r} of an earlier row of {problem!r}"
                )
                return False
        tags = {name.removeprefix(TAG): cell for name, cell in cells.items() if name.startswith(TAG)}
        given = cells.get("tags")
        if isinstance(given, Mapping):
            tags |= given
        elif not is_missing(given):
            self.fault(
                place, "tags", f"must be an object, not {given!r}; use a column tags.NAME for each tag"
            )
            return False
        if tags:
            stated = {str(name): str(cell) for name, cell in tags.items() if not is_missing(cell)}
            self._tags.setdefault(problem, {}).update(stated)
        return True

    def _read_repeat(self, place: str, cells: Mapping[str, Any]) -> int | None:
        """Return the number of a repeat, 0 without a column of repeats, and None for a fault."""
        if "repeat" not in self._column:
            return 0
        number = None if is_missing(cells["repeat"]) else parse_number(cells["repeat"])
        if number is None or number != int(number) or number < 0:
            self.fault(place, "repeat", f"must be a whole number from 0, not {cells['repeat']!r}")
            return None
        return int(number)

    def _add_score(
        self,
        place: str,
        names: Mapping[str, str],
        repeat: int,
        cells: Mapping[str, Any],
        column: str,
        cell: Any,
    ) -> None:
        """Add one score with the amounts of its row. Exports write amounts as dimensions."""
        dimension = names["dimension"]
        is_amount = dimension in AMOUNTS
        amounts = {**cells, dimension: cell} if is_amount else cells
        found = dict.fromkeys(self._values, math.nan)
        if not is_amount and not is_missing(cell):
            bounds = self._scales.get(dimension) or self._scales.get("", ScoreScale())
            if (score := parse_score(cell, bounds)) is None:
                self.fault(place, column, f"{cell!r} is not a score")
                return
            found["value"] = score
        for name in AMOUNTS:
            if is_missing(amount := amounts.get(name)):
                continue
            number = parse_count(amount) if name == "tokens" else parse_number(amount)
            if number is None or number < 0:
                self.fault(place, column if is_amount else name, f"{amount!r} is not an amount")
                return
            found[name] = number
        for axis in (*AXES, "problem"):
            own = self._names[axis]
            is_score = axis != "dimension" or not is_amount
            code = own.setdefault(names[axis], len(own)) if is_score else -1 - AMOUNTS.index(dimension)
            self._codes[axis].append(code)
        self._codes["repeat"].append(repeat)
        for name, values in self._values.items():
            values.append(found[name])
        if cells.get("state") == "error":
            self._failed.add(len(self._places))
        if not is_missing(text := cells.get("text")):
            self._texts[len(self._places)] = str(text)
        self._places.append(place)

    def number_repeats(self) -> None:
        """Number the repeats from 0, and store a fault for each score that is there twice.

        Without a column of repeats, rows count as repeats if every score has the same number of them.
        """
        import numpy as np

        codes = {name: np.frombuffer(own, dtype=np.int64) for name, own in self._codes.items()}
        keys = np.zeros(len(self._places), dtype=np.int64)
        for name in (*AXES, "problem"):
            keys = keys * (len(self._names[name]) + len(AMOUNTS)) + codes[name] + len(AMOUNTS)
        if "repeat" in self._column:
            stated, numbers = np.unique(codes["repeat"], return_inverse=True)
            self._codes["repeat"] = array("q", numbers.tolist())
            keys = keys * max(len(stated), 1) + numbers
        order = np.argsort(keys, kind="stable")
        _, starts, counts = np.unique(keys[order], return_index=True, return_counts=True)
        if len(counts) == 0 or counts.max() == 1:
            return
        if "repeat" not in self._column and counts.min() == counts.max():
            numbers = np.empty(len(keys), dtype=np.int64)
            numbers[order] = np.arange(len(keys)) - np.repeat(starts, counts)
            self._codes["repeat"] = array("q", numbers.tolist())
            self._notes.append(
                f"there is no column 'repeat': {counts.max()} rows of each score count as repeats"
            )
            return
        for start, count in zip(starts[counts > 1].tolist(), counts[counts > 1].tolist(), strict=True):
            first, *more = order[start : start + count].tolist()
            advice = "" if "repeat" in self._column else "; add a column 'repeat' if it is a further attempt"
            for row in more[:_MOST_FAULTS]:
                line = self._places[first].rpartition("/")[2]
                self.fault(self._places[row], "", f"{self._describe(row)} is already at {line}{advice}")

    def _describe(self, row: int) -> str:
        """Name a score by the axes that have several names."""
        named = []
        for axis in ("problem", *AXES):
            names = list(self._names[axis])
            if axis == "problem" or len(names) > 1:
                named.append(f"{axis} {names[self._codes[axis][row]]!r}")
        return ", ".join(named)

    def _check_scales(self, values: NDArray[np.float64], dimension: NDArray[np.int64]) -> None:
        """Store one fault for each dimension with scores outside its scale."""
        import numpy as np

        for number, name in enumerate(self._names["dimension"]):
            outside = np.flatnonzero(
                (dimension == number) & ((values < -_ROUNDING) | (values > 1 + _ROUNDING))
            )
            if not len(outside):
                continue
            bounds = self._scales.get(name) or self._scales.get("", ScoreScale())
            first = int(outside[0])
            shown = bounds.low + values[first] * (bounds.high - bounds.low)
            more = f" (of {len(outside):,} such scores)" if len(outside) > 1 else ""
            self.fault(
                self._places[first],
                "value",
                f"{shown:g} is not on the scale {bounds}{more}; state the scale, as --scale {name}=0:100",
            )

    def finish(self) -> ScoreTable:
        """Return the scores. Raises InvalidData with every fault."""
        import numpy as np

        codes = {name: np.frombuffer(own, dtype=np.int64) for name, own in self._codes.items()}
        values = {name: np.frombuffer(own, dtype=np.float64) for name, own in self._values.items()}
        self._check_scales(values["value"], codes["dimension"])
        if self._faults:
            lines = []
            for key, place in self._first.items():
                rows = f" ({self._faults[key]:,} rows)" if self._faults[key] > 1 else ""
                lines.append(f"{place}: {': '.join(filter(None, key))}{rows}")
            raise InvalidData("\n".join(lines))
        if not self._places:
            raise InvalidData(f"{self._source.name}: there is no score in it")
        scored = codes["dimension"] >= 0
        if not scored.any():
            raise InvalidData(f"{self._source.name}: there are amounts, but no score")
        if missing := int(np.isnan(values["value"][scored]).sum()):
            self._notes.append(
                f"{missing:,} of {int(scored.sum()):,} scores are missing; they are unknown, not wrong"
            )
        names = {axis: tuple(own) for axis, own in self._names.items()}
        scales = {
            name: self._scales.get(name) or self._scales.get("", ScoreScale()) for name in names["dimension"]
        }
        return ScoreTable(
            name=self._source.name,
            models=names["model"],
            arms=names["arm"],
            problems=names["problem"],
            dimensions=names["dimension"],
            bounds=scales,
            **codes,
            value=np.clip(values["value"], 0, 1),
            amounts={name: values[name] for name in AMOUNTS if not np.isnan(values[name]).all()},
            failed=frozenset(self._failed),
            texts=self._texts,
            families=self._about["family"],
            tags=self._tags,
            questions=self._about["question"],
            has_arms="arm" in self._column or self._wide == "arm",
            notes=tuple(self._notes),
        )
