"""The models that a study asks: who answers, how many at once, and at which price."""

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
from ansatz.experiments.design.study_error import check_name, study_error
from ansatz.experiments.ledger.prices import Price, find_price
from ansatz.settings import Count, NamedPath, settings

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

    from ansatz.agents.models.batches import BatchStore

BATCHED_AT_ONCE = 5000
_QUIET, _POLL = "ANSATZ_BATCH_QUIET", "ANSATZ_BATCH_POLL"
"""Seconds without a further request after which a batch is sent, and between two looks at one."""


if TYPE_CHECKING:
    AnyModel = str | BaseChatModel | ModelClient | Callable[[], BaseChatModel]
    SettingsLike = ModelSettings | Mapping[str, Any]
else:  # what these are checked against
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
    """How it is asked, such as `{"temperature": 0}`. A chat model keeps those that it was made with."""
    concurrency: Count = 8
    """How many attempts run at once."""
    record: NamedPath | None = None
    """A JSONL file to which every exchange is added; in a study file from the folder of the study."""
    batch: Annotated[bool, Field(strict=True)] = False
    """Whether it is asked by its provider's batch interface: at half the price, within about a day."""

    @model_validator(mode="after")
    def _check_title(self) -> Self:
        check_name("models", self.title)
        return self

    @cached_property
    def client(self) -> ModelClient:
        """Asks the model. Raises ModelError where that cannot be, NoIdentity for an object of no identity."""
        return self.asked_with({})

    def asked_with(self, changes: Mapping[str, Any]) -> ModelClient:
        """A client that asks it with other settings. Raises ModelError for one that it does not take."""
        client = connect(self.model, self.settings, changes)
        return RecordingClient(client, self.record) if self.record else client

    @property
    def at_once(self) -> int:
        """How many attempts are under way together: of a batch, all that it may hold."""
        return BATCHED_AT_ONCE if self.batch else self.concurrency

    @property
    def title(self) -> str:
        if self.label or isinstance(self.model, str):
            return self.label or str(self.model)
        seen = (getattr(self.model, each, None) for each in ("name", "model_name", "model", "__name__"))
        return next((each for each in seen if isinstance(each, str) and each), type(self.model).__name__)

    @property
    def is_simulated(self) -> bool:
        """Whether answers come from a rule-based stand-in rather than a language model."""
        return is_simulated(self.client)

    @cached_property
    def price(self) -> Price | None:
        """What its tokens cost; None where that is unknown."""
        return find_price(vars(self), self.client.identity)


ModelLike: TypeAlias = "Model | str | BaseChatModel | ModelClient | Callable[[], BaseChatModel]"
"""What may stand for a model: "provider:model", a chat model, a function that makes one, or a `Model`."""


def by_batches(client: ModelClient, title: str, store: BatchStore) -> None:
    """Ask by batches from now on. Raises StudyError for a model without a batch interface."""
    asked = client.client if isinstance(client, RecordingClient) else client
    if not isinstance(asked, ProviderClient):
        raise StudyError(f"batch: {title} has no batch interface; leave `batch` out", ("models",))
    asked.by_batches(store, float(os.environ.get(_QUIET, 5)), float(os.environ.get(_POLL, 30)))


def build_models(given: Sequence[ModelLike] | ModelLike) -> dict[str, Model]:
    """Models by title. Raises StudyError for one that cannot be asked, or be told from another."""
    found: dict[str, Model] = {}
    several = given if isinstance(given, Sequence) and not isinstance(given, str) else [given]
    for number, each in enumerate(several):
        model = each if isinstance(each, Model) else Model(each)
        check_name("models", model.title)
        if model.title in found:
            raise StudyError(f"models: two are called {model.title!r}; give one of them a label", ("models",))
        found[model.title] = model
        try:
            model.client.identity  # noqa: B018 - a model of no identity is refused before anything is paid for
        except (ModelError, NoIdentity) as failure:
            raise StudyError(str(failure), ("models", number)) from failure
    return found
