"""Settings of the model as a switch, so that reasoning effort or temperature can be an arm."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, ClassVar

from ansatz.agents import AgentPlan
from ansatz.agents.models.model_settings import PROVIDER_PARAMETERS
from ansatz.errors import SettingError
from ansatz.interventions.intervention import Intervention
from ansatz.settings import Count, settings


@settings()
class WithModelSettings(Intervention):
    """The study's model with other settings: temperature, reasoning_effort, top_p, seed, …

    These settings replace the model's own. A setting that the model does not accept is refused before the
    first request.

    Example: `one_at_a_time(WithModelSettings(reasoning_effort="high"), Calculator())`.
    """

    advice_on_unknown: ClassVar[str] = PROVIDER_PARAMETERS

    temperature: float | None = None
    """The sampling temperature."""
    top_p: float | None = None
    """The share of probability that sampling is limited to."""
    seed: int | None = None
    """The seed of the provider's sampling, if it takes one."""
    max_tokens: Count | None = None
    """The most tokens of one answer, including hidden reasoning."""
    reasoning_effort: str | None = None
    """How long the model reasons, in the provider's terms, such as "high"."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Further arguments for the provider's LangChain chat model, passed on unchanged."""

    def __post_init__(self) -> None:
        if not self._changes:
            raise SettingError("give at least one setting, such as temperature or reasoning_effort")

    def apply(self, plan: AgentPlan) -> AgentPlan:
        return plan.set_model_settings(self._changes)

    @property
    def _changes(self) -> dict[str, Any]:
        named = {name: value for name, value in vars(self).items() if name != "extra" and value is not None}
        return {**named, **self.extra}
