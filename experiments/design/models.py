"""The models of a study: how each is connected, how many attempts it makes at once, and its prices."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any, Self, TypeAlias

from pydantic import Field, model_validator

from ansatz.agents import ModelClient, is_simulated
from ansatz.agents.models import ModelSettings, ProviderClient, connect
from ansatz.agents.models.replay import RecordingClient
from ansatz.errors import ModelError, NoIdentity, StudyError
from ansatz.eval.judging.judge_models import TokenPrices
from ansatz.experiments.design.study_settings import check_name, study_error
from ansatz.experiments.ledger.prices import Price, find_price
from ansatz.settings import Count, NamedPath, settings

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

    from ansatz.agents.models.batches import BatchStore

BATCHED_AT_ONCE = 5000
_QUIET, _POLL = "ANSATZ_BATCH_QUIET", "ANSATZ_BATCH_POLL"
"""Seconds without a further request after which a batch is sent, and between two polls of a batch."""


if TYPE_CHECKING:
    AnyModel = str | BaseChatModel | ModelClient | Callable[[], BaseChatModel]
    SettingsLike = ModelSettings | Mapping[str, Any]
else:  # the types that Pydantic validates
    AnyModel, SettingsLike = Any, ModelSettings


@settings(refuse=study_error)
class Model(TokenPrices):
    """A model of a study. Its label, concurrency and prices are not part of its identity.

    Example: `Model("openai:gpt-5.2", settings={"temperature": 0}, input_price=1.25, output_price=10)`.
    """

    model: AnyModel = Field(validation_alias="name", serialization_alias="name")
    """"provider:model", a LangChain chat model, or a function that makes one. "replay:FILE" answers from a
    recording. A study file calls it `name`, and may refer to a chat model: "file.py:object"."""
    label: str | None = None
    """Its name in tables."""
    settings: SettingsLike = Field(default_factory=ModelSettings)
    """Settings of its requests, such as `{"temperature": 0}`. A chat model keeps its own settings."""
    concurrency: Count = 8
    """How many attempts run at once."""
    record: NamedPath | None = None
    """A JSONL file to which every exchange is added; relative to the folder of the study file."""
    batch: Annotated[bool, Field(strict=True)] = False
    """Whether requests go through the provider's batch interface: half the price, within about a day."""

    @model_validator(mode="after")
    def _check_title(self) -> Self:
        check_name("models", self.title)
        return self

    @cached_property
    def client(self) -> ModelClient:
        """The client of the model. Raises ModelError or NoIdentity."""
        return self.connect_with({})

    def connect_with(self, changes: Mapping[str, Any]) -> ModelClient:
        """Return a client with changed settings. Raises ModelError for a setting that the model lacks."""
        client = connect(self.model, self.settings, changes)
        return RecordingClient(client, self.record) if self.record else client

    @property
    def concurrent_attempts(self) -> int:
        """How many attempts run at once; with batches, as many as a batch can have."""
        return BATCHED_AT_ONCE if self.batch else self.concurrency

    @property
    def title(self) -> str:
        """Its label, or else the name of the model."""
        if self.label or isinstance(self.model, str):
            return self.label or str(self.model)
        names = (getattr(self.model, each, None) for each in ("name", "model_name", "model", "__name__"))
        return next((each for each in names if isinstance(each, str) and each), type(self.model).__name__)

    @property
    def is_simulated(self) -> bool:
        """Whether a rule-based solver answers instead of a language model."""
        return is_simulated(self.client)

    @cached_property
    def price(self) -> Price | None:
        """The price of its tokens; None if it is unknown."""
        return find_price(vars(self), self.client.identity)


ModelLike: TypeAlias = "Model | str | BaseChatModel | ModelClient | Callable[[], BaseChatModel]"
"""Accepted as a model: "provider:model", a chat model, a function that makes one, or a `Model`."""


def use_batches(client: ModelClient, title: str, store: BatchStore) -> None:
    """Send all further requests in batches. Raises StudyError for a model without a batch interface."""
    inner = client.client if isinstance(client, RecordingClient) else client
    if not isinstance(inner, ProviderClient):
        raise StudyError(f"batch: {title} has no batch interface; leave `batch` out", ("models",))
    inner.use_batches(store, float(os.environ.get(_QUIET, 5)), float(os.environ.get(_POLL, 30)))


def build_models(given: Sequence[ModelLike] | ModelLike) -> dict[str, Model]:
    """Return the models by title. Raises StudyError for a model that cannot be used, or for equal titles."""
    found: dict[str, Model] = {}
    entries = given if isinstance(given, Sequence) and not isinstance(given, str) else [given]
    for number, each in enumerate(entries):
        model = each if isinstance(each, Model) else Model(each)
        check_name("models", model.title)
        if model.title in found:
            raise StudyError(f"models: two are called {model.title!r}; give one of them a label", ("models",))
        found[model.title] = model
        try:
            model.client.identity  # noqa: B018 - raises NoIdentity before any request is paid
        except (ModelError, NoIdentity) as failure:
            raise StudyError(str(failure), ("models", number)) from failure
    return found
