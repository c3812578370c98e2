"""Exchanges with a model in a JSONL file: recorded from any model, and answered from without one.

A line holds a request and its reply. Recorded lines state `messages` and `tools` in full (in OpenAI's form).
A line written by hand may state less: `asked`, the text of the last message, and the names of tools. What
it does not state fits any request. The reply is a text, or a message in OpenAI's or in LangChain's form.

    {"asked": "What is the head loss?", "tools": ["head_loss"], "reply": {"tool_calls": [...]}}
    {"asked": "4.6", "reply": "h = 4.6 m"}
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    convert_to_messages,
    convert_to_openai_messages,
    messages_from_dict,
    messages_to_dict,
)
from pydantic import BaseModel, ConfigDict, ValidationError

from ansatz.agents.client import ModelClient, Reply, describe_tool, is_simulated
from ansatz.errors import ModelError, NotRecorded

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.tools import BaseTool


class Exchange(BaseModel):
    """One line of the file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    messages: list[dict[str, Any]] | None = None
    asked: str | None = None
    tools: list[dict[str, Any] | str] | None = None
    reply: str | dict[str, Any]
    seconds: float = 0.0

    @property
    def last(self) -> str:
        """The text of the last message, by which a request is looked up."""
        return self.asked if self.asked is not None else _text((self.messages or [{}])[-1])

    def fits(self, messages: list[dict[str, Any]], tools: list[dict[str, Any]]) -> bool:
        names = [tool["function"]["name"] for tool in tools]
        return self.messages in (None, messages) and self.tools in (None, tools, names)

    def message(self) -> AIMessage:
        if isinstance(self.reply, str):
            return AIMessage(self.reply)
        if "data" in self.reply:
            [made] = messages_from_dict([self.reply])
        else:
            [made] = convert_to_messages([{"content": "", **self.reply, "role": "assistant"}])
        assert isinstance(made, AIMessage)
        return made


@dataclass(frozen=True)
class ReplayClient:
    """Answers from a file of exchanges; equal requests get their replies in the order of the file."""

    path: Path
    digest: str
    exchanges: Mapping[str, Sequence[Exchange]]
    given: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, path: Path) -> ReplayClient:
        """Raises ModelError with the file, and the line at fault."""
        try:
            content = path.read_bytes()
        except OSError as failure:
            raise ModelError(f"{path}: {failure.strerror}; record one with Model(..., record=...)") from None
        found: defaultdict[str, list[Exchange]] = defaultdict(list)
        for number, line in enumerate(content.splitlines(), start=1):
            if not line.strip():
                continue
            try:
                exchange = Exchange.model_validate_json(line)
                exchange.message()
            except (ValueError, KeyError, TypeError, AssertionError) as failure:
                said = f"reply: {failure}"
                if isinstance(failure, ValidationError):
                    wrong = failure.errors(include_input=False)[0]
                    said = f"{'.'.join(map(str, wrong['loc'][:1]))}: {wrong['msg']}"
                raise ModelError(f"{path}:{number}: {said}") from None
            found[exchange.last].append(exchange)
        return cls(path, hashlib.sha256(content).hexdigest(), found)

    @property
    def identity(self) -> dict[str, Any]:
        return {"model": "replay", "sha256": self.digest}

    async def reply(self, messages: Sequence[BaseMessage], tools: Sequence[BaseTool]) -> Reply:
        asked, offered = _request(messages, tools)
        last = _text(asked[-1])
        fitting = [each for each in self.exchanges.get(last, ()) if each.fits(asked, offered)]
        if not fitting:
            other = "; it was recorded with other messages or tools" if last in self.exchanges else ""
            start = " ".join(last.split())[:60]
            raise NotRecorded(f"{self.path} holds no reply to this request, which ends {start!r}{other}")
        key = json.dumps([asked, offered])
        chosen = fitting[self.given[key] % len(fitting)]
        self.given[key] += 1
        return Reply(chosen.message(), seconds=chosen.seconds)

    async def aclose(self) -> None:
        """Nothing to close."""


@dataclass(frozen=True)
class RecordingClient:
    """Asks another client, and appends every exchange to a file. Else it is as the other."""

    client: ModelClient
    path: Path

    @property
    def is_simulated(self) -> bool:
        return is_simulated(self.client)

    @property
    def chat(self) -> BaseChatModel | None:
        return getattr(self.client, "chat", None)

    @property
    def identity(self) -> dict[str, Any]:
        return self.client.identity

    async def reply(self, messages: Sequence[BaseMessage], tools: Sequence[BaseTool]) -> Reply:
        reply = await self.client.reply(messages, tools)
        asked, offered = _request(messages, tools)
        [message] = messages_to_dict([reply.message])
        line = Exchange(messages=asked, tools=[*offered], reply=message, seconds=reply.seconds)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(line.model_dump_json(exclude_none=True) + "\n")
        return reply

    async def aclose(self) -> None:
        await self.client.aclose()


def _request(
    messages: Sequence[BaseMessage], tools: Sequence[BaseTool]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Messages and tools as plain JSON."""
    request = [convert_to_openai_messages(list(messages)), [describe_tool(tool) for tool in tools]]
    asked, offered = json.loads(json.dumps(request))
    return asked, offered


def _text(message: Mapping[str, Any]) -> str:
    content = message.get("content") or ""
    return content if isinstance(content, str) else " ".join(part.get("text", "") for part in content)
