"""What the names in a study file stand for: its models, switches, problems and scorers as objects."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from ansatz.errors import InvalidData, ModelError, NoIdentity, PluginError, StudyError
from ansatz.eval import Problem, Scorer
from ansatz.eval.judging.judge_models import JudgeModel
from ansatz.eval.problem_files import problems as read_problems
from ansatz.experiments.design import plugins, study_file
from ansatz.experiments.design.arms import Arm
from ansatz.experiments.design.models import Model
from ansatz.experiments.design.scorers import connect_judges
from ansatz.experiments.design.study_error import checked
from ansatz.experiments.design.study_file import Choice, ProblemChoice, StudyFile, Switches
from ansatz.experiments.design.study_settings import StudySettings
from ansatz.experiments.ledger import Ledger
from ansatz.interventions import Intervention
from ansatz.quantities import nearest


def resolve_settings(
    content: StudyFile, folder: Path, problems: Iterable[Problem] | None = None
) -> dict[str, Any]:
    """A study file's settings as `Study` takes them: objects in place of names, paths from `folder`.

    `problems` replaces loading them. Raises StudyError with the path to what cannot be had.
    """
    models = []
    for number, choice in enumerate(content.models):
        with _at("models", number):
            models.append(_model(choice, folder))
    arms = {}
    for name, switches in content.all_arms().items():
        with _at(*(("arms", name) if name in content.arms else ("interventions",))):
            arms[name] = switches_of(switches, folder)
    return {
        **{name: getattr(content, name) for name in StudySettings.model_fields},
        "models": models,
        "arms": arms,
        "problems": _problems(content.problems, folder) if problems is None else problems,
        "scorers": scorers_of(content.scorers, folder),
        "answer_reader": load_answer_reader(content, folder),
        "cache": content.cache and _within(folder, content.cache),
    }


def load_answer_reader(content: StudyFile, folder: Path) -> JudgeModel | None:
    """The model that reads answers, if a study has one. Raises StudyError."""
    if content.answer_reader is None:
        return None
    with _at("answer_reader", "model"):
        chat = plugins.judge(content.answer_reader.name, folder)
    return (
        content.answer_reader
        if chat is content.answer_reader.name
        else replace(content.answer_reader, chat=chat)
    )


def scorers_of(choices: Sequence[Choice], folder: Path) -> tuple[Scorer, ...]:
    """The scorers that are named, with their settings. Raises StudyError."""
    scorers: list[Scorer] = []
    for name, settings in choices:
        with _at("scorers", name):
            scorers.append(plugins.load("ansatz.scorers", name, settings, folder))
            connect_judges(scorers[-1:])
    return tuple(scorers)


def switches_of(switches: Switches, folder: Path | None = None) -> list[Intervention]:
    """Registered or load_reference switches with their settings. Raises StudyError."""
    built = []
    for name in sorted(switches):
        with _at(name):
            built.append(plugins.load("ansatz.interventions", name, switches[name], folder))
    return built


def build_arm(name: str, switches: Switches) -> Arm:
    """An arm of registered switches with their settings. Raises StudyError."""
    return Arm.of(name, switches_of(switches))


def load_arm(source: Path, name: str) -> Arm:
    """One arm of a study file or of a run folder, for which no problem is loaded and no key is needed."""
    if source.is_dir():
        with Ledger.open(source, write=False) as kept:
            content, folder = study_file.read_stored_study(kept.about("source"), source)
    else:
        content, folder = study_file.read(source), source.parent
    bare: dict[str, Switches] = {"baseline": {}} if content.baseline == "baseline" else {}
    arms = {**bare, **content.all_arms()}
    if name not in arms:
        raise StudyError(f"{content.name} has no arm {name!r}{nearest(name, arms)}")
    return Arm.of(name, switches_of(arms[name], folder), content.limits, content.answer_form)


def _model(choice: Model, folder: Path) -> Model:
    """The model with paths from the folder, and the object that a reference names.

    A reference differs from provider:model by a dot: a provider has none.
    """
    name = str(choice.model)
    provider, _, rest = name.partition(":")
    record = _within(folder, choice.record) if choice.record else None
    if provider == "replay":
        found: Any = f"replay:{_within(folder, rest)}"
    elif plugins.is_reference(name) and "." in provider:
        found = plugins.load_reference(name, folder)
    else:
        return replace(choice, record=record)
    return replace(choice, model=found, label=choice.label or name, record=record)


def _within(folder: Path, path: str | Path) -> Path:
    """A path as a study file in this folder means it."""
    return folder / Path(path).expanduser()


def _problems(choices: Sequence[ProblemChoice], folder: Path) -> list[Problem]:
    found: dict[str, Problem] = {}
    for number, choice in enumerate(choices):
        with _at("problems", number):
            for problem in _chosen(choice, folder):
                if problem.id in found:
                    raise StudyError(f"two problems have the id {problem.id!r}; every id must be unique")
                found[problem.id] = problem
    return list(found.values())


def _chosen(choice: ProblemChoice, folder: Path) -> list[Problem]:
    """The problems asked for; a setting called `path` starts from the folder of the study."""
    settings = {
        key: str(_within(folder, value)) if key == "path" and isinstance(value, str) else value
        for key, value in choice.settings.items()
    }
    found = plugins.load("ansatz.benchmarks", choice.benchmark, settings, folder)
    loaded = found if isinstance(found, Sequence) else [found]
    if strange := {type(each).__name__ for each in loaded if not isinstance(each, Problem)}:
        wrong = f"{choice.benchmark}: a benchmark must return Problems, not {', '.join(sorted(strange))}"
        raise StudyError(wrong, ("benchmark",))
    if not loaded:
        raise StudyError(f"{choice.benchmark} has no problem with these settings", ("settings",))
    return list(selected(read_problems(loaded), choice.where, choice.benchmark))[: choice.limit]


def benchmark(name: str, *, limit: int | None = None, **settings: Any) -> tuple[Problem, ...]:
    """The problems of an installed benchmark. Raises StudyError.

    Keywords are settings of its loader, such as instances=2, or tags by which problems are kept, each with
    one value or several; `limit` keeps the first so many.

    Example:

        >>> [problem.tags["level"] for problem in benchmark("tps", level=["L2", "L3"], limit=2)]
        ['L2', 'L2']
    """
    with _at():
        accepted = inspect.signature(plugins.find_factory("ansatz.benchmarks", name)).parameters
        given = {key: value for key, value in settings.items() if key in accepted}
        where = {key: value for key, value in settings.items() if key not in accepted}
        said = {"benchmark": name, "settings": given, "where": where, "limit": limit}
        return tuple(_chosen(checked(ProblemChoice, said), Path()))


def selected(
    problems: Sequence[Problem], where: Mapping[str, str | list[str]], benchmark: str
) -> Sequence[Problem]:
    """Those that have, for every tag asked for, one of the wanted values. Raises StudyError for none.

    A tag or a value that no problem has would choose fewer problems than was meant, without a word.
    """
    kept = list(problems)
    for tag, wanted in where.items():
        held = [_as_set(problem.tags[tag]) for problem in problems if tag in problem.tags]
        if not held:
            tags = sorted({tag for problem in problems for tag in problem.tags})
            raise StudyError(f"{benchmark} has no tag {tag!r}{nearest(tag, tags)}", ("where", tag))
        values = set[str]().union(*held)
        for value in sorted(_as_set(wanted) - values):
            hint = nearest(value, sorted(values))
            raise StudyError(f"{benchmark} has no problem with {tag} {value!r}{hint}", ("where", tag))
        kept = [problem for problem in kept if _as_set(problem.tags.get(tag, ())) & _as_set(wanted)]
    if not kept:
        asked = " and ".join(f"{tag} {wanted}" for tag, wanted in where.items())
        raise StudyError(f"{benchmark} has no problem with {asked}", ("where",))
    return kept


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
