"""Read questions with the equations that answer them and with traps, from JSON Lines."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ansatz.errors import InvalidData
from ansatz.knowledge_base.equation.equation import Equation
from ansatz.quantities.did_you_mean import nearest

FILE = Path(__file__).with_name("questions.jsonl")


class Query(BaseModel):
    """One line of a file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    question: str = Field(min_length=1)
    gold: tuple[str | tuple[str, ...], ...] = ()
    """The equations that answer it, by id, name or alias."""
    traps: tuple[str, ...] = ()
    """Similar equations that are wrong for it."""
    domain: str = "none"


class LabelledQuestion(Query):
    """A question whose equations are known."""

    gold: tuple[str | tuple[str, ...], ...] = Field(min_length=1)
    """The equations that answer it; a list within the list names alternatives, of which one is enough."""


QueryKind = TypeVar("QueryKind", Query, LabelledQuestion)


def read_questions(kind: type[QueryKind], file: Path = FILE) -> list[QueryKind]:
    """Read every line of a file of questions. Raises InvalidData with a line for each error."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidData(f"{file}: cannot be read: {error}") from error
    found: dict[str, QueryKind] = {}
    faults: list[str] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            read = kind.model_validate(json.loads(line))
        except json.JSONDecodeError as error:
            faults.append(f"{file}:{number}: not JSON: {error.msg} at column {error.colno}")
        except ValidationError as invalid:
            faults += [f"{file}:{number}: {_format_fault(details)}" for details in invalid.errors()]
        else:
            if found.setdefault(read.id, read) is not read:
                faults.append(f"{file}:{number}: id: {read.id!r} occurs twice")
    if faults:
        raise InvalidData("\n".join(faults))
    if not found:
        raise InvalidData(f"{file}: no questions")
    return list(found.values())


class EntryNames:
    """The entries of a base by id, name and alias; case and punctuation do not count."""

    def __init__(self, equations: Iterable[Equation]):
        self._ids: dict[str, list[str]] = defaultdict(list)
        for equation in equations:
            names = (equation.id, equation.name, *equation.aliases)
            for name in set(map(_normalize_name, names)):
                self._ids[name].append(equation.id)

    def find_ids(self, name: str | Sequence[str]) -> list[str]:
        """Return the ids of all entries with a name, or with one of several."""
        names = [name] if isinstance(name, str) else name
        return [id for one in names for id in self._ids.get(_normalize_name(one), [])]


def _normalize_name(name: str) -> str:
    return " ".join(re.findall(r"\w+", name.casefold().replace("_", " ")))


def _format_fault(error: Any) -> str:
    """Format the field and its error; for an unknown field, with the nearest valid one."""
    field = ".".join(map(str, error["loc"])) or "line"
    if error["type"] == "extra_forbidden":
        return f"{field}: unknown field{nearest(field, LabelledQuestion.model_fields)}"
    return f"{field}: {error['msg']}"
