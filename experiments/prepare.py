"""Resolve a study: every name becomes an object, every unit is listed, before anything is paid for."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field

from ansatz.agents import AgentPlan, Limits, ModelClient, is_simulated
from ansatz.agents.failures import ModelError
from ansatz.agents.models import connect
from ansatz.agents.plan import BASE_PLAN
from ansatz.errors import AnsatzError
from ansatz.eval import Problem, Scorer
from ansatz.eval.judges import AsksModels, JudgeModel
from ansatz.experiments import plugins
from ansatz.experiments.config import Interventions, LimitChoice, ProblemChoice, Study
from ansatz.experiments.earlier import before, dependence, order_fault
from ansatz.experiments.plugins import PluginError
from ansatz.experiments.record import Unit, canonical_hash
from ansatz.interventions import BuildsOnEarlier, apply_all
from ansatz.quantities.did_you_mean import nearest
from ansatz.sandbox import RunsCode, Sandbox, SandboxUnavailable, trusting


class StudyError(AnsatzError, ValueError):
    """The study asks for something that cannot be run; `path` leads to it in the study file."""

    def __init__(self, message: str, path: tuple[str | int, ...] = ()) -> None:
        super().__init__(message)
        self.path = path


@dataclass(frozen=True)
class Arm:
    """A named treatment: the plan it amounts to, and the problem fields it may disclose.

    `builds_on` says which of its own earlier answers it is shown; None for most arms, which see none.
    `sandboxes` are where its switches have code of the model's run.
    """

    name: str
    plan: AgentPlan
    discloses: frozenset[str]
    builds_on: BuildsOnEarlier | None = None
    sandboxes: tuple[Sandbox, ...] = ()


@dataclass(frozen=True)
class Model:
    title: str
    client: ModelClient
    concurrency: int


@dataclass(frozen=True)
class Prepared:
    """A study with every name resolved and every unit listed. `judges` are the models that scorers ask."""

    study: Study
    models: Mapping[str, Model]
    arms: Mapping[str, Arm]
    problems: Mapping[str, Problem]
    scorers: Sequence[Scorer]
    units: Sequence[Unit]
    judges: Mapping[str, ModelClient] = field(default_factory=dict)

    def isolation(self) -> tuple[str, ...]:
        """How code is isolated in this run, such as ("L3",); empty where none is run.

        Only where all models are simulated is the code our own, and may run with less than was asked for.
        Raises SandboxUnavailable where it may not.
        """
        with self._trusting():
            return tuple(sorted({sandbox.require() for sandbox in self._sandboxes()}))

    async def start_sandboxes(self) -> None:
        """Have all workers ready, so that no attempt waits for one to start."""
        with self._trusting():
            for sandbox in self._sandboxes():
                await sandbox.start()

    def _trusting(self) -> AbstractContextManager[None]:
        return trusting(all(is_simulated(model.client) for model in self.models.values()))

    def _sandboxes(self) -> Iterator[Sandbox]:
        for arm in self.arms.values():
            yield from arm.sandboxes
        yield from _sandboxes_of(self.scorers)


def prepare(
    study: Study, *, problems: Mapping[str, Problem] | None = None, limit: int | None = None
) -> Prepared:
    """Resolve a study. `problems` replaces loading them, `limit` keeps only the first.

    Raises StudyError for whatever in the study cannot be had.
    """
    arms = {name: arm_of(study, name) for name in study.all_arms()}
    _refuse_equal_arms(arms)
    scorers, judges = _scorers(study)
    _check_judged_by(arms, scorers)
    models = {}
    for number, choice in enumerate(study.models):
        with _at("models", number):
            client = connect(choice.name, choice.settings)
            models[choice.title] = Model(choice.title, client, choice.concurrency)
    found = _problems(study.problems) if problems is None else problems
    problems = dict(list(found.items())[:limit])
    fault = order_fault(problems) if any(arm.builds_on for arm in arms.values()) else None
    if fault:
        raise StudyError(fault, ("problems",))
    units = tuple(list_units(study, models, arms, problems, scorers))
    prepared = Prepared(study, models, arms, problems, scorers, units, judges)
    try:
        prepared.isolation()
    except SandboxUnavailable as failure:
        raise StudyError(str(failure)) from failure
    return prepared


def _scorers(study: Study) -> tuple[list[Scorer], dict[str, ModelClient]]:
    """The scorers, and a client for every model that they ask."""
    scorers: list[Scorer] = []
    chosen: dict[str, JudgeModel] = {}
    clients: dict[str, ModelClient] = {}
    for name, settings in study.scorers.items():
        with _at("scorers", name):
            scorer = plugins.load("ansatz.scorers", name, settings)
            for model in scorer.wanted_models if isinstance(scorer, AsksModels) else ():
                if chosen.setdefault(model.title, model) != model:
                    raise StudyError(f"two judges are called {model.title!r}; give one of them another label")
                clients[model.title] = connect(model.name, model.settings)
            _check_judges(scorer, clients)
            scorers.append(scorer)
    return scorers, clients


def _check_judges(scorer: Scorer, clients: Mapping[str, ModelClient]) -> None:
    try:
        if isinstance(scorer, AsksModels):
            scorer.connected(clients)
    except ValueError as failure:
        raise StudyError(str(failure)) from failure


def arm_of(study: Study, name: str) -> Arm:
    """One arm of a study. Raises StudyError for a name it does not have."""
    arms = study.all_arms()
    if name not in arms:
        raise StudyError(f"{study.name} has no arm {name!r}{nearest(name, arms)}")
    with _at(*(("arms", name) if name in study.arms else ("interventions",))):
        return make_arm(name, arms[name], study.limits)


def make_arm(name: str, chosen: Interventions, limits: LimitChoice) -> Arm:
    """Interventions apply in the order of their names, so that an arm is a set of switches."""
    built = []
    for each in sorted(chosen):
        with _at(each):
            built.append(plugins.load("ansatz.interventions", each, chosen[each]))
            _check_intervention(each, built[-1])
    discloses = frozenset[str]().union(*(intervention.discloses for intervention in built))
    plan = apply_all(BASE_PLAN.limited(Limits(**limits.model_dump())), built)
    builds_on = next((each for each in built if isinstance(each, BuildsOnEarlier)), None)
    return Arm(name, plan, discloses, builds_on, _sandboxes_of(built))


def _sandboxes_of(parts: Iterable[object]) -> tuple[Sandbox, ...]:
    return tuple(each.runner for each in parts if isinstance(each, RunsCode) and each.runner is not None)


def _check_intervention(name: str, built: object) -> None:
    """A stranger's class is told what it lacks before anything is paid for."""
    missing = [each for each in ("apply", "discloses") if not hasattr(built, each)]
    if missing:
        raise StudyError(
            f"{name} is no intervention: {type(built).__name__} has no {' and no '.join(missing)}"
        )
    changed = built.apply(BASE_PLAN)  # type: ignore[attr-defined]
    if not isinstance(changed, AgentPlan):
        raise StudyError(f"{name}: apply must return the changed AgentPlan, not {type(changed).__name__}")


def _check_judged_by(arms: Mapping[str, Arm], scorers: Sequence[Scorer]) -> None:
    """What an arm is shown is judged by a dimension, which a scorer has to report."""
    known = [dimension for scorer in scorers for dimension in scorer.dimensions]
    for arm in arms.values():
        if arm.builds_on and arm.builds_on.judged_by not in known:
            wanted = arm.builds_on.judged_by
            raise StudyError(f"arm {arm.name!r}: no scorer reports {wanted!r}{nearest(wanted, known)}")


def list_units(
    study: Study,
    models: Mapping[str, Model],
    arms: Mapping[str, Arm],
    problems: Mapping[str, Problem],
    scorers: Sequence[Scorer] = (),
) -> Iterator[Unit]:
    """Arms are shuffled inside each problem and repeat, so that drift of a provider hits all of them.

    A unit is identified by what shapes its answer. For an arm that builds on its earlier answers that is also
    the questions before, and the `scorers` that judge them.
    """
    treatments = {name: [arm.plan.fingerprint(), sorted(arm.discloses)] for name, arm in arms.items()}
    contents = {id: canonical_hash(problem.model_dump(mode="json")) for id, problem in problems.items()}
    for problem in problems:
        earlier = [contents[id] for id in before(problems[problem], problems)]
        for repeat in range(study.repeats):
            order = random.Random(f"{study.seed}/{problem}/{repeat}").sample(list(arms), len(arms))
            for model in models.values():
                for arm in order:
                    identity = [model.client.identity, treatments[arm], contents[problem], repeat, study.seed]
                    wanted = arms[arm].builds_on
                    if wanted and earlier:
                        identity += dependence(wanted, earlier, study, scorers)
                    yield Unit(canonical_hash(identity), model.title, arm, problem, repeat)


def _problems(choices: Sequence[ProblemChoice]) -> dict[str, Problem]:
    found: dict[str, Problem] = {}
    for number, choice in enumerate(choices):
        with _at("problems", number):
            for problem in _chosen(choice):
                if problem.id in found:
                    raise StudyError(f"two problems have the id {problem.id!r}; every id must be unique")
                found[problem.id] = problem
    return found


def _chosen(choice: ProblemChoice) -> list[Problem]:
    loaded = plugins.load("ansatz.benchmarks", choice.benchmark, choice.settings)
    if not loaded:
        raise StudyError(f"{choice.benchmark} has no problem with these settings", ("settings",))
    for tag, wanted in choice.where.items():
        _check_tag(choice.benchmark, tag, _as_set(wanted), loaded)
    kept = [problem for problem in loaded if _matches(problem, choice.where)]
    if not kept:
        asked = " and ".join(f"{tag} {wanted}" for tag, wanted in choice.where.items())
        raise StudyError(f"{choice.benchmark} has no problem with {asked}", ("where",))
    return kept[: choice.limit]


def _check_tag(benchmark: str, tag: str, wanted: set[str], problems: Sequence[Problem]) -> None:
    """A tag or a value that no problem has would choose fewer problems than was meant, without a word."""
    tags = {tag for problem in problems for tag in problem.tags}
    if tag not in tags:
        raise StudyError(f"{benchmark} has no tag {tag!r}{nearest(tag, sorted(tags))}", ("where", tag))
    values = set[str]().union(*(_as_set(problem.tags.get(tag, ())) for problem in problems))
    for value in sorted(wanted - values):
        hint = nearest(value, sorted(values))
        raise StudyError(f"{benchmark} has no problem with {tag} {value!r}{hint}", ("where", tag))


def _matches(problem: Problem, where: Mapping[str, str | list[str]]) -> bool:
    """Whether the problem has, for every tag asked for, one of the wanted values."""
    return all(_as_set(problem.tags.get(tag, ())) & _as_set(wanted) for tag, wanted in where.items())


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
    except ModelError as failure:
        raise StudyError(str(failure), path) from failure


def _refuse_equal_arms(arms: Mapping[str, Arm]) -> None:
    seen: dict[tuple[str, frozenset[str]], str] = {}
    for arm in arms.values():
        same = seen.setdefault((arm.plan.fingerprint(), arm.discloses), arm.name)
        if same != arm.name:
            fault = f"arms {same!r} and {arm.name!r} are the same treatment; remove one"
            raise StudyError(fault, ("arms", arm.name))
