"""A study as a YAML file: what may stand in it, and the file of a run read again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from ansatz.errors import InvalidData, PluginError
from ansatz.eval.validation import explain
from ansatz.experiments.design import yaml_file
from ansatz.experiments.design.arms import combined
from ansatz.experiments.design.models import Model
from ansatz.experiments.design.study_settings import REMOVED, RENAMED, StudySettings
from ansatz.settings import Count

Settings = dict[str, Any]
Choice = tuple[str, Settings]
"""A plug-in by name, with its settings."""


def _with_settings(value: Any) -> Any:
    """`[a, {b: {x: 1}}]` and `{a: , b: {x: 1}}` both mean a without settings and b with one."""
    if isinstance(value, list) and all(isinstance(each, str | dict) for each in value):
        merged: dict[str, Any] = {}
        for each in value:
            found = _with_settings(each)
            if twice := [name for name in found if name in merged]:
                raise ValueError(f"{twice[0]!r} is given twice")
            merged |= found
        return merged
    if isinstance(value, dict):
        return {name: {} if settings is None else settings for name, settings in value.items()}
    return {value: {}} if isinstance(value, str) else {} if value is None else value


def _as_choices(value: Any) -> Any:
    """A list may hold a scorer several times, with other settings."""
    several = value if isinstance(value, list) else [value]
    if not all(isinstance(each, str | dict) for each in several):
        return value  # for the schema to refuse
    return [choice for each in several for choice in _with_settings(each).items()]


def _each_with(key: str) -> BeforeValidator:
    """Names alone will do, and one alone: each is the field `key` of an entry."""

    def validate(value: Any) -> Any:
        entries = value if value is None or isinstance(value, list | tuple) else [value]
        return entries and [{key: each} if isinstance(each, str) else each for each in entries]

    return BeforeValidator(validate)


Switches = Annotated[dict[str, Settings], BeforeValidator(_with_settings)]
"""Switches of one arm by name, with their settings."""


_NONE_IS_EMPTY = BeforeValidator(lambda value: {} if value is None else value)


class ProblemChoice(BaseModel):
    """Problems of one benchmark."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    benchmark: str
    """The name of an installed benchmark, or a reference to problems: "file.py:object"."""
    settings: Settings = {}
    """Settings of its loader."""
    where: dict[str, str | list[str]] = {}
    """Chooses the problems whose tags have one of the given values."""
    limit: Count | None = None
    """How many problems are used: the first ones."""


class StudyFile(StudySettings):
    """One experiment as a YAML file."""

    models: Annotated[tuple[Model, ...], _each_with("name")] = Field(min_length=1)
    """Who answers: "provider:model", or an entry with settings and prices."""
    problems: Annotated[tuple[ProblemChoice, ...], _each_with("benchmark")] = Field(min_length=1)
    """Benchmarks by name, or entries that choose from one."""
    arms: Annotated[dict[str, Switches], _NONE_IS_EMPTY] = Field(default_factory=dict)
    """The switches of each arm, by the name of the arm."""
    design: Literal["one_at_a_time", "full_factorial"] | None = None
    """Makes further arms from `interventions`: one for each, or one for every combination."""
    interventions: Switches = Field(default_factory=dict)
    """The switches that `design` varies."""
    scorers: Annotated[tuple[Choice, ...], BeforeValidator(_as_choices)] = (("outcome", {}), ("verifier", {}))
    """What scores the answers, by name."""

    @model_validator(mode="after")
    def _is_consistent(self) -> StudyFile:
        if self.design and not self.interventions:
            raise ValueError("design needs `interventions`: the switches to vary")
        if self.interventions and not self.design:
            raise ValueError("interventions need a design: one_at_a_time or full_factorial")
        return self

    def located(self, path: tuple[str | int, ...]) -> tuple[str | int, ...]:
        """A path to an arm as the file has it: those of the design stand under `interventions`."""
        designed = path[:1] == ("arms",) and len(path) > 1 and path[1] not in self.arms
        return ("interventions", *path[2:]) if designed else path

    def all_arms(self) -> dict[str, Switches]:
        """The arms that the file states, by name: those of its design, then those written out."""
        most = {"one_at_a_time": 1, "full_factorial": len(self.interventions), None: 0}[self.design]
        return {**combined(self.interventions, most), **self.arms}


def read(path: Path, changes: Sequence[str] = ()) -> StudyFile:
    """The file, with `changes` such as "repeats=3". Raises InvalidData with one line per fault."""
    return changed(yaml_file.read(path, StudyFile), changes)


def changed(content: StudyFile, changes: Sequence[str]) -> StudyFile:
    """The same study with other settings, such as "repeats=3". Raises InvalidData with one line per fault."""
    if not changes:
        return content
    settings = yaml_file.with_settings(content.model_dump(mode="json", exclude_unset=True), changes)
    return _validated(settings, "-o")


def read_stored_study(source: Mapping[str, Any] | None, folder: Path) -> tuple[StudyFile, Path]:
    """Return the study file that a run was started from, as its folder stores it, and that file's folder.

    Settings that were removed since are left out; renamed ones have their present names. Raises InvalidData.
    """
    if source is None:
        raise InvalidData(
            f"{folder}: this run was started from Python, or broken off early; start it from there"
        )
    stored = source["file"].items()
    content = {RENAMED.get(name, name): value for name, value in stored if name not in REMOVED}
    return _validated(content, f"{folder}: the study it holds"), Path(source["folder"])


def _validated(content: Mapping[str, Any], place: str) -> StudyFile:
    try:
        return StudyFile.model_validate(content)
    except ValidationError as failure:
        faults = explain(failure, StudyFile)
        raise InvalidData("\n".join(f"{place}: {fault}" for fault in faults)) from None


def parse_choice(text: str) -> Choice:
    """A plug-in as "name", "name:setting=value,setting=value" or "file.py:object". Raises PluginError.

    Values are read as YAML, so `top=3` is a number and `traps=no` is false.
    """
    name, _, settings = text.partition(":")
    if "." in name:  # a reference to an object
        thing, _, settings = settings.partition(":")
        name = f"{name}:{thing}"
    pairs = [pair for pair in settings.split(",") if pair]
    if not all("=" in pair for pair in pairs):
        raise PluginError(f"cannot read {text!r}; write name or name:setting=value,setting=value")
    return name, yaml_file.with_settings({}, pairs)
