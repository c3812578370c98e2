"""Read questions with the equations that answer them and with traps, from JSON Lines."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ansatz.errors import InvalidData
from ansatz.knowledge_base.equation.equation import Equation
from ansatz.quantities.did_you_mean import nearest

FILE = Path(__file__).with_name("questions.jsonl")


class Query(BaseModel):
    """One line of a file. `gold` and `traps` name entries by id, name or alias."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    question: str = Field(min_length=1)
    gold: tuple[str, ...] = ()
    traps: tuple[str, ...] = ()
    domain: str = "none"


class LabelledQuestion(Query):
    """One whose equations are known."""

    gold: tuple[str, ...] = Field(min_length=1)


Asking = TypeVar("Asking", Query, LabelledQuestion)


def read_questions(kind: type[Asking], file: Path = FILE) -> list[Asking]:
    """Every line of a file of questions of one kind. Raises InvalidData with a line for each fault."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as problem:
        raise InvalidData(f"{file}: cannot be read: {problem}") from problem
    found: dict[str, Asking] = {}
    faults: list[str] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            read = kind.model_validate(json.loads(line))
        except json.JSONDecodeError as problem:
            faults.append(f"{file}:{number}: not JSON: {problem.msg} at column {problem.colno}")
        except ValidationError as problem:
            faults += [f"{file}:{number}: {_format_fault(error)}" for error in problem.errors()]
        else:
            if found.setdefault(read.id, read) is not read:
                faults.append(f"{file}:{number}: id: {read.id!r} occurs twice")
    if faults:
        raise InvalidData("\n".join(faults))
    if not found:
        raise InvalidData(f"{file}: holds no questions")
    return list(found.values())


class EntryNames:
    """The entries of a base by id, name and alias; case and punctuation do not count."""

    def __init__(self, equations: Iterable[Equation]):
        self._ids: dict[str, list[str]] = defaultdict(list)
        for equation in equations:
            for name in {_normalize_name(each) for each in (equation.id, equation.name, *equation.aliases)}:
                self._ids[name].append(equation.id)

    def ids(self, name: str) -> list[str]:
        """Of the entries that bear a name, which may be several or none."""
        return self._ids.get(_normalize_name(name), [])


def _normalize_name(name: str) -> str:
    return " ".join(re.findall(r"\w+", name.casefold().replace("_", " ")))


def _format_fault(error: Any) -> str:
    """Field and what is wrong with it; for an unknown one the nearest that is known."""
    field = ".".join(map(str, error["loc"])) or "line"
    if error["type"] == "extra_forbidden":
        return f"{field}: unknown field{nearest(field, LabelledQuestion.model_fields)}"
    return f"{field}: {error['msg']}"
