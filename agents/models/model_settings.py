"""Settings of the requests to a model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Annotated, Any, ClassVar
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from ansatz.agents.models.retry import RetryPolicy
from ansatz.errors import ModelError
from ansatz.quantities.did_you_mean import advise_on_unknown, nearest
from ansatz.settings import Count, PositiveNumber

_LONGEST_ANSWER = 32_768  # tokens: reasoning models need that for hard problems, and its price is bearable
_DEFAULT = 16_384  # tokens, for a model without a profile
PROVIDER_PARAMETERS = "; other parameters of the provider go into extra: {NAME: …}"
"""Added to the message about an unknown setting, whose name replaces NAME."""


def longest_answer(profile: Mapping[str, Any] | None) -> int:
    """Return the default of `max_tokens`, which includes hidden reasoning.

    It is the output limit of the model's profile in LangChain, at most 32,768. It is also at most half of the
    input limit, because some models share one window for both. Without a profile it is 16,384.
    """
    limits = profile or {}
    most: int | None = limits.get("max_output_tokens")
    window: int | None = limits.get("max_input_tokens")
    if not most:
        return _DEFAULT
    return min(_LONGEST_ANSWER, most, window // 2 if window else most)


class ModelSettings(BaseModel):
    """Parameters of the requests to a model. The provider chooses those that are None, except `max_tokens`.

    Keys come from the environment: `${NAME}` in `base_url`, `fallbacks` or `extra` is the variable NAME, read
    before the first request.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    advice_on_unknown: ClassVar[str] = PROVIDER_PARAMETERS

    base_url: str | None = None
    """The address of an OpenAI-compatible (or Anthropic-compatible) server. The further addresses of a list
    become `fallbacks`."""
    fallbacks: tuple[str, ...] = ()
    """Addresses of the same model, used in turn when one fails. They are not part of the model's identity."""
    temperature: float | None = None
    """The sampling temperature."""
    top_p: float | None = None
    """The share of probability that sampling is limited to."""
    seed: Annotated[int, Field(strict=True)] | None = None
    """The seed of the provider's sampling, if it takes one."""
    max_tokens: Count | None = None
    """The most tokens of one answer, including hidden reasoning. It is always sent, and part of the model's
    identity. The default follows from the model's profile: see `longest_answer`."""
    timeout: PositiveNumber = 300.0
    """The longest time for one try, in seconds."""
    retry: RetryPolicy = RetryPolicy()
    """How failed requests are repeated."""
    extra: dict[str, Any] = Field(default_factory=dict)
    """Arguments of the provider's LangChain chat model, such as `reasoning_effort: high`, or
    `extra_body: {top_k: 40}` for parameters that only a local server accepts."""

    @classmethod
    def of(cls, settings: Mapping[str, Any]) -> ModelSettings:
        """Validate settings. Raises ModelError with one line about the first mistake."""
        try:
            return cls.model_validate(dict(settings))
        except ValidationError as wrong:
            mistake = wrong.errors(include_input=False)[0]
            place = ".".join(map(str, mistake["loc"]))
            if mistake["type"] in ("extra_forbidden", "unexpected_keyword_argument"):
                name, is_of_retry = place.rpartition(".")[2], place.startswith("retry.")
                if is_of_retry and (present := RetryPolicy.renamed.get(name)):
                    raise ModelError(f"model setting {place}: is now called {present!r}") from None
                names = [each.name for each in fields(RetryPolicy)] if is_of_retry else [*cls.model_fields]
                advice = "" if is_of_retry else advise_on_unknown(cls, name)
                raise ModelError(f"models have no setting {place!r}{nearest(name, names)}{advice}") from None
            raise ModelError(
                f"model setting {place}: {mistake['msg'].removeprefix('Value error, ')}"
            ) from None

    def changed(self, changes: Mapping[str, Any]) -> ModelSettings:
        """Return a copy with changes by name. Names that are no fields go into `extra`. Raises ModelError."""
        fields = {name: value for name, value in changes.items() if name in type(self).model_fields}
        extra = {name: value for name, value in changes.items() if name not in fields}
        return self.of({**self.model_dump(exclude_unset=True), **fields, "extra": {**self.extra, **extra}})

    @model_validator(mode="before")
    @classmethod
    def _split_addresses(cls, value: Any) -> Any:
        if isinstance(value, dict) and isinstance(value.get("base_url"), list | tuple) and value["base_url"]:
            first, *fallbacks = value["base_url"]
            return {**value, "base_url": first, "fallbacks": fallbacks}
        return value

    @field_validator("fallbacks")
    @classmethod
    def _check_fallbacks(cls, urls: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(filter(None, map(cls._check_address, urls)))

    @field_validator("base_url")
    @classmethod
    def _check_address(cls, url: str | None) -> str | None:
        if url and not (url.startswith(("http://", "https://")) and urlsplit(url).netloc):
            raise ValueError("base_url must begin with http:// or https://, such as http://localhost:8000/v1")
        if url is not None and "@" in urlsplit(url).netloc:
            raise ValueError("base_url must not contain a password; keys come from the environment")
        if url is not None and (urlsplit(url).query or urlsplit(url).fragment):
            raise ValueError("base_url must end with its path; a query goes into extra: {default_query: {…}}")
        return url.rstrip("/") if url else None

    @field_validator("extra")
    @classmethod
    def _check_extra(cls, extra: dict[str, Any]) -> dict[str, Any]:
        for name, value in extra.items():
            is_key = name.lower().replace("-", "_").endswith(("api_key", "auth_token", "authorization"))
            if is_key and "${" not in str(value):
                raise ValueError(
                    f"extra must not contain {name}; keys come from the environment, as in {name}: ${{NAME}}"
                )
            if isinstance(value, dict):
                cls._check_extra(value)
        return extra
