"""`ansatz score`: score a run again, or score imported answers."""

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
    print_warnings,
)
from ansatz.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ansatz.eval import Scorer
    from ansatz.eval.score_columns import Axis

app = typer.Typer()

# The options of a table of scores:
Wide = Annotated[bool, typer.Option("--wide", help="With --from table: each further column is a model.")]
ColumnsAs = Annotated[
    str | None,
    typer.Option("--columns-as", help="What the columns of --wide are: models, arms or dimensions."),
]
Fields = Annotated[
    list[str] | None,
    typer.Option("--field", metavar="NAME=COLUMN", help="With --from table: the column of a field."),
]
Scales = Annotated[
    list[str] | None,
    typer.Option(
        "--scale", metavar="[DIMENSION=]LOW:HIGH", help="With --from table: the scale of scores; 0:1."
    ),
]

Scorers = Annotated[
    list[str] | None,
    typer.Option("--scorer", help="For a run or with --from: name or name:setting=value,…"),
]

# The options of a file of answers:
Problems = Annotated[
    str | None,
    typer.Option("--problems", help="Problems (JSONL), or a benchmark as thermoqa:questions=FILE."),
]
Answers = Annotated[Path | None, typer.Option("--answers", help="JSONL with answer_id, problem_id and text.")]
Judges = Annotated[
    list[str] | None,
    typer.Option("--judge", help='"verifier" (by rules), or "provider:model"; several make a panel.'),
]
Grounded = Annotated[bool, typer.Option("--grounded", help="Show the judges what the verifier found.")]


@app.command()
def score(
    paths: Annotated[
        list[Path] | None, typer.Argument(metavar="RUN|FILE...", help="A run folder, or files with --from.")
    ] = None,
    from_: Annotated[
        str | None,
        typer.Option(
            "--from",
            help="The format of the files: table (scores), inspect, lm-eval, promptfoo, thermoqa, jsonl.",
        ),
    ] = None,
    out: Annotated[Path, typer.Option("--out", help="With --from, the run folder.")] = Path("runs/imported"),
    baseline: Annotated[str, typer.Option("--baseline", help="With --from, the arm to compare with.")] = "",
    wide: Wide = False,
    columns_as: ColumnsAs = None,
    field: Fields = None,
    scale: Scales = None,
    files_as: Annotated[
        str,
        typer.Option("--files-as", help="With --from: treat each file as one of: arms, models."),
    ] = "arms",
    scorer: Scorers = None,
    problems: Problems = None,
    answers: Answers = None,
    judge: Judges = None,
    grounded: Grounded = False,
    base_url: BaseUrl = None,
    as_json: AsJson = False,
) -> None:
    """Score a run again (RUN), import answers or scores as a run (--from), or score a file.

    --from table reads scores that exist already (CSV, Parquet, JSONL). A file is scored by --problems and
    --answers.

    No model is asked for an answer. With --problems and --answers, the output lists for each answer the
    values that it states, eight rubric dimensions (0-2) and the KPI (0-100). Exit status 1: some answers
    could not be scored. 2: some lines could not be read; the other answers are scored.
    """
    if from_ == "table":
        if problems or scorer:
            raise BadInput("--from table has scores already; --problems and --scorer are for answers")
        _import_table(paths or [], out, baseline, wide, columns_as, field or [], scale or [])
        return
    if wide or columns_as or field or scale:
        raise BadInput("--wide, --columns-as, --field and --scale need --from table")
    if from_ is not None:
        _import(from_, paths or [], problems, out, baseline, files_as, scorer or [])
        return
    if len(paths or ()) > 1:
        raise BadInput("name one run; several files need --from, which names their format")
    if paths:
        if problems or answers or judge or grounded or base_url or as_json:
            raise BadInput("a run has its own problems and answers; only --scorer can be given with it")
        _score_run(paths[0], scorer or [])
    elif problems is None or answers is None or scorer:
        raise BadInput("name a run folder (with --scorer), or give both --problems and --answers")
    else:
        _score_file(problems, answers, _judge_or_verifier(judge or [], grounded, base_url), as_json)


def _import_table(
    files: list[Path],
    out: Path,
    baseline: str,
    wide: bool,
    columns_as: str | None,
    fields: Sequence[str],
    scales: Sequence[str],
) -> None:
    """Import one table of scores."""
    from ansatz.eval.score_cells import ScoreScale
    from ansatz.eval.score_tables import read_scores
    from ansatz.experiments.imported_scores import write_scores
    from ansatz.quantities import nearest

    if len(files) != 1:
        raise BadInput(f"--from table reads one file, not {len(files)}")
    kinds: dict[str, Axis] = {"models": "model", "arms": "arm", "dimensions": "dimension"}
    if columns_as is not None and (not wide or columns_as not in kinds):
        raise BadInput(f"--columns-as needs --wide and a kind of column{nearest(columns_as, kinds)}")
    columns = dict(_split_option("--field", each, "NAME=COLUMN") for each in fields)
    bounds = {}
    for each in scales:
        name, text = _split_option("--scale", each, "") if "=" in each else ("", each)
        try:
            bounds[name] = ScoreScale.parse(text)
        except ValueError as fault:
            raise BadInput(f"--scale: {fault}") from None
    with Steps() as steps:
        table = read_scores(
            files[0], columns, wide=kinds[columns_as or "models"] if wide else None, scales=bounds
        )
        steps("Writing", 0, 1)
        counts = write_scores(table, out, baseline).counts
    print_warnings(table.notes, f"ansatz: {files[0]}: ")
    print(f"{out}: {counts['scored']} of {counts['planned']} attempts imported, {counts['failed']} failed")


def _split_option(option: str, given: str, form: str) -> tuple[str, str]:
    name, separator, value = given.partition("=")
    if not (separator and name and value):
        raise BadInput(f"{option}: {given!r} is not {form}")
    return name, value


def _import(
    kind: str,
    files: list[Path],
    problems: str | None,
    out: Path,
    baseline: str,
    files_as: str,
    scorers: list[str],
) -> None:
    from ansatz.experiments.design import plugins
    from ansatz.experiments.design.study_file import parse_choice
    from ansatz.experiments.imported_answers import read_imported_answers, score_imported_answers

    if not files or files_as not in ("arms", "models"):
        raise BadInput("--from needs files; --files-as is arms or models")
    answers = read_imported_answers(kind, files, files_as)
    chosen = [plugins.load("ansatz.scorers", *parse_choice(each)) for each in scorers]
    given = read_problems(problems) if problems else ()
    counts = asyncio.run(score_imported_answers(answers, given, out, baseline, chosen)).counts
    print(f"{out}: {counts['scored']} of {counts['planned']} answers scored, {counts['failed']} failed")
    if counts["failed"]:
        raise typer.Exit(FAILED)


def _score_run(folder: Path, scorers: Sequence[str]) -> None:
    from ansatz.experiments.design.study_file import parse_choice
    from ansatz.experiments.run import Run
    from ansatz.experiments.running.progress import Progress
    from ansatz.experiments.running.rescoring import score_again

    progress = Progress(console(stderr=True), folder.name)
    asyncio.run(score_again(folder, progress, choices=[*map(parse_choice, scorers)]))
    counts = Run(folder).counts
    print(f"{folder}: {counts['scored']} attempts scored again, {counts['failed']} failed")
    if counts["failed"]:
        raise typer.Exit(FAILED)


def _score_file(problems: str, answers: Path, scorer: Scorer, as_json: bool) -> None:
    from ansatz.eval.answer_files import match_answers, score_answers
    from ansatz.eval.score import ask_through
    from ansatz.experiments.design.scorers import connect_judges

    by_id = {problem.id: problem for problem in read_problems(problems)}
    given, unknown, faults = match_answers(by_id, answers)
    print_warnings((*unknown, *faults), "ansatz: ")

    async def scored() -> tuple[list[dict[str, Any]], list[str]]:
        clients = connect_judges([scorer])
        try:
            with Steps() as steps:
                return await score_answers(
                    given,
                    by_id,
                    scorer,
                    lambda done: steps("Scoring", done, len(given)),
                    ask_through(clients),
                )
        finally:
            for client in clients.values():
                await client.aclose()

    rows, failed = asyncio.run(scored())
    print_warnings(failed, "ansatz: ")
    if as_json:
        print_json({"answers": rows})
    elif rows:
        print_rows(_make_table(rows), False)
    if not (rows or unknown or faults):
        raise BadInput(f"{answers}: there is no answer to score")
    if faults:
        raise typer.Exit(BAD_INPUT)
    if unknown or failed:
        raise typer.Exit(FAILED)


def _judge_or_verifier(named: Sequence[str], grounded: bool, base_url: str | None) -> Scorer:
    """Build the judge that the options name, or the verifier."""
    from ansatz.eval.verifier.verifier import Verifier
    from ansatz.experiments.design.plugins import load

    models = [name for name in named if name != "verifier"]
    if not models:
        for option, is_given in (("--grounded", grounded), ("--base-url", base_url)):
            if is_given:
                raise BadInput(f"{option} is for models; name one with --judge provider:model")
        return Verifier()
    if len(models) < len(named):
        raise BadInput("the verifier cannot be a member of a panel; use --grounded to show its findings")
    settings = {"base_url": base_url} if base_url else {}
    chosen = [{"name": name, "settings": settings} for name in models]
    built: Scorer = load("ansatz.scorers", "judge", {"models": chosen, "grounded": grounded, "prefix": ""})
    return built


def _make_table(rows: Sequence[dict[str, Any]]) -> list[dict[str, str]]:
    """Make one row per answer, and a last row with means over the answers that have a score."""

    def format_scores(some: Sequence[dict[str, Any]], form: str) -> dict[str, str]:
        texts = {}
        for name in (*rows[0]["dimensions"], "kpi", "kpi_published"):
            scores = (row["dimensions"].get(name, row.get(name)) for row in some)
            known = [score for score in scores if score is not None]
            digits = ".1f" if name.startswith("kpi") else form
            texts[name] = f"{fmean(known):{digits}}" if known else "–"
        return texts

    table = []
    for row in rows:
        bands = Counter(target["band"] or "no key" for target in row["targets"].values())
        stated = ", ".join(f"{count} {band}" for band, count in bands.items())
        about = {"answer": row["answer_id"], "problem": row["problem_id"], "targets": stated}
        table.append(about | format_scores([row], "g"))
    keyed = [target["band"] for row in rows for target in row["targets"].values() if target["band"]]
    exact = f"{keyed.count('exact') / len(keyed):.0%} exact" if keyed else "–"
    about = {"answer": "mean", "problem": f"{len(rows)} answer{'s' * (len(rows) != 1)}", "targets": exact}
    return [*table, about | format_scores(rows, ".2f")]
