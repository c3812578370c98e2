"""Problems of strangers in the TPS item schema: odd fields are told and left out, the rest is read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from ansatz.eval.benchmarks.item import Item, faults, is_reversed
from ansatz.eval.benchmarks.validation import explain
from ansatz.eval.problem import Problem
from ansatz.eval.submitted.equations import Resolver
from ansatz.eval.submitted.lines import objects
from ansatz.eval.submitted.shape import parts, shaped

_NEEDED = ("id", "question", "targets")
_NO_FIELD = "there is no such field"
_LISTS = ("given", "bounds")  # one faulty entry of these is left out, not all of them
_FIELD = re.compile(r"\w+")
_MOST_ROUNDS = 50


@dataclass(frozen=True)
class Problems:
    """The problems that could be read, by id; a line on each that could not, and on what was left out.

    `unread` are the places of problems that could not be read, by id.
    """

    found: Mapping[str, Problem]
    faults: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    unread: Mapping[str, str] = field(default_factory=dict)


def read_problems(file: Path) -> Problems:
    """Every problem of a file. Raises InvalidData where the file cannot be read at all."""
    found: dict[str, Problem] = {}
    places: dict[str, str] = {}
    wrong: list[str] = []
    odd: list[str] = []
    unread: dict[str, str] = {}
    resolver = Resolver()
    for place, content in objects(file):
        item, faulty, told = _item(content) if isinstance(content, dict) else _no_item(content)
        if item and item.id in found:
            faulty = [f"id: {item.id!r} already stands at {places[item.id]}"]
        elif item:
            found[item.id], unresolved = resolver.resolve(item.problem())
            places[item.id] = place
            told = [*told, *unresolved]
        elif isinstance(content, dict):
            unread[str(content.get("id", content.get("problem_id")))] = place
        wrong += [f"{place}: {each}" for each in faulty]
        odd += [f"{place}: {each}" for each in told]
    return Problems(found, tuple(wrong), tuple(odd), unread)


def _no_item(fault: str) -> tuple[Item | None, list[str], list[str]]:
    return None, [fault], []


def _item(content: Mapping[str, Any]) -> tuple[Item | None, list[str], list[str]]:
    """An item, or what is wrong with the fields that it needs; and what was left out of the others."""
    fields, told = shaped(content)
    for _ in range(_MOST_ROUNDS):
        try:
            item = Item.model_validate(fields)
        except ValidationError as error:
            lines = explain(error, Item)
            wrong = [line for line in lines if _is_needed(line)]
            told += [f"{line}; it is left out" for line in lines if not _is_needed(line)]
            if wrong or not _leave_out(fields, error):
                return None, wrong or lines, told
        else:
            return _consistent(item, told)
    return None, ["too much is wrong with it"], told


def _is_needed(line: str) -> bool:
    """Whether a problem cannot do without the field that the line complains of."""
    field = _FIELD.match(line)
    return field is not None and field[0] in _NEEDED and _NO_FIELD not in line


def _leave_out(fields: dict[str, Any], error: ValidationError) -> bool:
    """Remove what is at fault: a field that does not exist, an entry of a list, or an optional field."""
    removals: dict[tuple[int, Any], tuple[Any, Any]] = {}
    for fault in error.errors():
        path = list(parts(fault["loc"], fields))
        foreign = fault["type"] == "extra_forbidden"
        if not path or (path[0][1] in _NEEDED and not foreign):
            continue
        at = path[-1]
        if not foreign:
            at = path[1] if path[0][1] in _LISTS and len(path) > 1 else path[0]
        removals[id(at[0]), at[1]] = at
    by_position = sorted(
        removals.values(), key=lambda at: at[1] if isinstance(at[1], int) else -1, reverse=True
    )
    for container, key in by_position:
        del container[key]
    return bool(removals)


def _consistent(item: Item, told: list[str]) -> tuple[Item | None, list[str], list[str]]:
    """What the schema cannot tell. Equations are resolved elsewhere; faults of targets are grave."""
    targets = {target.name for target in item.targets}
    lines = [line for line in faults(item) if "equation" not in line.partition(":")[0]]
    wrong = [line for line in lines if _is_needed(line)]
    told = [*told, *(f"{line}; it is left out" for line in lines if not _is_needed(line))]
    kept = tuple(bound for bound in item.bounds if bound.target in targets and not is_reversed(bound))
    return (None if wrong else item.model_copy(update={"bounds": kept})), wrong, told
