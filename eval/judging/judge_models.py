"""The models that act as judges, and the prices of their tokens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Annotated, Any, Protocol, Self, runtime_checkable

from pydantic import ConfigDict, Field, RootModel, ValidationError, field_validator, model_validator

from ansatz.agents.langchain_types import is_chat_model
from ansatz.errors import InvalidData
from ansatz.eval.validation import find_faulty_fields
from ansatz.quantities.did_you_mean import nearest
from ansatz.settings import settings

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel


Dollars = Annotated[float, Field(ge=0, allow_inf_nan=False, strict=True)]


@settings(kw_only=True)
class TokenPrices:
    """The prices of a model's tokens. Without any price, the table of its provider applies."""

    input_price: Dollars | None = None
    """Dollars per million tokens of prompts."""
    output_price: Dollars | None = None
    """Dollars per million tokens of responses, including hidden reasoning."""
    cached_price: Dollars | None = None
    """Dollars per million prompt tokens that the provider reads from its cache."""
    cache_write_price: Dollars | None = None
    """Dollars per million prompt tokens that the provider writes to its cache."""

    @model_validator(mode="after")
    def _check_prices(self) -> Self:
        if (self.input_price is None) != (self.output_price is None):
            raise ValueError("give both input_price and output_price: a missing one would count as free")
        for detail in ("cached_price", "cache_write_price"):
            if getattr(self, detail) is not None and self.input_price is None:
                raise ValueError(f"{detail} also needs input_price and output_price")
        return self


def _invalid_judge(failure: ValidationError, kind: type) -> InvalidData:
    return InvalidData(str(find_faulty_fields(failure, kind)[0]))


@settings(refuse=_invalid_judge)
class JudgeModel(TokenPrices):
    """A model that judges answers, or reads the values that answers state.

    Example: `JudgeModel(name="openai:gpt-5.2", input_price=1.25, output_price=10)`.
    """

    name: str
    """"provider:model", or the name of the chat model."""
    label: str | None = None
    """Name in tables; needed if two judges have the same name."""
    settings: dict[str, Any] = Field(default_factory=dict)
    """Settings as for the models of a study, such as temperature."""
    chat: Any = Field(default=None, exclude=True)
    """A LangChain chat model that acts as the judge."""

    @model_validator(mode="before")
    @classmethod
    def _read_short_forms(cls, value: Any) -> Any:
        """Accept a name or a chat model in place of a mapping."""
        if is_chat_model(value):
            names = (getattr(value, attribute, None) for attribute in ("name", "model_name", "model"))
            name = next((name for name in names if isinstance(name, str) and name), type(value).__name__)
            return {"name": name, "chat": value}
        if isinstance(value, dict):
            known = [each.name for each in fields(cls) if each.name != "chat" or "chat" in value]
            for field in value:
                if field not in known:
                    raise ValueError(f"a judge has no field {field!r}{nearest(str(field), known)}")
        return {"name": value} if isinstance(value, str) else value

    @field_validator("name")
    @classmethod
    def _check_is_language_model(cls, name: str) -> str:
        if name.startswith("offline:"):
            raise ValueError(
                f"{name} is not a language model and cannot judge; use the scorer verifier offline"
            )
        return name

    @property
    def title(self) -> str:
        """The name in tables."""
        return self.label or self.name

    @property
    def target(self) -> str | BaseChatModel:
        """The chat model or the model's name, for `connect`."""
        return self.chat if self.chat is not None else self.name


class JudgeModels(RootModel[tuple[JudgeModel, ...]]):
    """The judges of a panel."""

    model_config = ConfigDict(frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _wrap_single_judge(cls, value: Any) -> Any:
        return tuple(value) if isinstance(value, list | tuple) else (value,)


if TYPE_CHECKING:
    JudgeLike = str | JudgeModel | BaseChatModel | Mapping[str, Any]
    """A judge: "provider:model", a mapping with settings and prices, or a chat model."""
    JudgesLike = JudgeLike | Sequence[JudgeLike] | JudgeModels
else:  # study files are validated against these
    JudgeLike = JudgeModel
    JudgesLike = JudgeModels


def parse_judges(judges: JudgesLike) -> tuple[JudgeModel, ...]:
    """Convert one judge or a list of judges to `JudgeModel`s. Raises ValueError for an invalid one."""
    return (judges if isinstance(judges, JudgeModels) else JudgeModels.model_validate(judges)).root


@runtime_checkable
class UsesJudges(Protocol):
    """A scorer that sends requests to models.

    A run connects the models; the scorer calls them by title through `context.ask`. The ledger stores the
    replies, and the run bills them separately from the arms' requests.
    """

    @property
    def wanted_models(self) -> Sequence[JudgeModel]:
        """The models that a run has to connect."""
        ...

    @property
    def prompt_hash(self) -> str:
        """SHA-256 of the scorer's prompts, for the manifest."""
        ...
