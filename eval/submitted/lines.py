"""Objects of a JSONL file, or of a JSON list, each with the place where it stands."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

from ansatz.eval.benchmarks.validation import InvalidData


def objects(file: Path) -> Iterator[tuple[str, dict[str, Any] | str]]:
    """Place (`file:line`, or `file[index]` in a list) and object, or what is wrong there.

    Raises InvalidData where the file cannot be read at all.
    """
    text = _text(file)
    if text.lstrip().startswith("["):
        yield from _listed(file, text)
        return
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield f"{file}:{number}", _object(line)


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8-sig")
    except OSError as failure:
        raise InvalidData(f"{file}: {failure.strerror or failure}") from None
    except UnicodeDecodeError as failure:
        raise InvalidData(f"{file}: not UTF-8 text at byte {failure.start}") from None


def _listed(file: Path, text: str) -> Iterator[tuple[str, dict[str, Any] | str]]:
    try:
        content = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError) as failure:
        raise InvalidData(f"{file}: not a list in JSON: {failure}") from None
    for index, each in enumerate(content):
        yield f"{file}[{index}]", each if isinstance(each, dict) else _no_object(each)


def _object(line: str) -> dict[str, Any] | str:
    try:
        content = json.loads(line, parse_constant=_refuse)
    except json.JSONDecodeError as failure:
        return f"not JSON: {failure.msg} at column {failure.colno}"
    except (ValueError, RecursionError) as failure:
        return f"not JSON: {failure}"
    return content if isinstance(content, dict) else _no_object(content)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a number in JSON")


def _no_object(content: Any) -> str:
    return f"not an object but a {type(content).__name__}"
