"""A model client whose replies are in the ledger before anybody sees them."""

from __future__ import annotations

import asyncio
import hashlib
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol
from weakref import WeakValueDictionary

from langchain_core.messages import BaseMessage, convert_to_openai_messages

from ansatz.agents import ModelClient, Reply, Usage, is_simulated, read_usage
from ansatz.agents.client import describe_tool
from ansatz.agents.models.wire import REQUEST
from ansatz.experiments.ledger.payments import Payer
from ansatz.experiments.ledger.record import canonical_hash, canonical_json
from ansatz.experiments.ledger.store import Ledger

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool


class PromisedRow(Protocol):
    """`row` of the payments is replaced by what a reply took; None without a budget."""

    @property
    def row(self) -> int | None: ...


class Account(Protocol):
    """What a run may spend: see `Spending`, which is one."""

    def reserving(self, payer: Payer, size: int) -> AbstractAsyncContextManager[PromisedRow]: ...

    def count(self, payer: Payer, used: Usage | None, size: int) -> None: ...


class Request(NamedTuple):
    """What identifies a request, how many bytes it has, and who pays; nobody for a stand-in of ours."""

    key: str
    size: int
    payer: Payer
    is_simulated: bool = False


class Replies(Protocol):
    """Answers from what was paid for, or has a request asked and keeps the reply before anybody sees it."""

    async def answer(self, request: Request, ask: Callable[[], Awaitable[Reply]]) -> Reply: ...


@dataclass(frozen=True)
class LedgerReplies:
    """Those of a ledger: every reply is billed. Refusals and errors are never remembered.

    Attempts that ask a judge the same at the same time pay for one reply.
    """

    ledger: Ledger
    account: Account
    _asked: WeakValueDictionary[str, asyncio.Lock] = field(default_factory=WeakValueDictionary)

    async def answer(self, request: Request, ask: Callable[[], Awaitable[Reply]]) -> Reply:
        if request.payer.arm is not None:
            return await self._answer(request, ask)
        async with self._asked.setdefault(request.key, asyncio.Lock()):
            return await self._answer(request, ask)

    async def _answer(self, request: Request, ask: Callable[[], Awaitable[Reply]]) -> Reply:
        key, size, payer, is_simulated = request
        known = self.ledger.recall(key)
        if known is not None:
            return known
        if is_simulated:  # costs nothing
            reply = await ask()
            self.ledger.remember(key, reply)
            return reply
        async with self.account.reserving(payer, size) as promise:
            reply = await ask()
            self.ledger.remember(key, reply, payer, promise.row)
            self.account.count(payer, read_usage(reply.message), size)
        return reply


@dataclass(frozen=True)
class RememberingClient:
    """Serves one attempt: a request whose reply was paid for is not made again.

    A request is identified by model, parameters, messages, tools, repeat, and how often this attempt has
    made it before. Every reply is billed to `payer`.
    """

    client: ModelClient
    replies: Replies
    repeat: int
    payer: Payer
    made: Counter[str] = field(default_factory=Counter)

    @property
    def identity(self) -> dict[str, Any]:
        return self.client.identity

    @property
    def is_simulated(self) -> bool:
        return is_simulated(self.client)

    async def reply(self, messages: Sequence[BaseMessage], tools: Sequence[BaseTool]) -> Reply:
        key, size = self._key(messages, tools)

        async def ask() -> Reply:
            token = REQUEST.set(key)
            try:
                return await self.client.reply(messages, tools)
            finally:
                REQUEST.reset(token)

        return await self.replies.answer(Request(key, size, self.payer, self.is_simulated), ask)

    async def aclose(self) -> None:
        """The client is shared with other attempts; whoever made it closes it."""

    def _key(self, messages: Sequence[BaseMessage], tools: Sequence[BaseTool]) -> tuple[str, int]:
        """The request's identity, and how many bytes it has."""
        content = {
            "model": self.client.identity,
            "messages": convert_to_openai_messages(list(messages)),
            "tools": [describe_tool(tool) for tool in tools],
            "repeat": self.repeat,
        }
        text = canonical_json(content)
        made = hashlib.sha256(text).hexdigest()
        self.made[made] += 1
        return canonical_hash([made, self.made[made]]), len(text)
