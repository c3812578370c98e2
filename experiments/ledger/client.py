"""A model client whose replies are in the ledger before anybody sees them."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakValueDictionary

from langchain_core.messages import BaseMessage, convert_to_openai_messages
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool

from ansatz.agents import ModelClient, Reply, is_refusal, is_simulated
from ansatz.experiments.ledger.record import canonical_hash
from ansatz.experiments.ledger.store import Ledger


@dataclass(frozen=True)
class RememberingClient:
    """Serves one attempt: a request whose reply was paid for is answered from the ledger.

    A request is identified by model, parameters, messages, tools, repeat, and how often this attempt has
    made it before. Refusals and errors are never remembered. Replies to a scorer are billed to `judge`, the
    title of its model; attempts that ask it the same at the same time share `asked`, and pay for one reply.
    """

    client: ModelClient
    ledger: Ledger
    repeat: int
    made: Counter[str] = field(default_factory=Counter)
    judge: str | None = None
    asked: WeakValueDictionary[str, asyncio.Lock] = field(default_factory=WeakValueDictionary)

    @property
    def identity(self) -> dict[str, Any]:
        return self.client.identity

    @property
    def is_simulated(self) -> bool:
        return is_simulated(self.client)

    async def reply(self, messages: Sequence[BaseMessage], tools: Sequence[BaseTool]) -> Reply:
        request = self._key(messages, tools)
        if self.judge is None:
            return await self._reply(request, messages, tools)
        async with self.asked.setdefault(request, asyncio.Lock()):
            return await self._reply(request, messages, tools)

    async def aclose(self) -> None:
        """The client is shared with other attempts; whoever made it closes it."""

    async def _reply(self, request: str, messages: Sequence[BaseMessage], tools: Sequence[BaseTool]) -> Reply:
        known = self.ledger.recall(request)
        if known is not None:
            return known
        reply = await self.client.reply(messages, tools)
        if not is_refusal(reply.message):
            self.ledger.remember(request, reply, self.judge)
        elif self.judge is not None:
            self.ledger.bill(self.judge, request, reply)
        return reply

    def _key(self, messages: Sequence[BaseMessage], tools: Sequence[BaseTool]) -> str:
        content = {
            "model": self.client.identity,
            "messages": convert_to_openai_messages(list(messages)),
            "tools": [convert_to_openai_tool(tool) for tool in tools],
            "repeat": self.repeat,
        }
        made = canonical_hash(content)
        self.made[made] += 1
        return canonical_hash([made, self.made[made]])
