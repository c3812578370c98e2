"""The stages of curation: what each asks of a model, of what, and what it makes of the reply.

A stage turns one item (a mapping of texts) into items of the next stage. The names follow the paper's flow:
examples (its prompt 1), problem (2), content (3), questions (4), split (5), format (6, first step) and answer
(6, second step).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Annotated, Any, Literal

from langchain_core.tools import BaseTool
from pydantic import BaseModel, Field, StringConstraints, ValidationError

from ansatz.eval.benchmarks.validation import explain
from ansatz.eval.judging.recording import UnusableReply
from ansatz.eval.judging.request import recording_tool

Item = dict[str, str]
"""Texts by field. `id` and `source` are in every item; the others are as stages read and write them."""
Text = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)]

_CARRIED = frozenset(("source", "title", "content", "question", "solution", "format", "answer"))
_SHOWN = 60


class Passage(BaseModel):
    title: Text
    begins: Text
    ends: Text


class WorkedProblem(BaseModel):
    problem: Text
    solution: Text


class Separated(BaseModel):
    content: Text
    question: Text


class SingleQuestion(BaseModel):
    question: Text
    solution: Text


class Classified(BaseModel):
    reason: Text
    format: Literal["numeric", "message"]


class Condensed(BaseModel):
    answer: Text
    question: Text


class Passages(BaseModel):
    items: list[Passage]


class Questions(BaseModel):
    items: list[SingleQuestion] = Field(min_length=1)


@dataclass(frozen=True)
class Stage:
    """One question to a model: it is shown `reads`, and its reply makes an item, or one for each of `items`.

    Fields that later stages need go on unchanged. `check` refuses or completes what was made.
    """

    name: str
    reads: tuple[str, ...]
    reply: type[BaseModel]
    check: Callable[[Item, list[Item]], list[Item]] = lambda _, made: made

    @property
    def number(self) -> int:
        return STAGES.index(self) + 1

    @property
    def file_name(self) -> str:
        return f"{self.number}-{self.name}.json"

    @property
    def tool(self) -> BaseTool:
        """The call that a reply is."""
        told = f"Record the result of the stage {self.name}."
        return recording_tool(f"record_{self.name}", told, self.reply.model_json_schema())

    @property
    def fields(self) -> set[str]:
        """What every item that it makes has."""
        found: set[str] = set()
        for stage in STAGES[: self.number]:
            many = stage.reply.model_fields.get("items")
            one = many.annotation.__args__[0] if many else stage.reply  # type: ignore[union-attr]
            found = found & _CARRIED | set(one.model_fields)
        return {"id", "source", *found}

    def instructions(self, item: Item) -> str:
        name = "message_answer" if self.name == "answer" and item["format"] == "message" else self.name
        return files(__package__).joinpath(f"{name}.md").read_text(encoding="utf-8").strip()

    def read(self, item: Item, arguments: Mapping[str, Any]) -> list[Item]:
        """The items that a reply makes of one. Raises UnusableReply."""
        try:
            found = self.reply.model_validate(arguments).model_dump()
        except ValidationError as error:
            raise UnusableReply("; ".join(explain(error, self.reply))) from None
        made = self.check(item, found.get("items", [found]))
        kept = {name: text for name, text in item.items() if name in _CARRIED}
        ids = [f"{item['id']}.{n}" for n in range(1, len(made) + 1)] if "items" in found else [item["id"]]
        return [{"id": id, **kept, **one} for id, one in zip(ids, made, strict=True)]


def _cut(item: Item, made: list[Item]) -> list[Item]:
    """The passages that the model pointed to by their first and last words, cut from the source itself."""
    cut, start = [], 0
    for one in made:
        begin = _find(item["text"], one["begins"], start)
        end = _find(item["text"], one["ends"], begin.start())
        cut.append({**one, "passage": item["text"][begin.start() : end.end()].strip()})
        start = end.end()
    return cut


def _find(text: str, words: str, start: int) -> re.Match[str]:
    """The first place of the words at or after `start`, whatever spaces and line breaks are between them."""
    pattern = r"\s+".join(re.escape(word) for word in words.split())
    match = re.compile(pattern).search(text, start)
    if match is None:
        where = "after the passage before it" if start and re.search(pattern, text) else "in the text"
        raise UnusableReply(f"the words {words[:_SHOWN]!r} are not {where}; copy them exactly")
    return match


def _has_a_number(item: Item, made: list[Item]) -> list[Item]:
    if item["format"] == "numeric" and not re.search(r"\d", made[0]["answer"]):
        raise UnusableReply("a numeric `answer` must hold a number")
    return made


_QUESTION = ("content", "question", "solution")

STAGES: tuple[Stage, ...] = (
    Stage("examples", ("text",), Passages, _cut),
    Stage("problem", ("passage",), WorkedProblem),
    Stage("content", ("problem",), Separated),
    Stage("questions", _QUESTION, Questions),
    Stage("split", _QUESTION, Questions),
    Stage("format", _QUESTION, Classified),
    Stage("answer", (*_QUESTION, "format"), Condensed, _has_a_number),
)
