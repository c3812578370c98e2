"""From a run's ledger to the numbers of its report."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

from ansatz.agents import Transcript
from ansatz.eval import Problem
from ansatz.experiments import plugins
from ansatz.experiments.config import ModelChoice, Study, study_of_run
from ansatz.experiments.judging import error_tags, notes_on_judges
from ansatz.experiments.record import Record
from ansatz.experiments.report import Attempt, Cell, ReportData
from ansatz.experiments.store import Ledger


def read_results(folder: Path) -> ReportData:
    """The run in `folder`, finished or not. Raises LedgerError or InvalidFile when there is none."""
    with Ledger.open(folder, write=False) as ledger:
        study = study_of_run(ledger.about("study"), folder)
        problems = ledger.problems()
        choices = {choice.title: choice for choice in study.models}
        dimensions = _dimensions(study)
        cells: list[Cell] = []
        attempts = []
        for record in ledger.records():
            cells += _cells(record, problems[record.problem], choices[record.model], dimensions)
            attempts.append(_attempt(record))
        return ReportData(
            title=study.name,
            models=tuple(choices),
            arms=tuple(study.all_arms()),
            baseline=study.baseline,
            dimensions=dimensions,
            cells=tuple(cells),
            planned=ledger.planned(),
            tags={id: problem.tags for id, problem in problems.items()},
            simulated=frozenset(title for title, choice in choices.items() if choice.is_simulated),
            seed=study.seed,
            problems=problems,
            attempts=tuple(attempts),
            notes=(*notes_on_judges(ledger), *note_on_isolation(ledger)),
            switches=_switches(study),
        )


def note_on_isolation(ledger: Ledger) -> tuple[str, ...]:
    """A sentence on how the code that models wrote was run; none where none was."""
    levels = (ledger.about("manifest") or {}).get("isolation")
    if not levels:
        return ()
    if levels == ["none"]:
        return ("Code in answers ran in plain subprocesses, without isolation.",)
    return (f"Code in answers ran isolated at {' and '.join(levels)}.",)


def _dimensions(study: Study) -> tuple[str, ...]:
    """What the scorers report, then what an attempt cost; money only where prices are known."""
    scorers = [plugins.load("ansatz.scorers", name, settings) for name, settings in study.scorers.items()]
    scored = [dimension for scorer in scorers for dimension in scorer.dimensions]
    priced = any(choice.input_price is not None for choice in study.models)
    return (*dict.fromkeys(scored), "tokens", "seconds", *(["dollars"] if priced else []))


def _switches(study: Study) -> dict[str, frozenset[str]]:
    """What is on in each arm, told apart by its settings where an intervention occurs in several forms."""
    arms = {
        arm: {name: plugins.load("ansatz.interventions", name, settings) for name, settings in chosen.items()}
        for arm, chosen in study.all_arms().items()
    }
    kinds: defaultdict[str, list[Any]] = defaultdict(list)
    for chosen in arms.values():
        for name, built in chosen.items():
            if repr(built) not in map(repr, kinds[name]):
                kinds[name].append(built)
    return {
        arm: frozenset(_switch(name, built, kinds[name]) for name, built in chosen.items())
        for arm, chosen in arms.items()
    }


def _switch(name: str, built: Any, kinds: Sequence[Any]) -> str:
    """An intervention's name and what tells it from its other forms: formulation(source=self), say."""
    settings = [each.name for each in fields(built)] if is_dataclass(built) else []
    differing = [each for each in settings if len({repr(getattr(kind, each, None)) for kind in kinds}) > 1]
    if len(kinds) > 1 and not differing:
        return repr(built)
    told = ", ".join(f"{each}={getattr(built, each)}" for each in differing)
    return f"{name}({told})" if told else name


def _attempt(record: Record) -> Attempt:
    who = (record.model, record.arm, record.problem, record.repeat)
    if record.state == "error" or record.transcript is None:
        return Attempt(*who, answer=None)
    output = sum(call.usage.output for call in record.transcript.model_calls)
    return Attempt(*who, record.transcript.answer, output, record.transcript.tokens, error_tags(record))


def _cells(
    record: Record, problem: Problem, choice: ModelChoice, dimensions: tuple[str, ...]
) -> Iterator[Cell]:
    values: Mapping[str, tuple[float | None, str]] = {}
    if record.state == "scored" and record.transcript is not None:
        scored = {score.dimension: (score.value, score.evidence) for score in record.scores}
        spent = {name: (value, "") for name, value in _resources(record.transcript, choice).items()}
        values = {**scored, **spent}
    for dimension in dimensions:
        value, reason = values.get(dimension, (None, "the scorer said nothing"))
        failed = record.state == "error"
        yield Cell(
            model=record.model,
            arm=record.arm,
            problem=record.problem,
            family=problem.family,
            repeat=record.repeat,
            dimension=dimension,
            value=value,
            state="error" if failed else "unscored" if value is None else "scored",
            reason=(record.error or "") if failed else reason if value is None else "",
            evidence="" if failed or value is None else reason,
        )


def _resources(transcript: Transcript, choice: ModelChoice) -> dict[str, float | None]:
    calls = transcript.model_calls
    return {
        "tokens": float(transcript.tokens),
        "seconds": transcript.seconds,
        "dollars": choice.price(
            sum(call.usage.input for call in calls), sum(call.usage.output for call in calls)
        ),
    }
