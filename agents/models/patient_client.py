"""Asks a chat model within the provider's limits, and again after passing failures."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING

from langchain_core.messages import AIMessage, BaseMessage

from ansatz.agents.client import Reply, finish_reason, usage_of
from ansatz.agents.models.failures import declined, understood
from ansatz.agents.models.model_settings import ModelSettings
from ansatz.agents.models.opened_model import OpenedModel
from ansatz.agents.models.retry import Transient, persist
from ansatz.agents.models.traffic import Traffic
from ansatz.agents.models.wire import TIMED, WireTime
from ansatz.errors import ModelError

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool

_CHARACTERS = 4  # of a token
_PASSES, _PASS = 10, 0.02  # of the event loop, after a timeout, and seconds between them
_HALVES = re.compile("[\ud800-\udfff]+")  # of characters beyond 16 bits


class PatientClient:
    """What all clients of chat models share. `name` is what messages call the model."""

    def __init__(self, name: str, settings: ModelSettings) -> None:
        self._name = name
        self._settings = settings
        self.traffic: Traffic | None = None  # of its key, where a run shares one among models

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._name!r})"

    def _opened(self) -> OpenedModel:
        """What is asked now."""
        raise NotImplementedError

    def demand_key(self) -> None:
        """Raise ModelError if requests need a key that is not set; a chat model object has its own."""

    def _failed(self, model: OpenedModel) -> None:
        """What to do before the next try."""

    async def reply(self, messages: Sequence[BaseMessage], tools: Sequence[BaseTool]) -> Reply:
        """One answer; `seconds` is the provider's time for the try that succeeded.

        It is that of the request on the wire. For a provider that is not reached through a client of ours it
        is the whole call's, with what waiting there was in our process.

        Raises ModelUnavailable when failures outlast the retry policy, RequestRejected when this request
        will never do, and ModelError when no request will.
        """

        size = sum(len(each.text) for each in messages) / _CHARACTERS

        async def in_turn() -> tuple[AIMessage, float]:
            ask = partial(self._timed, messages, tools)
            return await (ask() if self.traffic is None else self.traffic.run(size, ask))

        (message, seconds), retries = await persist(in_turn, self._settings.retry, self._name)
        return Reply(message=message, seconds=seconds, retries=retries)

    async def _timed(
        self, messages: Sequence[BaseMessage], tools: Sequence[BaseTool]
    ) -> tuple[AIMessage, float]:
        model, wire, used = self._opened(), WireTime(), None
        token, started = TIMED.set(wire), time.perf_counter()
        try:
            message = await self._ask_once(model, messages, tools)
            used = usage_of(message)
        except Transient:
            self._failed(model)
            raise
        finally:
            TIMED.reset(token)
            if self.traffic is not None:
                self.traffic.learn(wire.headers, used.input + used.output if used else None)
        elapsed = time.perf_counter() - started
        return message, elapsed if wire.seconds is None else wire.seconds

    async def _ask_once(
        self, model: OpenedModel, messages: Sequence[BaseMessage], tools: Sequence[BaseTool]
    ) -> AIMessage:
        try:
            async with _timeout(self._settings.timeout):
                message = await model.ask(messages, tools)
            _replace_half_characters(message)
            _set_finish_reason(message)
            is_broken_off = finish_reason(message) == "error"  # as gateways report a provider that breaks off
        except Exception as failure:
            if tools and isinstance(failure, NotImplementedError):
                without = f"{self._name} takes no tools, and an arm has some; leave that arm out"
                raise ModelError(without) from None
            rejected = declined(failure)
            reason = understood(failure, self._name, self._settings.timeout, TIMED.get(None))
        else:
            if is_broken_off:
                raise Transient("the provider broke off its answer")
            return message
        if rejected is None:
            raise reason  # outside, as it would hold the failure and with it all that was received
        return rejected


@asynccontextmanager
async def _timeout(seconds: float) -> AsyncIterator[None]:
    """Raises TimeoutError as `asyncio.timeout` does, but first reads what has arrived in time.

    After a process was stopped, as by Ctrl-Z, its deadlines have passed although answers wait in the sockets.
    """
    loop = asyncio.get_running_loop()
    timers: list[asyncio.TimerHandle] = []

    def expire(passes: int) -> None:
        if passes:
            timers[:] = [loop.call_later(_PASS, expire, passes - 1)]
        else:
            clock.reschedule(loop.time())

    timers.append(loop.call_later(seconds, expire, _PASSES))
    try:
        async with asyncio.timeout(None) as clock:
            yield
    finally:
        timers[0].cancel()


def _replace_half_characters(message: AIMessage) -> None:
    """Replaces halves of characters, as of an emoji cut off: no text with one could be kept or sent."""
    said = json.dumps([message.content, message.tool_calls, message.invalid_tool_calls], ensure_ascii=False)
    try:
        said.encode()
    except UnicodeEncodeError:
        whole = json.loads(_HALVES.sub("\N{REPLACEMENT CHARACTER}", said))
        message.content, message.tool_calls, message.invalid_tool_calls = whole


def _set_finish_reason(message: AIMessage) -> None:
    """The responses API says how an answer ended in places of its own; here as chat completions say it."""
    about = message.response_metadata
    if reason := (about.get("incomplete_details") or {}).get("reason"):
        about["finish_reason"] = "length" if reason == "max_output_tokens" else reason
    elif about.get("object") == "response" and about.get("status") == "completed":
        about.setdefault("finish_reason", "tool_calls" if message.tool_calls else "stop")
