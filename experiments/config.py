"""A study: which models answer which problems under which arms, and how that is scored."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from ansatz.agents.models import ModelSettings
from ansatz.eval.benchmarks.validation import explain
from ansatz.experiments import yaml_file
from ansatz.experiments.yaml_file import InvalidFile
from ansatz.quantities.did_you_mean import nearest

Settings = dict[str, Any]
Interventions = dict[str, Settings]
"""Interventions of one arm by name, with their settings."""


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ModelChoice(_Strict):
    """`name` is "provider:model"; prices are in dollars per million tokens."""

    name: str
    label: str | None = None
    settings: ModelSettings = ModelSettings()
    concurrency: int = Field(default=8, ge=1)
    input_price: float | None = Field(default=None, ge=0)
    output_price: float | None = Field(default=None, ge=0)

    @property
    def title(self) -> str:
        return self.label or self.name

    @property
    def is_simulated(self) -> bool:
        """Whether answers come from a rule-based stand-in rather than a language model."""
        return self.name.startswith("offline:")

    def price(self, input_tokens: int, output_tokens: int) -> float | None:
        """Dollars for so many tokens; None where no price is given."""
        if self.input_price is None:
            return None
        return (input_tokens * self.input_price + output_tokens * (self.output_price or 0.0)) / 1e6


class ProblemChoice(_Strict):
    """Problems of one benchmark: `where` keeps those whose tags have one of the given values."""

    benchmark: str
    settings: Settings = {}
    where: dict[str, str | list[str]] = {}
    limit: int | None = Field(default=None, ge=1)


class LimitChoice(_Strict):
    model_calls: int = Field(default=12, ge=1)
    tool_calls: int = Field(default=24, ge=0)
    tokens: int | None = Field(default=None, ge=1)
    seconds: float | None = Field(default=300.0, gt=0)


class Study(_Strict):
    """One experiment. Arms are named, or made from `interventions` by a design, or both."""

    name: str
    models: tuple[ModelChoice, ...] = Field(min_length=1)
    problems: tuple[ProblemChoice, ...] = Field(min_length=1)
    arms: dict[str, Interventions] = {}
    design: Literal["one_at_a_time", "full_factorial"] | None = None
    interventions: Interventions = {}
    baseline: str = "baseline"
    repeats: int = Field(default=1, ge=1)
    seed: int = 0
    scorers: dict[str, Settings] = {"outcome": {}, "rubric": {}}
    limits: LimitChoice = LimitChoice()

    @field_validator("models", "problems", mode="before")
    @classmethod
    def _names_alone_will_do(cls, value: Any, info: Any) -> Any:
        if value is None:
            return value
        key = "name" if info.field_name == "models" else "benchmark"
        entries = value if isinstance(value, list | tuple) else [value]
        return [{key: entry} if isinstance(entry, str) else entry for entry in entries]

    @field_validator("interventions", "scorers", mode="before")
    @classmethod
    def _lists_become_mappings(cls, value: Any) -> Any:
        return _with_settings(value)

    @field_validator("arms", mode="before")
    @classmethod
    def _arms_become_mappings(cls, value: Any) -> Any:
        if isinstance(value, dict):
            return {name: _with_settings(arm) for name, arm in value.items()}
        return {} if value is None else value

    @field_validator("name")
    @classmethod
    def _name_is_a_folder(cls, name: str) -> str:
        if not name.strip() or name.startswith(".") or not name.isprintable() or set(name) & set("/\\"):
            raise ValueError(f"must do as the name of a folder, not {name!r}")
        return name

    @model_validator(mode="after")
    def _is_consistent(self) -> Study:
        if self.design and not self.interventions:
            raise ValueError("design needs `interventions`: the switches to vary")
        if self.interventions and not self.design:
            raise ValueError("interventions need a design: one_at_a_time or full_factorial")
        titles = [model.title for model in self.models]
        for title in titles:
            if titles.count(title) > 1:
                raise ValueError(f"models: two are called {title!r}; give one of them a label")
        if self.baseline not in self.all_arms():
            raise ValueError(
                f"baseline: there is no arm {self.baseline!r}{nearest(self.baseline, list(self.all_arms()))}"
            )
        return self

    def all_arms(self) -> dict[str, Interventions]:
        """Arms by name, the baseline first. Without an arm of its name, the baseline is the bare plan."""
        arms = {**self._designed_arms(), **self.arms}
        if self.baseline == "baseline":
            arms.setdefault("baseline", {})
        return {name: arms[name] for name in sorted(arms, key=lambda name: name != self.baseline)}

    def _designed_arms(self) -> dict[str, Interventions]:
        names = list(self.interventions)
        sizes = {"one_at_a_time": [1], "full_factorial": range(1, len(names) + 1), None: []}[self.design]
        chosen = [names for size in sizes for names in combinations(self.interventions, size)]
        return {"+".join(names): {name: self.interventions[name] for name in names} for names in chosen}


def load_study(path: Path) -> Study:
    """Raises InvalidFile with one line per fault."""
    return yaml_file.read(path, Study)


def study_of_run(content: Any, folder: Path) -> Study:
    """The study that a run folder holds. Raises InvalidFile where it is none, or one of another version."""
    if content is None:
        raise InvalidFile(f"{folder}: the run was broken off before its first unit; start it from its study")
    try:
        return Study.model_validate(content)
    except ValidationError as failure:
        faults = explain(failure, Study)
        raise InvalidFile("\n".join(f"{folder}: the study it holds: {fault}" for fault in faults)) from None


def _with_settings(value: Any) -> Any:
    """`[a, {b: {x: 1}}]` and `{a: , b: {x: 1}}` both mean a without settings and b with one."""
    if isinstance(value, str):
        return {value: {}}
    if isinstance(value, list):
        merged: dict[str, Any] = {}
        for entry in value:
            if not isinstance(entry, str | dict):
                return value  # for the schema to refuse
            merged.update({entry: {}} if isinstance(entry, str) else entry)
        value = merged
    if isinstance(value, dict):
        return {name: settings or {} for name, settings in value.items()}
    return {} if value is None else value
