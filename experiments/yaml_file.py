"""Read a YAML file into a pydantic model; every fault names file, line, field and the nearest valid name."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from ansatz.knowledge_base.nearest import nearest

Model = TypeVar("Model", bound=BaseModel)


class InvalidFile(ValueError):
    """A file that cannot be used; the message is one line per fault."""


def read(path: Path, model: type[Model]) -> Model:
    """Raises InvalidFile for anything that keeps the file from being a `model`."""
    try:
        text = path.read_text(encoding="utf-8")
        root = yaml.compose(text, Loader=yaml.SafeLoader)
        content = yaml.safe_load(text)
    except FileNotFoundError:
        raise InvalidFile(f"{path}: no such file") from None
    except (OSError, UnicodeDecodeError) as failure:
        raise InvalidFile(f"{path}: cannot be read: {failure}") from None
    except yaml.MarkedYAMLError as failure:
        line = failure.problem_mark.line + 1 if failure.problem_mark else 1
        raise InvalidFile(f"{path}:{line}: not valid YAML: {failure.problem}") from None
    if not isinstance(root, yaml.MappingNode):
        raise InvalidFile(f"{path}:1: expected `key: value` lines ({', '.join(model.model_fields)})")
    _refuse_repeated_keys(path, root)
    try:
        return model.model_validate(content)
    except ValidationError as failure:
        faults = [_describe(path, root, fault, model) for fault in _own_faults(failure)]
        raise InvalidFile("\n".join(dict.fromkeys(faults))) from None


def place(path: Path, location: tuple[int | str, ...]) -> str:
    """`file:line` of a location in a YAML file."""
    root = yaml.compose(path.read_text(encoding="utf-8"), Loader=yaml.SafeLoader)
    return f"{path}:{_line_of(root, location) if root else 1}"


def _line_of(root: yaml.Node, location: tuple[int | str, ...]) -> int:
    """The line on which the innermost part of a location that the file has begins."""
    node, line = root, root.start_mark.line + 1
    for part in location:
        if isinstance(node, yaml.MappingNode):
            found = [(key, value) for key, value in node.value if key.value == str(part)]
            if not found:
                continue
            line, node = found[0][0].start_mark.line + 1, found[0][1]
        elif isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
            node = node.value[part]
            line = node.start_mark.line + 1
    return line


def _own_faults(failure: ValidationError) -> list[Any]:
    """Without the "too short" that pydantic adds to a list whose only entry is at fault."""
    faults: list[Any] = failure.errors()
    inner = {fault["loc"][:depth] for fault in faults for depth in range(len(fault["loc"]))}
    return [fault for fault in faults if fault["type"] != "too_short" or fault["loc"] not in inner]


def _describe(path: Path, root: yaml.Node, fault: Any, model: type[BaseModel]) -> str:
    location = fault["loc"]
    field = ".".join(str(part) for part in location)
    where = f"{path}:{_line_of(root, location)}: "
    if fault["type"] == "extra_forbidden":
        return f"{where}unknown key {field!r}{nearest(str(location[-1]), _keys(model, location[:-1]))}"
    if fault["type"] == "missing":
        return f"{where}{field} is missing"
    message = fault["msg"].removeprefix("Value error, ")
    return f"{where}{field}: {message}" if field else f"{where}{message}"


def _keys(model: type[BaseModel], location: tuple[int | str, ...]) -> list[str]:
    """The valid keys at a location, as far as the model's annotations tell."""
    for part in location:
        if isinstance(part, str) and part in model.model_fields:
            inner = _inner_model(model.model_fields[part].annotation)
            if inner is None:
                return []
            model = inner
    return list(model.model_fields)


def _inner_model(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for argument in getattr(annotation, "__args__", ()):
        found = _inner_model(argument)
        if found is not None:
            return found
    return None


def _refuse_repeated_keys(path: Path, node: yaml.Node) -> None:
    """YAML keeps the last of two equal keys without a word; that would lose an arm."""
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            if key.value in seen:
                raise InvalidFile(f"{path}:{key.start_mark.line + 1}: {key.value!r} is given twice")
            seen.add(key.value)
            _refuse_repeated_keys(path, value)
    elif isinstance(node, yaml.SequenceNode):
        for value in node.value:
            _refuse_repeated_keys(path, value)
