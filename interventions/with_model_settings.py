"""Settings of the model as a switch, so that thinking effort or temperature is an arm."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from ansatz.agents import AgentPlan
from ansatz.errors import SettingError
from ansatz.interventions.intervention import Intervention
from ansatz.settings import Count, settings


@settings()
class WithModelSettings(Intervention):
    """The model of the study asked with other settings: temperature, reasoning_effort, top_p, seed, …

    They take the place of the model's own; `extra` goes to the provider's LangChain chat model as it is.
    A setting that a model does not take is refused before anything is asked.

    Example: `one_at_a_time(WithModelSettings(reasoning_effort="high"), Calculator())`.
    """

    temperature: float | None = None
    top_p: float | None = None
    seed: int | None = None
    max_tokens: Count | None = None
    reasoning_effort: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not self._given:
            raise SettingError("give at least one setting, such as temperature or reasoning_effort")

    def apply(self, plan: AgentPlan) -> AgentPlan:
        return plan.set_model_settings(self._given)

    @property
    def _given(self) -> dict[str, Any]:
        named = {name: value for name, value in vars(self).items() if name != "extra" and value is not None}
        return {**named, **self.extra}
