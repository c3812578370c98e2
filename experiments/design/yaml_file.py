"""Read a YAML file into a Pydantic model; each fault names file, line, field and the nearest valid name."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from ansatz.errors import InvalidData
from ansatz.eval.validation import Fault, find_faulty_fields

Model = TypeVar("Model", bound=BaseModel)


class _Loader(yaml.SafeLoader):
    """Reads 2e6 as a number, as YAML 1.2 does; YAML 1.1 requires 2.0e+6."""


_Loader.add_implicit_resolver(
    "tag:yaml.org,2002:float", re.compile(r"[-+]?\d[\d_]*(\.[\d_]*)?[eE][-+]?\d+$"), list("-+0123456789")
)


def read(path: Path, model: type[Model]) -> Model:
    """Read and validate a file. Raises InvalidData with one line per fault."""
    root, content = _parse(path)
    if not isinstance(root, yaml.MappingNode):
        raise InvalidData(f"{path}:1: expected `key: value` lines ({', '.join(model.model_fields)})")
    _refuse_repeated_keys(path, root)
    try:
        return model.model_validate(content)
    except ValidationError as failure:
        faults = [_describe(path, root, fault, model) for fault in find_faulty_fields(failure, model)]
        raise InvalidData("\n".join(faults)) from None


def apply_settings(content: dict[str, Any], changes: Iterable[str]) -> dict[str, Any]:
    """Return a copy with changed settings, such as "limits.seconds=60" or "models.0.settings.temperature=0".

    Values are read as YAML; a number selects an element of a list. Raises InvalidData.
    """
    content = copy.deepcopy(content)
    for change in changes:
        key, equals, value = change.partition("=")
        *outer, last = key.split(".")
        try:
            within: Any = content
            for part in outer:
                within = within.setdefault(part, {}) if isinstance(within, dict) else within[int(part)]
            within[last if isinstance(within, dict) else int(last)] = yaml.load(value, _Loader)
        except (TypeError, ValueError, IndexError):
            equals = ""
        except yaml.YAMLError:
            raise InvalidData(f"{key}: cannot read {value!r}") from None
        if not equals or not key:
            raise InvalidData(
                f"cannot read {change!r}; write setting=value, such as repeats=3 or limits.seconds=60"
            )
    return content


def _parse(path: Path) -> tuple[yaml.Node | None, Any]:
    """Return the nodes of a file, which have line numbers, and its content."""
    try:
        text = path.read_text(encoding="utf-8-sig")
        return yaml.compose(text, _Loader), yaml.load(text, _Loader)
    except FileNotFoundError:
        raise InvalidData(f"{path}: no such file") from None
    except OSError as failure:
        raise InvalidData(f"{path}: cannot be read: {failure.strerror}") from None
    except UnicodeDecodeError as failure:
        raise InvalidData(f"{path}: not UTF-8 text at byte {failure.start}") from None
    except yaml.reader.ReaderError as failure:
        line = text.count("\n", 0, failure.position) + 1
        raise InvalidData(f"{path}:{line}: not valid YAML: it has a control character") from None
    except yaml.MarkedYAMLError as failure:
        line = failure.problem_mark.line + 1 if failure.problem_mark else 1
        start = failure.context_mark.line + 1 if failure.context_mark else line
        context = f" ({failure.context} that begins in line {start})" if start < line else ""
        raise InvalidData(f"{path}:{line}: not valid YAML: {failure.problem}{context}") from None
    except RecursionError:
        raise InvalidData(f"{path}: nested too deeply") from None
    except ValueError as failure:  # a date such as 2026-13-45
        raise InvalidData(f"{path}: not valid YAML: {failure}") from None


def locate(path: Path, location: tuple[int | str, ...]) -> str:
    """Return `file:line` of a location in a YAML file."""
    root, _ = _parse(path)
    return f"{path}:{_line_of(root, location) if root else 1}"


def _line_of(root: yaml.Node, location: tuple[int | str, ...]) -> int:
    """Return the line of the innermost part of a location that the file has."""
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


def _describe(path: Path, root: yaml.Node, fault: Fault, model: type[BaseModel]) -> str:
    """Return the fault with file and line. A fault without a path starts with the name of its field."""
    about = fault.path or [word for word in re.findall(r"^\w+", fault.wrong) if word in model.model_fields]
    return f"{path}:{_line_of(root, tuple(about))}: {fault}"


def _refuse_repeated_keys(path: Path, node: yaml.Node, within: tuple[yaml.Node, ...] = ()) -> None:
    """Refuse a key that is given twice: YAML would silently drop the first, which may be an arm.

    A node that contains itself, by an anchor, is refused too.
    """
    if node in within:
        raise InvalidData(f"{path}:{node.start_mark.line + 1}: an anchor refers to a node that contains it")
    within = (*within, node)
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            if key.value in seen:
                raise InvalidData(f"{path}:{key.start_mark.line + 1}: {key.value!r} is given twice")
            seen.add(key.value)
            _refuse_repeated_keys(path, value, within)
    elif isinstance(node, yaml.SequenceNode):
        for value in node.value:
            _refuse_repeated_keys(path, value, within)
