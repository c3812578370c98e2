"""A model client that stores each reply in the ledger before the caller gets it."""

from __future__ import annotations

import asyncio
import hashlib
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol
from weakref import WeakValueDictionary

from langchain_core.messages import BaseMessage, convert_to_openai_messages

from ansatz.agents import ModelClient, Reply, Usage, describe_tool, is_simulated, read_usage
from ansatz.agents.client import NO_CONTEXT, RequestContext, Reservation
from ansatz.experiments.ledger.payments import Payer
from ansatz.experiments.ledger.record import canonical_hash, canonical_json
from ansatz.experiments.ledger.store import Ledger

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool


class PromisedRow(Reservation, Protocol):
    """The payment of a request that is under way, and its reservation."""

    @property
    def row(self) -> int | None:
        """The row of the payments that the reply's usage replaces; None without a budget."""

    def raise_to_highest_cost(self) -> None:
        """Make the payment the highest possible cost, because the reply reports no tokens."""


class Account(Protocol):
    """The account of a run, such as `Spending`."""

    def reserving(self, payer: Payer, size: int) -> AbstractAsyncContextManager[PromisedRow]:
        """Reserve a part of the budget for a request of `size` bytes."""

    def count(self, payer: Payer, used: Usage | None, size: int) -> None:
        """Add the usage of a stored reply."""


class Request(NamedTuple):
    """The identity, size and payer of a request."""

    key: str
    size: int
    """The length of the request in bytes."""
    payer: Payer
    is_simulated: bool = False
    """Whether the offline model answers, which costs nothing."""


Ask = Callable[[Reservation | None], Awaitable[Reply]]
"""Sends a request, whose tries may use the reservation of a budget."""


class Replies(Protocol):
    """The store of replies that clients use."""

    async def answer(self, request: Request, ask: Ask) -> Reply:
        """Return the stored reply, or send the request with `ask` and store its reply."""


@dataclass(frozen=True)
class LedgerReplies:
    """The replies of a ledger. Every reply is billed; refusals and errors are not stored.

    Identical simultaneous requests to a judge share one reply.
    """

    ledger: Ledger
    account: Account
    _locks: WeakValueDictionary[str, asyncio.Lock] = field(default_factory=WeakValueDictionary)
    """One for each request of a judge that is under way."""

    async def answer(self, request: Request, ask: Ask) -> Reply:
        key, size, payer, is_simulated = request
        is_judge = payer.arm is None
        async with self._locks.setdefault(key, asyncio.Lock()) if is_judge else nullcontext():
            known = self.ledger.find_reply(key)
            if known is not None:
                return known
            if is_simulated:  # no payment
                reply = await ask(None)
                self.ledger.store_reply(key, reply)
                return reply
            async with self.account.reserving(payer, size) as promise:
                reply = await ask(promise)
                if (used := read_usage(reply.message)) is None:
                    promise.raise_to_highest_cost()
                self.ledger.store_reply(key, reply, payer, promise.row)
                self.account.count(payer, used, size)
            return reply


@dataclass(frozen=True)
class RememberingClient:
    """The client of one attempt. It sends no request whose reply is stored.

    A request is identified by model, parameters, messages, tools, repeat, and the number of earlier identical
    requests in this attempt.
    """

    client: ModelClient
    replies: Replies
    repeat: int
    payer: Payer
    """Every reply is billed to it."""
    counts: Counter[str] = field(default_factory=Counter)
    """How often the attempt has made each request."""

    @property
    def identity(self) -> dict[str, Any]:
        return self.client.identity

    @property
    def is_simulated(self) -> bool:
        return is_simulated(self.client)

    async def reply(
        self,
        messages: Sequence[BaseMessage],
        tools: Sequence[BaseTool],
        context: RequestContext = NO_CONTEXT,
    ) -> Reply:
        key, size = self._count_request(messages, tools)

        def ask(reservation: Reservation | None) -> Awaitable[Reply]:
            return self.client.reply(messages, tools, replace(context, key=key, reservation=reservation))

        return await self.replies.answer(Request(key, size, self.payer, self.is_simulated), ask)

    async def aclose(self) -> None:
        """Do nothing: attempts share the client, and the run closes it."""

    def _count_request(self, messages: Sequence[BaseMessage], tools: Sequence[BaseTool]) -> tuple[str, int]:
        """Return the identity and the size of a request, and count it."""
        sent = convert_to_openai_messages(list(messages))
        described = [describe_tool(tool) for tool in tools]
        digest, size = identify_request(self.client.identity, sent, described, self.repeat)
        self.counts[digest] += 1
        return canonical_hash([digest, self.counts[digest]]), size


def identify_request(
    model: Mapping[str, Any], messages: Sequence[Any], tools: Sequence[Mapping[str, Any]], repeat: int
) -> tuple[str, int]:
    """Return the hash of a request and its size in bytes.

    `messages` and `tools` are in OpenAI's form. The key of a reply also has the number of earlier identical
    requests of its attempt: `canonical_hash([hash, number])`, from 1.
    """
    content = {"model": model, "messages": list(messages), "tools": list(tools), "repeat": repeat}
    text = canonical_json(content)
    return hashlib.sha256(text).hexdigest(), len(text)
