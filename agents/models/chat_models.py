"""Makes the chat models of providers, and checks their settings before anything is paid.

Only this module and `fast_path`, which sends their requests, import an SDK.
"""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ansatz.agents.models.failures import clean_message
from ansatz.agents.models.fast_path import (
    OpenedModel,
    list_providers,
    open_completions,
    read_openai_profiles,
    rehearse_request,
    set_anthropic_transport,
    uses_responses_api,
)
from ansatz.agents.models.model_settings import ModelSettings
from ansatz.errors import ModelError
from ansatz.quantities.did_you_mean import nearest
from ansatz.settings import API_KEYS

if TYPE_CHECKING:
    from httpx2 import AsyncBaseTransport
    from langchain_core.language_models import BaseChatModel
    from langchain_openai.chat_models.base import BaseChatOpenAI

    from ansatz.agents.models.batches import BatchTransport

_ABILITIES = {"reasoning_effort": "reasoning_output", "temperature": "temperature", "top_p": "temperature"}
_UNKNOWN = re.compile(r"WARNING! (\w+) is not default parameter")
"""LangChain's warning about an argument that a chat model lacks."""
_OF_THE_SDK = frozenset({"extra_headers", "extra_query", "timeout", "response_format"})
"""Parameters of a request that only the SDK understands."""
_OF_LANGCHAIN = frozenset(
    {"streaming", "callbacks", "cache", "rate_limiter", "output_version", "http_async_client"}
)
"""Parameters of a chat model that LangChain itself uses between a request and the SDK."""
_BASE_URLS = {
    "openai": ("OPENAI_API_BASE", "OPENAI_BASE_URL"),
    "anthropic": ("ANTHROPIC_API_URL", "ANTHROPIC_BASE_URL"),
}


def open_model(name: str, settings: ModelSettings, batched: BatchTransport | None = None) -> OpenedModel:
    """Make the chat model of "provider:model", which connects on its first request.

    Raises ModelError for a setting that the chat model does not take.
    """
    provider, _, model = name.partition(":")
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("error", message=_UNKNOWN.pattern)
            opened = _build(provider, model, settings, batched)
        rehearse_request(opened.chat)
    except ModelError:
        raise
    except Exception as failure:
        if unknown := _UNKNOWN.search(str(failure)):
            to_server = f", or write extra: {{extra_body: {{{unknown[1]}: …}}}} for a server that accepts it"
            advice = f"leave it out{to_server if name.startswith('openai:') else ''}"
            raise ModelError(f"{name} takes no {unknown[1]}; {advice}") from None
        raise ModelError(f"{name}: {clean_message(str(failure))}") from None
    return opened


def _build(provider: str, model: str, settings: ModelSettings, batched: BatchTransport | None) -> OpenedModel:
    given = settings.model_dump(
        include={"temperature", "top_p", "seed", "max_tokens", "timeout", "base_url"}, exclude_none=True
    )
    arguments = {"model": model, "max_retries": 0, **given, **settings.extra}
    if provider in ("openai", "anthropic"):
        from ansatz.agents.models.connections import Transport, check_environment

        check_environment()
        transport = Transport()
        if provider == "anthropic":
            return OpenedModel(_make_anthropic(arguments, batched or transport, is_batch=batched is not None))
        chat = _make_openai(arguments, batched or transport)
        uses_langchain = arguments.keys() & _OF_LANGCHAIN or chat.model_kwargs.keys() & _OF_THE_SDK
        if batched is not None or uses_langchain:
            return OpenedModel(chat)
        return open_completions(chat, transport)
    from langchain.chat_models import init_chat_model

    known = list_providers()
    if known and provider not in known:
        raise ModelError(f"there is no provider {provider!r}{nearest(provider, ['offline', *known])}")
    return OpenedModel(init_chat_model(model_provider=provider, **arguments))


def _make_openai(arguments: dict[str, Any], transport: AsyncBaseTransport) -> BaseChatOpenAI:
    from langchain_openai import ChatOpenAI
    from langchain_openai.chat_models.base import BaseChatOpenAI
    from openai import DefaultAsyncHttpxClient, DefaultHttpxClient

    from ansatz.agents.models.connections import load_certificates

    clients = {
        "http_async_client": DefaultAsyncHttpxClient(transport=transport),
        # Not used; LangChain would make one for each address, which reads all certificates.
        "http_client": DefaultHttpxClient(verify=load_certificates()),
    }
    # Without socket options LangChain warns about proxies that its own client, which is not used, would miss.
    arguments = {**clients, "http_socket_options": (), **arguments}
    if "base_url" in arguments:
        # Compatible servers accept max_tokens; some (Ollama 0.32) silently ignore max_completion_tokens,
        # which ChatOpenAI sends. A gateway to OpenAI itself needs the latter, and rejects both together.
        if "max_completion_tokens" in arguments.get("model_kwargs", {}):
            arguments.pop("max_tokens", None)
        return BaseChatOpenAI(**{"use_responses_api": False, **_placeholder("openai"), **arguments})
    chat = ChatOpenAI(**{**_placeholder("openai"), **arguments})
    if uses_responses_api(chat, {"tools": [{"type": "function"}]}):
        # LangChain would switch some models to the responses API only in arms with tools.
        if "seed" in arguments:
            raise ModelError(f"openai:{arguments['model']} takes no seed; leave it out")
        chat.use_responses_api = True
    return chat


def _make_anthropic(
    arguments: dict[str, Any], transport: AsyncBaseTransport, is_batch: bool
) -> BaseChatModel:
    from langchain_anthropic import ChatAnthropic

    if "seed" in arguments:
        raise ModelError("anthropic takes no seed; leave it out")
    chat = ChatAnthropic(**_placeholder("anthropic"), **arguments)
    if not set_anthropic_transport(chat, transport) and is_batch:
        raise ModelError(
            "batches of Anthropic need another release of langchain-anthropic; leave `batch` out"
        )
    return chat


def read_profile(name: str, settings: ModelSettings) -> Mapping[str, Any] | None:
    """Return LangChain's profile of a model if it is enough to check the settings; otherwise None.

    The caller then has to make the chat model to check them, which imports its SDK for a second.
    """
    provider, _, model = name.partition(":")
    if provider != "openai" or settings.extra or settings.seed is not None:
        return None
    profiles = read_openai_profiles()
    return None if profiles is None else profiles.get(model, {})


def check_abilities(name: str, profile: Mapping[str, Any], settings: ModelSettings) -> None:
    """Raise ModelError for a setting that the model does not take according to its profile."""
    given = settings.model_dump(exclude_none=True) | settings.extra
    for setting, ability in _ABILITIES.items():
        if setting in given and profile.get(ability) is False:
            raise ModelError(f"{name} takes no {setting}; leave it out")


def read_base_url(name: str) -> str | None:
    """Return the address that the SDK would read from the environment. It is part of the identity."""
    variables = _BASE_URLS.get(name.partition(":")[0], ())
    found = (os.environ.get(variable) for variable in variables)
    return next((url.rstrip("/") for url in found if url), None)


def lacks_key(provider: str, base_url: str | None) -> bool:
    """Whether requests to this provider need a key that is not set. A local server needs none."""
    return base_url is None and bool(_placeholder(provider))


def _placeholder(provider: str) -> dict[str, str]:
    """Return a key for local servers, which need none: the SDKs refuse to work without one."""
    return (
        {"api_key": "not-needed"} if provider in API_KEYS and not os.environ.get(API_KEYS[provider]) else {}
    )
