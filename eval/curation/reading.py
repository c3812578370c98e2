"""Candidates as others write them: read tolerantly, and no line lost."""

from __future__ import annotations

import codecs
import gzip
import json
import math
import re
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ansatz.eval.benchmarks.validation import InvalidData
from ansatz.eval.curation.candidates import Candidate, Rejection
from ansatz.eval.item import Item

ALIASES = {
    "givens": "given",
    "given_parameters": "given",
    "parameters": "given",
    "target": "targets",
    "problem": "question",
    "statement": "question",
    "difficulty": "level",
    "type": "task_type",
    "domain": "domains",
}
_DEEPEST = 20
_QUANTITY = re.compile(
    r"\s*(?P<number>[-+−]?(?:\d{1,3}(?:,\d{3})+|\d+)?\.?\d*(?:[eE][-+]?\d+)?)"
    r"(?:\s*[×x*]\s*10\s*\^?\s*(?P<power>[-+−]?\d+))?\s*(?P<unit>.*)$",
    re.DOTALL,
)


def read_candidates(path: Path) -> tuple[list[Candidate], list[Rejection]]:
    """Every line of a JSONL file, as a candidate or as a rejection with its reason.

    Raises InvalidData where the file itself cannot be read or has no line.
    """
    lines = _read_bytes(path).split(b"\n")
    candidates, rejections = [], []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        place = f"{path.name}:{number}"
        try:
            candidates.append(read_line(line, place))
        except InvalidData as fault:
            record = line.decode("utf-8", "replace")
            rejections.append(Rejection(place, place, 1, "malformed", str(fault), record))
    if not candidates and not rejections:
        raise InvalidData(f"{path}: there is no candidate in it")
    return candidates, rejections


def _read_bytes(file: Path) -> bytes:
    """A file's text in UTF-8 without a mark, from that or from UTF-16 that says so, also packed by gzip.

    Whether the bytes are UTF-8 is left to be seen.
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


def read_line(line: bytes, place: str) -> Candidate:
    """One line as a candidate. Raises InvalidData with the reason why it is none."""
    try:
        fields = json.loads(
            line.decode("utf-8"), parse_constant=_refuse, parse_float=_finite, parse_int=_whole
        )
        # Half of a surrogate pair can be read but not written again.
        json.dumps(fields, ensure_ascii=False).encode("utf-8")
    except UnicodeDecodeError as error:
        raise InvalidData(f"{place}: not UTF-8 text at byte {error.start}") from None
    except UnicodeEncodeError:
        raise InvalidData(f"{place}: holds half of a surrogate pair, which is no character") from None
    except json.JSONDecodeError as error:
        raise InvalidData(f"{place}: not JSON: {error.msg} at column {error.colno}") from None
    except (ValueError, RecursionError) as error:
        raise InvalidData(f"{place}: not JSON: {error}") from None
    if not isinstance(fields, dict):
        raise InvalidData(f"{place}: not an item but a {type(fields).__name__}")
    if _is_deeper(fields, _DEEPEST):
        raise InvalidData(f"{place}: nested more than {_DEEPEST} levels deep")
    known = _known_fields(fields)
    if not isinstance(known.get("question"), str) or not known["question"].strip():
        raise InvalidData(f"{place}: question: is missing or not text")
    for name in ("given", "targets"):
        try:
            known[name] = [_entry(entry, name) for entry in _entries(known.get(name))]
        except InvalidData as fault:
            raise InvalidData(f"{place}: {name}: {fault}") from None
    return Candidate(place, known)


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is not a number in JSON")


def _finite(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise ValueError(f"{digits} is too large a number")
    return number


def _whole(digits: str) -> int:
    _finite(digits)
    return int(digits)


def _is_deeper(value: Any, levels: int) -> bool:
    if not isinstance(value, dict | list):
        return False
    parts = value.values() if isinstance(value, dict) else value
    return levels == 0 or any(_is_deeper(part, levels - 1) for part in parts)


def _known_fields(fields: Mapping[str, Any]) -> dict[str, Any]:
    """The record in the schema's names; a field the schema does not have is kept as metadata."""
    known: dict[str, Any] = {}
    extra: dict[str, str] = {}
    for name, value in fields.items():
        schema = name if name in Item.model_fields else ALIASES.get(name, "")
        if value is None:
            continue
        if schema and (schema == name or schema not in fields):
            known[schema] = value
        else:
            extra[name] = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    if isinstance(known.get("domains"), str):
        known["domains"] = [known["domains"]]
    if "id" in known:
        known["id"] = str(known["id"])
    if extra:
        known["metadata"] = {**extra, **_mapping(known.get("metadata"))}
    return known


def _mapping(value: Any) -> dict[str, Any]:
    return dict(value) if isinstance(value, Mapping) else {}


def _entries(value: Any) -> list[Any]:
    """A list of entries from a list, from one entry, or from a mapping of names to quantities."""
    if value is None:
        return []
    if isinstance(value, Mapping) and "name" not in value:
        return [{"name": str(name), "value": given} for name, given in value.items()]
    return list(value) if isinstance(value, list) else [value]


def _entry(entry: Any, field_name: str) -> dict[str, Any]:
    """One given or target; `name = value unit` written as text is taken apart."""
    if isinstance(entry, str):
        name, _, value = entry.partition("=")
        entry = {"name": name.strip(), "value": value.strip()} if value.strip() else {"name": entry.strip()}
    if not isinstance(entry, Mapping):
        raise InvalidData(f"an entry is a {type(entry).__name__}, not an object")
    read = {str(name): value for name, value in entry.items() if value is not None}
    read["name"] = str(read.get("name") or read.pop("symbol", ""))
    if isinstance(read.get("value"), Mapping | list):
        raise InvalidData(f"{read['name'] or 'an entry'}: the value is a {type(read['value']).__name__}")
    if field_name == "given" or read.get("kind", "number") == "number":
        read = _with_number(read)
    return read


def _with_number(entry: dict[str, Any]) -> dict[str, Any]:
    """The entry with a numeric text read as a number, and the unit behind it where none was declared."""
    value = entry.get("value")
    if not isinstance(value, str):
        return entry
    found = _QUANTITY.match(value)
    if not found or not re.search(r"\d", found["number"]):
        return entry
    digits = found["number"].replace(",", "").replace("−", "-")
    power = (found["power"] or "0").replace("−", "-")
    try:
        number = float(digits) if "e" in digits.lower() else float(f"{digits}e{power}")
    except ValueError:
        return entry
    unit = found["unit"].strip()
    if unit and entry.get("unit", unit) != unit:
        return entry
    return {**entry, "value": number, **({"unit": unit} if unit else {})}
