"""Read questions to a handbook from JSON Lines."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ansatz.errors import InvalidData
from ansatz.quantities import nearest


@dataclass(frozen=True)
class HandbookQuery:
    """One line of a file of questions; other fields than these are ignored."""

    id: str | int
    question: str


def read_queries(file: Path) -> list[HandbookQuery]:
    """Read questions from JSON Lines, each `{"id", "question"}`.

    Raises:
        InvalidData: A line cannot be used, or there is none; the message has a line for each fault.
    """
    try:
        content = file.read_bytes()
        text = content.decode("utf-8-sig")
    except OSError as failure:
        raise InvalidData(f"{file}: cannot be read: {failure.strerror}") from failure
    except UnicodeDecodeError as failure:
        number = content.count(b"\n", 0, failure.start) + 1
        raise InvalidData(f"{file}:{number}: is not UTF-8; save the file in UTF-8") from None
    found: dict[str, HandbookQuery] = {}
    faults: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            query = _read_query(line)
            if str(query.id) in found:
                raise InvalidData(f"id {str(query.id)!r} is used before")
            found[str(query.id)] = query
        except InvalidData as fault:
            faults.append(f"{file}:{number}: {fault}")
    if faults:
        raise InvalidData("\n".join(faults))
    if not found:
        raise InvalidData(f"{file}: has no question")
    return list(found.values())


def _read_query(line: str) -> HandbookQuery:
    try:
        row: Any = json.loads(line)
    except json.JSONDecodeError as error:
        raise InvalidData(f"not JSON: {error.msg} at column {error.colno}") from None
    if not isinstance(row, dict):
        raise InvalidData('not an object; write {"id": ..., "question": ...}')
    for field in ("id", "question"):
        if field not in row:
            raise InvalidData(f"has no field {field!r}{nearest(field, row, shown=0)}")
    id, question = row["id"], row["question"]
    if isinstance(id, bool) or not isinstance(id, str | int) or not str(id).strip():
        raise InvalidData(f"id: {json.dumps(id)} is neither text nor a whole number")
    if not isinstance(question, str) or not question.strip():
        raise InvalidData(f"question: {json.dumps(question)} is not a question")
    return HandbookQuery(id, question)
