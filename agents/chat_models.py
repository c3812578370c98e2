"""The chat models of providers, made and checked before anything is paid.

No other module names an SDK.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.tools import BaseTool

from ansatz.agents.failures import ModelError
from ansatz.agents.model_settings import ModelSettings
from ansatz.agents.tool_schema import schema
from ansatz.agents.wire import HOOKS, answered, sent
from ansatz.quantities.did_you_mean import nearest
from ansatz.settings import API_KEYS

if TYPE_CHECKING:
    from langchain_openai.chat_models.base import BaseChatOpenAI

    from ansatz.agents.batches import BatchTransport
    from ansatz.agents.connections import Transport

_ABILITIES = {"reasoning_effort": "reasoning_output", "temperature": "temperature", "top_p": "temperature"}
_OF_THE_SDK = frozenset({"extra_headers", "extra_query", "timeout", "response_format"})
"""Parameters of a request that only the SDK understands."""
_OF_LANGCHAIN = frozenset(
    {"streaming", "callbacks", "cache", "rate_limiter", "output_version", "http_async_client"}
)
"""Parameters of a chat model that LangChain heeds on the way to the SDK."""
_BASE_URLS = {
    "openai": ("OPENAI_API_BASE", "OPENAI_BASE_URL"),
    "anthropic": ("ANTHROPIC_API_URL", "ANTHROPIC_BASE_URL"),
}


class Built(NamedTuple):
    """A chat model, not yet connected, and a shorter way to ask it, where there is one."""

    chat: BaseChatModel
    completions: Completions | None = None


def build(provider: str, model: str, settings: ModelSettings, batched: BatchTransport | None = None) -> Built:
    """A provider's chat model. Raises ModelError for what the provider does not take."""
    asked = settings.model_dump(
        include={"temperature", "top_p", "seed", "max_tokens", "timeout", "base_url"}, exclude_none=True
    )
    arguments = {"model": model, "max_retries": 0, **asked, **settings.extra}
    if provider == "openai":
        return _openai(arguments, batched)
    if provider == "anthropic":
        return Built(_anthropic(arguments, batched))
    return Built(_any_provider(provider, arguments))


def _openai(arguments: dict[str, Any], batched: BatchTransport | None) -> Built:
    from openai import DefaultAsyncHttpxClient

    from ansatz.agents.connections import Transport

    transport = Transport()
    http = DefaultAsyncHttpxClient(event_hooks=HOOKS, transport=batched or transport)
    chat = _chat_openai(arguments, http)
    has_own_way = arguments.keys() & _OF_LANGCHAIN or chat.model_kwargs.keys() & _OF_THE_SDK
    is_plain = batched is None and not has_own_way and not chat._use_responses_api({})
    return Built(chat, Completions(chat, transport) if is_plain else None)


def _chat_openai(arguments: dict[str, Any], http: Any) -> BaseChatOpenAI:
    from langchain_openai import ChatOpenAI
    from langchain_openai.chat_models.base import BaseChatOpenAI

    arguments = {"http_async_client": http, **arguments}
    if "base_url" in arguments:
        # Compatible servers know max_tokens; some (Ollama 0.32) silently ignore max_completion_tokens,
        # which is what ChatOpenAI sends. A gateway to OpenAI itself wants the latter, and never both.
        if "max_completion_tokens" in arguments.get("model_kwargs", {}):
            arguments.pop("max_tokens", None)
        return BaseChatOpenAI(**{"use_responses_api": False, **_placeholder("openai"), **arguments})
    chat = ChatOpenAI(**arguments)
    if chat._use_responses_api({"tools": [{"type": "function"}]}):
        # LangChain would switch some models to the responses API only in the arms that have tools.
        if "seed" in arguments:
            raise ModelError(f"openai:{arguments['model']} takes no seed; leave it out")
        chat.use_responses_api = True
    return chat


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

    async def reply(self, messages: Sequence[BaseMessage], tools: Sequence[BaseTool]) -> AIMessage:
        """One answer. Raises APIStatusError, an error of aiohttp, or one for what cannot be read."""
        asked: dict[str, Any] = {"tools": [schema(tool) for tool in tools]} if tools else {}
        payload = self._chat._get_request_payload(list(messages), **asked)
        payload |= payload.pop("extra_body", None) or {}
        content = json.dumps(payload, ensure_ascii=False, separators=(",", ":")).encode()
        sent()
        async with self._transport.session.post(self._url, data=content, headers=self._headers) as response:
            said = await response.read()
            answered(response.headers)
        if response.status >= 400:
            raise _rejected(self._url, response.status, response.headers, said)
        answer = json.loads(said)
        result = self._chat._create_chat_result(answer)
        message, about = result.generations[0].message, result.generations[0].generation_info
        assert isinstance(message, AIMessage)
        message.response_metadata = {**(result.llm_output or {}), **(about or {})}
        if refusal := answer["choices"][0]["message"].get("refusal"):
            message.additional_kwargs["refusal"] = refusal
        return message


def _rejected(url: str, status: int, headers: Mapping[str, str], said: bytes) -> Exception:
    """The failure as the SDK has it."""
    from httpx2 import Request, Response
    from openai import APIStatusError

    kept = {name: value for name, value in headers.items() if name.lower() != "content-encoding"}
    response = Response(status, headers=kept, content=said, request=Request("POST", url))
    reason = f"Error code: {status}"
    try:
        body = json.loads(said)
    except ValueError:
        return APIStatusError(reason, response=response, body=response.text.strip())
    told = body.get("error", body) if isinstance(body, dict) else body
    if isinstance(told, dict) and told.get("message"):
        reason += f" - {told['message']}"
    return APIStatusError(reason, response=response, body=told)


def _anthropic(arguments: dict[str, Any], batched: BatchTransport | None) -> BaseChatModel:
    from anthropic import DefaultAsyncHttpxClient
    from langchain_anthropic import ChatAnthropic

    from ansatz.agents.connections import Transport

    if "seed" in arguments:
        raise ModelError("anthropic takes no seed; leave it out")
    chat = ChatAnthropic(**_placeholder("anthropic"), **arguments)
    # LangChain shares one HTTP client between all chat models of an address; ours must close alone.
    chat.__dict__["_async_client"] = chat._async_client.with_options(
        http_client=DefaultAsyncHttpxClient(event_hooks=HOOKS, transport=batched or Transport())
    )
    return chat


def _any_provider(provider: str, arguments: dict[str, Any]) -> BaseChatModel:
    from langchain.chat_models.base import _BUILTIN_PROVIDERS, init_chat_model

    if provider not in _BUILTIN_PROVIDERS:
        known = ["offline", *_BUILTIN_PROVIDERS]
        raise ModelError(f"there is no provider {provider!r}{nearest(provider, known)}")
    chat: BaseChatModel = init_chat_model(model_provider=provider, **arguments)
    return chat


def rehearse(chat: BaseChatModel) -> None:
    """Make a request without sending it: LangChain rejects many impossible settings only then."""
    rehearse = getattr(chat, "_get_request_payload", None)
    if rehearse is not None:
        rehearse([HumanMessage("?")])


def needs_no_trial(provider: str, settings: ModelSettings) -> bool:
    """Whether its profile tells what a model takes; else its SDK has to be tried, which takes a second."""
    return provider == "openai" and not settings.extra and settings.seed is None


def openai_profile(model: str) -> Mapping[str, Any]:
    """What LangChain knows of a model of OpenAI; its table is read without the package around it."""
    package = find_spec("langchain_openai")
    assert package is not None and package.origin is not None
    table = spec_from_file_location("_profiles", Path(package.origin).parent / "data" / "_profiles.py")
    assert table is not None and table.loader is not None
    held = module_from_spec(table)
    table.loader.exec_module(held)
    profiles: dict[str, dict[str, Any]] = held._PROFILES
    return profiles.get(model, {})


def demand_abilities(name: str, profile: Mapping[str, Any], settings: ModelSettings) -> None:
    """Raises ModelError for a setting that the model's profile says it has no use for."""
    given = settings.model_dump(exclude_none=True) | settings.extra
    for setting, ability in _ABILITIES.items():
        if setting in given and profile.get(ability) is False:
            raise ModelError(f"{name} takes no {setting}; leave it out")


def environment_base_url(name: str) -> str | None:
    """The server that the SDK would take from the environment: it is part of the identity."""
    variables = _BASE_URLS.get(name.partition(":")[0], ())
    found = (os.environ.get(variable) for variable in variables)
    return next((url.rstrip("/") for url in found if url), None)


def demand_key(provider: str, base_url: str | None) -> None:
    if base_url is None and _placeholder(provider):
        raise ModelError(
            f"{provider} needs {API_KEYS[provider]}; set it, or give base_url for a local server"
        )


def _placeholder(provider: str) -> dict[str, str]:
    """Local servers ask for no key, but the SDKs insist on sending one."""
    return (
        {"api_key": "not-needed"} if provider in API_KEYS and not os.environ.get(API_KEYS[provider]) else {}
    )
