"""Read problems from files and Python objects. All use the schema in `problem_schema`."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NoReturn, Protocol

from ansatz.errors import InvalidData
from ansatz.eval.problem import OWN, Problem
from ansatz.eval.problem_columns import ProblemColumns, Source
from ansatz.eval.problem_schema import CANARY, Item, make_id, note_inferred_differences, read_item
from ansatz.eval.problem_tables import (
    CSV,
    PARQUET,
    SPREADSHEETS,
    read_csv,
    read_object,
    read_parquet,
    read_text,
)

_SECONDS_BEFORE_PROGRESS = 1.0
_notes = logging.getLogger(__name__)


def load(path: str | Path, fields: Mapping[str, str] | None = None) -> tuple[Problem, ...]:
    """Read the problems of a file: JSON Lines, a JSON list (.json), CSV (.csv, .tsv) or Parquet (.parquet).

    Each line, entry or row is a problem; docs/own-problems.md shows every field. A line
    `{"question": "Boiling point of water at 1 atm?", "answer": "373.1 K"}` is a problem with one target,
    named `answer`. Inferred properties, such as that an LMTD is a temperature difference, and the columns
    that become metadata are logged as warnings.

    Parameters
    ----------
    path
        The file.
    fields
        The columns by field, such as {"question": "input", "answer": "target"}.

    Raises
    ------
    InvalidData
        With one line per fault, `file:line: field: what is wrong`.

    Example: `load("problems.jsonl")[0].targets`.
    """
    columns = ProblemColumns(fields)
    suffix = Path(path).suffix.lower()
    if suffix in CSV:
        return _collect_problems(read_csv(path, columns), columns)
    if suffix in PARQUET:
        return _collect_problems(read_parquet(path), columns)
    if suffix in SPREADSHEETS:
        raise InvalidData(f"{path}: is a spreadsheet; save it as CSV")
    rows = _read_json_list(path) if suffix == ".json" else None
    return _collect_problems(Source(str(path), read_objects(path) if rows is None else rows), columns)


class Frame(Protocol):
    """A data frame of pandas or polars."""

    @property
    def columns(self) -> Any: ...


class Dataset(Protocol):
    """A Hugging Face dataset."""

    @property
    def column_names(self) -> Any: ...


Answer = str | float | Mapping[str, Any]
ProblemsLike = (
    str
    | Path
    | Frame
    | Dataset
    | Mapping[str, Dataset]
    | Iterable[Problem | tuple[str, Answer] | list[Any] | Mapping[str, Any]]
)
"""What `problems` accepts."""


def problems(source: ProblemsLike, fields: Mapping[str, str] | None = None) -> tuple[Problem, ...]:
    """Convert pairs, dicts, a data frame, a Hugging Face dataset or a file to problems.

    A pair is a question and its answer: a number with a unit, a word, or a target as a dict. Dicts, rows of a
    frame and lines of a file have the same fields: `question` with `answer`, with `value` and `unit`, or with
    `targets`; docs/own-problems.md shows all of them. Columns without a field become metadata.

    Parameters
    ----------
    source
        Pairs, dicts, `Problem` objects (returned unchanged), a frame of pandas or polars, a Hugging Face
        `Dataset`, a `DatasetDict` with one split, or the path of a JSONL, CSV or Parquet file.
    fields
        The columns by field, such as {"question": "input", "answer": "target"}.

    Raises
    ------
    InvalidData
        With one line per fault, `problems[2]: field: what is wrong`.

    Example:
        >>> pump, plate = problems([
        ...     ("A pump lifts 12 L/s of water by 9 m at 70 % efficiency. Shaft power?", "1.51 kW"),
        ...     {"id": "plate", "question": "Is the flow laminar or turbulent?", "answer": "laminar"},
        ... ])
        >>> pump.targets[0].value, pump.targets[0].unit, plate.targets[0].kind
        (1.51, 'kW', 'label')
    """
    if isinstance(source, str | Path):
        return load(source, fields)
    return _collect_problems(read_object(source), ProblemColumns(fields))


def dump(problems: Iterable[Problem], path: str | Path) -> None:
    """Write problems to a file from which `load` reads equal ones.

    Example: `dump(problems([("Boiling point of water at 1 atm?", "373.1 K")]), "problems.jsonl")`.
    """
    Path(path).write_text("".join(f"{format_line(each)}\n" for each in problems), encoding="utf-8")


def format_line(problem: Problem) -> str:
    """Return a problem as a line of a JSON Lines file; a problem of a set has the canary."""
    fields = Item.from_problem(problem).to_fields()
    marked = fields if problem.benchmark == OWN else {**fields, "canary": CANARY}
    return json.dumps(marked, ensure_ascii=False, allow_nan=False)


def read_objects(path: str | Path, *, finite: bool = True) -> Iterator[tuple[str, Any]]:
    """Yield the place `file:line` and the object of each line of a JSON Lines file that is not blank.

    For an invalid line, a message replaces the object. With `finite`, Infinity and NaN are invalid.

    Raises
    ------
    InvalidData
        If the file cannot be read.
    """
    text = read_text(path)
    # Not splitlines: JSON text may contain other Unicode line separators.
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield f"{path}:{number}", _parse_object(line, _refuse_constant if finite else float)


def _read_json_list(path: str | Path) -> Iterator[tuple[str, Any]] | None:
    """Return the place `file[index]` and the content of each entry of a JSON list; None for JSON Lines.

    Raises InvalidData.
    """
    text = read_text(path)
    if not text.lstrip().startswith("["):
        return None
    try:
        entries = json.loads(text, parse_constant=_refuse_constant, object_pairs_hook=_refuse_duplicate_names)
    except json.JSONDecodeError as error:
        raise InvalidData(f"{path}:{error.lineno}: not JSON: {error.msg} at column {error.colno}") from None
    except (ValueError, RecursionError) as error:
        raise InvalidData(f"{path}: not JSON: {error}") from None
    wrong = "must be an object or a pair, not a text"
    rows = (wrong if isinstance(entry, str) else entry for entry in entries)
    return ((f"{path}[{index}]", row) for index, row in enumerate(rows))


def _parse_object(line: str, constant: Callable[[str], float]) -> dict[str, Any] | str:
    try:
        found = json.loads(line, parse_constant=constant, object_pairs_hook=_refuse_duplicate_names)
    except json.JSONDecodeError as error:
        return f"not JSON: {error.msg} at column {error.colno}"
    except (ValueError, RecursionError) as error:
        return f"not JSON: {error}"
    return found if isinstance(found, dict) else f"not an object but a {type(found).__name__}"


def _refuse_duplicate_names(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object's members. Raises ValueError for a repeated name, of which JSON drops one value."""
    members = dict(pairs)
    if len(members) < len(pairs):
        names = [name for name, _ in pairs]
        repeated = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{repeated!r} is given twice")
    return members


def _refuse_constant(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a number in JSON")


def _collect_problems(source: Source, columns: ProblemColumns) -> tuple[Problem, ...]:
    """Return all problems, and log what was inferred. Raises InvalidData with every fault of every row."""
    columns.check(source)
    if source.delimiter == ";":
        source = columns.read_decimal_commas(source)
    problems: dict[str, Problem] = {}
    places: dict[str, str] = {}
    faults: list[str] = []
    notes: dict[str, list[str]] = {}
    for place, row in _show_progress(source):
        problem, found = (row, []) if isinstance(row, Problem) else _read_problem(row, columns)
        if source.delimiter == ";" and (doubt := columns.find_doubtful_number(row)):
            problem, found = None, [doubt]
        if problem is None:
            faults += [f"{place}: {fault}" for fault in found]
        elif problem.id in problems:
            reason = "; the question is the same" if problem.id == make_id(problem.question) else ""
            faults.append(f"{place}: id: {problem.id!r} is already {places[problem.id]}{reason}")
        else:
            problems[problem.id], places[problem.id] = problem, place
            for note in found:
                notes.setdefault(note, []).append(place)
    columns.check_mapped(source)
    if faults:
        raise InvalidData("\n".join(faults))
    if not problems:
        raise InvalidData(f"{source.name}: there is no problem in it")
    for note, rows in notes.items():
        _notes.warning("%s: %s%s", rows[0], note, f" ({len(rows)} rows)" if len(rows) > 1 else "")
    if columns.extra:
        _notes.warning("%s: stored as metadata: %s", source.name, ", ".join(columns.extra))
    return tuple(problems.values())


def _show_progress(source: Source) -> Iterator[tuple[str, Any]]:
    """Yield the rows. If this takes long, a line on the terminal counts them."""
    rows, started = iter(source.rows), time.monotonic()
    read = 0
    for row in rows:
        yield row
        read += 1
        if time.monotonic() - started > _SECONDS_BEFORE_PROGRESS:
            break
    else:
        return
    from rich.console import Console
    from rich.progress import Progress, TextColumn

    screen = Console(stderr=True)
    text = TextColumn("{task.description}: {task.completed:,.0f} problems read", markup=False)
    with Progress(text, console=screen, transient=True, disable=not screen.is_terminal) as shown:
        yield from shown.track(rows, completed=read, description=Path(source.name).name)


def _read_problem(row: Any, columns: ProblemColumns) -> tuple[Problem | None, list[str]]:
    """Return the problem of a row with notes on what was inferred, or None with what is wrong."""
    if isinstance(row, str):
        return None, [row]
    if isinstance(row, tuple | list):
        if len(row) != 2:
            return None, [f"must be a question and its answer, not {len(row)} things"]
        row = {"question": row[0], "answer": row[1]}
    if not isinstance(row, Mapping):
        return None, [f"must be a pair, a dict or a Problem, not a {type(row).__name__}"]
    fields = columns.arrange(row)
    item = read_item(fields)
    if isinstance(item, list):
        return None, [columns.name_column(fault) for fault in item]
    return item.to_problem(), list(note_inferred_differences(fields, item))
