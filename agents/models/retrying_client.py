"""Clients of chat models. They obey rate limits and repeat requests that fail temporarily."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from langchain_core.messages import AIMessage, BaseMessage

from ansatz.agents.client import (
    NO_CONTEXT,
    ModelClient,
    Reply,
    RequestContext,
    finish_reason,
    read_usage,
)
from ansatz.agents.credentials import fill_in_environment, register_credentials
from ansatz.agents.identity import identity
from ansatz.agents.models.chat_models import (
    check_abilities,
    lacks_key,
    open_model,
    read_base_url,
    read_profile,
)
from ansatz.agents.models.failures import as_refusal, classify_failure
from ansatz.agents.models.fast_path import OpenedModel
from ansatz.agents.models.model_settings import ModelSettings, longest_answer
from ansatz.agents.models.retry import Retries, Transient
from ansatz.agents.models.traffic import Traffic
from ansatz.agents.models.wire import WIRE_REQUEST, WireRequest
from ansatz.errors import InfrastructureError, ModelError, UnsetVariable
from ansatz.settings import API_KEYS

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.tools import BaseTool

    from ansatz.agents.models.batches import BatchStore, BatchTransport

_CHARACTERS = 4  # of a token
_PASSES, _PASS = 10, 0.02  # of the event loop after a timeout, and seconds between them
_HALVES = re.compile("[\ud800-\udfff]+")  # of characters beyond 16 bits
_BATCHED = ("openai", "anthropic")
_BATCH_TIMEOUT = 25 * 3600.0  # seconds: batches take up to a day


class RetryingClient:
    """The common part of all clients of chat models. Error messages call the model `name`."""

    def __init__(self, name: str, settings: ModelSettings) -> None:
        self._name = name
        self._settings = settings
        self.traffic: Traffic | None = None  # of its key, if a run shares one among models

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._name!r})"

    def _open(self) -> OpenedModel:
        """Return the chat model for the next request."""
        raise NotImplementedError

    def demand_key(self) -> None:
        """Raise ModelError if requests need a key that is not set. A chat model object has its own."""

    def _on_failure(self, model: OpenedModel) -> None:
        """Prepare the next try, after a temporary failure of `model`."""

    async def reply(
        self,
        messages: Sequence[BaseMessage],
        tools: Sequence[BaseTool],
        context: RequestContext = NO_CONTEXT,
    ) -> Reply:
        """Send a request and return the answer.

        `seconds` of the reply is the provider's time for the try that succeeded, measured at the connection.
        If Ansatz does not own the connection, it is the time of the whole call, with waits in this process.

        Raises:
            ModelUnavailable: Temporary failures outlasted the retry policy.
            RequestRejected: This request would fail again.
            ModelError: Every request would fail.
        """
        size = sum(len(message.text) for message in messages) / _CHARACTERS
        send = partial(self._send, messages, tools, context.key)
        retries = Retries(self._settings.retry, self._name)
        while True:
            try:
                message, seconds = await (send() if self.traffic is None else self.traffic.run(size, send))
                return Reply(message, seconds, tuple(retries.failed))
            except Transient as failure:
                wait = await retries.record(failure, context.reservation)
            await asyncio.sleep(wait)  # outside of `except`, which keeps the failure in memory

    async def _send(
        self, messages: Sequence[BaseMessage], tools: Sequence[BaseTool], key: str | None
    ) -> tuple[AIMessage, float]:
        """Make one try, and return the answer with its seconds."""
        model, wire = self._open(), WireRequest(key)
        token, started = WIRE_REQUEST.set(wire), time.perf_counter()
        outcome: AIMessage | Transient | InfrastructureError
        try:
            async with _timeout(self._settings.timeout):
                outcome = await model.ask(messages, tools)
            _replace_half_characters(outcome)
            _set_finish_reason(outcome)
            if finish_reason(outcome) == "error":  # a gateway reports that the provider stopped
                outcome = Transient("the provider broke off its answer")
        except Exception as failure:
            outcome = self._classify(failure, bool(tools), wire)
        finally:
            WIRE_REQUEST.reset(token)
        elapsed = time.perf_counter() - started
        usage = read_usage(outcome) if isinstance(outcome, AIMessage) else None
        if self.traffic is not None:
            self.traffic.learn(wire.headers, usage.input + usage.output if usage else None)
        if isinstance(outcome, AIMessage):
            return outcome, elapsed if wire.seconds is None else wire.seconds
        if isinstance(outcome, Transient):
            self._on_failure(model)
        raise outcome  # outside of `except`: a chained failure would keep all that was received in memory

    def _classify(
        self, failure: Exception, has_tools: bool, wire: WireRequest
    ) -> AIMessage | Transient | InfrastructureError:
        """Return the empty answer that a failure amounts to, or the error that it means."""
        if has_tools and isinstance(failure, NotImplementedError):
            return ModelError(f"{self._name} takes no tools, and an arm has some; leave that arm out")
        refusal = as_refusal(failure)
        return refusal or classify_failure(failure, self._name, self._settings.timeout, wire)


class ObjectClient(RetryingClient):
    """A client of a chat model object, whose owner sets its parameters and closes it."""

    def __init__(self, chat: BaseChatModel, settings: ModelSettings) -> None:
        super().__init__(getattr(chat, "name", None) or type(chat).__name__, settings)
        fixed = settings.model_dump(exclude_defaults=True).keys() - {"retry", "timeout"}
        if fixed:
            raise ModelError(f"{self._name} is an object: set {', '.join(sorted(fixed))} where it is made")
        self.chat = chat
        self._model = OpenedModel(chat)

    @property
    def key(self) -> tuple[str, str | None]:
        """Name and address: clients with equal keys share the provider's rate limits."""
        return self._name, self.identity.get("base_url")

    @cached_property
    def identity(self) -> dict[str, Any]:
        """Raises NoIdentity for a chat model without a usable identity."""
        url = self._model.base_url
        address = {} if url is None else {"base_url": identity(url.rstrip("/"))}
        return {**identity(self.chat), **address}

    def _open(self) -> OpenedModel:
        return self._model

    async def aclose(self) -> None:
        """Do nothing: the owner of the chat model closes its connections."""


class ProviderClient(RetryingClient):
    """A client of one model of a provider. After `aclose`, the next request opens the connections again."""

    def __init__(self, name: str, settings: ModelSettings) -> None:
        super().__init__(name, settings)
        self._base_url = settings.base_url or read_base_url(name)
        self._addresses = deque([self._base_url, *settings.fallbacks])
        self._models: dict[str | None, OpenedModel] = {}  # by address
        self._make_batches: Callable[[], BatchTransport] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        profile = read_profile(name, settings)
        has_profile = profile is not None
        if profile is None:
            profile = getattr(self.chat, "profile", None) or {}
        check_abilities(name, profile, settings)
        if settings.max_tokens is None:
            self._models.clear()
            self._settings = settings.model_copy(update={"max_tokens": longest_answer(profile)})
        if not has_profile:
            self._current()

    def __reduce__(self) -> tuple[Any, ...]:
        """Leave out the connections: the process that receives the client opens its own."""
        return ProviderClient, (self._name, self._settings)

    @property
    def chat(self) -> BaseChatModel:
        """The chat model, made on first use."""
        return self._current().chat

    @property
    def key(self) -> tuple[str, str | None]:
        """Provider and address: clients with equal keys share the provider's rate limits."""
        return self._name.partition(":")[0], self._base_url

    @property
    def identity(self) -> dict[str, Any]:
        settings = self._settings.model_dump(exclude={"retry", "timeout", "fallbacks"}, exclude_none=True)
        address = {"base_url": self._base_url} if self._base_url else {}
        found: dict[str, Any] = identity({**settings, **address})
        return {"model": self._name, **found}

    def use_batches(self, store: BatchStore, quiet: float, poll: float) -> None:
        """Send all further requests in batches. Raises ModelError if the provider has no batch interface."""
        from ansatz.agents.models.batches import BatchTransport
        from ansatz.agents.models.connections import Transport

        if not has_batches(self):
            raise ModelError(f"{self._name}: only {' and '.join(_BATCHED)} have batches")
        self.traffic = None  # the limits apply to the batch, which is one request
        self._make_batches = lambda: BatchTransport(Transport(), store, self._name, quiet, poll)
        self._settings = self._settings.model_copy(update={"timeout": _BATCH_TIMEOUT})
        self._models.clear()

    async def aclose(self) -> None:
        """Close the connections."""
        for model in self._models.values():
            await model.aclose()
        self._models.clear()
        self._loop = None

    def _on_failure(self, model: OpenedModel) -> None:
        """Use the next address. Requests that fail together at one address move on by one address."""
        if model is self._models.get(self._addresses[0]):
            self._addresses.rotate(-1)

    def demand_key(self) -> None:
        """Raise ModelError if requests need a key and none is set. Identity, prices and plans need none."""
        if lacks_key(provider := self.key[0], self._base_url):
            raise ModelError(
                f"{provider} needs {API_KEYS[provider]}; set it, or give base_url for a local server"
            )

    def _open(self) -> OpenedModel:
        """Return the chat model of the running event loop, because connections belong to one loop."""
        self.demand_key()
        running = asyncio.get_running_loop()
        if self._loop not in (None, running):
            self._models.clear()
        self._loop = running
        return self._current()

    def _current(self) -> OpenedModel:
        address, provider = self._addresses[0], self._name.partition(":")[0]
        if address not in self._models:
            batches = self._make_batches() if self._make_batches else None
            register_credentials(self._settings.extra)
            try:
                values = fill_in_environment({"base_url": address, "extra": self._settings.extra})
            except UnsetVariable as unset:
                raise ModelError(f"{self._name}: {unset}") from None
            model = open_model(self._name, self._settings.model_copy(update=values), batches)
            if batches is not None:
                batches.use_sdk(provider, model.sdk.with_options(max_retries=6, timeout=600))
            if lacks_key(provider, self._base_url):
                return model  # with a placeholder for the key, which may be set before the first request
            self._models[address] = model
        return self._models[address]


def has_batches(client: ModelClient) -> bool:
    """Whether a client can use a batch interface of its provider."""
    return isinstance(client, ProviderClient) and client.key[0] in _BATCHED


@asynccontextmanager
async def _timeout(seconds: float) -> AsyncIterator[None]:
    """Raise TimeoutError as `asyncio.timeout` does, but first read what has already arrived.

    After a process was suspended, as by Ctrl-Z, its deadlines are over although answers wait in the sockets.
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
    """Replace lone surrogates, such as half of an emoji: text that contains one cannot be stored or sent."""
    text = json.dumps([message.content, message.tool_calls, message.invalid_tool_calls], ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        whole = json.loads(_HALVES.sub("\N{REPLACEMENT CHARACTER}", text))
        message.content, message.tool_calls, message.invalid_tool_calls = whole


def _set_finish_reason(message: AIMessage) -> None:
    """Copy the end of an answer from where the responses API reports it to where chat completions do."""
    metadata = message.response_metadata
    if reason := (metadata.get("incomplete_details") or {}).get("reason"):
        metadata["finish_reason"] = "length" if reason == "max_output_tokens" else reason
    elif metadata.get("object") == "response" and metadata.get("status") == "completed":
        metadata.setdefault("finish_reason", "tool_calls" if message.tool_calls else "stop")
