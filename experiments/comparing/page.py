"""The page of a comparison: that of a run in which A and B are the arms, so answers are side by side."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np

from ansatz.agents import Transcript
from ansatz.errors import BadInput
from ansatz.eval import Score
from ansatz.experiments.comparing.rendering import describe_verdict, list_notes, make_title, name_system
from ansatz.experiments.comparing.summary import RunSummary
from ansatz.experiments.comparing.verdicts import ComparedRuns
from ansatz.experiments.ledger import Ledger, PlannedAttempt, canonical_hash
from ansatz.experiments.view import write_view

_NO_TEXT = "(The summary file of this run has scores, but no answers.)"
Outcome = tuple[PlannedAttempt, Transcript | None, list[Score], str | None]


def write_page(found: ComparedRuns, out: Path) -> Path:
    """Write the page of a comparison into a folder, and return what a browser opens.

    At least one of the runs has to be a run folder, because a summary file has no questions. Raises BadInput.
    """
    with TemporaryDirectory() as folder:
        merged = Path(folder) / "merged"
        _merge(found, merged)
        return write_view(merged, out, adapt=lambda overview: _adapt(found, overview))


class _Side(NamedTuple):
    """One of the two runs, as an arm of the merged run."""

    number: int
    name: str
    run: RunSummary
    ledger: Ledger | None


def _merge(found: ComparedRuns, folder: Path) -> None:
    """Write a run with an arm for A and one for B, and a model for each pair of models and arms."""
    with ExitStack() as stack:
        opened = [
            None if run.folder is None else stack.enter_context(Ledger.open(run.folder, write=False))
            for run in (found.a, found.b)
        ]
        first, second = (
            _Side(at, f"{letter}: {run.name}", run, opened[at])
            for at, (letter, run) in enumerate((("A", found.a), ("B", found.b)))
        )
        source = second.ledger or first.ledger
        if source is None:
            raise BadInput("the page needs the questions of a run folder; A and B are summary files")
        known = source.problems()
        problems = [known[id] for id in found.pairing.problems]
        outcomes = [each for side in (first, second) for each in _list_outcomes(found, side)]
        with Ledger.open(folder) as merged:
            merged.describe({"study": _describe_study(found, (first, second), source)})
            merged.plan([attempt for attempt, *_ in outcomes], problems)
            for attempt, transcript, scores, error in outcomes:
                merged.record(attempt, transcript=transcript, scores=scores, error=error)


def _describe_study(found: ComparedRuns, sides: tuple[_Side, _Side], source: Ledger) -> dict[str, Any]:
    no_price = {"input_price": None, "output_price": None}
    simulated = {*found.a.simulated, *found.b.simulated}
    return {
        "name": f"{found.b.name} compared with {found.a.name}",
        "baseline": sides[0].name,
        "seed": found.b.seed,
        "primary": [],
        "judges": [],
        "scorers": [],
        "models": [
            {"title": name_system(found, model, arm), "simulated": bool({*model} & simulated), "identity": {}}
            | no_price
            for model, arm in found.pairing.systems
        ],
        "arms": [{"name": side.name, "switches": {}, "builds_on": False} for side in sides],
        "dimensions": source.about("study")["dimensions"],
    }


def _list_outcomes(found: ComparedRuns, side: _Side) -> Iterator[Outcome]:
    """Yield the attempts of one run at the paired problems, under their names in the merged run."""
    systems: dict[tuple[str, str], list[str]] = {}
    for model, arm in found.pairing.systems:
        own = (model[side.number], arm[side.number])
        systems.setdefault(own, []).append(name_system(found, model, arm))
    rows = _read_summary_rows(side, systems) if side.ledger is None else _read_ledger_rows(side.ledger)
    wanted = set(found.pairing.problems)
    for (asked, name, problem, repeat), transcript, scores, error in rows:
        for title in systems.get((asked, name), ()) if problem in wanted else ():
            who = (title, side.name, problem, repeat)
            yield PlannedAttempt(canonical_hash(who), *who), transcript, scores, error


Row = tuple[tuple[str, str, str, int], Transcript | None, list[Score], str | None]


def _read_ledger_rows(ledger: Ledger) -> Iterator[Row]:
    keys = {(each.model, each.arm, each.problem, each.repeat): each.key for each in ledger.planned_attempts()}
    for row in list(ledger.attempts()):
        who = (row["model"], row["arm"], row["problem"], row["repeat"])
        details = ledger.read_json(row["details"]) if row["details"] else {}
        scores = [
            Score(dimension=name, value=value, evidence=details[name][0], details=details[name][1])
            for name, value in json.loads(row["scores"]).items()
        ]
        yield who, ledger.transcript(keys[who]), scores, row["error"] if row["state"] == "error" else None


def _read_summary_rows(side: _Side, systems: dict[tuple[str, str], list[str]]) -> Iterator[Row]:
    """Yield one row with the mean scores for each problem."""
    run = side.run
    models, arms = list(run.models), list(run.arms)
    for model, arm in systems:
        means = run.means[models.index(model), arms.index(arm)]
        for at, problem in enumerate(run.problems):
            scores = [
                Score(
                    dimension=name,
                    value=None if np.isnan(value) else min(1.0, max(0.0, float(value))),
                    evidence="the mean over the repeats, from the summary file",
                )
                for name, value in zip(run.dimensions, means[:, at], strict=True)
            ]
            yield (model, arm, problem, 0), _without_text(), scores, None


def _without_text() -> Transcript:
    return Transcript(
        answer=_NO_TEXT, stop="answered", messages=(), model_calls=(), tool_calls=(), seconds=None
    )


def _adapt(found: ComparedRuns, overview: dict[str, Any]) -> dict[str, Any]:
    """Replace the verdicts of a report by those of the comparison, which are one-sided."""
    models = [each["title"] for each in overview["models"]]
    verdicts = {
        (models.index(name_system(found, each.model, each.arm)), each.dimension.name): each
        for each in found.verdicts
    }
    for effect in overview["effects"]:
        verdict = verdicts.get((effect["model"], effect["dimension"]))
        if verdict is not None:
            effect["verdict"] = describe_verdict(verdict)
    lines = [
        f"{name_system(found, each.model, each.arm)}, {each.dimension.name}: {describe_verdict(each)}"
        for each in found.verdicts
    ]
    return {**overview, "question": make_title(found), "verdicts": lines, "notes": list_notes(found)}
