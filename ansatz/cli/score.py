"""`ansatz score`: answers of anybody to problems of anybody, by the verifier or by models as judges."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ansatz.cli.console import BAD_INPUT, FAILED, AsJson, Steps, print_rows, tell

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from ansatz.agents import ModelClient
    from ansatz.eval import Problem
    from ansatz.eval.judges import Judge
    from ansatz.eval.submitted.answers import Answer
    from ansatz.eval.submitted.score import ScoredAnswer

app = typer.Typer()


@app.command()
def score(
    problems: Annotated[Path, typer.Option("--problems", help="Problems in the item schema (JSONL).")],
    answers: Annotated[Path, typer.Option("--answers", help="JSONL with answer_id, problem_id and text.")],
    judge: Annotated[
        list[str] | None,
        typer.Option("--judge", help='"verifier" (by rules), or "provider:model"; several make a panel.'),
    ] = None,
    grounded: Annotated[
        bool, typer.Option("--grounded", help="Show the judges what the verifier found.")
    ] = False,
    base_url: Annotated[
        str | None, typer.Option("--base-url", help="An OpenAI-compatible server for the judges.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Score answers: what they state for each target, eight rubric dimensions (0-2) and the KPI (0-100).

    Exit status 1: some answers could not be scored. 2: some lines could not be read; the others are scored.
    """
    from ansatz.eval.submitted.answers import read_answers
    from ansatz.eval.submitted.problems import read_problems

    asked = read_problems(problems)
    tell(asked.warnings, "warning: ")
    tell(asked.faults, "ansatz: ")
    given = read_answers(answers, asked.found, asked.unread)
    for lines, label in (
        (given.warnings, "warning: "),
        (given.unknown, "ansatz: "),
        (given.faults, "ansatz: "),
    ):
        tell(lines, label)

    chosen = _judge_of(judge or [], grounded, base_url)
    with Steps() as steps:
        scored = asyncio.run(
            _scored(chosen, given.found, asked.found, lambda done: steps("Scoring", done, len(given.found)))
        )
    failed = [f"{each.answer.answer_id}: {each.failure}" for each in scored if each.failure]
    tell(failed, "ansatz: ")
    _print(scored, as_json)
    if asked.faults or given.faults:
        raise typer.Exit(BAD_INPUT)
    if given.unknown or failed:
        raise typer.Exit(FAILED)


def _judge_of(named: Sequence[str], grounded: bool, base_url: str | None) -> Judge | None:
    """The judge that was asked for; None for the verifier."""
    models = [name for name in named if name != "verifier"]
    if not models:
        for option, is_given in (("--grounded", grounded), ("--base-url", base_url)):
            if is_given:
                raise typer.BadParameter(f"{option} is for models; name one with --judge provider:model")
        return None
    if len(models) < len(named):
        raise typer.BadParameter("the verifier is no member of a panel; use --grounded to show its findings")
    from ansatz.experiments.plugins import load

    settings = {"base_url": base_url} if base_url else {}
    chosen = [{"name": name, "settings": settings} for name in models]
    built: Judge = load("ansatz.scorers", "judge", {"models": chosen, "grounded": grounded, "prefix": ""})
    return built


async def _scored(
    judge: Judge | None,
    answers: Sequence[Answer],
    problems: Mapping[str, Problem],
    done: Callable[[int], None],
) -> list[ScoredAnswer]:
    from ansatz.agents.models import connect
    from ansatz.eval.submitted.score import score_answers
    from ansatz.eval.verifier.verifier import Verifier

    if judge is None:
        return await score_answers(answers, problems, Verifier(), done)
    clients: dict[str, ModelClient] = {}
    try:
        for model in judge.wanted_models:
            clients[model.title] = connect(model.name, model.settings)
        return await score_answers(answers, problems, judge.connected(clients), done)
    finally:
        for client in clients.values():
            await client.aclose()


def _print(scored: Sequence[ScoredAnswer], as_json: bool) -> None:
    if as_json:
        print(json.dumps({"answers": [each.to_json() for each in scored]}, indent=2, ensure_ascii=False))
    elif scored:
        print_rows([*map(_row, scored), _means(scored)], False)
    else:
        print("no answer to score")


def _row(each: ScoredAnswer) -> dict[str, Any]:
    from ansatz.eval.judges.rubric import DIMENSIONS

    bands = Counter(verdict.band if verdict else "no key" for verdict in each.targets.values())
    stated = [f"{count} {band}" for band, count in bands.items()]
    marks = {name: _shown(each.points(name)) for name in DIMENSIONS}
    about = {"answer": each.answer.answer_id, "problem": each.answer.problem_id}
    sums = {"kpi": _shown(each.kpi, 1), "kpi_published": _shown(each.kpi_published, 1)}
    return {**about, "targets": ", ".join(stated), **marks, **sums}


def _means(scored: Sequence[ScoredAnswer]) -> dict[str, Any]:
    """Means over the answers that have a mark, and the share of targets in the best band."""
    from ansatz.eval.judges.rubric import DIMENSIONS

    verdicts = [verdict for each in scored for verdict in each.targets.values() if verdict]
    exact = f"{fmean(verdict.exact for verdict in verdicts):.0%} exact" if verdicts else "–"
    marks = {name: _shown(_mean(each.points(name) for each in scored), 2) for name in DIMENSIONS}
    sums = {
        "kpi": _shown(_mean(each.kpi for each in scored), 1),
        "kpi_published": _shown(_mean(each.kpi_published for each in scored), 1),
    }
    return {
        "answer": "mean",
        "problem": f"{len(scored)} answer{'s' * (len(scored) != 1)}",
        "targets": exact,
        **marks,
        **sums,
    }


def _mean(values: Iterable[float | None]) -> float | None:
    kept = [value for value in values if value is not None]
    return fmean(kept) if kept else None


def _shown(value: float | None, decimals: int = 0) -> str:
    if value is None:
        return "–"
    return f"{value:g}" if decimals == 0 else f"{value:.{decimals}f}"
