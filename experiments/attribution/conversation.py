"""A stored conversation as a sequence of texts: what was given, what the model wrote, and what came back."""

from __future__ import annotations

import errno
import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from http import HTTPStatus
from typing import Any, Literal

from ansatz.agents.transcript import read_text

Kind = Literal["given", "written", "arguments", "result"]
_PASSAGE = re.compile(
    r"(?:\A|(?<=\n\n))\[(?P<label>[^\]\n]+)\](?:[^\n]*\((?P<id>[a-z]\w*(?:\.\w+)+)\))?(?=\n)"
)
_ERROR = re.compile(
    r"^\W*(?:(?i:(?:error|exception)\b(?!\s*[:=]?\s*[-+]?\d+(?:\.\d|e-))"
    r"|(?:failure|fatal|failed)(?=:)|failed to\b|time(?:d )?out\b|traceback \(most recent call last\))"
    r"|(?:[A-Za-z]\w*\.)*[A-Z]\w*(?:Error|Exception)\b|HTTP(?:/[\d.]+)? [45]\d\d\b)",
    re.MULTILINE,
)
"""The start of a line that reports an error: a word, the name of an exception, or a status of HTTP. A line
such as "error = 1.2e-6" is a result."""
_STANDARD_ERRORS = sorted(
    {*map(os.strerror, errno.errorcode), *(each.phrase for each in HTTPStatus if each >= 400)}, reverse=True
)
_STANDARD_ERROR = re.compile(
    rf"\W*(?:(?:[45]\d\d )?(?i:{'|'.join(map(re.escape, _STANDARD_ERRORS))})\b"
    rf"|E(?:RR)?_[A-Z]\w*|(?:{'|'.join(errno.errorcode.values())})\b"
    r"|(?i:unknown|invalid|unsupported|unrecognized) \w)"
)
"""The start of a result that is a message or a code of the system or of HTTP, such as "Permission denied"."""
_NOTHING = re.compile(
    r"\W*(?:n/?a\b|nan\b|null\b|none\b|no(?: [^\W\d]+){1,6}\b|nothing\b(?: [^\W\d]+){0,6})?\W*", re.I
)
"""A result without content, such as "No hits."."""
_LONGEST_NOTHING = 80
_FIRST_LINE = re.compile(r"\A[^\n]*:\n+")  # of notes


@dataclass(frozen=True)
class ConversationPart:
    """One text of a conversation."""

    kind: Kind
    """What the model was given, what it wrote, the arguments of a call, or the result of one."""
    text: str
    message: int
    """The number of its message, from 0."""
    call: int | None = None
    """The number of its call in `RecordedConversation.calls`; None for other texts."""


@dataclass(frozen=True)
class Call:
    """One tool call, in the order in which the calls ran."""

    name: str
    arguments: str
    """The arguments as JSON with sorted keys."""
    result: str
    ok: bool
    """Whether it succeeded."""
    place: int | None
    """The index of its result in `RecordedConversation.parts`; None if the conversation does not have it,
    as with a draft that was not chosen."""


@dataclass(frozen=True)
class ShownPassage:
    """A retrieved passage, in the notes before the question or in the result of a tool."""

    kind: Literal["equation", "passage"]
    name: str
    """The id of an equation, or the source of a passage."""
    text: str
    place: int
    """The index in `RecordedConversation.parts` of the text that it is in."""


@dataclass(frozen=True)
class RecordedConversation:
    """The texts of an attempt in order, and its tool calls."""

    parts: tuple[ConversationPart, ...]
    calls: tuple[Call, ...]
    notes: str = ""
    """What an arm put before the question."""


@dataclass
class _Reader:
    """Reads messages in OpenAI's form."""

    records: Sequence[Mapping[str, Any]]
    parts: list[ConversationPart] = field(default_factory=list)
    calls: list[Call] = field(default_factory=list)
    asked: dict[str, tuple[str, str, int]] = field(default_factory=dict)
    """By id of a call without its result so far: the tool, the arguments, and the number of the message."""

    def read(self, messages: Sequence[Mapping[str, Any]]) -> None:
        for number, message in enumerate(messages):
            text, role = read_text(message.get("content")), message.get("role")
            if role == "tool":
                self._read_result(str(message.get("tool_call_id") or ""), message, text, number)
            elif role == "assistant":
                self._add_unanswered(*self.asked)
                if text:
                    self.parts.append(ConversationPart("written", text, number))
                for call in message.get("tool_calls") or ():
                    name, arguments = call["function"]["name"], call["function"]["arguments"]
                    id = str(call.get("id") or "")
                    self._add_unanswered(id)
                    self.asked[id] = name, arguments, number
            elif role == "user" and text:
                self.parts.append(ConversationPart("given", text, number))
        self._add_unanswered(*self.asked)

    def _add_unanswered(self, *ids: str) -> None:
        """Add the arguments of calls that have no result."""
        for _, arguments, number in (self.asked.pop(id) for id in ids if id in self.asked):
            self.parts.append(ConversationPart("arguments", _unwrap(arguments), number))

    def _read_result(self, id: str, message: Mapping[str, Any], text: str, number: int) -> None:
        """Add the arguments of a call and its result: calls of one message are read one after another."""
        place = len(self.calls)
        name, arguments, asked_at = self.asked.pop(id, (str(message.get("name") or ""), "{}", None))
        if asked_at is not None:
            self.parts.append(ConversationPart("arguments", _unwrap(arguments), asked_at, place))
        self.parts.append(ConversationPart("result", text, number, place))
        record = next(
            (each for each in self.records if each["name"] == name and each["result"] == text), None
        )
        ok = not _is_error(text) and (record is None or bool(record["ok"]))
        self.calls.append(Call(name, _canonical(arguments), text, ok, len(self.parts) - 1))


def read_conversation(
    messages: Sequence[Mapping[str, Any]], tool_calls: Sequence[Mapping[str, Any]], question: str = ""
) -> RecordedConversation:
    """Read the messages of a transcript, with the records of its tool calls.

    Parameters
    ----------
    question
        The text of the question: what the first human message has before it are the notes of the arm.
    """
    reader = _Reader(tool_calls)
    reader.read(messages)
    seen = [(call.name, call.result) for call in reader.calls]
    for record in tool_calls:  # calls of drafts and of agents that return only their answer
        key = record["name"], record["result"]
        if key in seen:
            seen.remove(key)
            continue
        arguments = json.dumps(record["arguments"], sort_keys=True)
        ok = bool(record["ok"]) and not _is_error(record["result"])
        reader.calls.append(Call(record["name"], arguments, record["result"], ok, None))
    first = next((part.text for part in reader.parts if part.kind == "given"), "")
    before, found, _ = first.rpartition(question.strip()) if question.strip() else ("", "", "")
    return RecordedConversation(tuple(reader.parts), tuple(reader.calls), before.strip() if found else "")


def find_passages(conversation: RecordedConversation) -> tuple[ShownPassage, ...]:
    """Return the passages of the notes, and the equations in results of tools.

    A passage starts with its label or source in brackets. Notes without any are one passage, and none if
    they state that nothing was found.
    """
    found = [
        passage
        for place, part in enumerate(conversation.parts)
        if part.kind == "result"
        for passage in _split_passages(part.text, place)
        if passage.kind == "equation"
    ]
    if conversation.notes:
        place = next(at for at, part in enumerate(conversation.parts) if part.kind == "given")
        split = _split_passages(conversation.notes, place)
        if split or not is_empty(_FIRST_LINE.sub("", conversation.notes)):
            found += split or (ShownPassage("passage", "(notes)", conversation.notes, place),)
    return tuple(found)


@lru_cache(maxsize=512)
def _split_passages(text: str, place: int) -> tuple[ShownPassage, ...]:
    starts = [*_PASSAGE.finditer(text)]
    found = []
    for at, start in enumerate(starts):
        end = starts[at + 1].start() if at + 1 < len(starts) else len(text)
        block = text[start.start() : end].strip()
        if start["id"]:
            found.append(ShownPassage("equation", start["id"], block.split("\n\n")[0], place))
        else:
            found.append(ShownPassage("passage", start["label"], block, place))
    return tuple(found)


def _unwrap(arguments: str) -> str:
    """Return the texts in the arguments, each on its lines: code with real line ends."""
    given = _parse(arguments)
    if not isinstance(given, dict):
        return arguments
    return "\n".join(map(_format_argument, given, given.values()))


def _format_argument(name: str, value: Any) -> str:
    if isinstance(value, int | float):
        return f"{name} = {value}"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _canonical(arguments: str) -> str:
    given = _parse(arguments)
    return arguments if given is None else json.dumps(given, sort_keys=True)


@lru_cache(maxsize=64)
def _parse(text: str) -> Any:
    """Parse JSON; None for another text."""
    try:
        return json.loads(text)
    except ValueError:
        return None


def is_empty(result: str) -> bool:
    """Whether a tool returned nothing: an empty text, only null values, or a short "no hits"."""
    content = _parse_object(result)
    if content is None:
        return len(result.strip()) < _LONGEST_NOTHING and _NOTHING.fullmatch(result.strip()) is not None
    return all(value in (None, "", [], {}) for value in content.values())


def _is_error(result: str) -> bool:
    """Whether a tool reports an error in its text: many agents store no status."""
    content = _parse_object(result)
    if content is None:
        return bool(_ERROR.search(result) or _STANDARD_ERROR.match(result))
    status = content.get("status")
    if any(content.get(name) is False for name in ("ok", "success")) or status == "error":
        return True
    is_http_error = isinstance(status, int) and 400 <= status < 600
    return is_http_error or bool(content.get("error") or content.get("isError"))


def _parse_object(text: str) -> dict[str, Any] | None:
    """Parse a text that is a JSON object; None for any other text."""
    content = _parse(text) if text.lstrip().startswith("{") else None
    return content if isinstance(content, dict) else None
