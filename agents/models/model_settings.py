"""How a model is asked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from ansatz.agents.models.retry import RetryPolicy
from ansatz.errors import ModelError
from ansatz.quantities.did_you_mean import nearest
from ansatz.settings import Count, PositiveNumber

_LONGEST_ANSWER = 32_768  # tokens: what reasoning models need for hard problems, at a price that one can bear
_OF_UNKNOWN = 16_384


def longest_answer(profile: Mapping[str, Any] | None) -> int:
    """Tokens that an answer may have by default, hidden reasoning included.

    As many as the model can write according to its profile (LangChain's), at most 32,768, and at most half of
    what it can read, since some share one window for both; 16,384 for a model without a profile.
    """
    known = profile or {}
    most: int | None = known.get("max_output_tokens")
    window: int | None = known.get("max_input_tokens")
    if not most:
        return _OF_UNKNOWN
    return min(_LONGEST_ANSWER, most, window // 2 if window else most)


class ModelSettings(BaseModel):
    """Parameters of a model. None leaves one to the provider, but for `max_tokens`.

    `max_tokens` bounds one answer, hidden reasoning included; without it, the model's profile does: see
    `longest_answer`. It is always sent, and part of the model's identity. `base_url` is an OpenAI-compatible
    (or Anthropic-compatible) server; of a list, the others are `fallbacks`, which serve the same model, are
    asked in turn when one fails, and are no part of its identity. `timeout` bounds one try, in seconds.
    `extra` goes to the provider's LangChain chat model, such as `reasoning_effort: high`, or
    `extra_body: {top_k: 40}` for parameters only a local server knows. Keys come from the
    environment: `${NAME}` in `base_url`, `fallbacks` or `extra` is the variable NAME, read when the model is
    first asked.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    base_url: str | None = None
    fallbacks: tuple[str, ...] = ()
    temperature: float | None = None
    top_p: float | None = None
    seed: Annotated[int, Field(strict=True)] | None = None
    max_tokens: Count | None = None
    timeout: PositiveNumber = 300.0
    retry: RetryPolicy = RetryPolicy()
    extra: dict[str, Any] = Field(default_factory=dict)

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> ModelSettings:
        """Checked settings. Raises ModelError with one line about the first mistake."""
        try:
            return cls.model_validate(dict(settings))
        except ValidationError as wrong:
            mistake = wrong.errors(include_input=False)[0]
            place = ".".join(map(str, mistake["loc"]))
            if mistake["type"] == "extra_forbidden":
                names = RetryPolicy.model_fields if place.startswith("retry.") else cls.model_fields
                hint = nearest(place.rpartition(".")[2], list(names))
                raise ModelError(f"models have no setting {place!r}{hint}") from None
            raise ModelError(
                f"model setting {place}: {mistake['msg'].removeprefix('Value error, ')}"
            ) from None

    def changed(self, changes: Mapping[str, Any]) -> ModelSettings:
        """With some replaced by name; names that are none of ours go into `extra`. Raises ModelError."""
        own = {name: value for name, value in changes.items() if name in type(self).model_fields}
        others = {name: value for name, value in changes.items() if name not in own}
        return self.of({**self.model_dump(exclude_unset=True), **own, "extra": {**self.extra, **others}})

    @model_validator(mode="before")
    @classmethod
    def _several_addresses(cls, value: Any) -> Any:
        if isinstance(value, dict) and isinstance(value.get("base_url"), list | tuple) and value["base_url"]:
            first, *others = value["base_url"]
            return {**value, "base_url": first, "fallbacks": others}
        return value

    @field_validator("fallbacks")
    @classmethod
    def _are_addresses(cls, urls: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(filter(None, map(cls._is_an_address_without_password, urls)))

    @field_validator("base_url")
    @classmethod
    def _is_an_address_without_password(cls, url: str | None) -> str | None:
        if url and not (url.startswith(("http://", "https://")) and urlsplit(url).netloc):
            raise ValueError("base_url must begin with http:// or https://, such as http://localhost:8000/v1")
        if url is not None and "@" in urlsplit(url).netloc:
            raise ValueError("base_url must not hold a password; keys come from the environment")
        if url is not None and (urlsplit(url).query or urlsplit(url).fragment):
            raise ValueError("base_url must end with its path; a query goes into extra: {default_query: {…}}")
        return url.rstrip("/") if url else None

    @field_validator("extra")
    @classmethod
    def _holds_no_key(cls, extra: dict[str, Any]) -> dict[str, Any]:
        for name, value in extra.items():
            is_key = name.lower().replace("-", "_").endswith(("api_key", "auth_token", "authorization"))
            if is_key and "${" not in str(value):
                raise ValueError(
                    f"extra must not hold {name}; keys come from the environment, as in {name}: ${{NAME}}"
                )
            if isinstance(value, dict):
                cls._holds_no_key(value)
        return extra
