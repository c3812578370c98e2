"""Read records from files: our own YAML, and public JSON or JSONL in the shapes that these come in."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import yaml

from ansatz.eval.benchmarks.tpbench.records import problem_of
from ansatz.eval.benchmarks.validation import InvalidData
from ansatz.eval.problem import Problem

_LISTS = ("data", "problems", "public", "rows", "test", "train")


@cache
def read_own() -> tuple[Problem, ...]:
    """The problems of our own, by level and then in the order of their files."""
    folder = files(__package__) / "problems"
    found: list[Problem] = []
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if file.name.endswith(".yaml"):
            records = yaml.safe_load(file.read_text(encoding="utf-8"))
            found += _problems((f"{file.name}[{at}]", each) for at, each in enumerate(records))
    return tuple(sorted(found, key=lambda problem: str(problem.tags["level"])))


def read_file(path: Path) -> tuple[Problem, ...]:
    """Every record of a file. Raises InvalidData with one line for each thing that is wrong."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise InvalidData(f"{path}: no such file") from None
    except UnicodeDecodeError as error:
        raise InvalidData(f"{path}: not UTF-8 text at byte {error.start}") from None
    except OSError as error:
        raise InvalidData(f"{path}: {error.strerror}") from None
    problems = _problems(_records(path, text))
    if not problems:
        raise InvalidData(f"{path}: there is no record in it")
    return problems


def _problems(records: Iterable[tuple[str, Any]]) -> tuple[Problem, ...]:
    """Records with their places as problems; all faults of all records together."""
    problems: list[Problem] = []
    lines: list[str] = []
    seen: dict[str, str] = {}
    for place, record in records:
        try:
            problem = problem_of(record, len(seen) + 1)
        except InvalidData as error:
            lines += [f"{place}: {line}" for line in str(error).splitlines()]
            continue
        if seen.setdefault(problem.id, place) != place:
            lines.append(f"{place}: problem_id: {problem.id!r} is already at {seen[problem.id]}")
        problems.append(problem)
    if lines:
        raise InvalidData("\n".join(lines))
    return tuple(problems)


def _records(path: Path, text: str) -> Iterator[tuple[str, Any]]:
    """Each record with its place: a line of JSONL, or the number of an entry of a JSON document."""
    try:
        document = json.loads(text)
    except json.JSONDecodeError as whole:
        lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
        if len(lines) < 2 or not lines[0][1].rstrip().endswith("}"):
            raise InvalidData(f"{path}:{whole.lineno}: not JSON: {whole.msg}") from None
        for number, line in lines:
            try:
                yield f"{path}:{number}", json.loads(line)
            except json.JSONDecodeError as error:
                raise InvalidData(f"{path}:{number}: not JSON: {error.msg}") from None
        return
    for at, record in enumerate(_entries(document), 1):
        yield f"{path}: record {at}", record


def _entries(document: Any) -> list[Any]:
    """The list in a document, whatever it is called; a row may be wrapped as {"row": {...}}."""
    if isinstance(document, Mapping):
        listed = next((document[name] for name in _LISTS if isinstance(document.get(name), list)), None)
        if listed is None and all(isinstance(each, Mapping) for each in document.values()):
            return [{"problem_id": name, **each} for name, each in document.items()]
        document = [document] if listed is None else listed
    if not isinstance(document, list):
        return [document]
    return [each["row"] if isinstance(each, Mapping) and "row" in each else each for each in document]
