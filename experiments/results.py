"""From a run's ledger to the numbers of its report."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ansatz.agents import Transcript
from ansatz.eval import Problem
from ansatz.experiments.judging import error_tags, notes_on_judges
from ansatz.experiments.ledger import Ledger, LedgerError, Record
from ansatz.experiments.report import Attempt, Cell, ReportData


def read_results(folder: Path) -> ReportData:
    """The run in `folder`, finished or not, from its stored rows. Raises LedgerError when there is none."""
    with Ledger.open(folder, write=False) as ledger:
        study = ledger.about("study")
        if study is None:
            raise LedgerError(
                f"{folder}: the run was broken off before its first unit; start it from its study"
            )
        problems = ledger.problems()
        models = {model["title"]: model for model in study["models"]}
        dimensions = _dimensions(study)
        cells: list[Cell] = []
        attempts = []
        for record in ledger.records():
            if record.model in models:
                cells += _cells(record, problems[record.problem], models[record.model], dimensions)
                attempts.append(_attempt(record))
        return ReportData(
            title=study["name"],
            models=tuple(models),
            arms=tuple(arm["name"] for arm in study["arms"]),
            baseline=study["baseline"],
            dimensions=dimensions,
            cells=tuple(cells),
            planned=ledger.planned(),
            tags={id: problem.tags for id, problem in problems.items()},
            simulated=frozenset(title for title, model in models.items() if model["simulated"]),
            seed=study["seed"],
            problems=problems,
            attempts=tuple(attempts),
            notes=(*notes_on_judges(ledger), *note_on_isolation(ledger)),
            switches=_switches(study["arms"]),
        )


def note_on_isolation(ledger: Ledger) -> tuple[str, ...]:
    """A sentence on how the code in answers was run; none where no code was."""
    levels = (ledger.about("manifest") or {}).get("isolation")
    if not levels:
        return ()
    if levels == ["none"]:
        return ("Code in answers ran in plain subprocesses, without isolation.",)
    return (f"Code in answers ran isolated at {' and '.join(levels)}.",)


def _dimensions(study: Mapping[str, Any]) -> tuple[str, ...]:
    """What the scorers report, then what an attempt cost; money only where prices are known."""
    scored = [dimension["name"] for dimension in study["dimensions"]]
    priced = any(model["input_price"] is not None for model in study["models"])
    return (*dict.fromkeys(scored), "tokens", "seconds", *(["dollars"] if priced else []))


def _switches(arms: Sequence[Mapping[str, Any]]) -> dict[str, frozenset[str]]:
    """What is on in each arm, told apart by its settings where a switch occurs in several forms."""
    kinds: defaultdict[str, list[Any]] = defaultdict(list)
    for arm in arms:
        for name, settings in arm["switches"].items():
            if settings not in kinds[name]:
                kinds[name].append(settings)
    return {
        arm["name"]: frozenset(
            _switch(name, settings, kinds[name]) for name, settings in arm["switches"].items()
        )
        for arm in arms
    }


def _switch(name: str, settings: Mapping[str, Any], kinds: Sequence[Mapping[str, Any]]) -> str:
    """A switch's name and what tells it from its other forms: formulation(source=self), say."""
    differing = [each for each in settings if any(kind.get(each) != settings[each] for kind in kinds)]
    shown = ", ".join(f"{each}={settings[each]}" for each in differing)
    return f"{name}({shown})" if shown else name


def _attempt(record: Record) -> Attempt:
    who = (record.model, record.arm, record.problem, record.repeat)
    if record.state == "error" or record.transcript is None:
        return Attempt(*who, answer=None)
    output = sum(call.usage.output for call in record.transcript.model_calls)
    return Attempt(*who, record.transcript.answer, output, record.transcript.tokens, error_tags(record))


def _cells(
    record: Record, problem: Problem, model: Mapping[str, Any], dimensions: tuple[str, ...]
) -> Iterator[Cell]:
    values: Mapping[str, tuple[float | None, str]] = {}
    if record.state == "scored" and record.transcript is not None:
        scored = {score.dimension: (score.value, score.evidence) for score in record.scores}
        spent = {name: (value, "") for name, value in _resources(record.transcript, model).items()}
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


def _resources(transcript: Transcript, model: Mapping[str, Any]) -> dict[str, float | None]:
    calls = transcript.model_calls
    read, written = sum(call.usage.input for call in calls), sum(call.usage.output for call in calls)
    prices = (model["input_price"], model["output_price"])
    return {
        "tokens": float(transcript.tokens),
        "seconds": transcript.seconds,
        "dollars": None if None in prices else (read * prices[0] + written * prices[1]) / 1e6,
    }
