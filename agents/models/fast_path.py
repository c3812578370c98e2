"""Sends requests to chat models. Only this file uses private members of libraries.

A private member is used only if the library has it and its release is one that was checked (`CHECKED`).
Otherwise Ansatz logs one line and uses the public interface, which is slower.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING, Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, InvalidToolCall
from langchain_core.messages.tool import invalid_tool_call

from ansatz.agents.client import describe_tool
from ansatz.agents.models.token_counts import remove_odd_counts

if TYPE_CHECKING:
    from httpx2 import AsyncBaseTransport
    from langchain_core.language_models import BaseChatModel
    from langchain_core.tools import BaseTool
    from langchain_openai.chat_models.base import BaseChatOpenAI

    from ansatz.agents.models.connections import Transport

CHECKED = {
    "langchain": "1.4",
    "langchain-core": "1.7",
    "langchain-openai": "1.7",
    "langchain-anthropic": "1.7",
}
"""The releases whose private members were checked, by library."""
_log = logging.getLogger(__name__)


def find_private(owner: Any, name: str, library: str) -> Any:
    """Return a private member, or None and log one line if it is missing or was not checked."""
    release = _release(library)
    found = getattr(owner, name, None) if release == CHECKED[library] else None
    if found is None:
        _log_public_path(library, release, name)
    return found


@cache
def _release(library: str) -> str:
    return ".".join(version(library).split(".")[:2])


@cache
def _log_public_path(library: str, release: str, name: str) -> None:
    """Log once per member: the result is cached."""
    _log.warning("%s %s: %s is not usable; Ansatz uses the public interface", library, release, name)


class OpenedModel:
    """A chat model with its connections, asked through LangChain's public interface."""

    def __init__(self, chat: BaseChatModel) -> None:
        self.chat = chat

    @property
    def sdk(self) -> Any:
        """The provider's own client, or None if the chat model has none that Ansatz knows."""
        if _library(self.chat) == "langchain-anthropic":
            return find_private(self.chat, "_async_client", "langchain-anthropic")
        return getattr(self.chat, "root_async_client", None)

    @property
    def base_url(self) -> str | None:
        """The address of the requests, which the SDK may have read from the environment."""
        url = getattr(self.sdk, "base_url", None) or getattr(self.chat, "anthropic_api_url", None)
        return None if url is None else str(url)

    async def ask(self, messages: Sequence[BaseMessage], tools: Sequence[BaseTool]) -> AIMessage:
        """Return one answer.

        Raises what the SDK or LangChain raises; NotImplementedError if the chat model takes no tools.
        """
        bound = self.chat.bind_tools(list(tools)) if tools else self.chat
        message: AIMessage = await bound.ainvoke(list(messages))
        return message

    async def aclose(self) -> None:
        if self.sdk is not None:
            await self.sdk.close()


class FastCompletions(OpenedModel):
    """Sends requests to OpenAI's chat completions; LangChain writes the request and reads the answer.

    The SDK would compare each field of a request with a type, and LangChain would run its callbacks. Together
    they take several times as long as everything else, so both are skipped if no callback is set.
    """

    def __init__(
        self,
        chat: BaseChatOpenAI,
        transport: Transport,
        make_request: Callable[..., dict[str, Any]],
        read_answer: Callable[[Any], Any],
    ) -> None:
        super().__init__(chat)
        self._transport = transport
        self._make_request = make_request
        self._read_answer = read_answer
        sdk = chat.root_async_client
        headers = {**sdk.default_headers, **sdk.auth_headers}
        self._headers = {name: value for name, value in headers.items() if isinstance(value, str)}
        self._url = str(sdk.base_url.join("chat/completions").copy_merge_params(sdk.default_query))

    async def ask(self, messages: Sequence[BaseMessage], tools: Sequence[BaseTool]) -> AIMessage:
        """Return one answer.

        Raises ErrorStatus, what a Transport raises, or an error for an answer that cannot be read.
        """
        if _has_callbacks():
            return await super().ask(messages, tools)
        options: dict[str, Any] = {"tools": [describe_tool(tool) for tool in tools]} if tools else {}
        request = self._make_request(list(messages), **options)
        request |= request.pop("extra_body", None) or {}
        content = json.dumps(request, ensure_ascii=False, separators=(",", ":")).encode()
        received = await self._transport.exchange("POST", self._url, data=content, headers=self._headers)
        if received.status >= 400:
            raise ErrorStatus(received.status, received.headers, received.body.decode("utf-8", "replace"))
        answer = json.loads(received.body)
        remove_odd_counts(answer)
        removed_calls = _remove_calls_without_object(answer)
        result = self._read_answer(answer)
        message, details = result.generations[0].message, result.generations[0].generation_info
        assert isinstance(message, AIMessage)
        message.invalid_tool_calls += removed_calls
        message.response_metadata = {**(result.llm_output or {}), **(details or {})}
        if refusal := answer["choices"][0]["message"].get("refusal"):
            message.additional_kwargs["refusal"] = refusal
        return message


class ErrorStatus(Exception):
    """A response with an error status, with the attributes of the SDKs' own errors."""

    def __init__(self, status: int, headers: Mapping[str, str], text: str) -> None:
        super().__init__(f"Error code: {status} - {text}")
        self.status_code = status
        self.headers = headers
        self.body: Any = text
        with suppress(ValueError, RecursionError):
            self.body = json.loads(text)
        error = self.body.get("error", self.body) if isinstance(self.body, dict) else None
        self.code = error.get("code") if isinstance(error, dict) else None


def open_completions(chat: BaseChatOpenAI, transport: Transport) -> OpenedModel:
    """Open a chat model on the fast path, or on the public one if its private members are not usable."""
    make_request = find_private(chat, "_get_request_payload", "langchain-openai")
    read_answer = find_private(chat, "_create_chat_result", "langchain-openai")
    if make_request is None or read_answer is None or uses_responses_api(chat, {}):
        return OpenedModel(chat)
    return FastCompletions(chat, transport, make_request, read_answer)


def _library(chat: BaseChatModel) -> str:
    """Return the name of the library that defines a chat model."""
    return type(chat).__module__.partition(".")[0].replace("_", "-")


def _has_callbacks() -> bool:
    """Whether something follows LangChain's calls, such as a tracer, or caches its answers."""
    from langchain_core.callbacks import AsyncCallbackManager
    from langchain_core.globals import get_llm_cache
    from langchain_core.runnables.config import ensure_config

    manager = AsyncCallbackManager.configure(ensure_config().get("callbacks"))
    return bool(manager.handlers) or get_llm_cache() is not None


def rehearse_request(chat: BaseChatModel) -> None:
    """Make a request without sending it: only then does LangChain reject many impossible settings."""
    if (library := _library(chat)) in ("langchain-openai", "langchain-anthropic"):
        make_request = find_private(chat, "_get_request_payload", library)
        if make_request is not None:
            make_request([HumanMessage("?")])


def uses_responses_api(chat: BaseChatOpenAI, request: Mapping[str, Any]) -> bool:
    """Whether LangChain sends a request to OpenAI's responses API."""
    decides = find_private(chat, "_use_responses_api", "langchain-openai")
    return bool(chat.use_responses_api if decides is None else decides(dict(request)))


def set_anthropic_transport(chat: BaseChatModel, transport: AsyncBaseTransport) -> bool:
    """Give a chat model its own connections, and return whether that was possible.

    LangChain shares one HTTP client among the chat models of an address, so it could not be closed alone. It
    would also read all certificates for each address.
    """
    from anthropic import AsyncAnthropic, DefaultAsyncHttpxClient

    parameters = find_private(chat, "_client_params", "langchain-anthropic")
    if parameters is not None:
        http = DefaultAsyncHttpxClient(transport=transport)
        chat.__dict__["_async_client"] = AsyncAnthropic(**parameters, http_client=http)
    return parameters is not None


def list_providers() -> list[str]:
    """The providers that LangChain's `init_chat_model` knows; empty if they cannot be listed."""
    from langchain.chat_models import base

    return list(find_private(base, "_BUILTIN_PROVIDERS", "langchain") or ())


def read_openai_profiles() -> Mapping[str, dict[str, Any]] | None:
    """LangChain's table of OpenAI's models, read without the second that its package takes to import."""
    package = find_spec("langchain_openai")
    file = Path(package.origin or "").parent / "data" / "_profiles.py" if package else Path()
    spec = spec_from_file_location("_profiles", file) if file.is_file() else None
    table = None
    if (
        spec is not None
        and spec.loader is not None
        and _release("langchain-openai") == CHECKED["langchain-openai"]
    ):
        table = module_from_spec(spec)
        spec.loader.exec_module(table)
    profiles: Mapping[str, dict[str, Any]] | None = find_private(table, "_PROFILES", "langchain-openai")
    return profiles


def runs_in_thread(tool: BaseTool) -> bool:
    """Whether LangChain would run a tool in a thread, because the tool has no coroutine."""
    from langchain_core.tools import BaseTool, StructuredTool, Tool

    run = find_private(type(tool), "_arun", "langchain-core")
    inherited = [find_private(kind, "_arun", "langchain-core") for kind in (BaseTool, StructuredTool, Tool)]
    return run is not None and run in inherited and getattr(tool, "coroutine", None) is None


def _remove_calls_without_object(answer: Any) -> list[InvalidToolCall]:
    """Remove and return the tool calls whose arguments are JSON but not an object.

    LangChain cannot store them. They are the model's fault, as are arguments that are not JSON at all.
    """
    removed = []
    choices = answer.get("choices") if isinstance(answer, dict) else None
    for message in [choice["message"] for choice in choices or []]:
        for call in [*(message.get("tool_calls") or [])]:
            function = call.get("function") or {}
            with suppress(KeyError, TypeError, ValueError):  # LangChain reports these itself
                name, text = function.get("name"), function["arguments"]
                arguments = json.loads(text)
                if arguments and not isinstance(arguments, dict):
                    message["tool_calls"].remove(call)
                    removed.append(invalid_tool_call(name=name, args=text, id=call.get("id")))
    return removed
