"""Rows of problems from lists, CSV and Parquet files, data frames and Hugging Face datasets."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol

from ansatz.errors import InvalidData
from ansatz.eval.problem_columns import Source
from ansatz.quantities.did_you_mean import nearest

CSV, PARQUET = (".csv", ".tsv"), (".parquet", ".pq")
"""Suffixes of tables."""
SPREADSHEETS = (".xlsx", ".xls", ".ods")
"""Suffixes of files that the user has to save as CSV."""
PROBLEM_FILES = (*CSV, *PARQUET, *SPREADSHEETS, ".jsonl", ".json")
"""Suffixes of problem files."""
_COMMON_SEPARATORS = ",;\t|"
_SEPARATORS = re.compile(r"[^\w\s\"'.()\[\]/%-]|\t")
"""What may separate the columns of a heading line."""
_SIMILAR = 0.7  # likeness, as difflib has it, from which a file is suggested for a missing one


class KnownColumns(Protocol):
    """The columns that a table can have."""

    def is_known(self, column: str) -> bool:
        """Whether a column has a meaning."""
        ...


def read_text(path: str | Path) -> str:
    """Read a text file in UTF-8, or in UTF-16 with a byte-order mark. Raises InvalidData."""
    try:
        content = Path(path).read_bytes()
        is_wide = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        return content.decode("utf-16" if is_wide else "utf-8-sig")
    except OSError as error:
        raise InvalidData(f"{path}: {error.strerror}{_suggest_file(Path(path))}") from None
    except UnicodeDecodeError as error:
        raise InvalidData(f"{path}: not UTF-8 text at byte {error.start}; save the file as UTF-8") from None


def _suggest_file(path: Path) -> str:
    """Return the name of a similar file in the folder of a missing one, as the end of a message."""
    if path.exists() or not path.parent.is_dir():
        return ""
    return nearest(path.name, (each.name for each in path.parent.iterdir()), shown=0, cutoff=_SIMILAR)


def read_csv(path: str | Path, columns: KnownColumns) -> Source:
    """Read a CSV file with a heading line. Any delimiter works: the one that yields most known columns.

    If no column is known, a comma, semicolon, tab or bar comes before other characters.

    The place of a row is `file:line`. Raises InvalidData.
    """
    text = read_text(path)
    if not text.strip():
        raise InvalidData(f"{path}: is empty")
    heading = next((line for line in text.splitlines() if line.strip()), "")
    delimiter = _find_delimiter(heading, columns)
    records = _read_records(text, delimiter)
    _, names = next(records, (1, [""]))
    if isinstance(names, str):
        raise InvalidData(f"{path}:1: {names}")
    names = [name or f"column_{number}" for number, name in enumerate(names, start=1)]
    if repeated := next((name for name in names if names.count(name) > 1), None):
        raise InvalidData(f"{path}:1: there are two columns {repeated!r}; rename one")

    def rows() -> Iterator[tuple[str, Any]]:
        for line, cells in records:
            yield f"{path}:{line}", cells if isinstance(cells, str) else _name_cells(cells, names, delimiter)

    return Source(str(path), rows(), tuple(names), delimiter)


def _name_cells(cells: list[str], names: list[str], delimiter: str) -> dict[str, Any] | str:
    """Return the cells of a row by column, or what is wrong if there are more cells than columns."""
    if any(cells[len(names) :]):
        return (
            f"has {len(cells)} cells, but there are {len(names)} columns; "
            f"put a text with {delimiter!r} in double quotes"
        )
    return {name: cell for name, cell in zip(names, cells, strict=False) if cell}


def _find_delimiter(heading: str, columns: KnownColumns) -> str:
    """Return the character that splits the heading into most known columns, then into most columns."""

    def count_columns(delimiter: str) -> tuple[int, bool, int]:
        names = [
            name.strip() for name in next(csv.reader([heading], delimiter=delimiter, skipinitialspace=True))
        ]
        return sum(map(columns.is_known, names)), delimiter in _COMMON_SEPARATORS, len(names)

    return max(sorted({*_SEPARATORS.findall(heading)}), key=count_columns, default=",")


def _read_records(text: str, delimiter: str) -> Iterator[tuple[int, list[str] | str]]:
    """Yield the first line of each record that is not blank with its cells, or with what is wrong."""
    reader = csv.reader(
        io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True, strict=True
    )
    while True:
        line = reader.line_num + 1
        try:
            cells = [cell.strip() for cell in next(reader)]
        except StopIteration:
            return
        except csv.Error as error:
            yield line, f"not CSV: {error}; is a double quote missing?"
            return
        if any(cells):
            yield line, cells


def read_parquet(path: str | Path) -> Source:
    """Read a Parquet file; the place of a row is its number. Raises InvalidData."""
    import polars

    try:
        frame = polars.read_parquet(Path(path).read_bytes())
    except OSError as error:
        raise InvalidData(f"{path}: {error.strerror}{_suggest_file(Path(path))}") from None
    except polars.exceptions.PolarsError as error:
        raise InvalidData(f"{path}: not Parquet: {str(error).splitlines()[0]}") from None
    numbered = enumerate(frame.iter_rows(named=True), start=1)
    rows = ((f"{path}: row {number}", _without_empty(row)) for number, row in numbered)
    return Source(str(path), rows, tuple(frame.columns))


def read_object(source: Any) -> Source:
    """Read a list, a frame of pandas or polars, or a Hugging Face dataset, by how each gives its rows.

    A dataset with several splits is refused with their names. Raises InvalidData.
    """
    if isinstance(source, Mapping):
        return read_object(_choose_split(source))
    if hasattr(source, "collect_schema") and hasattr(source, "collect"):  # a lazy frame of polars
        source = source.collect()
    if hasattr(source, "iter_rows"):  # polars
        return _table(source.iter_rows(named=True), source.columns)
    if hasattr(source, "itertuples"):  # pandas
        cells = source.itertuples(index=False, name=None)
        return _table((dict(zip(source.columns, row, strict=True)) for row in cells), source.columns)
    if hasattr(source, "column_names"):  # a Hugging Face Dataset, or an IterableDataset
        features = getattr(source, "features", None) or {}
        labels = {name: each.int2str for name, each in features.items() if hasattr(each, "int2str")}
        rows = ({**row, **_name_classes(row, labels)} for row in source)
        return _table(rows, source.column_names)
    if isinstance(source, str) or not isinstance(source, Iterable):
        raise InvalidData(f"problems: must be a list, a frame or a path, not a {type(source).__name__}")
    wrong = "must be a pair, a dict or a Problem, not a text"
    entries = (wrong if isinstance(row, str) else _without_numpy(row) for row in source)
    return Source("problems", _number_rows(entries))


def _choose_split(splits: Mapping[Any, Any]) -> Any:
    """Return the only split of a Hugging Face `DatasetDict`. Raises InvalidData for several."""
    if not splits or not all(hasattr(each, "column_names") for each in splits.values()):
        raise InvalidData(f"problems: must be a list, a frame or a path, not a {type(splits).__name__}")
    if len(splits) > 1:
        names = ", ".join(map(str, splits))
        first = next(iter(splits))
        raise InvalidData(f"problems: the dataset has the splits {names}; choose one, as dataset[{first!r}]")
    return next(iter(splits.values()))


def _name_classes(row: Mapping[str, Any], labels: Mapping[str, Any]) -> dict[str, str]:
    """Return the names of a row's classes, which a dataset stores as numbers."""
    return {name: label(row[name]) for name, label in labels.items() if isinstance(row.get(name), int)}


def _table(rows: Iterable[Mapping[Any, Any]], columns: Iterable[Any] | None) -> Source:
    names = None if columns is None else tuple(map(str, columns))
    return Source("problems", _number_rows(map(_without_empty, rows)), names)


def _number_rows(rows: Iterable[Any]) -> Iterator[tuple[str, Any]]:
    return ((f"problems[{index}]", row) for index, row in enumerate(rows))


def _without_numpy(row: Any) -> Any:
    """Return a pair or a dict with plain Python numbers instead of those of NumPy."""

    def convert(cell: Any) -> Any:
        return cell.tolist() if hasattr(cell, "tolist") else cell

    if isinstance(row, Mapping):
        return {name: convert(cell) for name, cell in row.items()}
    return [*map(convert, row)] if isinstance(row, list | tuple) else row


def _without_empty(row: Mapping[Any, Any]) -> dict[str, Any]:
    """Return a row without empty cells (None, NaN, no text) and with plain Python numbers.

    Tables also fill the fields that a nested object lacks with None.
    """
    plain = {str(name): _to_plain(cell) for name, cell in row.items()}
    return {name: cell for name, cell in plain.items() if not _is_empty(cell)}


def _to_plain(cell: Any) -> Any:
    if isinstance(cell, Mapping):
        return _without_empty(cell)
    if isinstance(cell, list | tuple):
        return [_to_plain(each) for each in cell]
    if hasattr(cell, "tolist"):  # an array or a number of NumPy
        return _to_plain(cell.tolist())
    return cell


def _is_empty(cell: Any) -> bool:
    """Whether a cell has no content; only NaN and pandas' NaT differ from themselves."""
    if cell is None or (isinstance(cell, str) and not cell.strip()):
        return True
    return not isinstance(cell, str | list | dict) and bool(cell != cell)
