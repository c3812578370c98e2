"""`ansatz score`: a run's answers again, or answers of anybody to problems of anybody."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ansatz.cli.benchmark import read_problems
from ansatz.cli.console import (
    BAD_INPUT,
    FAILED,
    AsJson,
    BaseUrl,
    Steps,
    console,
    print_json,
    print_rows,
    tell,
)
from ansatz.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ansatz.eval import Scorer

app = typer.Typer()


@app.command()
def score(
    paths: Annotated[
        list[Path] | None, typer.Argument(metavar="RUN|FILE...", help="A run folder, or files with --from.")
    ] = None,
    from_: Annotated[
        str | None,
        typer.Option("--from", help="What wrote the files: inspect, lm-eval, promptfoo, thermoqa, jsonl."),
    ] = None,
    out: Annotated[Path, typer.Option("--out", help="With --from, the run folder.")] = Path("runs/gathered"),
    baseline: Annotated[str, typer.Option("--baseline", help="With --from, the arm to compare with.")] = "",
    files_are: Annotated[
        str, typer.Option("--files-are", help="With --from: arms or models, where files name none.")
    ] = "arms",
    scorer: Annotated[
        list[str] | None,
        typer.Option("--scorer", help="Of a run or with --from: name or name:setting=value,…"),
    ] = None,
    problems: Annotated[
        str | None,
        typer.Option("--problems", help="Problems (JSONL), or a benchmark as thermoqa:questions=FILE."),
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
    base_url: BaseUrl = None,
    as_json: AsJson = False,
) -> None:
    """Score a run's answers again (RUN), or answers gathered elsewhere (--problems and --answers).

    No arm of a run is asked again. Answers from elsewhere get what they state for each target, eight rubric
    dimensions (0-2) and the KPI (0-100); their problems are read as `ansatz run` reads them. Exit status 1:
    some answers could not be scored. 2: some lines could not be read; the answers of the others are scored,
    but not where a problem cannot be read.
    """
    if from_ is not None:
        _gather(from_, paths or [], problems, out, baseline, files_are, scorer or [])
        return
    if len(paths or ()) > 1:
        raise BadInput("one run at a time; several files need --from, which says what wrote them")
    if paths:
        if problems or answers or judge or grounded or base_url or as_json:
            raise BadInput("a run has its own problems and answers; beside it only --scorer can be given")
        _score_run(paths[0], scorer or [])
    elif problems is None or answers is None or scorer:
        raise BadInput("name a run folder (with --scorer), or give both --problems and --answers")
    else:
        _score_foreign(problems, answers, _scorer_of(judge or [], grounded, base_url), as_json)


def _gather(
    kind: str,
    files: list[Path],
    problems: str | None,
    out: Path,
    baseline: str,
    files_are: str,
    scorers: list[str],
) -> None:
    from ansatz.experiments.design import plugins
    from ansatz.experiments.design.study_file import choice_of
    from ansatz.experiments.gathered import read_gathered, score_gathered

    if not files or files_are not in ("arms", "models"):
        raise BadInput("--from needs files; --files-are is arms or models")
    answers = read_gathered(kind, files, files_are)
    chosen = [plugins.load("ansatz.scorers", *choice_of(each)) for each in scorers]
    given = read_problems(problems) if problems else ()
    counts = asyncio.run(score_gathered(answers, given, out, baseline, chosen)).counts
    print(f"{out}: {counts['scored']} of {counts['planned']} answers scored, {counts['failed']} failed")
    if counts["failed"]:
        raise typer.Exit(FAILED)


def _score_run(folder: Path, scorers: Sequence[str]) -> None:
    from ansatz.experiments.design.study_file import choice_of
    from ansatz.experiments.run import Run
    from ansatz.experiments.running.progress import Progress
    from ansatz.experiments.running.rescoring import score_again

    progress = Progress(console(stderr=True), folder.name)
    asyncio.run(score_again(folder, progress, choices=[*map(choice_of, scorers)]))
    counts = Run(folder).counts
    print(f"{folder}: {counts['scored']} units scored again, {counts['failed']} failed")
    if counts["failed"]:
        raise typer.Exit(FAILED)


def _score_foreign(problems: str, answers: Path, scorer: Scorer, as_json: bool) -> None:
    from ansatz.eval.answers import answers_to, score_answers
    from ansatz.eval.score import asking
    from ansatz.experiments.design.scorers import judges_of

    asked = {problem.id: problem for problem in read_problems(problems)}
    given, unknown, faults = answers_to(asked, answers)
    tell((*unknown, *faults), "ansatz: ")

    async def scored() -> tuple[list[dict[str, Any]], list[str]]:
        clients = judges_of([scorer])
        try:
            with Steps() as steps:
                return await score_answers(
                    given, asked, scorer, lambda done: steps("Scoring", done, len(given)), asking(clients)
                )
        finally:
            for client in clients.values():
                await client.aclose()

    rows, failed = asyncio.run(scored())
    tell(failed, "ansatz: ")
    if as_json:
        print_json({"answers": rows})
    elif rows:
        print_rows(_table(rows), False)
    if not (rows or unknown or faults):
        raise BadInput(f"{answers}: there is no answer to score")
    if faults:
        raise typer.Exit(BAD_INPUT)
    if unknown or failed:
        raise typer.Exit(FAILED)


def _scorer_of(named: Sequence[str], grounded: bool, base_url: str | None) -> Scorer:
    """The judge that was asked for, or the verifier."""
    from ansatz.eval.verifier.verifier import Verifier
    from ansatz.experiments.design.plugins import load

    models = [name for name in named if name != "verifier"]
    if not models:
        for option, is_given in (("--grounded", grounded), ("--base-url", base_url)):
            if is_given:
                raise BadInput(f"{option} is for models; name one with --judge provider:model")
        return Verifier()
    if len(models) < len(named):
        raise BadInput("the verifier is no member of a panel; use --grounded to show its findings")
    settings = {"base_url": base_url} if base_url else {}
    chosen = [{"name": name, "settings": settings} for name in models]
    built: Scorer = load("ansatz.scorers", "judge", {"models": chosen, "grounded": grounded, "prefix": ""})
    return built


def _table(rows: Sequence[dict[str, Any]]) -> list[dict[str, str]]:
    """A line an answer, and one of the means over those that have a mark."""

    def marks(some: Sequence[dict[str, Any]], form: str) -> dict[str, str]:
        found = {}
        for name in (*rows[0]["dimensions"], "kpi", "kpi_published"):
            read = (row["dimensions"].get(name, row.get(name)) for row in some)
            known = [mark for mark in read if mark is not None]
            digits = ".1f" if name.startswith("kpi") else form
            found[name] = f"{fmean(known):{digits}}" if known else "–"
        return found

    table = []
    for row in rows:
        bands = Counter(target["band"] or "no key" for target in row["targets"].values())
        stated = ", ".join(f"{count} {band}" for band, count in bands.items())
        about = {"answer": row["answer_id"], "problem": row["problem_id"], "targets": stated}
        table.append(about | marks([row], "g"))
    keyed = [target["band"] for row in rows for target in row["targets"].values() if target["band"]]
    exact = f"{keyed.count('exact') / len(keyed):.0%} exact" if keyed else "–"
    about = {"answer": "mean", "problem": f"{len(rows)} answer{'s' * (len(rows) != 1)}", "targets": exact}
    return [*table, about | marks(rows, ".2f")]
