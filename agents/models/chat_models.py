"""The chat models of providers, made and checked before anything is paid.

Only this module, which makes them, and `opened_model`, which asks them, name an SDK.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ansatz.agents.models.failures import cleaned
from ansatz.agents.models.model_settings import ModelSettings
from ansatz.agents.models.opened_model import (
    OpenedModel,
    open_completions,
    rehearse_request,
    uses_responses_api,
)
from ansatz.errors import ModelError
from ansatz.quantities.did_you_mean import nearest
from ansatz.settings import API_KEYS

if TYPE_CHECKING:
    from httpx2 import AsyncBaseTransport
    from langchain_core.language_models import BaseChatModel
    from langchain_openai.chat_models.base import BaseChatOpenAI

    from ansatz.agents.models.batches import BatchTransport

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


def open_model(name: str, settings: ModelSettings, batched: BatchTransport | None = None) -> OpenedModel:
    """The chat model of "provider:model", not yet connected. Raises ModelError for what it does not take."""
    provider, _, model = name.partition(":")
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("error", message=".*is not default parameter")
            opened = _built(provider, model, settings, batched)
        rehearse_request(opened.chat)
    except ModelError:
        raise
    except Exception as failure:
        raise ModelError(f"{name}: {cleaned(str(failure))}") from None
    return opened


def _built(provider: str, model: str, settings: ModelSettings, batched: BatchTransport | None) -> OpenedModel:
    asked = settings.model_dump(
        include={"temperature", "top_p", "seed", "max_tokens", "timeout", "base_url"}, exclude_none=True
    )
    arguments = {"model": model, "max_retries": 0, **asked, **settings.extra}
    if provider in ("openai", "anthropic"):
        from ansatz.agents.models.connections import Transport, demand_usable_environment

        demand_usable_environment()
        transport = Transport()
        if provider == "anthropic":
            return OpenedModel(_anthropic(arguments, batched or transport))
        chat = _openai(arguments, batched or transport)
        has_own_way = arguments.keys() & _OF_LANGCHAIN or chat.model_kwargs.keys() & _OF_THE_SDK
        is_plain = batched is None and not has_own_way
        return OpenedModel(chat, open_completions(chat, transport) if is_plain else None)
    from langchain.chat_models.base import _BUILTIN_PROVIDERS, init_chat_model

    if provider not in _BUILTIN_PROVIDERS:
        known = ["offline", *_BUILTIN_PROVIDERS]
        raise ModelError(f"there is no provider {provider!r}{nearest(provider, known)}")
    return OpenedModel(init_chat_model(model_provider=provider, **arguments))


def _openai(arguments: dict[str, Any], transport: AsyncBaseTransport) -> BaseChatOpenAI:
    from langchain_openai import ChatOpenAI
    from langchain_openai.chat_models.base import BaseChatOpenAI
    from openai import DefaultAsyncHttpxClient

    http = DefaultAsyncHttpxClient(transport=transport)
    # Without socket options LangChain warns of proxies that its own client, which asks nothing, would miss.
    arguments = {"http_async_client": http, "http_socket_options": (), **arguments}
    if "base_url" in arguments:
        # Compatible servers know max_tokens; some (Ollama 0.32) silently ignore max_completion_tokens,
        # which is what ChatOpenAI sends. A gateway to OpenAI itself wants the latter, and never both.
        if "max_completion_tokens" in arguments.get("model_kwargs", {}):
            arguments.pop("max_tokens", None)
        return BaseChatOpenAI(**{"use_responses_api": False, **_placeholder("openai"), **arguments})
    chat = ChatOpenAI(**{**_placeholder("openai"), **arguments})
    if uses_responses_api(chat, {"tools": [{"type": "function"}]}):
        # LangChain would switch some models to the responses API only in the arms that have tools.
        if "seed" in arguments:
            raise ModelError(f"openai:{arguments['model']} takes no seed; leave it out")
        chat.use_responses_api = True
    return chat


def _anthropic(arguments: dict[str, Any], transport: AsyncBaseTransport) -> BaseChatModel:
    from anthropic import DefaultAsyncHttpxClient
    from langchain_anthropic import ChatAnthropic

    if "seed" in arguments:
        raise ModelError("anthropic takes no seed; leave it out")
    chat = ChatAnthropic(**_placeholder("anthropic"), **arguments)
    # LangChain shares one HTTP client between all chat models of an address; ours must close alone.
    chat.__dict__["_async_client"] = chat._async_client.with_options(
        http_client=DefaultAsyncHttpxClient(transport=transport)
    )
    return chat


def known_profile(name: str, settings: ModelSettings) -> Mapping[str, Any] | None:
    """What LangChain knows of a model where that tells whether the settings will do; None for the others.

    Those have to be made to be tried, and their SDKs take a second to import. The table of OpenAI's models is
    read without the package around it.
    """
    provider, _, model = name.partition(":")
    if provider != "openai" or settings.extra or settings.seed is not None:
        return None
    package = find_spec("langchain_openai")
    file = Path(package.origin or "").parent / "data" / "_profiles.py" if package else Path()
    table = spec_from_file_location("_profiles", file) if file.is_file() else None
    if table is None or table.loader is None:
        return None
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


def lacks_key(provider: str, base_url: str | None) -> bool:
    """Whether requests to this provider need a key that is not set; a server of your own needs none."""
    return base_url is None and bool(_placeholder(provider))


def _placeholder(provider: str) -> dict[str, str]:
    """Local servers ask for no key, but the SDKs insist on sending one."""
    return (
        {"api_key": "not-needed"} if provider in API_KEYS and not os.environ.get(API_KEYS[provider]) else {}
    )
