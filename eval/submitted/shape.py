"""What people write where the item schema has something stricter, brought into the schema's shape."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ansatz.eval.submitted import written
from ansatz.quantities.chains import read_value
from ansatz.quantities.markup import plain

_RENAMED = {
    "problem_id": "id",
    "problem": "question",
    "statement": "question",
    "givens": "given",
    "solution": "reference_solution",
    "domain": "domains",
}
_IN_ENTRIES = {"symbol": "name", "variable": "name", "units": "unit"}
_IN_TARGETS = {**_IN_ENTRIES, "expected": "value", "reference_value": "value", "answer": "value"}
_IN_STEPS = {
    **{"formula": "expression", "calculation": "expression", "result": "value", "answer": "value"},
    **{"name": "symbol", "variable": "symbol", "quantity": "symbol", "units": "unit"},
}
_BESIDE_SOLUTION = ("gold_equations", "trap_equations", "bounds")


def shaped(fields: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """The fields in the schema's shape where their meaning is plain, and a line on each guess.

    Whatever else is wrong is left as it is, for the schema to say.
    """
    made = dict(fields)
    told = []
    for name, meant in _RENAMED.items():
        if name in made and meant not in made:
            made[meant] = made.pop(name)
            told.append(f"{name}: read as {meant}")
    solution = made.get("reference_solution")
    if isinstance(solution, dict):
        lifted = {name: solution[name] for name in _BESIDE_SOLUTION if name in solution and name not in made}
        made |= {"reference_solution": {k: v for k, v in solution.items() if k not in lifted}, **lifted}
    for name, change in _CHANGES.items():
        if name in made:
            made[name] = change(made[name])
            if made[name] is None:
                del made[name]
    if made.get("bounds") is None:
        made.pop("bounds", None)
    else:
        listed = made.get("targets")
        made["bounds"] = written.bounds(made["bounds"], listed if isinstance(listed, list) else ())
    told += _units_told(made)
    for index, target in enumerate(made["targets"] if isinstance(made.get("targets"), list) else ()):
        if isinstance(target, dict) and target.get("kind", "number") == "number" and not target.get("unit"):
            target["unit"] = "-"
            told.append(f"targets[{index}].unit: is missing; the target is read as a pure number")
    return made, told


def _units_told(made: Mapping[str, Any]) -> Iterator[str]:
    """Replace each unit that is spelled otherwise, and say so."""
    for field in ("given", "targets"):
        for index, each in enumerate(made[field] if isinstance(made.get(field), list) else ()):
            unit = written.known_unit(each.get("unit")) if isinstance(each, dict) else None
            if unit:
                yield f"{field}[{index}].unit: {each['unit']!r} is read as {unit}"
                each["unit"] = unit


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


def _entries(value: Any, names: Mapping[str, str]) -> Any:
    """A list of objects with a name, also from a mapping of names to objects or values."""
    if isinstance(value, dict):
        value = [
            {"name": name, **(each if isinstance(each, dict) else {"value": each})}
            for name, each in value.items()
        ]
    if value is not None and not isinstance(value, list):
        return value
    listed = [written.entry(each) if isinstance(each, str) else each for each in value or ()]
    return [_renamed(each, names) if isinstance(each, dict) else each for each in listed]


def _renamed(entry: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """A copy under the schema's names; what the schema's name is already used for stays as it is."""
    made = dict(entry)
    for name, meant in names.items():
        if name in made and meant not in made:
            made[meant] = made.pop(name)
    return made


def _given(value: Any) -> Any:
    entries = _entries(value, _IN_ENTRIES)
    if not isinstance(entries, list):
        return entries
    read = [written.measured(each) if isinstance(each, dict) else each for each in entries]
    return [
        {**each, "unit": each.get("unit") or "-"} if isinstance(each, dict) else each
        for each in read
        if not (isinstance(each, dict) and each.get("value") is None)
    ]


def _targets(value: Any) -> Any:
    entries = _entries(value, _IN_TARGETS)
    for each in entries if isinstance(entries, list) else ():
        if isinstance(each, dict):
            each.setdefault("weight", 1.0)
            if each.get("kind", "number") == "number":
                each |= written.measured(each)
            if "tolerance" in each:
                each["tolerance"] = written.tolerance(each["tolerance"])
            if each.get("description", "") is None:
                del each["description"]
    return entries


def _solution(value: Any) -> Any:
    """An object with steps or text. Steps that state no formula or no value become text, with all others."""
    if isinstance(value, str | list):
        value = {"steps": value} if isinstance(value, list) else {"text": value}
    if not isinstance(value, dict):
        return value
    steps = value.get("steps") or []
    steps = steps if isinstance(steps, list) else [steps]
    made = [_step(each) if isinstance(each, dict) else None for each in steps]
    if all(made):
        return {**value, "steps": made}
    text = "\n".join(filter(None, [str(value.get("text") or ""), *map(_line, steps)]))
    return {**{name: each for name, each in value.items() if name != "steps"}, "text": text}


def _step(stated: Mapping[str, Any]) -> dict[str, Any] | None:
    """A step in the schema's words; None where it has no formula or no value."""
    step = _renamed(stated, _IN_STEPS)
    if "expression" not in step and "=" in str(step.get("equation", "")):
        step["expression"] = step.pop("equation")
    if isinstance(step.get("value"), str):
        read = read_value(plain(step["value"]))
        step |= {"value": read[0], "unit": step.get("unit") or read[1]} if read else {}
    if not step.get("expression") or step.get("value") is None:
        return None
    symbol = step.get("symbol") or str(step["expression"]).partition("=")[0].strip()
    known = {name: step[name] for name in ("expression", "value", "equation") if step.get(name)}
    return {"equation": "", "value": 0.0, **known, "symbol": symbol, "unit": step.get("unit") or "-"}


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
