"""A chat model with its connections, and the ways to ask it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, InvalidToolCall
from langchain_core.messages.tool import invalid_tool_call

from ansatz.agents.models.token_counts import remove_odd_counts
from ansatz.agents.tool_schema import schema

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.tools import BaseTool
    from langchain_openai.chat_models.base import BaseChatOpenAI

    from ansatz.agents.models.connections import Transport


_INSIDES = ("_get_request_payload", "_create_chat_result")
"""Private members of LangChain's chat models that the shorter way uses."""


@dataclass(frozen=True)
class OpenedModel:
    """A chat model, and a shorter way to ask it, where there is one."""

    chat: BaseChatModel
    completions: Completions | None = None

    @property
    def sdk(self) -> Any:
        """The provider's own client beneath; None where LangChain holds none that is known."""
        return getattr(self.chat, "root_async_client", None) or getattr(self.chat, "_async_client", None)

    async def ask(self, messages: Sequence[BaseMessage], tools: Sequence[BaseTool]) -> AIMessage:
        """One answer. Raises what the SDK or LangChain raises: NotImplementedError for want of tools."""
        if self.completions is not None and not _is_watched():
            return await self.completions.ask(messages, tools)
        bound = self.chat.bind_tools(list(tools)) if tools else self.chat
        message: AIMessage = await bound.ainvoke(list(messages))
        return message

    async def aclose(self) -> None:
        if self.sdk is not None:
            await self.sdk.close()


def _is_watched() -> bool:
    """Whether somebody follows LangChain's calls, as by tracing, or keeps its answers."""
    from langchain_core.callbacks import AsyncCallbackManager
    from langchain_core.globals import get_llm_cache
    from langchain_core.runnables.config import ensure_config

    watchers = AsyncCallbackManager.configure(ensure_config().get("callbacks"))
    return bool(watchers.handlers) or get_llm_cache() is not None


def rehearse_request(chat: BaseChatModel) -> None:
    """Make a request without sending it: LangChain rejects many impossible settings only then."""
    if (make_request := getattr(chat, _INSIDES[0], None)) is not None:
        make_request([HumanMessage("?")])


def uses_responses_api(chat: BaseChatOpenAI, request: Mapping[str, Any]) -> bool:
    """Whether LangChain asks by OpenAI's responses API; of a later LangChain, whether it is set to."""
    chooses = getattr(chat, "_use_responses_api", None)
    return bool(chooses(dict(request)) if chooses else chat.use_responses_api)


def open_completions(chat: BaseChatOpenAI, transport: Transport) -> Completions | None:
    """The shorter way to chat completions; None where LangChain has other insides than it needs."""
    has_insides = all(callable(getattr(chat, name, None)) for name in _INSIDES)
    return Completions(chat, transport) if has_insides and not uses_responses_api(chat, {}) else None


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


class Completions:
    """Asks OpenAI's chat completions; LangChain writes the request and reads the answer.

    Between the two, the SDK would match each field of the request to a type, and LangChain go through
    callbacks that nobody has set: several times the work of all the rest.
    """

    def __init__(self, chat: BaseChatOpenAI, transport: Transport) -> None:
        self._chat = chat
        self._transport = transport
        sdk = chat.root_async_client
        held = {**sdk.default_headers, **sdk.auth_headers}
        self._headers = {name: value for name, value in held.items() if isinstance(value, str)}
        self._url = str(sdk.base_url.join("chat/completions").copy_merge_params(sdk.default_query))

    async def ask(self, messages: Sequence[BaseMessage], tools: Sequence[BaseTool]) -> AIMessage:
        """One answer. Raises ErrorStatus, what a Transport raises, or an error for what cannot be read."""
        asked: dict[str, Any] = {"tools": [schema(tool) for tool in tools]} if tools else {}
        payload = self._chat._get_request_payload(list(messages), **asked)
        payload |= payload.pop("extra_body", None) or {}
        content = json.dumps(payload, ensure_ascii=False, separators=(",", ":")).encode()
        received = await self._transport.exchange("POST", self._url, data=content, headers=self._headers)
        if received.status >= 400:
            raise ErrorStatus(received.status, received.headers, received.body.decode("utf-8", "replace"))
        answer = json.loads(received.body)
        remove_odd_counts(answer)
        refused = _without_object(answer)
        result = self._chat._create_chat_result(answer)
        message, about = result.generations[0].message, result.generations[0].generation_info
        assert isinstance(message, AIMessage)
        message.invalid_tool_calls += refused
        message.response_metadata = {**(result.llm_output or {}), **(about or {})}
        if refusal := answer["choices"][0]["message"].get("refusal"):
            message.additional_kwargs["refusal"] = refusal
        return message


def _without_object(answer: Any) -> list[InvalidToolCall]:
    """Takes calls out of an answer whose arguments are JSON, but no object: LangChain cannot hold them.

    They are the model's own fault, as those that are no JSON at all.
    """
    found = []
    choices = answer.get("choices") if isinstance(answer, dict) else None
    for message in [choice["message"] for choice in choices or []]:
        for call in [*(message.get("tool_calls") or [])]:
            function = call.get("function") or {}
            with suppress(KeyError, TypeError, ValueError):  # what LangChain understands itself
                name, args = function.get("name"), function["arguments"]
                given = json.loads(args)
                if given and not isinstance(given, dict):
                    message["tool_calls"].remove(call)
                    found.append(invalid_tool_call(name=name, args=args, id=call.get("id")))
    return found
