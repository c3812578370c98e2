"""A study as a YAML file: the schema, and what each name in it stands for."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import combinations
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from ansatz.agents import AnswerForm, Limits
from ansatz.agents.failures import ModelError
from ansatz.agents.identity import NoIdentity
from ansatz.agents.models import ModelSettings
from ansatz.eval import Problem, Scorer
from ansatz.eval.benchmarks.validation import InvalidData, explain
from ansatz.eval.judging.models import JudgeModel
from ansatz.eval.problem_files import problems as made_problems
from ansatz.experiments import plugins, yaml_file
from ansatz.experiments.design import Design, judges_of
from ansatz.experiments.factors import Arm, Model, StudyError, SwitchError
from ansatz.experiments.plugins import PluginError
from ansatz.experiments.yaml_file import InvalidFile
from ansatz.interventions import Intervention
from ansatz.interventions.with_tools import as_switch
from ansatz.quantities import nearest

Settings = dict[str, Any]
Switches = dict[str, Settings]
"""Switches of one arm by name, with their settings."""
Choice = tuple[str, Settings]
"""A plug-in by name, with its settings."""


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ModelChoice(_Strict):
    """`name` is "provider:model", or a reference to a chat model; prices are dollars per million tokens.

    `record` is a JSONL file for all exchanges; "replay:FILE" answers from it. Both start from the folder of
    the study.
    """

    name: str
    label: str | None = None
    settings: ModelSettings = ModelSettings()
    concurrency: int = Field(default=8, ge=1)
    input_price: float | None = Field(default=None, ge=0)
    output_price: float | None = Field(default=None, ge=0)
    record: str | None = None

    @model_validator(mode="after")
    def _both_prices_or_none(self) -> ModelChoice:
        if (self.input_price is None) != (self.output_price is None):
            raise ValueError("input_price and output_price go together: a missing one would count as free")
        return self


class ProblemChoice(_Strict):
    """Problems of one benchmark: `where` keeps those whose tags have one of the given values."""

    benchmark: str
    settings: Settings = {}
    where: dict[str, str | list[str]] = {}
    limit: int | None = Field(default=None, ge=1)


class ReadingChoice(_Strict):
    """The model that reads the values in answers, in place of the rules."""

    model: JudgeModel


class LimitChoice(_Strict):
    model_calls: int = Field(default=12, ge=1)
    tool_calls: int = Field(default=24, ge=0)
    tokens: int | None = Field(default=None, ge=1)
    seconds: float | None = Field(default=300.0, gt=0)


class StudyFile(_Strict):
    """One experiment. Arms are named, or made from `interventions` by a design, or both.

    `answer` is how every arm is to state its answer, `reading` what reads it. `stop_after` failures alike in
    a row end a run; what is finished is kept. `primary` names the dimensions that are tested first.
    """

    name: str
    models: tuple[ModelChoice, ...] = Field(min_length=1)
    problems: tuple[ProblemChoice, ...] = Field(min_length=1)
    arms: dict[str, Switches] = {}
    design: Literal["one_at_a_time", "full_factorial"] | None = None
    interventions: Switches = {}
    baseline: str = "baseline"
    primary: tuple[str, ...] = ()
    repeats: int = Field(default=1, ge=1)
    seed: int = 0
    scorers: tuple[Choice, ...] = (("outcome", {}), ("rubric", {}))
    answer: AnswerForm = "block"
    reading: ReadingChoice | None = None
    limits: LimitChoice = LimitChoice()
    stop_after: int = Field(default=10, ge=1)

    @field_validator("models", "problems", mode="before")
    @classmethod
    def _names_alone_will_do(cls, value: Any, info: Any) -> Any:
        if value is None:
            return value
        key = "name" if info.field_name == "models" else "benchmark"
        entries = value if isinstance(value, list | tuple) else [value]
        return [{key: entry} if isinstance(entry, str) else entry for entry in entries]

    @field_validator("interventions", mode="before")
    @classmethod
    def _lists_become_mappings(cls, value: Any) -> Any:
        return _with_settings(value)

    @field_validator("scorers", mode="before")
    @classmethod
    def _scorers_become_pairs(cls, value: Any) -> Any:
        """A list may hold a scorer several times, with other settings."""
        if isinstance(value, list) and all(isinstance(each, str | dict) for each in value):
            return [pair for each in value for pair in _with_settings(each).items()]
        found = _with_settings(value)
        return list(found.items()) if isinstance(found, dict) else found

    @field_validator("arms", mode="before")
    @classmethod
    def _arms_become_mappings(cls, value: Any) -> Any:
        if isinstance(value, dict):
            return {name: _with_settings(arm) for name, arm in value.items()}
        return {} if value is None else value

    @field_validator("name")
    @classmethod
    def _name_is_a_folder(cls, name: str) -> str:
        return folder_name(name)

    @model_validator(mode="after")
    def _is_consistent(self) -> StudyFile:
        if self.design and not self.interventions:
            raise ValueError("design needs `interventions`: the switches to vary")
        if self.interventions and not self.design:
            raise ValueError("interventions need a design: one_at_a_time or full_factorial")
        titles = [model.label or model.name for model in self.models]
        for title in titles:
            if titles.count(title) > 1:
                raise ValueError(f"models: two are called {title!r}; give one of them a label")
        if self.baseline not in self.all_arms():
            hint = nearest(self.baseline, list(self.all_arms()))
            raise ValueError(f"baseline: there is no arm {self.baseline!r}{hint}")
        return self

    def all_arms(self) -> dict[str, Switches]:
        """Arms by name, the baseline first. Without an arm of its name, the baseline is the bare plan."""
        made = {
            "+".join(names): {name: self.interventions[name] for name in names} for names in self._designed()
        }
        arms = {**made, **self.arms}
        if self.baseline == "baseline":
            arms.setdefault("baseline", {})
        return {name: arms[name] for name in sorted(arms, key=lambda name: name != self.baseline)}

    def _designed(self) -> list[tuple[str, ...]]:
        return combined(list(self.interventions), self.design)


def combined(names: Sequence[str], design: str | None) -> list[tuple[str, ...]]:
    """Which switches go together in the arms of a design."""
    sizes = {"one_at_a_time": [1], "full_factorial": range(1, len(names) + 1), None: []}[design]
    return [chosen for size in sizes for chosen in combinations(names, size)]


def folder_name(name: str) -> str:
    """The name of a study, which also names its folder. Raises ValueError."""
    if not name.strip() or name.startswith(".") or not name.isprintable() or set(name) & set("/\\"):
        raise ValueError(f"must do as the name of a folder, not {name!r}")
    return name


def read(path: Path, changes: Sequence[str] = ()) -> StudyFile:
    """The file, with `changes` such as "repeats=3". Raises InvalidFile with one line per fault."""
    return changed(yaml_file.read(path, StudyFile), changes)


def changed(content: StudyFile, changes: Sequence[str]) -> StudyFile:
    """The same study with other settings, such as "repeats=3". Raises InvalidFile with one line per fault."""
    if not changes:
        return content
    settings = yaml_file.with_settings(content.model_dump(mode="json", exclude_unset=True), changes)
    try:
        return StudyFile.model_validate(settings)
    except ValidationError as failure:
        raise InvalidFile("\n".join(f"-o: {fault}" for fault in explain(failure, StudyFile))) from None


def of_run(content: Any, folder: Path) -> StudyFile:
    """The study file that a run was started from, as its folder holds it. Raises InvalidFile."""
    if content is None:
        raise InvalidFile(
            f"{folder}: this run was started from Python, or broken off early; start it from there"
        )
    try:
        return StudyFile.model_validate(content)
    except ValidationError as failure:
        faults = explain(failure, StudyFile)
        raise InvalidFile("\n".join(f"{folder}: the study it holds: {fault}" for fault in faults)) from None


def resolve(content: StudyFile, folder: Path, problems: Mapping[str, Problem] | None = None) -> Design:
    """What the names in a study file stand for; references and paths in it start from `folder`.

    `problems` replaces loading them. Raises StudyError with the path to what cannot be had.
    """
    arms = {name: make_arm(content, name, folder) for name in content.all_arms()}
    scorers = scorers_of(content.scorers, folder)
    models = {}
    for number, choice in enumerate(content.models):
        with _at("models", number):
            model = _model(choice, folder)
            models[model.title] = model
            model.client.identity  # noqa: B018 - a model of no identity is refused here
    found = _problems(content.problems, folder) if problems is None else problems
    reading = reading_of(content, folder)
    with _at("reading" if reading else "scorers"):
        judges = judges_of(scorers, reading)
    return Design(
        content.name,
        models,
        arms,
        found,
        scorers,
        content.baseline,
        content.repeats,
        content.seed,
        judges,
        reading,
        content.primary,
    )


def reading_of(content: StudyFile, folder: Path) -> JudgeModel | None:
    """The model that reads answers, if a study has one. Raises StudyError."""
    if content.reading is None:
        return None
    named = content.reading.model
    with _at("reading", "model"):
        chat = plugins.judge(named.name, folder)
    return named if chat is named.name else named.model_copy(update={"chat": chat})


def scorers_of(choices: Sequence[Choice], folder: Path) -> tuple[Scorer, ...]:
    """The scorers that are named, with their settings. Raises StudyError."""
    scorers: list[Scorer] = []
    for name, settings in choices:
        with _at("scorers", name):
            scorers.append(plugins.load("ansatz.scorers", name, settings, folder))
            judges_of(scorers[-1:])
    return tuple(scorers)


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


def make_arm(content: StudyFile, name: str, folder: Path) -> Arm:
    """One arm of a study file. Raises StudyError for a name it does not have."""
    arms = content.all_arms()
    if name not in arms:
        raise StudyError(f"{content.name} has no arm {name!r}{nearest(name, arms)}")
    with _at(*(("arms", name) if name in content.arms else ("interventions",))):
        limits = Limits(**content.limits.model_dump())
        return arm_of(name, arms[name], limits, folder, content.answer)


def arm_of(
    name: str,
    switches: Switches,
    limits: Limits | None = None,
    folder: Path | None = None,
    answer: AnswerForm = "block",
) -> Arm:
    """An arm of registered or referred switches with their settings."""
    built: dict[str, Intervention] = {}
    for each in sorted(switches):
        with _at(each):
            built[each] = as_switch(plugins.load("ansatz.interventions", each, switches[each], folder))
    try:
        return Arm.of(name, built.values(), limits, answer)
    except SwitchError as failure:
        at = next(each for each, switch in built.items() if switch is failure.switch)
        raise StudyError(str(failure), (at,)) from failure


def _model(choice: ModelChoice, folder: Path) -> Model:
    """References are told from provider:model by a dot: a provider has none."""
    provider, _, rest = choice.name.partition(":")
    refers = plugins.is_reference(choice.name) and "." in provider
    found = plugins.referred(choice.name, folder) if refers else choice.name
    return Model(
        f"replay:{folder / rest}" if provider == "replay" else found,
        choice.label or (choice.name if refers or provider == "replay" else None),
        choice.settings,
        choice.concurrency,
        choice.input_price,
        choice.output_price,
        folder / choice.record if choice.record else None,
    )


def _problems(choices: Sequence[ProblemChoice], folder: Path) -> dict[str, Problem]:
    found: dict[str, Problem] = {}
    for number, choice in enumerate(choices):
        with _at("problems", number):
            for problem in _chosen(choice, folder):
                if problem.id in found:
                    raise StudyError(f"two problems have the id {problem.id!r}; every id must be unique")
                found[problem.id] = problem
    return found


def _chosen(choice: ProblemChoice, folder: Path) -> list[Problem]:
    """The problems asked for; a setting called `path` starts from the folder of the study."""
    settings = {
        key: str(folder / value) if key == "path" and isinstance(value, str) else value
        for key, value in choice.settings.items()
    }
    found = plugins.load("ansatz.benchmarks", choice.benchmark, settings, folder)
    loaded = found if isinstance(found, Sequence) else [found]
    if strange := {type(each).__name__ for each in loaded if not isinstance(each, Problem)}:
        wrong = f"{choice.benchmark}: a benchmark must return Problems, not {', '.join(sorted(strange))}"
        raise StudyError(wrong, ("benchmark",))
    if not loaded:
        raise StudyError(f"{choice.benchmark} has no problem with these settings", ("settings",))
    return list(selected(made_problems(loaded), choice.where, choice.benchmark))[: choice.limit]


def benchmark(name: str, *, limit: int | None = None, **settings: Any) -> tuple[Problem, ...]:
    """The problems of an installed benchmark. Raises StudyError.

    Keywords are settings of its loader, such as instances=2, or tags by which problems are kept, each with
    one value or several; `limit` keeps the first so many.

    Example:

        >>> [problem.tags["level"] for problem in benchmark("tps", level=["L2", "L3"], limit=2)]
        ['L2', 'L2']
    """
    try:
        accepted = inspect.signature(plugins.factory_of("ansatz.benchmarks", name)).parameters
    except PluginError as failure:
        raise StudyError(str(failure)) from failure
    given = {key: value for key, value in settings.items() if key in accepted}
    where = {key: value for key, value in settings.items() if key not in accepted}
    with _at():
        return tuple(_chosen(ProblemChoice(benchmark=name, settings=given, where=where, limit=limit), Path()))


def selected(
    problems: Sequence[Problem], where: Mapping[str, str | list[str]], benchmark: str
) -> Sequence[Problem]:
    """Those that have, for every tag asked for, one of the wanted values. Raises StudyError for none."""
    for tag, wanted in where.items():
        _check_tag(benchmark, tag, _as_set(wanted), problems)
    kept = [
        problem
        for problem in problems
        if all(_as_set(problem.tags.get(tag, ())) & _as_set(wanted) for tag, wanted in where.items())
    ]
    if not kept:
        asked = " and ".join(f"{tag} {wanted}" for tag, wanted in where.items())
        raise StudyError(f"{benchmark} has no problem with {asked}", ("where",))
    return kept


def _check_tag(benchmark: str, tag: str, wanted: set[str], problems: Sequence[Problem]) -> None:
    """A tag or a value that no problem has would choose fewer problems than was meant, without a word."""
    tags = {tag for problem in problems for tag in problem.tags}
    if tag not in tags:
        raise StudyError(f"{benchmark} has no tag {tag!r}{nearest(tag, sorted(tags))}", ("where", tag))
    values = set[str]().union(*(_as_set(problem.tags.get(tag, ())) for problem in problems))
    for value in sorted(wanted - values):
        hint = nearest(value, sorted(values))
        raise StudyError(f"{benchmark} has no problem with {tag} {value!r}{hint}", ("where", tag))


def _as_set(values: str | Sequence[str]) -> set[str]:
    return {values} if isinstance(values, str) else set(values)


@contextmanager
def _at(*path: str | int) -> Iterator[None]:
    """Failures inside belong to this part of the study."""
    try:
        yield
    except StudyError as failure:
        raise StudyError(str(failure), (*path, *failure.path)) from failure
    except PluginError as failure:
        inner = ("settings", failure.setting) if failure.setting else ()
        raise StudyError(str(failure), (*path, *inner)) from failure
    except (ModelError, NoIdentity, InvalidData) as failure:
        raise StudyError(str(failure), path) from failure


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
