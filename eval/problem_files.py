"""Read problems from files and Python objects. All use the schema in `problem_schema`."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NoReturn, Protocol

from ansatz.errors import InvalidData
from ansatz.eval.problem import Problem
from ansatz.eval.problem_schema import Item, note_inferred_differences, read_item

_notes = logging.getLogger(__name__)


def load(path: str | Path) -> tuple[Problem, ...]:
    """Read the problems of a JSON Lines file, one item per line; docs/own-problems.md shows every field.

    A line `{"question": "Boiling point of water at 1 atm?", "answer": "373.1 K"}` is a problem with one
    target, named `answer`. Inferred properties, such as that an LMTD is a temperature difference, are logged
    as warnings.

    Raises
    ------
    InvalidData
        With one line per fault, `file:line: field: what is wrong`.

    Example: `load("problems.jsonl")[0].targets`.
    """
    found = _collect_problems(read_objects(path))
    if not found:
        raise InvalidData(f"{path}: there is no problem in it")
    return found


class Frame(Protocol):
    """A data frame of pandas or polars."""

    @property
    def columns(self) -> Any: ...


class Dataset(Protocol):
    """A Hugging Face dataset."""

    @property
    def column_names(self) -> Any: ...


Answer = str | Mapping[str, Any]
ProblemsLike = (
    str | Path | Frame | Dataset | Iterable[Problem | tuple[str, Answer] | list[Any] | Mapping[str, Any]]
)
"""What `problems` accepts."""


def problems(source: ProblemsLike) -> tuple[Problem, ...]:
    """Convert pairs, dicts, a data frame, a Hugging Face dataset or a JSON Lines file to problems.

    A pair is a question and its answer: a number with a unit, or a target as a dict. Dicts, rows of a frame
    and lines of a file have the same fields: `question` with `answer`, with `value` and `unit`, or with
    `targets`; docs/own-problems.md shows all of them. `Problem` objects are returned unchanged.

    Raises
    ------
    InvalidData
        With one line per fault, `problems[2]: field: what is wrong`.

    Example:
        >>> pump, plate = problems([
        ...     ("A pump lifts 12 L/s of water by 9 m at 70 % efficiency. Shaft power?", "1.51 kW"),
        ...     {"id": "plate", "question": "Which regime?", "answer": {"kind": "label", "value": "laminar"}},
        ... ])
        >>> pump.targets[0].value, pump.targets[0].unit, plate.id
        (1.51, 'kW', 'plate')
    """
    if isinstance(source, str | Path):
        return load(source)
    found = _collect_problems(
        (f"problems[{index}]", each) for index, each in enumerate(_iterate_rows(source))
    )
    if not found:
        raise InvalidData("problems: there is none")
    return found


def dump(problems: Iterable[Problem], path: str | Path) -> None:
    """Write problems to a file from which `load` reads equal ones.

    Example: `dump(problems([("Boiling point of water at 1 atm?", "373.1 K")]), "problems.jsonl")`.
    """
    lines = [
        json.dumps(Item.from_problem(problem).to_fields(), ensure_ascii=False, allow_nan=False)
        for problem in problems
    ]
    Path(path).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def read_objects(path: str | Path, *, finite: bool = True) -> Iterator[tuple[str, Any]]:
    """Yield the place `file:line` and the object of each line of a JSON Lines file that is not blank.

    For an invalid line, a message replaces the object. With `finite`, Infinity and NaN are invalid.

    Raises
    ------
    InvalidData
        If the file cannot be read.
    """
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InvalidData(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise InvalidData(f"{path}: not UTF-8 text at byte {error.start}") from None
    # Not splitlines: JSON text may contain other Unicode line separators.
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield f"{path}:{number}", _parse_object(line, _refuse_constant if finite else float)


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


def _collect_problems(found: Iterable[tuple[str, Any]]) -> tuple[Problem, ...]:
    """Return all problems. Raises InvalidData with the faults of all of them."""
    problems: dict[str, Problem] = {}
    places: dict[str, str] = {}
    faults: list[str] = []
    for place, fields in found:
        problem = fields if isinstance(fields, Problem) else _read_problem(fields, place)
        if isinstance(problem, list):
            faults += [f"{place}: {fault}" for fault in problem]
        elif problem.id in problems:
            faults.append(f"{place}: id: {problem.id!r} is already {places[problem.id]}")
        else:
            problems[problem.id], places[problem.id] = problem, place
    if faults:
        raise InvalidData("\n".join(faults))
    return tuple(problems.values())


def _read_problem(fields: Any, place: str) -> Problem | list[str]:
    """Parse the problem of a line or row, or return a text for each fault."""
    if isinstance(fields, str):
        return [fields]
    if isinstance(fields, tuple | list):
        if len(fields) != 2:
            return [f"must be a question and its answer, not {len(fields)} things"]
        fields = {"question": fields[0], "answer": fields[1]}
    if not isinstance(fields, Mapping):
        return [f"must be a pair, a dict or a Problem, not a {type(fields).__name__}"]
    item = read_item(fields)
    if isinstance(item, list):
        return item
    for note in note_inferred_differences(fields, item):
        _notes.warning("%s: %s", place, note)
    return item.to_problem()


def _iterate_rows(source: Any) -> Iterable[Any]:
    """Iterate over the entries of a list, or the rows of a frame or dataset."""
    if hasattr(source, "to_dicts"):  # polars
        return map(_drop_empty_cells, source.to_dicts())
    if hasattr(source, "to_dict") and hasattr(source, "columns"):  # pandas
        return map(_drop_empty_cells, source.to_dict("records"))
    if hasattr(source, "column_names"):  # a Hugging Face Dataset
        return map(_drop_empty_cells, source)
    if isinstance(source, Mapping) or not isinstance(source, Iterable):
        raise InvalidData(f"problems: must be a list, a frame or a path, not a {type(source).__name__}")
    wrong = "must be a pair, a dict or a Problem, not a text"
    return (wrong if isinstance(row, str) else row for row in source)


def _drop_empty_cells(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a row with Python numbers and without empty cells, which frames write as None or NaN."""
    plain = {str(name): cell.item() if hasattr(cell, "item") else cell for name, cell in row.items()}
    return {name: cell for name, cell in plain.items() if cell is not None and cell == cell}  # NaN is not
