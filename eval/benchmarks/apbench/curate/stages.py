"""The stages of curation: what each asks of a model, of what, and what it makes of the reply.

A stage turns one item (a mapping of texts) into items of the next stage. The names follow the paper's flow:
examples (its prompt 1), problem (2), content (3), questions (4), split (5), format (6, first step) and answer
(6, second step).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

Item = dict[str, str]
"""Texts by field. `id` and `source` are in every item; the others are as stages read and write them."""

FORMATS = ("numeric", "message")
_SHOWN = 60


class UnusableReply(ValueError):
    """A model's reply cannot be used; the message says why, and the model is told when asked again."""


@dataclass(frozen=True)
class Stage:
    """One question to a model. `reads` are shown to it; `writes` are the fields of every item it makes.

    `keeps` are fields that go on unchanged, `prompt` picks the prompt for an item, and `check` refuses or
    completes what was made. A stage with `many` makes a list of items, one without makes one.
    """

    name: str
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    keeps: tuple[str, ...] = ()
    many: bool = False
    prompt: Callable[[Item], str] | None = None
    check: Callable[[Item, Sequence[Item]], list[Item]] | None = None

    @property
    def number(self) -> int:
        return STAGES.index(self) + 1

    @property
    def file_name(self) -> str:
        return f"{self.number}-{self.name}.json"

    def instructions(self, item: Item) -> str:
        return _prompt(self.prompt(item) if self.prompt else self.name)

    def schema(self) -> dict[str, Any]:
        """The arguments of the call that a reply is: every field a text."""
        one: dict[str, Any] = {
            "type": "object",
            "properties": {name: {"type": "string"} for name in self.writes},
            "required": list(self.writes),
            "additionalProperties": False,
        }
        many = {"type": "array", "items": one}
        fields: dict[str, Any] = {"items": many} if self.many else one["properties"]
        return {
            "title": f"record_{self.name}",
            "description": f"Record the result of the stage {self.name}.",
            "type": "object",
            "properties": fields,
            "required": list(fields),
            "additionalProperties": False,
        }

    def read(self, item: Item, arguments: Mapping[str, Any]) -> list[Item]:
        """The items that a reply makes of one. Raises UnusableReply."""
        found = arguments.get("items") if self.many else [arguments]
        if not isinstance(found, list):
            raise UnusableReply("`items` must be a list")
        made: list[Item] = []
        for one in found:
            if not isinstance(one, Mapping):
                raise UnusableReply("every item must be an object")
            for name in self.writes:
                if not isinstance(one.get(name), str) or not one[name].strip():
                    raise UnusableReply(f"`{name}` must be a text that is not empty")
            made.append({name: one[name].strip() for name in self.writes})
        if self.check:
            made = self.check(item, made)
        kept = {name: item[name] for name in ("source", *self.keeps)}
        ids = [item["id"]] if not self.many else [f"{item['id']}.{n}" for n in range(1, len(made) + 1)]
        return [{"id": id, **kept, **one} for id, one in zip(ids, made, strict=True)]


@cache
def _prompt(name: str) -> str:
    return files(__package__).joinpath(f"{name}.md").read_text(encoding="utf-8").strip()


def _cut(item: Item, made: Sequence[Item]) -> list[Item]:
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


def _some(item: Item, made: Sequence[Item]) -> list[Item]:
    if not made:
        raise UnusableReply("there must be at least one question")
    return list(made)


def _known_format(item: Item, made: Sequence[Item]) -> list[Item]:
    stated = made[0]["format"].lower()
    if stated not in FORMATS:
        raise UnusableReply(f"`format` must be numeric or message, not {made[0]['format']!r}")
    return [{**made[0], "format": stated}]


def _has_a_number(item: Item, made: Sequence[Item]) -> list[Item]:
    if item["format"] == "numeric" and not re.search(r"\d", made[0]["answer"]):
        raise UnusableReply("a numeric `answer` must hold a number")
    return list(made)


_QUESTION = ("content", "question", "solution")

STAGES: tuple[Stage, ...] = (
    Stage("examples", ("text",), ("title", "begins", "ends"), many=True, check=_cut),
    Stage("problem", ("passage",), ("problem", "solution"), keeps=("title",)),
    Stage("content", ("problem",), ("content", "question"), keeps=("title", "solution")),
    *(
        Stage(name, _QUESTION, ("question", "solution"), keeps=("title", "content"), many=True, check=_some)
        for name in ("questions", "split")
    ),
    Stage("format", _QUESTION, ("reason", "format"), keeps=("title", *_QUESTION), check=_known_format),
    Stage(
        "answer",
        (*_QUESTION, "format"),
        ("answer", "question"),
        keeps=("title", "content", "solution", "format"),
        prompt=lambda item: "answer" if item["format"] == "numeric" else "message_answer",
        check=_has_a_number,
    ),
)
