"""The models that a study asks: who answers, how many at once, and at which price."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias

from pydantic import Field

from ansatz.agents import ModelClient, is_simulated
from ansatz.agents.identity import NoIdentity
from ansatz.agents.models import ModelSettings, ProviderClient, connect
from ansatz.agents.models.failures import ModelError
from ansatz.agents.models.replay import RecordingClient
from ansatz.eval.judging.judge_models import PricedModel
from ansatz.experiments.design.study_error import StudyError, check_name, checked
from ansatz.experiments.ledger.prices import Price, price_of
from ansatz.settings import Count, NamedPath

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

    from ansatz.agents.models.batches import BatchStore

BATCHED_AT_ONCE = 5000
_QUIET, _POLL = "ANSATZ_BATCH_QUIET", "ANSATZ_BATCH_POLL"
"""Seconds without a further request after which a batch is sent, and between two looks at one."""


class ModelChoice(PricedModel):
    """`name` may also be a reference to a chat model.

    `record` is a JSONL file for all exchanges; "replay:FILE" answers from it. Both start from the folder of
    the study.
    """

    settings: ModelSettings = ModelSettings()
    concurrency: Count = 8
    record: NamedPath | None = None
    batch: Annotated[bool, Field(strict=True)] = False


@dataclass(frozen=True)
class Model:
    """A model of a study: who answers, how many at once, and what its tokens cost.

    `model` is "provider:model" (`settings` are then those of `ModelSettings`, such as temperature), one's own
    LangChain chat model, or a function that makes one. `label` is its name in tables. `input_price` and
    `output_price` are dollars per million tokens, `cached_price` and `cache_write_price` those of what the
    provider keeps of prompts; without any, those of its provider's table hold. Label, concurrency and prices
    are no part of its identity.
    With `batch` it is asked by the provider's batch interface, at half the price, within a day or so.
    `record` is a JSONL file to which every exchange is added; "replay:FILE" is a model that answers from it.

    Example: `Model("openai:gpt-5.2", settings={"temperature": 0}, input_price=1.25, output_price=10)`.
    """

    model: str | BaseChatModel | ModelClient | Callable[[], BaseChatModel]
    label: str | None = None
    settings: ModelSettings | Mapping[str, Any] = field(default_factory=dict)
    concurrency: int = 8
    input_price: float | None = None
    output_price: float | None = None
    record: str | Path | None = None
    cached_price: float | None = None
    cache_write_price: float | None = None
    batch: bool = False

    def __post_init__(self) -> None:
        stated = {name: vars(self)[name] for name in ModelChoice.model_fields if name in vars(self)}
        checked(ModelChoice, {**stated, "name": str(self.title)})

    @cached_property
    def client(self) -> ModelClient:
        """Asks the model. Raises ModelError where that cannot be, NoIdentity for an object of no identity."""
        return self.asked_with({})

    def asked_with(self, changes: Mapping[str, Any]) -> ModelClient:
        """A client that asks it with other settings. Raises ModelError for one that it does not take."""
        client = connect(self.model, self.settings, changes)
        return RecordingClient(client, Path(self.record)) if self.record else client

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
        return price_of(vars(self), self.client.identity)


ModelLike: TypeAlias = "Model | str | BaseChatModel | ModelClient | Callable[[], BaseChatModel]"
"""What may stand for a model: "provider:model", a chat model, a function that makes one, or a `Model`."""


def by_batches(client: ModelClient, title: str, store: BatchStore) -> None:
    """Ask by batches from now on. Raises StudyError for a model without a batch interface."""
    asked = client.client if isinstance(client, RecordingClient) else client
    if not isinstance(asked, ProviderClient):
        raise StudyError(f"batch: {title} has no batch interface; leave `batch` out", ("models",))
    asked.by_batches(store, float(os.environ.get(_QUIET, 5)), float(os.environ.get(_POLL, 30)))


def models_of(given: Sequence[ModelLike] | ModelLike) -> dict[str, Model]:
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
