"""A model client whose replies are in the ledger before anybody sees them."""

from __future__ import annotations

import asyncio
import hashlib
from collections import Counter
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import Any, Protocol
from weakref import WeakValueDictionary

from langchain_core.messages import BaseMessage, convert_to_openai_messages
from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool

from ansatz.agents import ModelClient, Reply, Usage, is_simulated, usage_of
from ansatz.agents.wire import REQUEST
from ansatz.experiments.ledger.payments import Payer
from ansatz.experiments.ledger.record import canonical_hash, canonical_json
from ansatz.experiments.ledger.store import Ledger


class Account(Protocol):
    """What a run may spend: see `Spending`, which is one."""

    def reserving(self, payer: Payer, size: int) -> AbstractAsyncContextManager[int | None]: ...

    def count(self, payer: Payer, used: Usage | None, size: int) -> None: ...


@dataclass(frozen=True)
class RememberingClient:
    """Serves one attempt: a request whose reply was paid for is answered from the ledger.

    A request is identified by model, parameters, messages, tools, repeat, and how often this attempt has
    made it before. Refusals and errors are never remembered. Every reply is billed to `payer`. Attempts that
    ask a judge the same at the same time share `asked`, and pay for one reply.
    """

    client: ModelClient
    ledger: Ledger
    repeat: int
    payer: Payer
    account: Account
    asked: WeakValueDictionary[str, asyncio.Lock] = field(default_factory=WeakValueDictionary)
    made: Counter[str] = field(default_factory=Counter)

    @property
    def identity(self) -> dict[str, Any]:
        return self.client.identity

    @property
    def is_simulated(self) -> bool:
        return is_simulated(self.client)

    async def reply(self, messages: Sequence[BaseMessage], tools: Sequence[BaseTool]) -> Reply:
        request, size = self._key(messages, tools)
        if self.payer.arm is not None:
            return await self._reply(request, size, messages, tools)
        async with self.asked.setdefault(request, asyncio.Lock()):
            return await self._reply(request, size, messages, tools)

    async def aclose(self) -> None:
        """The client is shared with other attempts; whoever made it closes it."""

    async def _reply(
        self, request: str, size: int, messages: Sequence[BaseMessage], tools: Sequence[BaseTool]
    ) -> Reply:
        known = self.ledger.recall(request)
        if known is not None:
            return known
        if self.is_simulated:  # costs nothing
            reply = await self.client.reply(messages, tools)
            self.ledger.remember(request, reply)
            return reply
        async with self.account.reserving(self.payer, size) as promise:
            token = REQUEST.set(request)
            try:
                reply = await self.client.reply(messages, tools)
            finally:
                REQUEST.reset(token)
            self.ledger.remember(request, reply, self.payer, promise)
            self.account.count(self.payer, usage_of(reply.message), size)
        return reply

    def _key(self, messages: Sequence[BaseMessage], tools: Sequence[BaseTool]) -> tuple[str, int]:
        """The request's identity, and how many bytes it has."""
        content = {
            "model": self.client.identity,
            "messages": convert_to_openai_messages(list(messages)),
            "tools": [convert_to_openai_tool(tool) for tool in tools],
            "repeat": self.repeat,
        }
        text = canonical_json(content)
        made = hashlib.sha256(text).hexdigest()
        self.made[made] += 1
        return canonical_hash([made, self.made[made]]), len(text)
