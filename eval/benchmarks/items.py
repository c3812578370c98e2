"""Problems in a JSONL file, one item a line in the schema of item.py."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NoReturn, get_args

from pydantic import ValidationError

from ansatz.eval.benchmarks.item import METADATA, TAG_FIELDS, Item, Level, Solution, TaskType, faults
from ansatz.eval.benchmarks.validation import InvalidData, explain
from ansatz.eval.problem import Problem


def load(path: str) -> tuple[Problem, ...]:
    """The problems of a file. Raises InvalidData with a line `file:line: field: what is wrong` per fault."""
    problems, lines, first_seen = [], [], dict[str, int]()
    for number, line in _lines(path):
        item, wrong = _read(line)
        if item:
            wrong = [*wrong, *faults(item)]
            if first_seen.setdefault(item.id, number) != number:
                wrong.append(f"id: {item.id!r} is already on line {first_seen[item.id]}")
            problems.append(item.problem())
        lines += [f"{path}:{number}: {fault}" for fault in wrong]
    if lines:
        raise InvalidData("\n".join(lines))
    if not problems:
        raise InvalidData(f"{path}: there is no item in it")
    return tuple(problems)


def dump(problems: Iterable[Problem], path: str) -> None:
    """Write problems so that `load` gives equal ones back."""
    lines = [json.dumps(_fields(problem), ensure_ascii=False, allow_nan=False) for problem in problems]
    Path(path).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def _lines(path: str) -> list[tuple[int, str]]:
    """The lines that are not blank, with their numbers from 1."""
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InvalidData(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise InvalidData(f"{path}: not UTF-8 text at byte {error.start}") from None
    # Not splitlines: JSON text may hold the other line separators of Unicode.
    return [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]


def _read(line: str) -> tuple[Item | None, list[str]]:
    try:
        fields = json.loads(line, parse_constant=_refuse)
    except json.JSONDecodeError as error:
        return None, [f"not JSON: {error.msg} at column {error.colno}"]
    except (ValueError, RecursionError) as error:
        return None, [f"not JSON: {error}"]
    if not isinstance(fields, dict):
        return None, [f"not an item but a {type(fields).__name__}"]
    try:
        return Item.model_validate(fields), []
    except ValidationError as error:
        return None, explain(error, Item)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a number in JSON")


def _fields(problem: Problem) -> dict[str, Any]:
    """A problem as the fields of a line, without those at their default."""
    tags = dict(problem.tags)
    own = {name: tags.pop(name) for name in TAG_FIELDS if _fits(name, tags.get(name))}
    noted = [name for name, value in tags.items() if name.startswith(METADATA) and isinstance(value, str)]
    metadata = {name.removeprefix(METADATA): tags.pop(name) for name in noted}
    reference = problem.reference
    item = Item(
        id=problem.id,
        family=problem.family if problem.family != problem.id else "",
        benchmark=problem.benchmark,
        context=problem.context,
        question=problem.question,
        given=problem.givens,
        targets=problem.targets,
        gold_equations=reference.gold_equations,
        trap_equations=reference.trap_equations,
        bounds=reference.bounds,
        reference_solution=Solution(**{name: getattr(reference, name) for name in Solution.model_fields}),
        entities=problem.entities,
        tags=tags,
        metadata=metadata,
        **own,
    )
    fields = item.model_dump(mode="json", exclude_defaults=True)
    for target, written in zip(item.targets, fields["targets"], strict=True):
        if target.kind != "number":
            written["kind"] = target.kind
    return fields


def _fits(name: str, value: Any) -> bool:
    """Whether a tag can stand in the schema's own field of that name."""
    valid = {"level": get_args(Level), "task_type": get_args(TaskType)}
    if name in valid:
        return value in valid[name]
    return bool(value) and isinstance(value, tuple if name == "domains" else str)
