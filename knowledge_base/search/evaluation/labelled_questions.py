"""Questions with the equations that answer them and the traps beside these, from JSON Lines."""

from __future__ import annotations

import json
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ansatz.errors import AnsatzError
from ansatz.knowledge_base.equation.equation import Equation
from ansatz.quantities.did_you_mean import nearest

FILE = Path(__file__).with_name("questions.jsonl")
_REMARK = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\}|\$[^$]*\$")


class QuestionError(AnsatzError, ValueError):
    """A file of questions that cannot be used; each line of the message names file, line and field."""


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


class Pair(BaseModel):
    """A question with the entry it calls for and one it might seem to call for; other fields are not read."""

    model_config = ConfigDict(frozen=True)

    id: str
    question: str = Field(min_length=1)
    gold_equation: str
    rejected_equation: str = ""


Asking = TypeVar("Asking", Query, LabelledQuestion, Pair)


@dataclass(frozen=True)
class ResolvedQuestion:
    """A question whose names are resolved: for each gold and trap, the ids of the entries it may mean."""

    id: str
    question: str
    gold: tuple[tuple[str, ...], ...]
    traps: tuple[str, ...]
    domain: str


@dataclass(frozen=True)
class Unmatched:
    """A name in a question that no entry bears."""

    question: str
    field: str
    name: str


def read_questions(file: Path = FILE) -> list[LabelledQuestion]:
    """Every line of a file of questions whose equations are known. Raises QuestionError as `read_queries`."""
    return _read(file, LabelledQuestion)


def read_queries(file: Path) -> list[Query]:
    """Every line of a file. Raises QuestionError with a line for each fault."""
    return _read(file, Query)


def read_pairs(file: Path) -> list[tuple[str, str, str]]:
    """Every line of a table of examples, as `ansatz data dfa` writes it. Raises QuestionError."""
    return [(each.question, each.gold_equation, each.rejected_equation) for each in _read(file, Pair)]


def _read(file: Path, kind: type[Asking]) -> list[Asking]:
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as problem:
        raise QuestionError(f"{file}: cannot be read: {problem}") from problem
    found: list[Asking] = []
    faults: list[str] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            found.append(kind.model_validate(json.loads(line)))
        except json.JSONDecodeError as problem:
            faults.append(f"{file}:{number}: not JSON: {problem.msg} at column {problem.colno}")
        except ValidationError as problem:
            faults += [f"{file}:{number}: {_fault(error)}" for error in problem.errors()]
        else:
            if found[-1].id in {question.id for question in found[:-1]}:
                faults.append(f"{file}:{number}: id: {found[-1].id!r} occurs twice")
    if faults:
        raise QuestionError("\n".join(faults))
    if not found:
        raise QuestionError(f"{file}: holds no questions")
    return found


class EntryNames:
    """The entries of a base by every name they may be called."""

    def __init__(self, equations: Iterable[Equation]):
        self._ids: set[str] = set()
        self._full: dict[str, list[str]] = defaultdict(list)
        self._bare: dict[str, list[str]] = defaultdict(list)
        for equation in equations:
            self._ids.add(equation.id)
            names = (equation.name, *equation.aliases)
            for key in {plain(each) for each in (equation.id, *names)} - {""}:
                self._full[key].append(equation.id)
            for key in {plain(without_remark(each)) for each in names} - {""}:
                self._bare[key].append(equation.id)

    def find(self, name: str) -> tuple[str, ...]:
        """The ids that a name may mean: an id, else a full name or alias, else either without its remark.

        Case and punctuation do not count. A name without its remark may mean several entries.
        """
        if name in self._ids:
            return (name,)
        bare = plain(without_remark(name))
        for index, key in ((self._full, plain(name)), (self._full, bare), (self._bare, bare)):
            if key in index:
                return tuple(index[key])
        return ()

    def resolve(self, question: LabelledQuestion) -> tuple[ResolvedQuestion, list[Unmatched]]:
        """A question by ids, and the names in it that no entry bears."""
        gold = {name: self.find(name) for name in question.gold}
        traps = {name: self.find(name) for name in question.traps}
        unmatched = [Unmatched(question.id, "gold", name) for name, ids in gold.items() if not ids]
        unmatched += [Unmatched(question.id, "traps", name) for name, ids in traps.items() if not ids]
        wanted = tuple(dict.fromkeys(ids for ids in gold.values() if ids))
        right = {id for ids in wanted for id in ids}
        wrong = tuple(dict.fromkeys(id for ids in traps.values() for id in ids if id not in right))
        return ResolvedQuestion(question.id, question.question, wanted, wrong, question.domain), unmatched


def plain(name: str) -> str:
    """A name without case, accents and punctuation."""
    spelled = unicodedata.normalize("NFKD", name)
    letters = "".join(each for each in spelled if not unicodedata.combining(each))
    return " ".join(re.findall(r"\w+", letters.casefold().replace("_", " ")))


def without_remark(name: str) -> str:
    """A name without what stands in brackets, such as a formula or a case."""
    while (shorter := _REMARK.sub(" ", name)) != name:
        name = shorter
    return name


def _fault(error: object) -> str:
    """Field and what is wrong with it; for an unknown one the nearest that is known."""
    assert isinstance(error, dict)
    field = ".".join(map(str, error["loc"])) or "line"
    if error["type"] == "extra_forbidden":
        return f"{field}: unknown field{nearest(field, LabelledQuestion.model_fields)}"
    return f"{field}: {error['msg']}"
