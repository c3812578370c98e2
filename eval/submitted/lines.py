"""Objects of a JSONL file, or of a JSON list, each with the place where it stands."""

from __future__ import annotations

import codecs
import gzip
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

from ansatz.eval.benchmarks.validation import InvalidData


def objects(file: Path) -> Iterator[tuple[str, dict[str, Any] | str]]:
    """Place (`file:line`, or `file[index]` in a list) and object, or what is wrong there.

    Raises InvalidData where the file cannot be read at all.
    """
    text = _text(file)
    if not text.strip():
        raise InvalidData(f"{file}: there is nothing in it")
    if text.lstrip().startswith("["):
        yield from _listed(str(file), text)
        return
    if (whole := _whole(text)) is not None:
        name, content = whole
        yield from _listed(f"{file}.{name}", content) if name else ((str(file), content),)
        return
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield f"{file}:{number}", _object(line)


def read_bytes(file: Path) -> bytes:
    """A file's text in UTF-8 without a mark, from that or from UTF-16 that says so, also packed by gzip.

    Raises InvalidData where the file cannot be read; whether the bytes are UTF-8 is left to be seen.
    """
    try:
        content = file.read_bytes()
        if content.startswith(b"\x1f\x8b"):
            content = gzip.decompress(content)
        if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
            content = content.decode("utf-16").encode()
    except (OSError, EOFError, zlib.error, UnicodeError) as failure:
        raise InvalidData(f"{file}: {getattr(failure, 'strerror', None) or failure}") from None
    return content.removeprefix(codecs.BOM_UTF8)


def _text(file: Path) -> str:
    content = read_bytes(file)
    try:
        return content.decode().replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as failure:
        line = content.count(b"\n", 0, failure.start) + 1
        raise InvalidData(
            f"{file}:{line}: not UTF-8 text at byte {failure.start}; save it as UTF-8"
        ) from None


def _whole(text: str) -> tuple[str, Any] | None:
    """One object that is the whole file, over several lines: under its only list, the objects of that."""
    if not text.lstrip().startswith("{") or isinstance(_object(text.strip().partition("\n")[0]), dict):
        return None
    content = _object(text)
    if not isinstance(content, dict):
        return None
    lists = [(name, each) for name, each in content.items() if isinstance(each, list)]
    return lists[0] if len(lists) == len(content) == 1 else ("", content)


def _listed(file: str, listed: str | list[Any]) -> Iterator[tuple[str, dict[str, Any] | str]]:
    try:
        content = json.loads(listed, parse_constant=_refuse) if isinstance(listed, str) else listed
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
