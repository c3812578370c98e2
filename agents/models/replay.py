"""Exchanges with a model in a JSONL file: recorded from any model, and replayed without one.

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

from ansatz.agents.client import (
    NO_CONTEXT,
    ModelClient,
    Reply,
    RequestContext,
    describe_tool,
    is_simulated,
)
from ansatz.errors import ModelError, NotRecorded

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.tools import BaseTool


class Exchange(BaseModel):
    """One line of the file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    messages: list[dict[str, Any]] | None = None
    """All messages of the request."""
    asked: str | None = None
    """The text of the last message, in place of `messages`."""
    tools: list[dict[str, Any] | str] | None = None
    """The tools of the request, in full or by name."""
    reply: str | dict[str, Any]
    """The answer: a text or a message."""
    seconds: float = 0.0
    """How long the model worked."""

    @property
    def last(self) -> str:
        """The text of the last message, which is the key of a request."""
        return self.asked if self.asked is not None else _read_text((self.messages or [{}])[-1])

    def fits(self, messages: list[dict[str, Any]], tools: list[dict[str, Any]]) -> bool:
        """Whether the exchange has this request, as far as it states one."""
        names = [tool["function"]["name"] for tool in tools]
        return self.messages in (None, messages) and self.tools in (None, tools, names)

    def read_reply(self) -> AIMessage:
        """Return the reply as a message."""
        if isinstance(self.reply, str):
            return AIMessage(self.reply)
        if "data" in self.reply:
            [message] = messages_from_dict([self.reply])
        else:
            [message] = convert_to_messages([{"content": "", **self.reply, "role": "assistant"}])
        assert isinstance(message, AIMessage)
        return message


@dataclass(frozen=True)
class ReplayClient:
    """Answers from a file of exchanges; equal requests get their replies in the order of the file."""

    path: Path
    """The file."""
    digest: str
    """The SHA-256 of the file."""
    exchanges: Mapping[str, Sequence[Exchange]]
    """The exchanges by the text of their last message."""
    replayed: Counter[str] = field(default_factory=Counter)
    """How many replies each request got."""

    @classmethod
    def of(cls, path: Path) -> ReplayClient:
        """Read the file. Raises ModelError with the file and the line of the first mistake."""
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
                exchange.read_reply()
            except (ValueError, KeyError, TypeError, AssertionError) as failure:
                reason = f"reply: {failure}"
                if isinstance(failure, ValidationError):
                    wrong = failure.errors(include_input=False)[0]
                    reason = f"{'.'.join(map(str, wrong['loc'][:1]))}: {wrong['msg']}"
                raise ModelError(f"{path}:{number}: {reason}") from None
            found[exchange.last].append(exchange)
        return cls(path, hashlib.sha256(content).hexdigest(), found)

    @property
    def identity(self) -> dict[str, Any]:
        return {"model": "replay", "sha256": self.digest}

    async def reply(
        self,
        messages: Sequence[BaseMessage],
        tools: Sequence[BaseTool],
        context: RequestContext = NO_CONTEXT,
    ) -> Reply:
        sent, offered = _to_json(messages, tools)
        last = _read_text(sent[-1])
        fitting = [exchange for exchange in self.exchanges.get(last, ()) if exchange.fits(sent, offered)]
        if not fitting:
            other = "; it was recorded with other messages or tools" if last in self.exchanges else ""
            start = " ".join(last.split())[:60]
            raise NotRecorded(f"{self.path} has no reply to this request, which ends {start!r}{other}")
        key = json.dumps([sent, offered])
        chosen = fitting[self.replayed[key] % len(fitting)]
        self.replayed[key] += 1
        return Reply(chosen.read_reply(), seconds=chosen.seconds)

    async def aclose(self) -> None:
        """Do nothing: there are no connections."""


@dataclass(frozen=True)
class RecordingClient:
    """Sends requests by another client, and appends every exchange to a file."""

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

    async def reply(
        self,
        messages: Sequence[BaseMessage],
        tools: Sequence[BaseTool],
        context: RequestContext = NO_CONTEXT,
    ) -> Reply:
        reply = await self.client.reply(messages, tools, context)
        sent, offered = _to_json(messages, tools)
        [message] = messages_to_dict([reply.message])
        line = Exchange(messages=sent, tools=[*offered], reply=message, seconds=reply.seconds)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(line.model_dump_json(exclude_none=True) + "\n")
        return reply

    async def aclose(self) -> None:
        await self.client.aclose()


def _to_json(
    messages: Sequence[BaseMessage], tools: Sequence[BaseTool]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Convert messages and tools to plain JSON."""
    request = [convert_to_openai_messages(list(messages)), [describe_tool(tool) for tool in tools]]
    sent, offered = json.loads(json.dumps(request))
    return sent, offered


def _read_text(message: Mapping[str, Any]) -> str:
    content = message.get("content") or ""
    return content if isinstance(content, str) else " ".join(part.get("text", "") for part in content)
