"""Convert validation errors to lines that name the field and the nearest valid value."""

from __future__ import annotations

import json
import re
import types
from collections.abc import Collection, Sequence
from dataclasses import is_dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

from pydantic import BaseModel, ValidationError

from ansatz.errors import InvalidData
from ansatz.quantities.did_you_mean import advise_on_unknown, nearest

_MUST_BE = "must be "
_KEY = "[key]"  # pydantic adds this to the location of a faulty name
_KINDS = {
    "float_type": "a number",
    "float_parsing": "a number",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
    "string_type": "text",
    "path_type": "a path",
    "tuple_type": "a list",
    "sequence_str": "a list",
    "list_type": "a list",
    "dict_type": "an object",
    "model_type": "an object",
    "model_attributes_type": "an object",
    "dataclass_type": "an object",
}


class Fault(NamedTuple):
    """A faulty field of a file or of settings."""

    path: tuple[str | int, ...]
    """Names and indices from the outermost object to the field."""
    field: str
    """The path as text, `field.sub[2]`."""
    wrong: str
    """What is wrong with it."""

    def __str__(self) -> str:
        return f"{self.field}: {self.wrong}" if self.field else self.wrong


def read_json(path: Path) -> Any:
    """Read a JSON file. Raises InvalidData with one line, which begins with the path."""
    try:
        return json.loads(path.read_text(encoding="utf-8-sig"))
    except json.JSONDecodeError as error:
        raise InvalidData(f"{path}:{error.lineno}: not JSON: {error.msg}") from None
    except RecursionError:
        raise InvalidData(f"{path}: JSON that is nested too deeply") from None
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidData(f"{path}: cannot be read: {getattr(error, 'strerror', 'it is not text')}") from None


def explain(error: ValidationError, model: type[BaseModel]) -> list[str]:
    """Return one line per faulty field, `field.sub[2]: what is wrong`."""
    return [str(fault) for fault in find_faulty_fields(error, model)]


def find_faulty_fields(error: ValidationError, model: Any) -> list[Fault]:
    """Return each faulty field once, in order. `model` is the validated model or annotation."""
    lines: dict[str, Fault] = {}
    faults = error.errors()
    locations = [fault["loc"] for fault in faults]
    for fault in faults:
        within = (each for each in locations if each[: len(fault["loc"])] == fault["loc"] != each)
        if fault["type"] == "too_short" and any(within):
            continue  # pydantic counts only the valid parts, so the faults within are the cause
        path, wrong = _describe_fault(dict(fault), model)
        parts = (f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
        field = "".join(parts).removeprefix(".")
        earlier = lines[field].wrong if field in lines else ""
        if fault["type"] in _KINDS and earlier.startswith(_MUST_BE):
            wrong = f"{earlier.split(', not ')[0]} or {wrong.removeprefix(_MUST_BE)}"
        lines[field] = Fault(tuple(path), field, wrong)
    return list(lines.values())


def check_choices(field: str, chosen: Collection[str], valid: Sequence[str]) -> None:
    """Raise InvalidData at the first choice that is not valid."""
    for choice in chosen:
        if choice not in valid:
            raise InvalidData(f"{field}: {choice!r} is not valid{nearest(choice, valid)}")


def _describe_fault(fault: dict[str, Any], model: Any) -> tuple[list[str | int], str]:
    """Return the path to the faulty field and what is wrong with it."""
    location: tuple[str | int, ...] = fault["loc"]
    if location and location[-1] == _KEY:
        path, _ = _walk_to(model, location[:-2])
        return path, f"the name {fault['input']!r} must be text; write it in quotes"
    if fault["type"] in ("extra_forbidden", "unexpected_keyword_argument"):
        path, owner = _walk_to(model, location[:-1])
        if (advice := getattr(owner, "removed", {}).get(location[-1])) is not None:
            return [*path, location[-1]], f"this setting was removed; {advice}"
        name, kinds = location[-1], _get_annotations(owner)
        below = {outer: _get_annotations(_strip_annotation(kind)) for outer, kind in kinds.items()}
        if present := getattr(owner, "renamed", {}).get(name):
            return [*path, name], f"is now called {present!r}"
        deeper = next((f"{outer}.{name}" for outer, names in below.items() if name in names), None)
        near = nearest(str(name), [*below, *getattr(owner, "short_forms", ())])
        meant = f"; did you mean {deeper!r}?" if deeper else near
        return [*path, location[-1]], f"there is no such field{meant}{advise_on_unknown(owner, str(name))}"
    path, _ = _walk_to(model, location)
    if fault["type"] in ("literal_error", "union_tag_invalid"):
        expected = fault["ctx"].get("expected") or fault["ctx"]["expected_tags"]
        wrong = fault["ctx"].get("tag", fault["input"])
        valid = re.findall(r"'([^']*)'", expected) or expected.split(", ")
        whole = [fault["ctx"].get("discriminator", "").strip("'")]  # the field of the tag
        return path or whole, f"{wrong!r} is not valid{nearest(str(wrong), valid)}"
    if fault["type"] == "missing":
        return path, "is missing"
    if fault["type"] in _KINDS:
        return path, f"{_MUST_BE}{_KINDS[fault['type']]}, not {_shorten(fault['input'])}"
    if fault["type"] == "too_short":
        least = fault["ctx"]["min_length"]
        return path, f"must have at least {least} {'entry' if least == 1 else 'entries'}"
    if fault["type"] == "string_too_short" and not fault["input"]:
        return path, "must not be empty"
    if fault["type"] == "finite_number":
        return path, f"must be a finite number, not {fault['input']}"
    message = fault["msg"].removeprefix("Value error, ").replace("Input should be", "must be")
    shown = "" if fault["type"] == "value_error" else f", not {_shorten(fault['input'])}"
    return path, f"{message[:1].lower()}{message[1:]}{shown}"


def _get_annotations(kind: Any) -> dict[str, Any]:
    """Return annotations by field name as in a file; empty if `kind` is not a model or dataclass."""
    if not isinstance(kind, type):
        return {}
    known = kind.model_fields if issubclass(kind, BaseModel) else getattr(kind, "__pydantic_fields__", None)
    if known is not None:
        return {str(each.validation_alias or name): each.annotation for name, each in known.items()}
    return get_type_hints(kind, include_extras=True) if is_dataclass(kind) else {}


def _shorten(value: Any) -> str:
    """Format a value briefly. Of an object only the names appear, since its values may be secret."""
    if isinstance(value, str):
        text = repr(value)
    else:
        text = json.dumps(_without_contents(value), ensure_ascii=False, default=str)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _without_contents(value: Any) -> Any:
    if isinstance(value, dict):
        return dict.fromkeys(map(str, value), "…")
    return [_without_contents(each) for each in value] if isinstance(value, list | tuple) else value


def _walk_to(model: Any, location: Sequence[str | int]) -> tuple[list[str | int], Any]:
    """Return the location without the tags that pydantic adds for unions, and the model at that location."""
    here: Any = model
    path: list[str | int] = []
    for part in location:
        here = _strip_annotation(here)
        if named := _get_annotations(here):
            if part not in named:
                break
            here = named[str(part)]
        elif get_origin(here) in (Union, types.UnionType):
            here = next((member for member in get_args(here) if _is_tagged(member, part)), None)
            continue
        else:
            inside = get_args(here)
            here = inside[-1 if get_origin(here) is dict else 0] if inside else None
        path.append(part)
    here = _strip_annotation(here)
    return path, here if _get_annotations(here) else None


def _strip_annotation(annotation: Any) -> Any:
    """Return an annotation without Annotated and without `| None`."""
    if get_origin(annotation) is Annotated:
        return _strip_annotation(get_args(annotation)[0])
    if get_origin(annotation) in (Union, types.UnionType):
        members = [member for member in get_args(annotation) if member is not type(None)]
        return _strip_annotation(members[0]) if len(members) == 1 else annotation
    return annotation


def _is_tagged(member: Any, tag: str | int) -> bool:
    fields = getattr(member, "model_fields", {})
    return any(
        get_origin(field.annotation) is Literal and tag in get_args(field.annotation)
        for field in fields.values()
    )
