"""A study as one object, which scripts, YAML files and the command line build and run."""

from __future__ import annotations

import html
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Unpack

from ansatz.agents.models.retrying_client import has_batches
from ansatz.errors import StudyError
from ansatz.eval import Problem, Scorer
from ansatz.eval.outcome import Outcome
from ansatz.eval.problem_files import ProblemsLike
from ansatz.eval.problem_files import problems as read_problems
from ansatz.eval.verifier.verifier import Verifier
from ansatz.experiments import paraphrases
from ansatz.experiments.design import resolution, study_file
from ansatz.experiments.design.adaptive_repeats import check_repeats
from ansatz.experiments.design.arms import Arm, Switches, build_arms
from ansatz.experiments.design.design import Design
from ansatz.experiments.design.design_checks import check_design
from ansatz.experiments.design.interim_analyses import check_stopping
from ansatz.experiments.design.leave_one_out import LeaveOneOut
from ansatz.experiments.design.models import Model, ModelLike, build_models
from ansatz.experiments.design.scorers import connect_judges
from ansatz.experiments.design.screening import Screening
from ansatz.experiments.design.study_settings import StudyOptions, StudySettings, validate
from ansatz.experiments.design.yaml_file import locate
from ansatz.experiments.ledger import Ledger
from ansatz.experiments.ledger.cache import ReplyCache
from ansatz.experiments.ledger.file import reporting_write_errors
from ansatz.experiments.run import Run
from ansatz.experiments.running.background import in_background
from ansatz.experiments.running.progress import Progress, make_progress
from ansatz.experiments.running.runner import (
    check_rates,
    demand_keys,
    list_providers,
    share_traffic,
)
from ansatz.experiments.running.spending import check_budget
from ansatz.experiments.study_run import StudyRun

if TYPE_CHECKING:
    from distributed import Client

    from ansatz.experiments.planning.study_plan import Plan


class Study:
    """One experiment: every model answers every problem under every arm, and scorers rate the answers.

    The constructor checks everything before any request is made.

    Args:
        name: The name of the study, and of its run folder under `runs/`.
        models: Each "provider:model", a LangChain chat model, or a `Model` with prices and settings.
        problems: Whatever `ansatz.problems` takes, or those of `ansatz.load` or `ansatz.benchmark`.
        arms: Switches by the name of the arm; the baseline is the bare agent unless an arm has its name. Or
            `screening(...)` and `leave_one_out(...)`.
        scorers: By default the outcome and the verifier.
        fields: The columns of `problems` by field: {"question": "input"}.
        settings: By keyword, each as `StudySettings` describes it: repeats, seed, limits, budget, ...

    Raises:
        StudyError: The study cannot be run; the message is one line.

    Example:

        study = Study("pumps", models=["openai:gpt-5.2"], problems=problems, arms={"calc": Calculator()})
        run = study.run("runs/pumps")
    """

    def __init__(
        self,
        name: str,
        *,
        models: Sequence[ModelLike] | ModelLike,
        problems: ProblemsLike,
        arms: Mapping[str, Switches] | Screening | LeaveOneOut | None = None,
        scorers: Sequence[Scorer] | Scorer | None = None,
        fields: Mapping[str, str] | None = None,
        **settings: Unpack[StudyOptions],
    ) -> None:
        stated = {key: value for key, value in settings.items() if value is not None}
        chosen = validate(StudySettings, {"name": name, **stated})
        if scorers is None:
            scorers = (Outcome(), Verifier())
        several = tuple(scorers) if isinstance(scorers, Sequence) else (scorers,)
        by_id, pairs = {problem.id: problem for problem in read_problems(problems, fields)}, None
        if isinstance(arms, Screening):
            pairs = arms.draw(by_id, chosen.most_repeats, chosen.seed, chosen.baseline)
            arms = arms.build(pairs)
        paths = None
        if isinstance(arms, LeaveOneOut):
            families = [problem.family for problem in by_id.values()]
            paths = arms.draw(families, chosen.seed, chosen.baseline)
            arms = arms.build(paths)
        self._design = _check(
            Design(
                settings=chosen,
                models=build_models(models),
                arms=build_arms(
                    {} if arms is None else arms, chosen.baseline, chosen.limits, chosen.answer_form
                ),
                problems=by_id,
                scorers=several,
                judges=connect_judges(several, chosen.answer_reader),
                pairs=pairs,
                paths=paths,
            )
        )
        self._source: Mapping[str, Any] | None = None
        rewriting = self._paraphrases
        providers = list_providers(self.design) | (list_providers(rewriting.design) if rewriting else set())
        check_rates(providers, chosen.rates)  # a part of the study may lack a provider

    def _with(self, design: Design) -> Study:
        changed = copy(self)
        vars(changed).pop("_paraphrases", None)
        changed._design = _check(design)
        return changed

    @property
    def design(self) -> Design:
        """The resolved study: names replaced by objects."""
        return self._design

    @property
    def settings(self) -> StudySettings:
        return self.design.settings

    @classmethod
    def from_yaml(cls, path: str | Path, changes: Sequence[str] = ()) -> Study:
        """Load the study of a YAML file.

        Args:
            path: The file. Names in it are registered plug-ins, `package.module:object` or `file.py:object`.
                Relative paths start from its folder.
            changes: Replace settings of the file, such as "repeats=3" or "limits.seconds=60".

        Raises InvalidData or StudyError, with file, line and field.
        """
        path = Path(path)
        content = study_file.read(path, changes)
        try:
            return cls._of(content, path.parent)
        except StudyError as failure:
            raise StudyError(f"{locate(path, content.locate(failure.path))}: {failure}") from failure

    @classmethod
    def from_run(cls, folder: str | Path, changes: Sequence[str] = ()) -> Study:
        """Load the study of a run folder, limited to the models, arms and problems of its last plan.

        `changes` are as in `from_yaml`. Raises AnsatzError.
        """
        folder = Path(folder)
        with Ledger.open(folder, write=False) as ledger:
            content, base = study_file.read_stored_study(ledger.about("source"), folder)
            planned, whole = ledger.planned_attempts(), ledger.about("whole_study")
            problems = ledger.problems(whole and whole["problems"])
            screened = (ledger.about("study") or {}).get("screening", {}).get("on", {})
        drawn = {
            (attempt.problem, attempt.repeat): frozenset(screened[attempt.arm])
            for attempt in planned
            if attempt.arm in screened
        }
        models, arms = {attempt.model for attempt in planned}, {attempt.arm for attempt in planned}
        try:
            whole = cls._of(study_file.apply_changes(content, changes), base, problems.values(), drawn)
            return whole.only(models=models, arms=arms)
        except StudyError as failure:
            raise StudyError(f"{folder}: {failure}") from failure

    @classmethod
    def _of(
        cls,
        content: study_file.StudyFile,
        folder: Path,
        problems: Iterable[Problem] | None = None,
        drawn: Mapping[tuple[str, int], frozenset[str]] | None = None,
    ) -> Study:
        settings = resolution.resolve_settings(content, folder, problems)
        if drawn and isinstance(settings["arms"], Screening):
            settings["arms"] = replace(settings["arms"], drawn=drawn)
        study = cls(**settings)
        study._source = study_file.describe_source(content, folder)
        return study

    @cached_property
    def _paraphrases(self) -> Study | None:
        """The study that rewrites the drafts of the probe `paraphrased`; None without any."""
        arguments = paraphrases.describe_study(self.design)
        if arguments is None:
            return None
        study = Study(**arguments)
        providers, rates = list_providers(study.design), self.settings.rates
        own = {provider: each for provider, each in rates.items() if provider in providers}
        settings = study.settings.model_copy(update={"rates": own})
        return study._with(replace(study.design, settings=settings))

    @property
    def name(self) -> str:
        return self.settings.name

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
        """Select a part of the study. Attempts that two parts share are paid for once.

        Args:
            models: The models by title; default all.
            arms: The arms by name; default all. The baseline is always included.
            problems: The problems by id; default all.
            limit: The number of problems, spread over families. The selection is always the same.
            sample: The number of problems, drawn over families by the seed.
        """
        design = self.design.restrict(models=models, arms=arms, problems=problems)
        if limit is not None:
            design = design.spread(limit)
        if sample is not None:
            design = design.spread(sample, Random(f"{design.settings.seed}/sample"))
        return self._with(design)

    def run(
        self,
        out: str | Path | None = None,
        *,
        progress: bool | None = None,
        executor: Client | str | None = None,
    ) -> Run:
        """Run the study, or resume it: attempts that the folder has are not made again.

        This works in scripts and in notebooks.

        Args:
            out: The run folder; default `runs/<name>`.
            progress: Whether a progress bar is shown; by default on a terminal and in a notebook.
            executor: A Dask client, or the address of a scheduler, whose workers make the attempts.

        Raises:
            RunStopped: A model failed `max_identical_failures` times in a row in the same way.
            BudgetSpent: The next request could exceed the budget.
            ModelError: A model cannot be used at all.
            LedgerError: The folder cannot be read or written.
        """
        return in_background(self.arun(out, progress=progress, executor=executor))

    async def arun(
        self,
        out: str | Path | None = None,
        *,
        progress: bool | Progress | None = None,
        executor: Client | str | None = None,
    ) -> Run:
        """Run the study as `run` does, from async code."""
        folder = Path(out) if out is not None else Path("runs") / self.name
        study, rewritten = self, None
        if self._paraphrases is not None:
            texts = folder / paraphrases.FOLDER
            if not texts.exists():
                demand_keys(self.design)  # before the paraphraser is paid
            await self._paraphrases.arun(texts, progress=progress, executor=executor)
            rewritten = paraphrases.collect(self.design, texts)
            chosen = self.design.restrict(problems=rewritten.problems)
            study = self._with(replace(chosen, problems=rewritten.problems))
        shown = progress if isinstance(progress, Progress) else make_progress(self.name, progress)
        with reporting_write_errors(folder), Ledger.open(folder) as ledger:
            ledger.shared = ReplyCache(self.settings.cache) if self.settings.cache else None
            if rewritten is not None:
                ledger.describe({"paraphrases": rewritten.counts})
            spent = rewritten.dollars if rewritten else 0.0
            workers = executor or self.settings.executor
            await StudyRun(study.design, ledger, folder, study._source, shown, workers, spent).complete()
        return Run(folder)

    @property
    def warnings(self) -> tuple[str, ...]:
        """Why the study can show nothing, with what would change that. No model is asked."""
        from ansatz.experiments.planning.obstacles import list_obstacles

        return tuple(list_obstacles(self.design))

    def by_batches(self) -> Study:
        """Return the same study with requests by providers' batch interfaces, at half the price.

        Judges whose provider has no batch interface are asked directly.
        """
        models = {title: replace(model, batch=True) for title, model in self.models.items()}
        judges = frozenset(title for title, judge in self.design.judges.items() if has_batches(judge))
        return self._with(replace(self.design, models=models, batched_judges=judges))

    def plan(self, pilot: str | Path | Run | None = None) -> Plan:
        """Estimate requests, time, cost and smallest detectable differences, without any request.

        The basis is a `pilot` (a finished run of a part of the study), or else the sizes of the prompts and
        stated assumptions.
        """
        from ansatz.experiments.planning.study_plan import Plan

        folder = pilot.folder if isinstance(pilot, Run) else pilot
        rewriting = self._paraphrases.design if self._paraphrases else None
        return Plan.of(self.design, None if folder is None else Path(folder), rewriting)

    def outline(self) -> str:
        """Return the models and arms in a few lines."""
        arms = (f"  {name}: {arm.summary}" for name, arm in self.arms.items())
        return "\n".join([repr(self), f"  models: {', '.join(self.models)}", *arms])

    def __repr__(self) -> str:
        counts = ((self.models, "model"), (self.arms, "arm"), (self.problems, "problem"))
        sizes = ", ".join(f"{len(items)} {word}{'s' * (len(items) != 1)}" for items, word in counts)
        return f"Study({self.name!r}: {sizes}, {self.design.size} attempts)"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{html.escape(name)}</td><td>{html.escape(arm.summary)}</td></tr>"
            for name, arm in self.arms.items()
        )
        return f"<p>{html.escape(repr(self))}</p><table><tr><th>arm</th><th>switches</th></tr>{rows}</table>"


def _check(design: Design) -> Design:
    """Return the design if it can be run. Raises StudyError."""
    settings = design.settings
    check_design(design)
    share_traffic(design, settings.rates)
    check_budget(design, settings.budget)
    check_stopping(design, settings.stop)
    check_repeats(design)
    return design
