"""Read questions to a handbook from JSON Lines."""

from __future__ import annotations

import json
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ansatz.errors import InvalidData


class HandbookQuery(BaseModel):
    """One line of a file of questions; other fields than these are ignored."""

    model_config = ConfigDict(frozen=True, extra="ignore", coerce_numbers_to_str=True)

    id: str
    question: str = Field(min_length=1)


def read_queries(file: Path) -> list[HandbookQuery]:
    """Read questions from JSON Lines, each `{"id", "question"}`.

    Raises:
        InvalidData: A line cannot be used, or there is none; the message has a line for each fault.
    """
    try:
        lines = file.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidData(f"{file}: cannot be read: {error}") from error
    found: dict[str, HandbookQuery] = {}
    faults: list[str] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            read = HandbookQuery.model_validate(json.loads(line))
        except json.JSONDecodeError as error:
            faults.append(f"{file}:{number}: not JSON: {error.msg} at column {error.colno}")
        except ValidationError as invalid:
            for fault in invalid.errors():
                field = ".".join(map(str, fault["loc"]))
                faults.append(f"{file}:{number}: {f'{field}: ' if field else ''}{fault['msg']}")
        else:
            if read.id in found:
                faults.append(f"{file}:{number}: id {read.id!r} is used before")
            found[read.id] = read
    if faults:
        raise InvalidData("\n".join(faults))
    if not found:
        raise InvalidData(f"{file}: has no question")
    return list(found.values())
