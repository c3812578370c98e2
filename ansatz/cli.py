"""The command line. Each command imports what it needs, so that help answers at once."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
kb = typer.Typer(no_args_is_help=True, help="Look into the equation knowledge base.")
app.add_typer(kb, name="kb")

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]
StudyPath = Annotated[Path, typer.Argument(help="A study file (YAML), or a run folder to resume.")]
BAD_INPUT, FAILED, INTERRUPTED = 2, 1, 130


@app.callback()
def ansatz() -> None:
    """Measure which interventions help a language model with engineering work, and by how much."""


@app.command()
def run(
    study: StudyPath,
    out: Annotated[Path | None, typer.Option(help="Run folder; default runs/<study name>.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first N problems.")] = None,
) -> None:
    """Run a study, or resume it: units already in the run folder are not done again."""
    from ansatz.experiments.launch import launch
    from ansatz.experiments.progress import RunProgress

    console = _console(stderr=True)
    try:
        outcome = asyncio.run(launch(study, out, limit, RunProgress(console, study.stem)))
    except KeyboardInterrupt:
        console.print("Interrupted. What is finished is kept; the same command goes on from there.")
        raise typer.Exit(INTERRUPTED) from None
    print(f"{outcome.folder}: {outcome.scored} of {outcome.planned} units scored, {outcome.errors} failed")
    if outcome.errors:
        console.print("Failed units carry no score; the same command tries them again.")
        raise typer.Exit(FAILED)


@app.command()
def report(folder: Annotated[Path, typer.Argument(help="A run folder.")], as_json: AsJson = False) -> None:
    """Print the per-dimension deltas of a run and write report.md, deltas.csv and deltas.png into it."""
    from ansatz.experiments.report import render_table, to_json, write_report
    from ansatz.experiments.results import read_results

    results = read_results(folder)
    files = write_report(results, folder)
    if as_json:
        print(json.dumps(to_json(results), indent=2))
        return
    console = _console()
    console.print(render_table(results))
    console.print(f"Written: {', '.join(str(file) for file in files)}", highlight=False)


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
    if not text.strip():
        raise typer.BadParameter("the question is empty")
    transcript = asyncio.run(solve_question(text, model, with_ or [], base_url))
    if as_json:
        print(transcript.model_dump_json(indent=2))
    else:
        print_trace(transcript, _console())


@app.command()
def graph(
    study: StudyPath,
    arm: Annotated[str, typer.Option(help="The arm to show.")] = "baseline",
) -> None:
    """Print an arm's graph as Mermaid."""
    from ansatz.agents import build_graph
    from ansatz.experiments.config import load_study
    from ansatz.experiments.prepare import arm_of

    print(build_graph(arm_of(load_study(study), arm).plan).get_graph().draw_mermaid())


@app.command("list")
def list_(
    kind: Annotated[str, typer.Argument(help="interventions, benchmarks or scorers.")] = "interventions",
    as_json: AsJson = False,
) -> None:
    """List what is installed, with one line on each."""
    from ansatz.experiments.catalogue import catalogue

    _print_rows(catalogue(kind), as_json)


@kb.command()
def search(
    query: str,
    top: Annotated[int, typer.Option("-k", min=1, help="How many equations.")] = 5,
    as_json: AsJson = False,
) -> None:
    """Find equations for a question, with their conditions and the excluded traps."""
    from ansatz.knowledge_base.search import searcher

    found = searcher().search(query, top)
    print(json.dumps(found.to_dict(), indent=2, ensure_ascii=False) if as_json else found.sheet())


@kb.command()
def show(id: str, as_json: AsJson = False) -> None:
    """Show one equation in full."""
    from ansatz.knowledge_base.library import library
    from ansatz.knowledge_base.sheet import page

    equation = library().get(id)
    print(equation.model_dump_json(indent=2, exclude_defaults=True) if as_json else page(equation))


@kb.command()
def check(
    prefixes: Annotated[list[str] | None, typer.Argument(help="Ids or domains; all by default.")] = None,
    as_json: AsJson = False,
) -> None:
    """Put every entry through the gates: dimensions, test vectors, limits, bounds, references."""
    from ansatz.knowledge_base.gates import check_all

    wanted = tuple(prefixes or [""])
    checked = {id: found for id, found in check_all().items() if id.startswith(wanted)}
    faults = {id: found for id, found in checked.items() if found}
    if as_json:
        print(json.dumps(faults, indent=2, ensure_ascii=False))
    else:
        for id, found in faults.items():
            print("\n".join(f"{id}: {fault}" for fault in found))
        print(f"{len(checked)} entries, {len(faults)} with faults")
    if faults:
        raise typer.Exit(FAILED)


def main() -> None:
    """The `ansatz` command: expected failures are one clear line on stderr and exit status 2."""
    try:
        app()
    except Exception as failure:
        if not _is_expected(failure):
            raise
        print(f"ansatz: {failure}", file=sys.stderr)
        sys.exit(BAD_INPUT)


def _is_expected(failure: Exception) -> bool:
    """Whether a failure is the input's, and its message therefore written for the user."""
    from ansatz.experiments.catalogue import EXPECTED

    return isinstance(failure, EXPECTED)


def _console(*, stderr: bool = False) -> Console:
    from rich.console import Console

    return Console(stderr=stderr, soft_wrap=not (sys.stderr if stderr else sys.stdout).isatty())


def _print_rows(rows: list[dict[str, Any]], as_json: bool) -> None:
    if as_json:
        print(json.dumps(rows, indent=2, ensure_ascii=False))
        return
    from rich.table import Table

    table = Table(*rows[0], box=None, pad_edge=False)
    for row in rows:
        table.add_row(*(", ".join(cell) if isinstance(cell, tuple) else str(cell) for cell in row.values()))
    _console().print(table)


if __name__ == "__main__":
    main()
