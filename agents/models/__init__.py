"""From "provider:model", or a chat model, to a client that asks it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ansatz.agents.client import ModelClient
from ansatz.agents.identity import identity
from ansatz.agents.langchain_types import is_chat_model
from ansatz.agents.models.model_settings import ModelSettings
from ansatz.agents.models.opened_model import OpenedModel
from ansatz.agents.models.patient_client import PatientClient
from ansatz.agents.models.provider_client import ProviderClient
from ansatz.agents.models.retry import RetryPolicy
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
    if is_chat_model(model):
        return ObjectClient(model, settings)
    if not callable(model):
        if not hasattr(model, "reply"):
            raise ModelError(f"{model!r} is no model: give provider:model or a LangChain chat model")
        if changes:
            raise ModelError(f"{model!r} is an object: set {', '.join(changes)} where it is made")
        return model
    made = model()
    if not is_chat_model(made):
        raise ModelError(f"{model!r} makes no LangChain chat model but a {type(made).__name__}")
    return ObjectClient(made, settings)


def _named(name: str, settings: ModelSettings) -> ModelClient:
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


class ObjectClient(PatientClient):
    """Asks a chat model that somebody else made, and will close. Its parameters are its own."""

    def __init__(self, chat: BaseChatModel, settings: ModelSettings) -> None:
        super().__init__(getattr(chat, "name", None) or type(chat).__name__, settings)
        own = settings.model_dump(exclude_defaults=True).keys() - {"retry", "timeout"}
        if own:
            raise ModelError(f"{self._name} is an object: set {', '.join(sorted(own))} where it is made")
        self.chat = chat
        self._model = OpenedModel(chat)

    @property
    def key(self) -> tuple[str, str | None]:
        """Its name and address, by which it shares the provider's limits."""
        return self._name, self.identity.get("base_url")

    @cached_property
    def identity(self) -> dict[str, Any]:
        """Raises NoIdentity for a chat model of no usable identity."""
        url = getattr(self._model.sdk, "base_url", None)  # which the SDK may have from the environment
        sent_to = {} if url is None else {"base_url": identity(str(url).rstrip("/"))}
        return {**identity(self.chat), **sent_to}

    def _opened(self) -> OpenedModel:
        return self._model

    async def aclose(self) -> None:
        """Nothing to close: the model's connections are its own."""
