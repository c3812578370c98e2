"""A study as one object: what a script, a YAML file and the command line all build, and run."""

from __future__ import annotations

import html
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from langchain_core.language_models import BaseChatModel

from ansatz.agents import ANSWER_FORMS, AnswerForm, Limits, ModelClient
from ansatz.agents.models import has_batches
from ansatz.agents.traffic import Rates
from ansatz.eval import Problem, Scorer
from ansatz.eval.judging.judge_models import JudgeLike, judge_models
from ansatz.eval.outcome import Outcome
from ansatz.eval.problem_files import ProblemsLike
from ansatz.eval.problem_files import problems as made_problems
from ansatz.eval.verifier.verifier import Verifier
from ansatz.experiments import resolution, study_file
from ansatz.experiments.background import in_background
from ansatz.experiments.design import Design, judges_of
from ansatz.experiments.factors import Arm, Model, StudyError
from ansatz.experiments.ledger import Ledger, LedgerError
from ansatz.experiments.ledger.cache import ReplyCache
from ansatz.experiments.looks import Stopping, check_stopping, parts
from ansatz.experiments.manifest import manifest, write_manifest
from ansatz.experiments.progress import Progress, shown_progress
from ansatz.experiments.run import Run
from ansatz.experiments.runner import STOP_AFTER, rescore, run, share_traffic
from ansatz.experiments.spending import Spending, check_budget
from ansatz.experiments.stored_results import read_results
from ansatz.experiments.study_file import combined, folder_name
from ansatz.experiments.yaml_file import place
from ansatz.interventions import Intervention, switch_name
from ansatz.interventions.with_tools import as_switch
from ansatz.quantities import nearest

if TYPE_CHECKING:
    from distributed import Client

    from ansatz.experiments.planning import Plan

ModelLike = Model | str | BaseChatModel | ModelClient | Callable[[], BaseChatModel]
"""What may stand for a model: "provider:model", a chat model, a function that makes one, or a `Model`."""
Switches = Intervention | Sequence[Intervention]
"""What may stand for an arm: a switch, or several."""


@dataclass(frozen=True, init=False)
class Study:
    """One experiment: every model answers every problem under every arm, and scorers say what that is worth.

    `models`: each "provider:model", a LangChain chat model, or a `Model` with prices and settings.
    `problems`: whatever `ansatz.problems` takes, or those of `ansatz.load` or `ansatz.benchmark`. `arms`:
    switches by the name of the arm; the baseline is the bare agent unless an arm is called `baseline`.
    `scorers`: by default the outcome and the verifier. `primary` names the dimensions that are tested first;
    `prior` is the weight of a Dirichlet prior (0.5 is Jeffreys') for what is right or wrong in few problems.
    `answer` is how every arm is to state its answer: block (closing lines `symbol = value unit`), json,
    tool (a call of `submit_answer`) or free. Everything is checked here, before anything is paid for: raises
    StudyError. `reading` is a model that reads the values in answers, in two passes, in place of the rules.
    `budget` is how many dollars the run may cost in all; `stop` says when it may end before all is asked.
    `rates` are requests and tokens per minute by provider, shared by its models; without any, what the
    provider's headers tell is kept. `cache` is a folder of replies that studies share: for a request that
    another has made, nothing is paid.

    Example:

        study = Study("pumps", models=["openai:gpt-5.2"], problems=problems, arms={"calc": Calculator()})
        run = study.run("runs/pumps")
    """

    design: Design
    limits: Limits
    stop_after: int
    budget: float | None = None
    stop: Stopping | None = None
    rates: Mapping[str, Rates] = field(default_factory=dict)
    cache: Path | None = None
    executor: str | None = None
    source: Mapping[str, Any] | None = None

    def __init__(  # noqa: PLR0913 - what a study consists of, all by keyword
        self,
        name: str,
        *,
        models: Sequence[ModelLike] | ModelLike,
        problems: ProblemsLike,
        arms: Mapping[str, Switches] | None = None,
        scorers: Sequence[Scorer] | None = None,
        baseline: str = "baseline",
        primary: Sequence[str] = (),
        prior: float | None = None,
        answer: AnswerForm = "block",
        reading: JudgeLike | None = None,
        repeats: int = 1,
        seed: int = 0,
        limits: Limits | None = None,
        stop_after: int = STOP_AFTER,
        budget: float | None = None,
        stop: Stopping | None = None,
        rates: Mapping[str, Rates] | None = None,
        cache: str | Path | None = None,
    ) -> None:
        for setting, value in (("repeats", repeats), ("stop_after", stop_after)):
            if value < 1:
                raise StudyError(f"{setting} must be 1 or more, not {value}")
        if answer not in ANSWER_FORMS:
            raise StudyError(f"answer: there is no form {answer!r}{nearest(answer, ANSWER_FORMS)}")
        if not isinstance(arms or {}, Mapping):
            raise StudyError("arms: give a name to each, or use one_at_a_time(...) or full_factorial(...)")
        limits = limits or Limits()
        reader = None if reading is None else judge_models(reading)[0]
        chosen = tuple(scorers) if scorers is not None else (Outcome(), Verifier())
        design = Design(
            _checked_name(name),
            _titled(models if isinstance(models, Sequence) and not isinstance(models, str) else [models]),
            _arms(arms or {}, baseline, limits, answer),
            {problem.id: problem for problem in made_problems(problems)},
            chosen,
            baseline,
            repeats,
            seed,
            judges_of(chosen, reader),
            reader,
            tuple(primary),
            prior,
        )
        self._set(
            design,
            limits=limits,
            stop_after=stop_after,
            budget=budget,
            stop=stop,
            rates=rates or {},
            cache=cache and Path(cache),
            executor=None,
        )

    def _set(self, design: Design, **others: Any) -> None:
        design.check()
        share_traffic(design, others["rates"])
        check_budget(design, others["budget"])
        check_stopping(design, others["stop"])
        for name, value in {"design": design, "source": None, **others}.items():
            object.__setattr__(self, name, value)

    @classmethod
    def _of(cls, design: Design, content: study_file.StudyFile, folder: Path) -> Study:
        study = object.__new__(cls)
        source = {"file": content.model_dump(mode="json"), "folder": str(folder.resolve())}
        study._set(
            design,
            limits=Limits(**content.limits.model_dump()),
            stop_after=content.stop_after,
            budget=content.budget.dollars if content.budget else None,
            stop=Stopping(**content.stop.model_dump()) if content.stop else None,
            rates=content.rates,
            cache=folder / Path(content.cache).expanduser() if content.cache else None,
            executor=content.executor.dask if content.executor else None,
            source=source,
        )
        return study

    @classmethod
    def from_yaml(cls, path: str | Path, changes: Sequence[str] = ()) -> Study:
        """The study in a file. Names in it are registered ones, or `package.module:object`, `file.py:object`.

        Paths start from the file's folder. `changes` replace settings of the file, such as "repeats=3" or
        "limits.seconds=60". Raises InvalidFile or StudyError, with file, line and field.
        """
        path = Path(path)
        content = study_file.read(path, changes)
        try:
            return cls._of(resolution.resolve(content, path.parent), content, path.parent)
        except StudyError as failure:
            raise StudyError(f"{place(path, failure.path)}: {failure}") from failure

    @classmethod
    def from_run(cls, folder: str | Path, changes: Sequence[str] = ()) -> Study:
        """The study of a run folder, as far as its last plan went; `changes` as in `from_yaml`.

        Raises AnsatzError.
        """
        folder = Path(folder)
        with Ledger.open(folder, write=False) as kept:
            content, base = study_file.of_run(kept.about("source"), folder)
            planned = kept.planned_units()
            problems = kept.problems()
        content = study_file.changed(content, changes)
        try:
            whole = resolution.resolve(content, base, problems)
            models, arms = {model for model, *_ in planned}, {arm for _, arm, *_ in planned}
            study = cls._of(whole.narrowed(models=models, arms=arms), content, base)
        except StudyError as failure:
            raise StudyError(f"{folder}: {failure}") from failure
        return study

    @property
    def name(self) -> str:
        return self.design.name

    @property
    def arms(self) -> Mapping[str, Arm]:
        return self.design.arms

    @property
    def problems(self) -> Mapping[str, Problem]:
        return self.design.problems

    @property
    def models(self) -> Mapping[str, Model]:
        return self.design.models

    def only(
        self,
        *,
        models: Iterable[str] | None = None,
        arms: Iterable[str] | None = None,
        problems: Iterable[str] | None = None,
        limit: int | None = None,
        sample: int | None = None,
    ) -> Study:
        """A part of the study: these models, arms (the baseline stays) and problems.

        `limit` takes so many problems spread over families, always the same; `sample` draws them by the seed.
        What is in common with the whole is paid for once.
        """
        design = self.design.narrowed(models=models, arms=arms, problems=problems)
        if limit is not None:
            design = design.spread(limit)
        if sample is not None:
            design = design.sampled(sample)
        part = object.__new__(type(self))
        part._set(design, **{name: each for name, each in vars(self).items() if name != "design"})
        return part

    def run(
        self,
        out: str | Path | None = None,
        *,
        progress: bool | None = None,
        executor: Client | str | None = None,
    ) -> Run:
        """Run the study into a folder (default runs/<name>), or go on with it; returns what is there then.

        Works in scripts and notebooks alike. What the folder holds is not done again. `progress` shows a bar;
        by default where somebody looks. With `executor`, a Dask client or a scheduler's address, units are
        done by the workers of its cluster. Raises RunStopped after `stop_after` failures alike in a row,
        BudgetSpent before the budget is passed, ModelError where a model cannot be used at all, and
        LedgerError.
        """
        return in_background(self.arun(out, progress=progress, executor=executor))

    async def arun(
        self,
        out: str | Path | None = None,
        *,
        progress: bool | Progress | None = None,
        executor: Client | str | None = None,
    ) -> Run:
        """The same for those who have an event loop of their own."""
        folder = Path(out) if out is not None else Path("runs") / self.name
        shown = progress if isinstance(progress, Progress) else shown_progress(self.name, progress)
        try:
            with Ledger.open(folder) as ledger:
                ledger.shared = ReplyCache(self.cache) if self.cache else None
                await self._fill(ledger, folder, shown, executor or self.executor)
        except (sqlite3.Error, OSError) as failure:
            why = failure.strerror if isinstance(failure, OSError) else failure
            kept = "what is finished is kept; the same command goes on from there"
            raise LedgerError(f"{folder} cannot be written: {why}; {kept}") from failure
        return Run(folder)

    async def _fill(
        self, ledger: Ledger, folder: Path, progress: Progress, executor: Client | str | None
    ) -> None:
        design = self.design
        about, held = design.describe(), ledger.about("study")
        if held and held["name"] != design.name:
            raise StudyError(
                f"{folder} holds the study {held['name']!r}, not {design.name!r}; choose another folder"
            )
        ledger.plan(design.units, design.problems.values())
        scored_by = design.scored_by
        if held and ledger.about("scored_by") != scored_by:
            ledger.describe({"scored_by": None})  # if this is broken off, all is scored again
            with progress.begin(len(ledger.answered_units()), 0):
                spending = Spending(design, ledger, self.budget)
                await rescore(design, ledger, progress.advance, spending, executor)
        whole = manifest(design)
        ledger.describe({"study": about, "manifest": whole, "scored_by": scored_by, "source": self.source})
        write_manifest(whole, folder)
        done = ledger.finished() & {unit.key for unit in design.units}
        with progress.begin(len(design.units), len(done)):
            spending = Spending(design, ledger, self.budget)
            tell = partial(_tell, progress, spending)
            for part in parts(design, self.stop, ledger, partial(read_results, folder)):
                await run(part, ledger, tell, self.stop_after, spending, executor)

    def by_batches(self) -> Study:
        """The same study, asked by providers' batch interfaces, at half the price.

        A judge whose provider has none is asked at once.
        """
        models = {title: replace(model, batch=True) for title, model in self.models.items()}
        part = object.__new__(type(self))
        others = {name: each for name, each in vars(self).items() if name != "design"}
        judges = frozenset(title for title, each in self.design.judges.items() if has_batches(each))
        part._set(replace(self.design, models=models, batched_judges=judges), **others)
        return part

    def plan(self, pilot: str | Path | Run | None = None) -> Plan:
        """What the study will ask, take and cost, and the smallest differences it would show. Asks no model.

        By the attempts of a `pilot`, a finished run of some of it, or by the sizes of prompts and stated
        assumptions.
        """
        from ansatz.experiments.planning import Plan

        folder = pilot.folder if isinstance(pilot, Run) else pilot
        return Plan.of(self.design, None if folder is None else Path(folder))

    def outline(self) -> str:
        """What would be asked, in a few lines."""
        arms = (f"  {name}: {arm.summary}" for name, arm in self.arms.items())
        return "\n".join([repr(self), f"  models: {', '.join(self.models)}", *arms])

    def __repr__(self) -> str:
        counts = ((self.models, "model"), (self.arms, "arm"), (self.problems, "problem"))
        sizes = ", ".join(f"{len(held)} {word}{'s' * (len(held) != 1)}" for held, word in counts)
        return f"Study({self.name!r}: {sizes}, {len(self.design.units)} units)"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{html.escape(name)}</td><td>{html.escape(arm.summary)}</td></tr>"
            for name, arm in self.arms.items()
        )
        return f"<p>{html.escape(repr(self))}</p><table><tr><th>arm</th><th>switches</th></tr>{rows}</table>"


def _tell(progress: Progress, spending: Spending, failure: str | None) -> None:
    progress.advance(failure, str(spending))


def arm_in(source: Path, name: str) -> Arm:
    """One arm of a study file or of a run folder, without loading problems."""
    if not source.is_dir():
        return resolution.make_arm(study_file.read(source), name, source.parent)
    with Ledger.open(source, write=False) as kept:
        content, folder = study_file.of_run(kept.about("source"), source)
    return resolution.make_arm(content, name, folder)


def one_at_a_time(*switches: Intervention) -> dict[str, Switches]:
    """An arm for each switch alone, named after it.

    Example: `one_at_a_time(Calculator(), EquationRetrieval())` as the `arms` of a study.
    """
    return _combined(switches, "one_at_a_time")


def full_factorial(*switches: Intervention) -> dict[str, Switches]:
    """An arm for every combination of the switches; the baseline is the one with none.

    Example: `full_factorial(Calculator(), EquationRetrieval())` as the `arms` of a study.
    """
    return _combined(switches, "full_factorial")


def _combined(switches: Sequence[Intervention], design: str) -> dict[str, Switches]:
    named = {switch_name(switch): switch for switch in switches}
    if len(named) < len(switches):
        raise StudyError("two switches have the same name; name the arms yourself")
    return {"+".join(names): [named[each] for each in names] for names in combined(list(named), design)}


def _checked_name(name: str) -> str:
    try:
        return folder_name(name)
    except ValueError as fault:
        raise StudyError(f"name: {fault}") from None


def _titled(models: Iterable[ModelLike]) -> dict[str, Model]:
    found: dict[str, Model] = {}
    for model in map(Model.of, models):
        if model.title in found:
            raise StudyError(f"models: two are called {model.title!r}; give one of them a label")
        found[model.title] = model
        model.client.identity  # noqa: B018 - a model of no identity is refused before anything is paid for
    return found


def _arms(given: Mapping[str, Switches], baseline: str, limits: Limits, answer: AnswerForm) -> dict[str, Arm]:
    """Arms by name, the baseline first. Without an arm of its name, the baseline is the bare plan."""
    chosen = {**({"baseline": ()} if baseline == "baseline" else {}), **given}
    made = {}
    for name in sorted(chosen, key=lambda name: name != baseline):
        switches = chosen[name]
        several = switches if isinstance(switches, Sequence) else [switches]
        made[name] = Arm.of(name, map(as_switch, several), limits, answer)
    return made
