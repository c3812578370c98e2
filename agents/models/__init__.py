"""Makes a client of "provider:model" or of a chat model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ansatz.agents.client import ModelClient
from ansatz.agents.langchain_types import is_chat_model
from ansatz.agents.models.model_settings import ModelSettings
from ansatz.agents.models.retry import RetryPolicy
from ansatz.agents.models.retrying_client import ObjectClient, ProviderClient
from ansatz.errors import ModelError

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

__all__ = [
    "ModelSettings",
    "ObjectClient",
    "ProviderClient",
    "RetryPolicy",
    "connect",
]


def connect(
    model: str | BaseChatModel | ModelClient | Callable[[], BaseChatModel],
    settings: ModelSettings | Mapping[str, Any] | None = None,
    changes: Mapping[str, Any] | None = None,
) -> ModelClient:
    """Make a client of "provider:model", such as openai:gpt-5 or offline:slide-rule, or of a chat model.

    Parameters:
        model: "provider:model" of any provider that LangChain's `init_chat_model` knows and whose package is
            installed, a chat model, or a function that makes one.
        settings: Parameters of the requests.
        changes: Settings that replace some of `settings`, by name.

    Raises:
        ModelError: The provider is unknown, or a setting is wrong. The message states what to do.
        NoIdentity: The chat model has no usable identity.
    """
    if not isinstance(settings, ModelSettings):
        settings = ModelSettings.of(settings or {})
    if changes:
        settings = settings.changed(changes)
        if isinstance(model, str) and model.startswith("replay:"):
            raise ModelError(f"{model} answers from a file and takes no {', '.join(changes)}")
    if isinstance(model, str):
        return _connect_by_name(model, settings)
    if is_chat_model(model):
        return ObjectClient(model, settings)
    if not callable(model):
        if not hasattr(model, "reply"):
            raise ModelError(f"{model!r} is not a model: give provider:model or a LangChain chat model")
        if len(signature(model.reply).parameters) < 3:
            raise ModelError(f"{model!r}: `reply` must take messages, tools and context")
        if changes:
            raise ModelError(f"{model!r} is an object: set {', '.join(changes)} where it is made")
        return model
    chat = model()
    if not is_chat_model(chat):
        raise ModelError(f"{model!r} must make a LangChain chat model, not a {type(chat).__name__}")
    return ObjectClient(chat, settings)


def _connect_by_name(name: str, settings: ModelSettings) -> ModelClient:
    provider, _, model = name.partition(":")
    if not model:
        raise ModelError(f"{name!r} names no provider; write provider:model, such as openai:{provider}")
    if provider == "offline":
        from ansatz.agents.models.offline import OfflineClient

        return OfflineClient.of(model, settings)
    if provider == "replay":
        from ansatz.agents.models.replay import ReplayClient

        return ReplayClient.of(Path(model))
    return ProviderClient(name, settings)
