"""Read tables of scores: a row for each score, or a column for each model, arm or dimension."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ansatz.eval.problem_columns import Source
from ansatz.eval.problem_files import Frame, read_objects
from ansatz.eval.problem_tables import CSV, PARQUET, read_csv, read_object, read_parquet
from ansatz.eval.score_cells import ScoreScale
from ansatz.eval.score_columns import Axis, ScoreColumns
from ansatz.eval.score_reader import ScoreReader, ScoreTable

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
    reader = ScoreReader(table, columns, dict(scales or {}))
    for place, row in table.rows:
        reader.add(place, row)
    return reader.read()


def _open(source: ScoresLike, columns: ScoreColumns) -> Source:
    """Return the rows of a table with the names of its columns, which JSON Lines has in every row."""
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
