"""The content of a study file, and of the study that a run folder stores."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, model_validator

from ansatz.agents.credentials import mask_credentials
from ansatz.errors import InvalidData, PluginError
from ansatz.eval.problem_tables import PROBLEM_FILES
from ansatz.eval.validation import explain
from ansatz.experiments.design import plugins, yaml_file
from ansatz.experiments.design.arms import combine_switches
from ansatz.experiments.design.leave_one_out import name_set
from ansatz.experiments.design.models import Model
from ansatz.experiments.design.study_settings import REMOVED, RENAMED, StudySettings
from ansatz.settings import Count

Settings = dict[str, Any]
Choice = tuple[str, Settings]
"""A plug-in by name, with its settings."""


def _read_switches(value: Any) -> Any:
    """Return switches as settings by name. Both `[a, {b: {x: 1}}]` and `{a: , b: {x: 1}}` are accepted."""
    if isinstance(value, list) and all(isinstance(each, str | dict) for each in value):
        switches: dict[str, Any] = {}
        for each in value:
            found = _read_switches(each)
            if twice := [name for name in found if name in switches]:
                raise ValueError(f"{twice[0]!r} is given twice")
            switches |= found
        return switches
    if isinstance(value, dict):
        return {name: {} if settings is None else settings for name, settings in value.items()}
    return {value: {}} if isinstance(value, str) else {} if value is None else value


def _read_choices(value: Any) -> Any:
    """Return plug-ins as pairs of name and settings; a list may have one name several times."""
    entries = value if isinstance(value, list) else [value]
    if not all(isinstance(each, str | dict) for each in entries):
        return value  # Pydantic refuses it
    return [choice for each in entries for choice in _read_switches(each).items()]


def _entries_with(key: str) -> BeforeValidator:
    """Accept a name in place of an entry whose field `key` is that name, and one entry in place of a list."""

    def validate(value: Any) -> Any:
        entries = value if value is None or isinstance(value, list | tuple) else [value]
        return entries and [{key: each} if isinstance(each, str) else each for each in entries]

    return BeforeValidator(validate)


Switches = Annotated[dict[str, Settings], BeforeValidator(_read_switches)]
"""Switches of one arm by name, with their settings."""


_NONE_IS_EMPTY = BeforeValidator(lambda value: {} if value is None else value)


class ProblemChoice(BaseModel):
    """Problems of one benchmark."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    benchmark: str
    """The name of an installed benchmark, a file such as problems.csv, or a reference to problems:
    "file.py:object"."""
    settings: Settings = {}
    """Settings of its loader."""
    where: dict[str, str | list[str]] = {}
    """Chooses the problems whose tags have one of the given values, or fulfil a comparison such as ">=5".
    The measures steps, laws, trap_distance and retrieval_rank are computed where they are no tags."""
    limit: Count | None = None
    """How many problems are used: the first ones."""
    probes: tuple[str, ...] = ()
    """Adds variants of each problem with recomputed keys: renumbered, renamed, other_units, reordered,
    distracted, paraphrased (by the study's `paraphraser`), or a kind that a benchmark registers."""
    probe_seed: int = 0
    """Determines the variants."""

    @model_validator(mode="before")
    @classmethod
    def _read_file(cls, entry: Any) -> Any:
        """Accept the path of a file in place of a name: the benchmark `file` with this `path`."""
        name = entry.get("benchmark") if isinstance(entry, Mapping) else None
        if not isinstance(name, str) or Path(name).suffix.lower() not in PROBLEM_FILES:
            return entry
        settings = entry.get("settings", {})
        if isinstance(settings, Mapping):
            settings = {"path": name, **settings}
        return {**entry, "benchmark": "file", "settings": settings}


class StudyFile(StudySettings):
    """One experiment as a YAML file."""

    models: Annotated[tuple[Model, ...], _entries_with("name")] = Field(min_length=1)
    """The models that answer: "provider:model", or an entry with settings and prices."""
    problems: Annotated[tuple[ProblemChoice, ...], _entries_with("benchmark")] = Field(min_length=1)
    """Benchmarks by name, or entries that choose from one."""
    arms: Annotated[dict[str, Switches], _NONE_IS_EMPTY] = Field(default_factory=dict)
    """The switches of each arm, by the name of the arm."""
    design: Literal["one_at_a_time", "full_factorial", "screening", "leave_one_out"] | None = None
    """Adds arms of the switches in `interventions`: one for each, or one for every combination. `screening`
    asks each problem with a random half of the switches and with the other half. `leave_one_out` asks with
    all switches, with all but one, with none, and along a random order for each family."""
    interventions: Switches = Field(default_factory=dict)
    """The switches that `design` varies."""
    scorers: Annotated[tuple[Choice, ...], BeforeValidator(_read_choices)] = (
        ("outcome", {}),
        ("verifier", {}),
    )
    """The scorers of the answers, by name."""

    @model_validator(mode="after")
    def _is_consistent(self) -> StudyFile:
        if self.design and not self.interventions:
            raise ValueError("design needs `interventions`: the switches to vary")
        if self.interventions and not self.design:
            raise ValueError(
                "interventions need a design: one_at_a_time, full_factorial, screening or leave_one_out"
            )
        if self.design in ("screening", "leave_one_out") and self.arms:
            raise ValueError(f"design: {self.design} makes all arms; leave `arms` out")
        return self

    def locate(self, path: tuple[str | int, ...]) -> tuple[str | int, ...]:
        """Return the path in the file of a path to an arm: arms of `design` are in `interventions`."""
        is_designed = path[:1] == ("arms",) and len(path) > 1 and path[1] not in self.arms
        return ("interventions", *path[2:]) if is_designed else path

    def all_arms(self) -> dict[str, Switches]:
        """Return all arms by name: those of `design`, then those of `arms`."""
        most = {"one_at_a_time": 1, None: 0}.get(self.design, len(self.interventions))
        arms = combine_switches(self.interventions, most)
        if self.design == "leave_one_out":
            arms = {name_set(self.interventions, frozenset(on)): on for on in arms.values()}
        return {**arms, **self.arms}


def read(path: Path, changes: Sequence[str] = ()) -> StudyFile:
    """Read a study file and apply `changes` such as "repeats=3". Raises InvalidData: one line per fault."""
    return apply_changes(yaml_file.read(path, StudyFile), changes)


def apply_changes(content: StudyFile, changes: Sequence[str]) -> StudyFile:
    """Return the study with changed settings, such as "repeats=3". Raises InvalidData: one line per fault."""
    if not changes:
        return content
    settings = yaml_file.apply_settings(content.model_dump(mode="json", exclude_unset=True), changes)
    return _validate(settings, "-o")


def describe_source(content: StudyFile, folder: Path) -> dict[str, Any]:
    """Return the study file for the run folder, without the values of credentials, and the file's folder."""
    file = mask_credentials(content.model_dump(mode="json"))
    return {"file": file, "folder": str(folder.resolve())}


def read_stored_study(source: Mapping[str, Any] | None, folder: Path) -> tuple[StudyFile, Path]:
    """Return the study file that a run was started from, as its folder stores it, and that file's folder.

    Settings that were removed since are left out. Renamed settings and plug-ins get their present names.
    Raises InvalidData.
    """
    if source is None:
        raise InvalidData(
            f"{folder}: this run was started from Python, or interrupted before it stored its study; "
            "start it again from there"
        )
    stored = source["file"].items()
    content = {RENAMED.get(name, name): value for name, value in stored if name not in REMOVED}
    _rename_plugins(content)
    return _validate(content, f"{folder}: its stored study"), Path(source["folder"])


def _rename_plugins(content: dict[str, Any]) -> None:
    """Replace earlier names of plug-ins in a stored study by the present ones."""

    def rename(group: str, name: str) -> str:
        return plugins.RENAMED.get((f"ansatz.{group}", name), name)

    def rename_switches(switches: Mapping[str, Any]) -> dict[str, Any]:
        return {rename("interventions", name): settings for name, settings in switches.items()}

    present: dict[str, Callable[[Any], Any]] = {
        "scorers": lambda each: [[rename("scorers", name), settings] for name, settings in each],
        "problems": lambda each: [
            one | {"benchmark": rename("benchmarks", one["benchmark"])} for one in each
        ],
        "interventions": rename_switches,
        "arms": lambda each: {arm: rename_switches(switches) for arm, switches in each.items()},
    }
    content.update({name: present[name](content[name]) for name in present if name in content})


def _validate(content: Mapping[str, Any], place: str) -> StudyFile:
    try:
        return StudyFile.model_validate(content)
    except ValidationError as failure:
        faults = explain(failure, StudyFile)
        raise InvalidData("\n".join(f"{place}: {fault}" for fault in faults)) from None


def parse_choice(text: str) -> Choice:
    """Read a plug-in from "name", "name:setting=value,setting=value" or "file.py:object".

    Values are read as YAML, so `top=3` is a number and `traps=no` is false. Raises PluginError.
    """
    name, _, settings = text.partition(":")
    if "." in name:  # a reference to an object
        attribute, _, settings = settings.partition(":")
        name = f"{name}:{attribute}"
    pairs = [pair for pair in settings.split(",") if pair]
    if not all("=" in pair for pair in pairs):
        raise PluginError(f"cannot read {text!r}; write name or name:setting=value,setting=value")
    return name, yaml_file.apply_settings({}, pairs)
