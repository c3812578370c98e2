"""Resolve the names in a study file to models, switches, problems and scorers."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from ansatz.errors import InvalidData, ModelError, NoIdentity, PluginError, StudyError
from ansatz.eval import Problem, Scorer
from ansatz.eval.difficulty import MEASURES, parse_comparison
from ansatz.eval.judging.judge_models import JudgeModel
from ansatz.eval.probes import add_probes
from ansatz.eval.problem_files import problems as read_problems
from ansatz.experiments.design import plugins, study_file
from ansatz.experiments.design.arms import Arm, make_controls
from ansatz.experiments.design.leave_one_out import LeaveOneOut
from ansatz.experiments.design.models import Model
from ansatz.experiments.design.paraphraser import Paraphraser
from ansatz.experiments.design.scorers import connect_judges
from ansatz.experiments.design.screening import Screening
from ansatz.experiments.design.study_file import Choice, ProblemChoice, StudyFile, Switches
from ansatz.experiments.design.study_settings import StudySettings, validate
from ansatz.experiments.ledger import Ledger
from ansatz.interventions import Intervention
from ansatz.quantities import nearest

AnyJudge = TypeVar("AnyJudge", bound=JudgeModel)
_log = logging.getLogger(__name__)


def resolve_settings(
    content: StudyFile, folder: Path, problems: Iterable[Problem] | None = None
) -> dict[str, Any]:
    """Return the settings of a study file as arguments of `Study`: names are replaced by objects.

    Relative paths start from `folder`. `problems` are used instead of those of the file, if they are given.
    Raises StudyError with the path to the setting at fault.
    """
    models = []
    for number, choice in enumerate(content.models):
        with _locating("models", number):
            models.append(_resolve_model(choice, folder))
    return {
        **{name: getattr(content, name) for name in StudySettings.model_fields},
        "models": models,
        "arms": _load_arms(content, folder),
        "problems": _load_problems(content.problems, folder) if problems is None else problems,
        "scorers": load_scorers(content.scorers, folder),
        "answer_reader": load_answer_reader(content, folder),
        "paraphraser": _load_paraphraser(content, folder),
        "cache": content.cache and _resolve_path(folder, content.cache),
    }


def _load_arms(content: StudyFile, folder: Path) -> Screening | LeaveOneOut | dict[str, list[Intervention]]:
    kinds: dict[str, type[Screening] | type[LeaveOneOut]]
    kinds = {"screening": Screening, "leave_one_out": LeaveOneOut}
    if (make := kinds.get(content.design or "")) is not None:
        with _locating("interventions"):
            loaded = load_switches(content.interventions, folder)
        return make(dict(zip(sorted(content.interventions), loaded, strict=True)))
    arms = {}
    for name, switches in content.all_arms().items():
        with _locating(*(("arms", name) if name in content.arms else ("interventions",))):
            arms[name] = load_switches(switches, folder)
    return arms


def load_answer_reader(content: StudyFile, folder: Path) -> JudgeModel | None:
    """Return the model that reads answers, if the study has one. Raises StudyError."""
    with _locating("answer_reader", "model"):
        return _resolve_chat(content.answer_reader, folder)


def _load_paraphraser(content: StudyFile, folder: Path) -> Paraphraser | None:
    with _locating("paraphraser", "model"):
        return _resolve_chat(content.paraphraser, folder)


def _resolve_chat(model: AnyJudge | None, folder: Path) -> AnyJudge | None:
    """Return a model with the chat model that its name refers to, if it refers to one."""
    if model is None or (chat := plugins.resolve_judge(model.name, folder)) is model.name:
        return model
    return replace(model, chat=chat)


def load_scorers(choices: Sequence[Choice], folder: Path) -> tuple[Scorer, ...]:
    """Build scorers by name with their settings. Raises StudyError."""
    scorers: list[Scorer] = []
    for name, settings in choices:
        with _locating("scorers", name):
            scorers.append(plugins.load("ansatz.scorers", name, settings, folder))
            connect_judges(scorers[-1:])
    return tuple(scorers)


def load_switches(switches: Switches, folder: Path | None = None) -> list[Intervention]:
    """Build switches by name with their settings. Raises StudyError."""
    built = []
    for name in sorted(switches):
        with _locating(name):
            built.append(plugins.load("ansatz.interventions", name, switches[name], folder))
    return built


def build_arm(name: str, switches: Switches) -> Arm:
    """Build an arm of registered switches with their settings. Raises StudyError."""
    return Arm.of(name, load_switches(switches))


def load_arm(source: Path, name: str) -> Arm:
    """Build one arm of a study file or of a run folder. This loads no problem and needs no key."""
    if source.is_dir():
        with Ledger.open(source, write=False) as ledger:
            content, folder = study_file.read_stored_study(ledger.about("source"), source)
    else:
        content, folder = study_file.read(source), source.parent
    bare: dict[str, Switches] = {"baseline": {}} if content.baseline == "baseline" else {}
    arms = {**bare, **content.all_arms()}
    if name not in arms:
        for known in (each for each in arms if name.startswith(f"{each}_")):  # the control of an arm
            controls = make_controls(Arm.of(known, load_switches(arms[known], folder)))
            if control := controls.get(name.removeprefix(f"{known}_")):
                return Arm.of(name, control, content.limits, content.answer_form)
        raise StudyError(f"{content.name} has no arm {name!r}{nearest(name, arms)}")
    return Arm.of(name, load_switches(arms[name], folder), content.limits, content.answer_form)


def _resolve_model(choice: Model, folder: Path) -> Model:
    """Resolve the paths of a model, and a reference to a chat model.

    A reference differs from "provider:model" by a dot, which providers do not have.
    """
    name = str(choice.model)
    provider, _, rest = name.partition(":")
    record = _resolve_path(folder, choice.record) if choice.record else None
    if provider == "replay":
        found: Any = f"replay:{_resolve_path(folder, rest)}"
    elif plugins.is_reference(name) and "." in provider:
        found = plugins.load_reference(name, folder)
    else:
        return replace(choice, record=record)
    return replace(choice, model=found, label=choice.label or name, record=record)


def _resolve_path(folder: Path, path: str | Path) -> Path:
    """Resolve a path of a study file in this folder."""
    return folder / Path(path).expanduser()


def _load_problems(choices: Sequence[ProblemChoice], folder: Path) -> list[Problem]:
    found: dict[str, Problem] = {}
    for number, choice in enumerate(choices):
        with _locating("problems", number):
            for problem in _load_choice(choice, folder):
                if problem.id in found:
                    raise StudyError(f"two problems have the id {problem.id!r}; every id must be unique")
                found[problem.id] = problem
    return list(found.values())


def _load_choice(choice: ProblemChoice, folder: Path) -> list[Problem]:
    """Load the problems of one entry. A setting called `path` is relative to the folder of the study."""
    settings = {
        key: str(_resolve_path(folder, value)) if key == "path" and isinstance(value, str) else value
        for key, value in choice.settings.items()
    }
    found = plugins.load("ansatz.benchmarks", choice.benchmark, settings, folder)
    loaded = found if isinstance(found, Sequence) else [found]
    if strange := {type(each).__name__ for each in loaded if not isinstance(each, Problem)}:
        wrong = f"{choice.benchmark}: a benchmark must return Problems, not {', '.join(sorted(strange))}"
        raise StudyError(wrong, ("benchmark",))
    if not loaded:
        raise StudyError(f"{choice.benchmark} has no problem with these settings", ("settings",))
    chosen = list(select_by_tags(read_problems(loaded), choice.where, choice.benchmark))[: choice.limit]
    return _add_probes(chosen, choice, settings, folder) if choice.probes else chosen


def _add_probes(
    problems: Sequence[Problem], choice: ProblemChoice, settings: Mapping[str, Any], folder: Path
) -> list[Problem]:
    """Add the variants of an entry, and log how many cannot be made. Raises StudyError if none can."""

    def load_again(seed: int) -> Sequence[Problem]:
        changed = {**settings, "seed": seed}
        found: Sequence[Problem] = plugins.load("ansatz.benchmarks", choice.benchmark, changed, folder)
        return found

    is_generated = (
        not plugins.is_reference(choice.benchmark)
        and "seed"
        in inspect.signature(plugins.find_factory("ansatz.benchmarks", choice.benchmark)).parameters
    )
    with _locating("probes"):
        found = add_probes(problems, choice.probes, choice.probe_seed, load_again if is_generated else None)
    if len(found.problems) == len(problems):
        raise StudyError(f"{choice.benchmark}: no variant can be made: {found.left_out[0][2]}", ("probes",))
    for kind, reasons in found.count_left_out().items():
        count, reason = sum(reasons.values()), max(reasons, key=lambda each: reasons[each])
        _log.info("%s: %s has no variant of %d problems: %s", choice.benchmark, kind, count, reason)
    return list(found.problems)


def benchmark(name: str, *, limit: int | None = None, **settings: Any) -> tuple[Problem, ...]:
    """Return the problems of an installed benchmark.

    Args:
        name: The name of the benchmark.
        limit: How many problems are returned: the first ones.
        settings: Settings of its loader, such as instances=2, and tags with one or several values, such as
            level="L2": only problems with these tags are returned.

    Raises:
        StudyError: There is no such benchmark, setting, tag or value, or a setting is wrong.

    Example:

        >>> [problem.tags["level"] for problem in benchmark("tps", level=["L2", "L3"], limit=2)]
        ['L2', 'L2']
    """
    with _locating():
        accepted = inspect.signature(plugins.find_factory("ansatz.benchmarks", name)).parameters
        given = {key: value for key, value in settings.items() if key in accepted}
        where = {key: value for key, value in settings.items() if key not in accepted}
        choice = {"benchmark": name, "settings": given, "where": where, "limit": limit}
        return tuple(_load_choice(validate(ProblemChoice, choice), Path()))


def select_by_tags(
    problems: Sequence[Problem], where: Mapping[str, str | list[str]], benchmark: str
) -> Sequence[Problem]:
    """Return the problems that have one of the wanted values of every tag in `where`.

    A value can be a comparison such as ">=5", and a tag a measure of difficulty.

    Raises StudyError if no problem remains, or if no problem has a tag or a value, which may be misspelt.
    """
    chosen = list(problems)
    for tag, wanted in where.items():
        by_problem = {problem.id: _find_values(problem, tag) for problem in problems}
        values = set[str]().union(*by_problem.values())
        if not values:
            tags = sorted({tag for problem in problems for tag in problem.tags} | MEASURES.keys())
            raise StudyError(f"{benchmark} has no tag {tag!r}{nearest(tag, tags)}", ("where", tag))
        allowed: set[str] = set()
        for value in sorted(_as_set(wanted)):
            holds = parse_comparison(value)
            found = {each for each in values if holds(each)} if holds else values & {value}
            if not found:
                hint = "" if holds else nearest(value, sorted(values))
                raise StudyError(f"{benchmark} has no problem with {tag} {value!r}{hint}", ("where", tag))
            allowed |= found
        chosen = [problem for problem in chosen if by_problem[problem.id] & allowed]
    if not chosen:
        conditions = " and ".join(f"{tag} {wanted}" for tag, wanted in where.items())
        raise StudyError(f"{benchmark} has no problem with {conditions}", ("where",))
    return chosen


def _find_values(problem: Problem, tag: str) -> set[str]:
    """Return the values of a tag, or the measure of difficulty of this name."""
    if tag not in problem.tags and tag in MEASURES:
        measured = MEASURES[tag](problem)
        return set() if measured is None else {f"{measured:g}"}
    return _as_set(problem.tags.get(tag, ()))


def _as_set(values: str | Sequence[str]) -> set[str]:
    return {values} if isinstance(values, str) else set(values)


@contextmanager
def _locating(*path: str | int) -> Iterator[None]:
    """Raise StudyError, with this path into the study, for errors of the block."""
    try:
        yield
    except StudyError as failure:
        raise StudyError(str(failure), (*path, *failure.path)) from failure
    except PluginError as failure:
        inner = ("settings", failure.setting) if failure.setting else ()
        raise StudyError(str(failure), (*path, *inner)) from failure
    except (ModelError, NoIdentity, InvalidData) as failure:
        raise StudyError(str(failure), path) from failure
