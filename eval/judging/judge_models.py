"""Which models judge, and what their tokens cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import TYPE_CHECKING, Annotated, Any, Protocol, Self, runtime_checkable

from pydantic import ConfigDict, Field, RootModel, ValidationError, field_validator, model_validator

from ansatz.agents.langchain_types import is_chat_model
from ansatz.errors import InvalidData
from ansatz.eval.validation import faulty_fields
from ansatz.quantities.did_you_mean import nearest
from ansatz.settings import settings

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel


Dollars = Annotated[float, Field(ge=0, allow_inf_nan=False, strict=True)]


@settings(kw_only=True)
class TokenPrices:
    """What the tokens of a model cost; without any price, those of its provider's table apply."""

    input_price: Dollars | None = None
    """Dollars per million tokens of prompts."""
    output_price: Dollars | None = None
    """Dollars per million tokens of answers, hidden reasoning included."""
    cached_price: Dollars | None = None
    """Dollars per million prompt tokens that the provider reads from its cache."""
    cache_write_price: Dollars | None = None
    """Dollars per million prompt tokens that the provider writes to its cache."""

    @model_validator(mode="after")
    def _check_prices(self) -> Self:
        """A missing price would count as free."""
        if (self.input_price is None) != (self.output_price is None):
            raise ValueError("input_price and output_price go together: a missing one would count as free")
        for detail in ("cached_price", "cache_write_price"):
            if getattr(self, detail) is not None and self.input_price is None:
                raise ValueError(f"{detail} needs input_price and output_price beside it")
        return self


def _invalid_judge(failure: ValidationError, kind: type) -> InvalidData:
    return InvalidData(str(faulty_fields(failure, kind)[0]))


@settings(refuse=_invalid_judge)
class JudgeModel(TokenPrices):
    """A model that judges answers, or reads the values in them.

    Example: `JudgeModel(name="openai:gpt-5.2", input_price=1.25, output_price=10)`.
    """

    name: str
    """"provider:model"; of a chat model only its name."""
    label: str | None = None
    """Its name in tables, where two judges have the same name."""
    settings: dict[str, Any] = Field(default_factory=dict)
    """The same settings as for the models of a study, such as temperature."""
    chat: Any = Field(default=None, exclude=True)
    """A LangChain chat model, which then judges."""

    @model_validator(mode="before")
    @classmethod
    def _read_short_forms(cls, value: Any) -> Any:
        """A name or a chat model alone is enough."""
        if is_chat_model(value):
            seen = (getattr(value, each, None) for each in ("name", "model_name", "model"))
            name = next((each for each in seen if isinstance(each, str) and each), type(value).__name__)
            return {"name": name, "chat": value}
        if isinstance(value, dict):
            names = [each.name for each in fields(cls) if each.name != "chat" or "chat" in value]
            for field in value:
                if field not in names:
                    raise ValueError(f"a judge has no field {field!r}{nearest(str(field), names)}")
        return {"name": value} if isinstance(value, str) else value

    @field_validator("name")
    @classmethod
    def _check_is_language_model(cls, name: str) -> str:
        if name.startswith("offline:"):
            raise ValueError(f"{name} is no language model and cannot judge; use the scorer verifier offline")
        return name

    @property
    def title(self) -> str:
        return self.label or self.name

    @property
    def asked(self) -> str | BaseChatModel:
        """What is connected: the chat model, or the name of one."""
        return self.chat if self.chat is not None else self.name


class JudgeModels(RootModel[tuple[JudgeModel, ...]]):
    """The judges of a panel, or the only one."""

    model_config = ConfigDict(frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _one_alone_will_do(cls, value: Any) -> Any:
        return tuple(value) if isinstance(value, list | tuple) else (value,)


if TYPE_CHECKING:
    JudgeLike = str | JudgeModel | BaseChatModel | Mapping[str, Any]
    """What may stand for a judge: "provider:model", a mapping with settings and prices, or a chat model."""
    JudgesLike = JudgeLike | Sequence[JudgeLike] | JudgeModels
else:  # a study file's settings are checked against these
    JudgeLike = JudgeModel
    JudgesLike = JudgeModels


def judge_models(given: JudgesLike) -> tuple[JudgeModel, ...]:
    """The judges that are meant. Raises ValueError where one cannot be."""
    return (given if isinstance(given, JudgeModels) else JudgeModels.model_validate(given)).root


@runtime_checkable
class UsesJudges(Protocol):
    """A scorer that asks models. A run connects them; the scorer asks by title, through `context.ask`.

    What it asks is remembered in the ledger, and billed apart from what the arms ask. `prompt_hash` is the
    SHA-256 of its prompts, for the manifest.
    """

    @property
    def wanted_models(self) -> Sequence[JudgeModel]: ...

    @property
    def prompt_hash(self) -> str: ...
