"""What people write where the item schema has something stricter, brought into the schema's shape."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

_RENAMED = {
    "problem_id": "id",
    "problem": "question",
    "statement": "question",
    "givens": "given",
    "solution": "reference_solution",
    "domain": "domains",
}


def shaped(fields: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The fields in the schema's shape where their meaning is plain, and a line on each guess.

    Whatever else is wrong is left as it is, for the schema to say.
    """
    made = dict(fields)
    told = []
    for written, meant in _RENAMED.items():
        if written in made and meant not in made:
            made[meant] = made.pop(written)
            told.append(f"{written}: read as {meant}")
    for name, change in _CHANGES.items():
        if name in made:
            made[name] = change(made[name])
            if made[name] is None:
                del made[name]
    for index, target in enumerate(made["targets"] if isinstance(made.get("targets"), list) else ()):
        if isinstance(target, dict) and target.get("kind", "number") == "number" and not target.get("unit"):
            target["unit"] = "-"
            told.append(f"targets[{index}].unit: is missing; the target is read as a pure number")
    return made, told


def _id(value: Any) -> Any:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _list(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


def _names(value: Any) -> Any:
    """Names alone, also from objects that have a name or an id."""
    listed = _list(value)
    if not isinstance(listed, list):
        return listed
    return [each.get("id") or each.get("name") if isinstance(each, dict) else each for each in listed]


def _entries(value: Any) -> Any:
    """A list of objects with a name, also from a mapping of names to objects or values."""
    if not isinstance(value, dict):
        return (
            [dict(each) if isinstance(each, dict) else each for each in value or ()]
            if _plural(value)
            else value
        )
    return [
        {"name": name, **(each if isinstance(each, dict) else {"value": each})}
        for name, each in value.items()
    ]


def _plural(value: Any) -> bool:
    return value is None or isinstance(value, list | tuple)


def _given(value: Any) -> Any:
    entries = _entries(value)
    if not isinstance(entries, list):
        return entries
    return [
        {**each, "unit": each.get("unit") or "-"} if isinstance(each, dict) else each
        for each in entries
        if not (isinstance(each, dict) and each.get("value") is None)
    ]


def _targets(value: Any) -> Any:
    entries = _entries(value)
    for each in entries if isinstance(entries, list) else ():
        if isinstance(each, dict):
            each.setdefault("weight", 1.0)
            if isinstance(each.get("tolerance"), int | float):
                each["tolerance"] = {"relative": each["tolerance"]}
            if each.get("description", "") is None:
                del each["description"]
    return entries


def _bounds(value: Any) -> Any:
    """A list of objects, also from a mapping of targets to [low, high] or to objects."""
    if isinstance(value, dict):
        value = [{"target": name, **_ends(ends)} for name, ends in value.items()]
    return [_bound(each) for each in value] if isinstance(value, list) else value


def _ends(ends: Any) -> dict[str, Any]:
    if isinstance(ends, list) and len(ends) == 2:
        return {"low": ends[0], "high": ends[1]}
    return ends if isinstance(ends, dict) else {"low": ends, "high": ends}


def _bound(each: Any) -> Any:
    if not isinstance(each, dict):
        return each
    named = {"min": "low", "max": "high", "lower": "low", "upper": "high", "name": "target"}
    renamed = {named.get(key, key): value for key, value in each.items()}
    return {"reason": "stated with the problem", **renamed}


def _solution(value: Any) -> Any:
    """An object with steps or text; plain text, and steps in other words than the schema's, become text."""
    if isinstance(value, str | list):
        value = {"steps": value} if isinstance(value, list) else {"text": value}
    if not isinstance(value, dict):
        return value
    steps = value.get("steps") or []
    if isinstance(steps, list) and all(isinstance(each, dict) and "expression" in each for each in steps):
        return {**value, "steps": [_step(each) for each in steps]}
    lines = [_line(each) for each in (steps if isinstance(steps, list) else [steps])]
    text = "\n".join(filter(None, [str(value.get("text") or ""), *lines]))
    return {**{name: each for name, each in value.items() if name != "steps"}, "text": text}


def _step(step: Mapping[str, Any]) -> dict[str, Any]:
    expression = str(step["expression"])
    symbol = step.get("symbol") or step.get("name") or expression.partition("=")[0].strip()
    rest = {name: each for name, each in step.items() if name != "name"}
    return {"equation": "", **rest, "symbol": symbol, "unit": step.get("unit") or "-"}


def _line(step: Any) -> str:
    """A step in words; of an object, its texts and numbers."""
    if not isinstance(step, dict):
        return str(step)
    return ", ".join(str(each) for each in step.values() if isinstance(each, str | int | float))


def _metadata(value: Any) -> Any:
    return {name: _scalar(each) for name, each in value.items()} if isinstance(value, dict) else None


def _scalar(value: Any) -> Any:
    if value is None or isinstance(value, str | bool | int | float):
        return value
    return json.dumps(value, ensure_ascii=False)


_CHANGES: dict[str, Callable[[Any], Any]] = {
    "id": _id,
    "version": lambda value: None if value is None else str(value),
    "domains": _list,
    "given": _given,
    "targets": _targets,
    "gold_equations": _names,
    "trap_equations": _names,
    "bounds": _bounds,
    "reference_solution": _solution,
    "metadata": _metadata,
}


def parts(location: tuple[str | int, ...], fields: Any) -> Iterator[tuple[Any, Any]]:
    """The containers and keys that lead to a location of a validation error, without its union tags."""
    here: Any = fields
    for part in location:
        if (isinstance(here, dict) and part in here) or (isinstance(here, list) and isinstance(part, int)):
            yield here, part
            here = here[part]  # type: ignore[index]
