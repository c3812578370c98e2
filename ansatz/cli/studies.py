"""Commands on studies: run, report, solve, graph, list."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from ansatz.cli.console import FAILED, INTERRUPTED, AsJson, console, print_rows, required

app = typer.Typer()

StudyPath = Annotated[Path, typer.Argument(help="A study file (YAML), or a run folder to resume.")]
Names = list[str] | None


@app.command()
def run(
    study: StudyPath,
    out: Annotated[Path | None, typer.Option("--out", help="Run folder; default runs/<study name>.")] = None,
    model: Annotated[Names, typer.Option("--model", help="Only this model; may be repeated.")] = None,
    arm: Annotated[
        Names, typer.Option("--arm", help="Only this arm and the baseline; may be repeated.")
    ] = None,
    problem: Annotated[Names, typer.Option("--problem", help="Only this problem; may be repeated.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="N problems, spread over families.")] = None,
    sample: Annotated[int | None, typer.Option(min=1, help="N problems, drawn over families.")] = None,
    set_: Annotated[
        Names, typer.Option("-o", "--set", help="Change a setting of the file: repeats=3.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be asked, and stop.")] = False,
) -> None:
    """Run a study, or resume it: units already in the run folder are not done again."""
    from ansatz.experiments.design import StudyError
    from ansatz.experiments.progress import RunProgress
    from ansatz.experiments.study import Study

    if study.is_dir() and out and out.resolve() != study.resolve():
        raise StudyError(f"{study} is a run and is resumed where it is; --out is for a study file")
    whole = Study.from_run(study) if study.is_dir() else Study.from_yaml(study, changes=set_ or ())
    chosen = whole.only(models=model, arms=arm, problems=problem, limit=limit, sample=sample)
    folder = study if study.is_dir() else out
    if dry_run:
        print(chosen.outline())
        return
    screen = console(stderr=True)
    try:
        done = asyncio.run(chosen.arun(folder, progress=RunProgress(screen, chosen.name)))
    except KeyboardInterrupt:
        screen.print("Interrupted. What is finished is kept; the same command goes on from there.")
        raise typer.Exit(INTERRUPTED) from None
    counts = done.counts
    print(f"{done.folder}: {counts['scored']} of {counts['planned']} units scored, {counts['failed']} failed")
    for note in done.notes:
        print(note)
    if counts["failed"]:
        screen.print("Failed units carry no score; the same command tries them again.")
        raise typer.Exit(FAILED)


@app.command()
def report(
    folder: Annotated[Path, typer.Argument(help="A run folder.")],
    labels: Annotated[
        list[Path] | None,
        typer.Option(help="JSONL with people's scores of answers: tells how far reviewers err."),
    ] = None,
    full: Annotated[bool, typer.Option("--full", help="Every dimension and table.")] = False,
    as_json: AsJson = False,
) -> None:
    """Print what helped, and write report.md, deltas.csv and deltas.png into the run."""
    from dataclasses import replace

    from ansatz.eval.judge_labels import read_labels
    from ansatz.experiments.report import FullTables, Summary, to_json, write_report
    from ansatz.experiments.results import read_results

    results = read_results(folder)
    if labels:
        results = replace(results, labels=read_labels(labels))
    if as_json:
        print(json.dumps(to_json(results), indent=2))
        return
    screen = console()
    screen.print(FullTables(results) if full else Summary(results))
    try:
        written = write_report(results, folder)
    except OSError:  # the figures are worth seeing where they cannot be kept
        screen.print("Nothing of this could be written.")
        raise
    more = written.listed() if full else f"{written.markdown}; --full shows every dimension here"
    screen.print(f"Written: {more}.", highlight=False, markup=False)


@app.command()
def solve(
    question: Annotated[str, typer.Argument(help="The question, with its values and units; - reads stdin.")],
    model: Annotated[
        str, typer.Option(help='"provider:model", or offline:slide-rule.')
    ] = "offline:slide-rule",
    with_: Annotated[
        list[str] | None, typer.Option("--with", help="An intervention: name or name:setting=value,…")
    ] = None,
    base_url: Annotated[str | None, typer.Option(help="An OpenAI-compatible server.")] = None,
    as_json: AsJson = False,
) -> None:
    """Answer one question with the chosen interventions and show the trace."""
    from ansatz.experiments.solve import print_trace, solve_question

    text = sys.stdin.read() if question == "-" else question
    required("the question", text)
    transcript = asyncio.run(solve_question(text, model, with_ or [], base_url))
    if as_json:
        print(transcript.model_dump_json(indent=2))
    else:
        print_trace(transcript, console())


@app.command()
def graph(
    study: Annotated[Path, typer.Argument(help="A study file (YAML), or a run folder.")],
    arm: Annotated[str, typer.Option(help="The arm to show.")] = "baseline",
) -> None:
    """Print an arm's graph as Mermaid."""
    from ansatz.agents import build_graph
    from ansatz.experiments.study import arm_in

    print(build_graph(arm_in(study, arm).plan).get_graph().draw_mermaid())


@app.command("list")
def list_(
    kind: Annotated[
        str, typer.Argument(help="interventions, benchmarks, scorers or rankers.")
    ] = "interventions",
    as_json: AsJson = False,
) -> None:
    """List what is installed, with one line on each."""
    from ansatz.experiments.catalogue import catalogue

    print_rows(catalogue(kind), as_json)
