"""A client of one model of one provider, by its name."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ansatz.agents.client import ModelClient
from ansatz.agents.credentials import keep_out_of_messages, with_environment
from ansatz.agents.identity import identity
from ansatz.agents.models.chat_models import (
    demand_abilities,
    environment_base_url,
    known_profile,
    lacks_key,
    open_model,
)
from ansatz.agents.models.model_settings import ModelSettings, longest_answer
from ansatz.agents.models.opened_model import OpenedModel
from ansatz.agents.models.patient_client import PatientClient
from ansatz.errors import ModelError, UnsetVariable
from ansatz.settings import API_KEYS

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

    from ansatz.agents.models.batches import BatchStore, BatchTransport

_BATCHED = ("openai", "anthropic")
_BATCH_TIMEOUT = 25 * 3600.0  # seconds: batches take up to a day


class ProviderClient(PatientClient):
    """Asks one model of one provider, patiently. Close it when done; it opens again when asked again."""

    def __init__(self, name: str, settings: ModelSettings) -> None:
        super().__init__(name, settings)
        self._base_url = settings.base_url or environment_base_url(name)
        self._addresses = deque([self._base_url, *settings.fallbacks])
        self._models: dict[str | None, OpenedModel] = {}  # by address
        self._batched: Callable[[], BatchTransport] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        profile = known_profile(name, settings)
        is_tried = profile is None
        if profile is None:
            profile = getattr(self.chat, "profile", None) or {}
        demand_abilities(name, profile, settings)
        if settings.max_tokens is None:
            self._models.clear()
            self._settings = settings.model_copy(update={"max_tokens": longest_answer(profile)})
        if is_tried:
            self._current()

    def __reduce__(self) -> tuple[Any, ...]:
        """Without its connections: whoever gets it opens his own."""
        return ProviderClient, (self._name, self._settings)

    @property
    def chat(self) -> BaseChatModel:
        """The chat model, made when it is first needed."""
        return self._current().chat

    @property
    def key(self) -> tuple[str, str | None]:
        """Provider and address: models that share them share the provider's limits."""
        return self._name.partition(":")[0], self._base_url

    @property
    def identity(self) -> dict[str, Any]:
        asked = self._settings.model_dump(exclude={"retry", "timeout", "fallbacks"}, exclude_none=True)
        address = {"base_url": self._base_url} if self._base_url else {}
        found: dict[str, Any] = identity({**asked, **address})
        return {"model": self._name, **found}

    def by_batches(self, store: BatchStore, quiet: float, poll: float) -> None:
        """From now on ask by the provider's batch interface. Raises ModelError where there is none."""
        from ansatz.agents.models.batches import BatchTransport
        from ansatz.agents.models.connections import Transport

        if not has_batches(self):
            raise ModelError(f"{self._name}: there are batches of {' and '.join(_BATCHED)} alone")
        self.traffic = None  # a batch is one request, whatever it holds
        self._batched = lambda: BatchTransport(Transport(), store, self._name, quiet, poll)
        self._settings = self._settings.model_copy(update={"timeout": _BATCH_TIMEOUT})
        self._models.clear()

    async def aclose(self) -> None:
        """Close the connections."""
        for model in self._models.values():
            await model.aclose()
        self._models.clear()
        self._loop = None

    def _failed(self, model: OpenedModel) -> None:
        """The next try goes to the next address; those under way together leave one together."""
        if model is self._models.get(self._addresses[0]):
            self._addresses.rotate(-1)

    def demand_key(self) -> None:
        """Raise ModelError if requests need a key and none is set. Identity, prices and plans need none."""
        if lacks_key(provider := self.key[0], self._base_url):
            raise ModelError(
                f"{provider} needs {API_KEYS[provider]}; set it, or give base_url for a local server"
            )

    def _opened(self) -> OpenedModel:
        """Kept-alive connections belong to the event loop that opened them."""
        self.demand_key()
        running = asyncio.get_running_loop()
        if self._loop not in (None, running):
            self._models.clear()
        self._loop = running
        return self._current()

    def _current(self) -> OpenedModel:
        address, provider = self._addresses[0], self._name.partition(":")[0]
        if address not in self._models:
            batched = self._batched() if self._batched else None
            reached = {"base_url": address, "extra": self._settings.extra}
            keep_out_of_messages(self._settings.extra)
            try:
                settings = self._settings.model_copy(update=with_environment(reached))
            except UnsetVariable as unset:
                raise ModelError(f"{self._name}: {unset}") from None
            model = open_model(self._name, settings, batched)
            if batched is not None:
                batched.asks_by(provider, model.sdk.with_options(max_retries=6, timeout=600))
            if lacks_key(provider, self._base_url):
                return model  # with a placeholder for the key, which may be set before the first request
            self._models[address] = model
        return self._models[address]


def has_batches(client: ModelClient) -> bool:
    """Whether a client can ask by its provider's batch interface."""
    return isinstance(client, ProviderClient) and client.key[0] in _BATCHED
