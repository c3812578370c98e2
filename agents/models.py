"""From "provider:model" to a client that asks it patiently."""

from __future__ import annotations

import asyncio
import time
import warnings
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from langchain_core.callbacks import AsyncCallbackManager
from langchain_core.globals import get_llm_cache
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.runnables.config import ensure_config
from langchain_core.tools import BaseTool
from pydantic import ValidationError

from ansatz.agents.chat_models import (
    Completions,
    build,
    demand_abilities,
    demand_key,
    environment_base_url,
    needs_no_trial,
    openai_profile,
    rehearse,
)
from ansatz.agents.client import ChatClient, ModelClient, Reply
from ansatz.agents.failures import ModelError, RequestRejected, cleaned, declined, understood
from ansatz.agents.identity import identity
from ansatz.agents.model_settings import ModelSettings, longest_answer
from ansatz.agents.replay import ReplayClient
from ansatz.agents.retry import ModelUnavailable, RetryPolicy, Transient, persist
from ansatz.agents.traffic import Traffic
from ansatz.agents.wire import timing
from ansatz.quantities.did_you_mean import nearest

if TYPE_CHECKING:
    from ansatz.agents.batches import BatchStore, BatchTransport

__all__ = [
    "ModelError",
    "ModelSettings",
    "ModelUnavailable",
    "ObjectClient",
    "ProviderClient",
    "RequestRejected",
    "RetryPolicy",
    "connect",
]

_OFFLINE = ("slide-rule",)
_BATCHED = {"openai": "OpenAIBatches", "anthropic": "AnthropicBatches"}
_BATCH_TIMEOUT = 25 * 3600.0  # seconds: batches take up to a day
_CHARACTERS = 4  # of a token


def connect(
    model: str | BaseChatModel | ModelClient | Callable[[], BaseChatModel],
    settings: ModelSettings | Mapping[str, Any] | None = None,
    changes: Mapping[str, Any] | None = None,
) -> ModelClient:
    """A client of "provider:model", such as openai:gpt-5 or offline:slide-rule, or of a chat model.

    Any provider that LangChain's `init_chat_model` knows will do once its package is installed. A chat model
    may also be given as a function that makes it. `changes` replace settings by name. Raises ModelError, one
    line that says what to do, for an unknown provider, a missing key or a bad setting, and NoIdentity for a
    chat model of no usable identity.
    """
    if not isinstance(settings, ModelSettings):
        settings = ModelSettings.of(settings or {})
    if changes:
        settings = settings.changed(changes)
        if isinstance(model, str) and model.startswith("replay:"):
            raise ModelError(f"{model} answers from a file and takes no {', '.join(changes)}")
    if isinstance(model, str):
        return _named(model, settings)
    if isinstance(model, BaseChatModel):
        return ObjectClient(model, settings)
    if not callable(model):
        if not hasattr(model, "reply"):
            raise ModelError(f"{model!r} is no model: give provider:model or a LangChain chat model")
        if changes:
            raise ModelError(f"{model!r} is an object: set {', '.join(changes)} where it is made")
        return model
    made = model()
    if not isinstance(made, BaseChatModel):
        raise ModelError(f"{model!r} makes no LangChain chat model but a {type(made).__name__}")
    return ObjectClient(made, settings)


def _named(name: str, settings: ModelSettings) -> ModelClient:
    provider, _, model = name.partition(":")
    if not model:
        raise ModelError(f"{name!r} names no provider; write provider:model, such as openai:{provider}")
    if provider == "offline":
        return _offline(model, settings)
    if provider == "replay":
        return ReplayClient.of(Path(model))
    return ProviderClient(name, settings)


class _PatientClient:
    """Asks a chat model, again after passing failures. `name` is what messages call it."""

    def __init__(self, name: str, settings: ModelSettings) -> None:
        self._name = name
        self._settings = settings
        self.traffic: Traffic | None = None  # of its key, where a run shares one among models

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._name!r})"

    def _chat_now(self) -> BaseChatModel:
        raise NotImplementedError

    def _failed(self, chat: BaseChatModel) -> None:
        """What to do before the next try."""

    async def _invoke(
        self, chat: BaseChatModel, messages: Sequence[BaseMessage], tools: Sequence[BaseTool]
    ) -> AIMessage:
        bound = _with_tools(chat, tools, self._name) if tools else chat
        message: AIMessage = await bound.ainvoke(list(messages))
        return message

    async def reply(self, messages: Sequence[BaseMessage], tools: Sequence[BaseTool]) -> Reply:
        """One answer; `seconds` is the provider's time for the try that succeeded.

        It is that of the request on the wire. For a provider that is not reached through a client of ours it
        is the whole call's, with what waiting there was in our process.

        Raises ModelUnavailable when failures outlast the retry policy, RequestRejected when this request
        will never do, and ModelError when no request will.
        """

        async def ask() -> tuple[AIMessage, float]:
            chat = self._chat_now()
            started = time.perf_counter()
            used = None
            with timing() as wire:
                try:
                    message = await self._ask_once(chat, messages, tools)
                    used = message.usage_metadata
                except Transient:
                    self._failed(chat)
                    raise
                finally:
                    if self.traffic is not None:
                        self.traffic.learn(wire.headers, used["total_tokens"] if used else None)
            elapsed = time.perf_counter() - started
            return message, elapsed if wire.seconds is None else wire.seconds

        async def in_turn() -> tuple[AIMessage, float]:
            if self.traffic is None:
                return await ask()
            size = sum(len(each.text) for each in messages)
            return await self.traffic.in_turn(size / _CHARACTERS, ask)

        (message, seconds), retries = await persist(in_turn, self._settings.retry, self._name)
        return Reply(message=message, seconds=seconds, retries=retries)

    async def _ask_once(
        self, chat: BaseChatModel, messages: Sequence[BaseMessage], tools: Sequence[BaseTool]
    ) -> AIMessage:
        try:
            async with asyncio.timeout(self._settings.timeout):
                message = await self._invoke(chat, messages, tools)
        except Exception as failure:
            rejected = declined(failure)
            if rejected is None:
                raise understood(failure, self._name, self._settings.timeout) from None
            return rejected
        return _with_finish_reason(message)


class ProviderClient(_PatientClient):
    """Asks one model of one provider, patiently. Close it when done; it opens again when asked again."""

    def __init__(self, name: str, settings: ModelSettings) -> None:
        super().__init__(name, settings)
        self._base_url = settings.base_url or environment_base_url(name)
        self._addresses = deque([self._base_url, *settings.fallbacks])
        self._opened: dict[str | None, BaseChatModel] = {}  # those of addresses that failed
        self._batched: Callable[[], BatchTransport] | None = None
        self._completions: dict[int, Completions | None] = {}  # by the chat model
        self._chat: BaseChatModel | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        provider, _, model = name.partition(":")
        if needs_no_trial(provider, settings):
            demand_key(provider, self._base_url)
            profile = openai_profile(model)
            demand_abilities(name, profile, settings)
            self._size(profile)
        else:
            self._chat = self._open()

    @property
    def chat(self) -> BaseChatModel:
        """The chat model, made when it is first needed: its SDK takes a second to import."""
        if self._chat is None:
            self._chat = self._open()
        return self._chat

    def __reduce__(self) -> tuple[Any, ...]:
        """Without its connections: whoever gets it opens his own."""
        return ProviderClient, (self._name, self._settings)

    def by_batches(self, store: BatchStore, quiet: float, poll: float) -> None:
        """From now on ask by the provider's batch interface. Raises ModelError where there is none."""
        from ansatz.agents.batches import BatchTransport
        from ansatz.agents.connections import Transport

        if not has_batches(self):
            raise ModelError(f"{self._name}: there are batches of {' and '.join(_BATCHED)} alone")
        self.traffic = None  # a batch is one request, whatever it holds
        self._batched = lambda: BatchTransport(Transport(), store, self._name, quiet, poll)
        self._settings = self._settings.model_copy(update={"timeout": _BATCH_TIMEOUT})
        self._chat = None

    @property
    def key(self) -> tuple[str, str | None]:
        """Provider and address: models that share them share the provider's limits."""
        return self._name.partition(":")[0], self._base_url

    @property
    def identity(self) -> dict[str, Any]:
        asked = self._settings.model_dump(exclude={"retry", "timeout", "fallbacks"}, exclude_none=True)
        return {"model": self._name, **asked, **({"base_url": self._base_url} if self._base_url else {})}

    async def aclose(self) -> None:
        """Close the connections."""
        for chat in (self._chat, *self._opened.values()):
            sdk = getattr(chat, "root_async_client", None) or getattr(chat, "_async_client", None)
            if sdk is not None:
                await sdk.close()
        self._forget()
        self._loop = None

    def _failed(self, chat: BaseChatModel) -> None:
        """The next try goes to the next address; those under way together leave one together."""
        if chat is self._chat and len(self._addresses) > 1:
            self._opened[self._addresses[0]] = chat
            self._addresses.rotate(-1)
            self._chat = self._opened.get(self._addresses[0])

    def _chat_now(self) -> BaseChatModel:
        """Kept-alive connections belong to the event loop that opened them."""
        running = asyncio.get_running_loop()
        if self._loop not in (None, running):
            self._forget()
        self._loop = running
        return self.chat

    def _forget(self) -> None:
        """Open anew when asked again: nothing keeps a chat model, and its connections, that is done with."""
        self._chat = None
        self._opened.clear()
        self._completions.clear()

    def _size(self, profile: Mapping[str, Any]) -> None:
        """Bound answers by what the model can write, where the settings do not."""
        if self._settings.max_tokens is None:
            sized = {"max_tokens": longest_answer(profile)}
            self._settings = self._settings.model_copy(update=sized)

    async def _invoke(
        self, chat: BaseChatModel, messages: Sequence[BaseMessage], tools: Sequence[BaseTool]
    ) -> AIMessage:
        completions = self._completions.get(id(chat))
        if completions is None or _is_watched():
            return await super()._invoke(chat, messages, tools)
        return await completions.reply(messages, tools)

    def _open(self) -> BaseChatModel:
        provider, _, model = self._name.partition(":")
        demand_key(provider, self._base_url)
        settings = self._settings.model_copy(update={"base_url": self._addresses[0]})
        try:
            with warnings.catch_warnings():
                warnings.filterwarnings("error", message=".*is not default parameter")
                batched = self._batched() if self._batched else None
                chat, completions = build(provider, model, settings, batched)
                profile = getattr(chat, "profile", None) or {}
                if settings.max_tokens is None:
                    self._size(profile)
                    sized = {"max_tokens": self._settings.max_tokens}
                    chat, completions = build(provider, model, settings.model_copy(update=sized), batched)
            rehearse(chat)
            demand_abilities(self._name, profile, settings)
            if batched is not None:
                sdk = getattr(chat, "root_async_client", None) or chat._async_client  # type: ignore[attr-defined]
                api = getattr(import_module("ansatz.agents.batches"), _BATCHED[provider])
                batched.api = api(sdk.with_options(max_retries=6, timeout=600))
        except ModelError:
            raise
        except Exception as failure:
            raise ModelError(f"{self._name}: {cleaned(str(failure))}") from None
        self._completions[id(chat)] = completions
        return chat


def _is_watched() -> bool:
    """Whether somebody follows LangChain's calls, as by tracing, or keeps its answers."""
    watchers = AsyncCallbackManager.configure(ensure_config().get("callbacks"))
    return bool(watchers.handlers) or get_llm_cache() is not None


def has_batches(client: ModelClient) -> bool:
    """Whether a client can ask by its provider's batch interface."""
    return isinstance(client, ProviderClient) and client.key[0] in _BATCHED


class ObjectClient(_PatientClient):
    """Asks a chat model that somebody else made, and will close. Its parameters are its own."""

    def __init__(self, chat: BaseChatModel, settings: ModelSettings) -> None:
        super().__init__(getattr(chat, "name", None) or type(chat).__name__, settings)
        own = settings.model_fields_set - {"retry", "timeout"}
        if own:
            raise ModelError(f"{self._name} is an object: set {', '.join(sorted(own))} where it is made")
        self.chat = chat
        self._identity: dict[str, Any] = {**identity(chat), **_address(chat)}
        self.key = (self._name, self._identity.get("base_url"))

    @property
    def identity(self) -> dict[str, Any]:
        return self._identity

    def _chat_now(self) -> BaseChatModel:
        return self.chat

    async def aclose(self) -> None:
        """Nothing to close: the model's connections are its own."""


def _address(chat: BaseChatModel) -> dict[str, str]:
    """Where the SDK sends requests, which it may have from the environment."""
    sdk = getattr(chat, "root_async_client", None) or getattr(chat, "_async_client", None)
    url = getattr(sdk, "base_url", None)
    return {} if url is None else {"base_url": identity(str(url).rstrip("/"))}


def _with_tools(chat: BaseChatModel, tools: Sequence[BaseTool], name: str) -> Any:
    try:
        return chat.bind_tools(list(tools))
    except NotImplementedError:
        raise ModelError(f"{name} takes no tools, and an arm has some; leave that arm out") from None


def _offline(model: str, settings: ModelSettings) -> ModelClient:
    if model not in _OFFLINE:
        raise ModelError(f"there is no offline model {model!r}{nearest(model, list(_OFFLINE))}")
    unused = settings.model_dump(include={"base_url", "temperature", "top_p"}, exclude_none=True)
    if unused:
        raise ModelError(f"offline:{model} takes no {', '.join(unused)}; leave it out")
    from ansatz.agents.slide_rule import SlideRule

    try:
        chat = SlideRule(**{"seed": settings.seed, **settings.extra})
    except ValidationError as wrong:
        fault = wrong.errors()[0]
        raise ModelError(f"offline:{model}: {fault['loc'][0]}: {fault['msg']}") from None
    known = ("seed", "reasoning_effort")
    if unknown := [name for name in settings.extra if name not in known]:
        raise ModelError(f"offline:{model} takes no {unknown[0]}{nearest(unknown[0], known)}")
    return ChatClient(chat, is_simulated=True)


def _with_finish_reason(message: AIMessage) -> AIMessage:
    """The responses API says how an answer ended in places of its own; here as chat completions say it."""
    about = message.response_metadata
    if reason := (about.get("incomplete_details") or {}).get("reason"):
        about["finish_reason"] = "length" if reason == "max_output_tokens" else reason
    elif about.get("object") == "response" and about.get("status") == "completed":
        about.setdefault("finish_reason", "tool_calls" if message.tool_calls else "stop")
    return message
