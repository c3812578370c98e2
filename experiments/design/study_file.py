"""A study as a YAML file: what may stand in it, and the file of a run read again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    ValidationError,
    model_validator,
)

from ansatz.agents import AnswerForm, Limits
from ansatz.agents.models.traffic import Rates
from ansatz.eval.judging.judge_models import JudgeModel
from ansatz.eval.validation import explain
from ansatz.experiments.design import yaml_file
from ansatz.experiments.design.arms import combined
from ansatz.experiments.design.asked_models import ModelChoice
from ansatz.experiments.design.looks import Stopping
from ansatz.experiments.design.plugins import PluginError
from ansatz.experiments.design.yaml_file import InvalidFile
from ansatz.settings import Count, NamedPath, PositiveNumber

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


def _may_be_under(key: str) -> BeforeValidator:
    """`{dollars: 5}` and 5 both mean 5."""
    return BeforeValidator(
        lambda value: value[key] if isinstance(value, dict) and value.keys() == {key} else value
    )


def _kept_under(key: str) -> PlainSerializer:
    """What may be changed by `-o budget.dollars=5` stands so in the file that a run keeps."""
    return PlainSerializer(lambda value: None if value is None else {key: value})


def _each_with(key: str) -> BeforeValidator:
    """Names alone will do, and one alone: each is the field `key` of an entry."""

    def validate(value: Any) -> Any:
        entries = value if value is None or isinstance(value, list | tuple) else [value]
        return entries and [{key: each} if isinstance(each, str) else each for each in entries]

    return BeforeValidator(validate)


Switches = Annotated[dict[str, Settings], BeforeValidator(_with_settings)]
"""Switches of one arm by name, with their settings."""


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ProblemChoice(_Strict):
    """Problems of one benchmark: `where` keeps those whose tags have one of the given values."""

    benchmark: str
    settings: Settings = {}
    where: dict[str, str | list[str]] = {}
    limit: Count | None = None


def _as_folder(name: str) -> str:
    if not name.strip() or name.startswith(".") or not name.isprintable() or set(name) & set("/\\"):
        raise ValueError(f"must do as the name of a folder, not {name!r}")
    return name


class PlainSettings(_Strict):
    """What a study file and a script say alike, so that both are told the same of it.

    A file may also say `reading: {model: …}`, `budget: {dollars: …}` and `executor: {dask: …}`.
    """

    removed: ClassVar[Mapping[str, str]] = {
        "prior": "delete the line: intervals of few problems are those of the cluster bootstrap"
    }
    """Settings of earlier versions, with what to do about each."""

    name: Annotated[str, AfterValidator(_as_folder)]
    baseline: str = "baseline"
    primary: Annotated[
        tuple[str, ...], BeforeValidator(lambda value: (value,) if isinstance(value, str) else value)
    ] = ()
    repeats: Annotated[Count, Field(le=10_000)] = 1
    seed: Annotated[int, Field(ge=0, strict=True)] = 0
    answer: AnswerForm = "block"
    reading: Annotated[JudgeModel | None, _may_be_under("model"), _kept_under("model")] = None
    limits: Limits = Limits()
    stop: Stopping | None = None
    rates: dict[str, Rates] = {}
    stop_after: Count = 10
    budget: Annotated[PositiveNumber | None, _may_be_under("dollars"), _kept_under("dollars")] = None
    cache: NamedPath | None = None
    executor: Annotated[
        Annotated[str, Field(min_length=1)] | None, _may_be_under("dask"), _kept_under("dask")
    ] = None


class StudyFile(PlainSettings):
    """One experiment. Arms are named, or made from `interventions` by a design, or both.

    `answer` is how every arm is to state its answer, `reading` what reads it. `stop_after` failures alike in
    a row end a run; what is finished is kept. `primary` names the dimensions that are tested first.
    """

    models: Annotated[tuple[ModelChoice, ...], _each_with("name")] = Field(min_length=1)
    problems: Annotated[tuple[ProblemChoice, ...], _each_with("benchmark")] = Field(min_length=1)
    arms: Annotated[dict[str, Switches], BeforeValidator(lambda value: {} if value is None else value)] = {}
    design: Literal["one_at_a_time", "full_factorial"] | None = None
    interventions: Switches = {}
    scorers: Annotated[tuple[Choice, ...], BeforeValidator(_as_choices)] = (("outcome", {}), ("rubric", {}))

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
    """The file, with `changes` such as "repeats=3". Raises InvalidFile with one line per fault."""
    return changed(yaml_file.read(path, StudyFile), changes)


def changed(content: StudyFile, changes: Sequence[str]) -> StudyFile:
    """The same study with other settings, such as "repeats=3". Raises InvalidFile with one line per fault."""
    if not changes:
        return content
    settings = yaml_file.with_settings(content.model_dump(mode="json", exclude_unset=True), changes)
    return _validated(settings, "-o")


def of_run(source: Mapping[str, Any] | None, folder: Path) -> tuple[StudyFile, Path]:
    """Return the study file that a run was started from, as its folder stores it, and that file's folder.

    Settings that were removed since are left out. Raises InvalidFile.
    """
    if source is None:
        raise InvalidFile(
            f"{folder}: this run was started from Python, or broken off early; start it from there"
        )
    content = {name: value for name, value in source["file"].items() if name not in StudyFile.removed}
    return _validated(content, f"{folder}: the study it holds"), Path(source["folder"])


def _validated(content: Mapping[str, Any], place: str) -> StudyFile:
    try:
        return StudyFile.model_validate(content)
    except ValidationError as failure:
        faults = explain(failure, StudyFile)
        raise InvalidFile("\n".join(f"{place}: {fault}" for fault in faults)) from None


def choice_of(text: str) -> Choice:
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
