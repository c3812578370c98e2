"""`ansatz score`: a run's answers again, or answers of anybody to problems of anybody."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ansatz.cli.console import BAD_INPUT, FAILED, AsJson, BadInput, Steps, console, print_rows, tell

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from ansatz.agents import ModelClient
    from ansatz.eval import Problem
    from ansatz.eval.answers import Answer, ScoredAnswer
    from ansatz.eval.judging import Judge

app = typer.Typer()


@app.command()
def score(
    paths: Annotated[
        list[Path] | None, typer.Argument(metavar="RUN|FILE...", help="A run folder, or files with --from.")
    ] = None,
    from_: Annotated[
        str | None, typer.Option("--from", help="What wrote the files: inspect, lm-eval, promptfoo, jsonl.")
    ] = None,
    out: Annotated[Path, typer.Option("--out", help="With --from, the run folder.")] = Path("runs/gathered"),
    baseline: Annotated[str, typer.Option("--baseline", help="With --from, the arm to compare with.")] = "",
    files_are: Annotated[
        str, typer.Option("--files-are", help="With --from: arms or models, where files name none.")
    ] = "arms",
    scorer: Annotated[
        list[str] | None,
        typer.Option("--scorer", help="Of a run: name or name:setting=value,…; its own by default."),
    ] = None,
    problems: Annotated[
        Path | None, typer.Option("--problems", help="Problems in the item schema (JSONL).")
    ] = None,
    answers: Annotated[
        Path | None, typer.Option("--answers", help="JSONL with answer_id, problem_id and text.")
    ] = None,
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
    """Score a run's answers again (RUN), or answers gathered elsewhere (--problems and --answers).

    No arm of a run is asked again. Answers from elsewhere get what they state for each target, eight rubric
    dimensions (0-2) and the KPI (0-100); their problems are read as `ansatz run` reads them. Exit status 1:
    some answers could not be scored. 2: some lines could not be read; the answers of the others are scored,
    but not where a problem cannot be read.
    """
    if from_ is not None:
        _gather(from_, paths or [], problems, out, baseline, files_are)
        return
    if len(paths or ()) > 1:
        raise BadInput("one run at a time; several files need --from inspect, lm-eval, promptfoo or jsonl")
    run = paths[0] if paths else None
    if run is not None:
        if problems or answers or judge or grounded or base_url or as_json:
            raise BadInput("a run has its own problems and answers; beside it only --scorer can be given")
        _score_run(run, scorer or [])
    elif problems is None or answers is None or scorer:
        raise BadInput("name a run folder (with --scorer), or give both --problems and --answers")
    else:
        _score_foreign(problems, answers, _judge_of(judge or [], grounded, base_url), as_json)


def _gather(
    kind: str, files: list[Path], problems: Path | None, out: Path, baseline: str, files_are: str
) -> None:
    from ansatz.eval.problem_files import load
    from ansatz.experiments.gathered import read_gathered, score_gathered

    if not files or files_are not in ("arms", "models"):
        raise BadInput("--from needs files; --files-are is arms or models")
    answers = read_gathered(kind, files, files_are)
    if not answers:
        raise BadInput("there is no answer in the files")
    done = asyncio.run(score_gathered(answers, load(problems) if problems else (), out, baseline))
    counts = done.counts
    print(
        f"{done.folder}: {counts['scored']} of {counts['planned']} answers scored, {counts['failed']} failed"
    )
    if counts["failed"]:
        raise typer.Exit(FAILED)


def _score_run(folder: Path, scorers: Sequence[str]) -> None:
    from ansatz.experiments.progress import RunProgress
    from ansatz.experiments.rescoring import score_again
    from ansatz.experiments.study_file import choice_of

    screen = console(stderr=True)
    choices = [choice_of(each) for each in scorers]
    counts = asyncio.run(score_again(folder, RunProgress(screen, folder.name), choices=choices)).counts
    print(f"{folder}: {counts['scored']} units scored again, {counts['failed']} failed")
    if counts["failed"]:
        raise typer.Exit(FAILED)


def _score_foreign(problems: Path, answers: Path, chosen: Judge | None, as_json: bool) -> None:
    from ansatz.eval.answers import read_answers
    from ansatz.eval.problem_files import load

    asked = {problem.id: problem for problem in load(problems)}
    given = read_answers(answers, asked)
    tell((*given.unknown, *given.faults), "ansatz: ")
    with Steps() as steps:
        scored = asyncio.run(
            _scored(chosen, given.found, asked, lambda done: steps("Scoring", done, len(given.found)))
        )
    failed = [f"{each.answer.answer_id}: {each.failure}" for each in scored if each.failure]
    tell(failed, "ansatz: ")
    _print(scored, as_json)
    if given.faults:
        raise typer.Exit(BAD_INPUT)
    if given.unknown or failed:
        raise typer.Exit(FAILED)


def _judge_of(named: Sequence[str], grounded: bool, base_url: str | None) -> Judge | None:
    """The judge that was asked for; None for the verifier."""
    models = [name for name in named if name != "verifier"]
    if not models:
        for option, is_given in (("--grounded", grounded), ("--base-url", base_url)):
            if is_given:
                raise BadInput(f"{option} is for models; name one with --judge provider:model")
        return None
    if len(models) < len(named):
        raise BadInput("the verifier is no member of a panel; use --grounded to show its findings")
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
    from ansatz.eval.answers import score_answers
    from ansatz.eval.score import asking
    from ansatz.eval.verifier.verifier import Verifier

    if judge is None:
        return await score_answers(answers, problems, Verifier(), done)
    clients: dict[str, ModelClient] = {}
    try:
        for model in judge.wanted_models:
            clients[model.title] = connect(model.asked, model.settings)
        return await score_answers(answers, problems, judge, done, asking(clients))
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
    from ansatz.eval.verifier.kpi import WEIGHTS

    bands = Counter(verdict.band if verdict else "no key" for verdict in each.targets.values())
    stated = [f"{count} {band}" for band, count in bands.items()]
    marks = {name: _shown(each.points(name)) for name in WEIGHTS}
    about = {"answer": each.answer.answer_id, "problem": each.answer.problem_id}
    sums = {"kpi": _shown(each.percent("kpi"), 1), "kpi_published": _shown(each.percent("kpi_published"), 1)}
    return {**about, "targets": ", ".join(stated), **marks, **sums}


def _means(scored: Sequence[ScoredAnswer]) -> dict[str, Any]:
    """Means over the answers that have a mark, and the share of targets in the best band."""
    from ansatz.eval.verifier.kpi import WEIGHTS

    verdicts = [verdict for each in scored for verdict in each.targets.values() if verdict]
    exact = f"{fmean(verdict.exact for verdict in verdicts):.0%} exact" if verdicts else "–"
    marks = {name: _shown(_mean(each.points(name) for each in scored), 2) for name in WEIGHTS}
    sums = {
        "kpi": _shown(_mean(each.percent("kpi") for each in scored), 1),
        "kpi_published": _shown(_mean(each.percent("kpi_published") for each in scored), 1),
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
