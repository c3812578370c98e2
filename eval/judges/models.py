"""Which models judge, and what their tokens cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from pydantic import BaseModel, ConfigDict, Field, RootModel, field_validator, model_validator

from ansatz.agents import ModelClient
from ansatz.eval.score import Scorer
from ansatz.quantities.did_you_mean import nearest


class JudgeModel(BaseModel):
    """One judge. `name` is "provider:model"; prices are in dollars per million tokens.

    `settings` are those of a study's models. `label` tells apart two judges of one name.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    label: str | None = None
    settings: dict[str, Any] = {}
    input_price: float | None = Field(default=None, ge=0)
    output_price: float | None = Field(default=None, ge=0)

    @model_validator(mode="before")
    @classmethod
    def _a_name_alone_will_do(cls, value: Any) -> Any:
        if isinstance(value, dict):
            for field in value:
                if field not in cls.model_fields:
                    raise ValueError(f"a judge has no field {field!r}{nearest(str(field), cls.model_fields)}")
        return {"name": value} if isinstance(value, str) else value

    @field_validator("name")
    @classmethod
    def _is_a_language_model(cls, name: str) -> str:
        if name.startswith("offline:"):
            raise ValueError(f"{name} is no language model and cannot judge; use the scorer rubric offline")
        return name

    @property
    def title(self) -> str:
        return self.label or self.name

    def price(self, input_tokens: int, output_tokens: int) -> float | None:
        """Dollars for so many tokens; None where no price is given."""
        if self.input_price is None:
            return None
        return (input_tokens * self.input_price + output_tokens * (self.output_price or 0.0)) / 1e6


class JudgeModels(RootModel[tuple[JudgeModel, ...]]):
    """The judges of a panel, or the only one."""

    model_config = ConfigDict(frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _one_alone_will_do(cls, value: Any) -> Any:
        return (value,) if isinstance(value, str | dict) else value


@runtime_checkable
class AsksModels(Protocol):
    """A scorer that asks models. A run connects the models, and scores with what `connected` returns.

    What it asks is remembered and billed apart from what the arms ask.
    """

    @property
    def wanted_models(self) -> Sequence[JudgeModel]: ...

    @property
    def prompt_hash(self) -> str: ...

    def connected(self, clients: Mapping[str, ModelClient]) -> Scorer:
        """The scorer with a client for each model, by title. Raises ValueError where that cannot be."""
        ...
