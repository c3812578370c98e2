"""Commands that compare runs: compare, summary."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ansatz.cli.console import AsJson, RunFolder, check_writable, print_json
from ansatz.errors import BadInput

app = typer.Typer()

Source = Annotated[str, typer.Argument(help="A run folder or a summary file; RUN@NAME is one arm or model.")]


@app.command()
def compare(
    a: Source,
    b: Source,
    arm: Annotated[
        list[str] | None, typer.Option("--arm", help="Only this arm of B; may be repeated.")
    ] = None,
    map_: Annotated[
        list[str] | None,
        typer.Option("--map", metavar="OLD=NEW", help="An arm or model with another name in B."),
    ] = None,
    margin: Annotated[
        list[str] | None,
        typer.Option(metavar="DIMENSION=X", help="The change for the worse that is accepted: outcome=2."),
    ] = None,
    primary: Annotated[
        list[str] | None,
        typer.Option(metavar="DIMENSION", help="Tested first; other dimensions count only if it changed."),
    ] = None,
    as_json: AsJson = False,
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Print Markdown: the comment for a pull request.")
    ] = False,
) -> None:
    """Compare run B with run A, problem by problem: better, worse, no worse than a margin, or cannot tell.

    Exit status 0: nothing is worse. 1: something is worse. 2: the runs cannot be compared. 3: the data cannot
    tell. The primary dimensions decide about 3; without any, those with a margin; else all.
    """
    from threadpoolctl import threadpool_limits

    from ansatz.experiments.comparing.comparison import compare as compare_runs

    if as_json and markdown:
        raise BadInput("give --json or --markdown, not both")
    renamed: dict[str, list[str]] = {}
    for old, new in (_split("--map", each) for each in map_ or ()):
        renamed.setdefault(old, []).append(new)
    margins = dict(_split("--margin", each) for each in margin or ())
    with threadpool_limits(1, user_api="blas"):  # threads are slower than one for such small products
        found = compare_runs(
            a,
            b,
            arms=arm or (),
            map=renamed,
            margin={name: _read_number(name, value) for name, value in margins.items()},
            primary=primary or (),
        )
    if as_json:
        print_json(found.to_json())
    else:
        print(found.to_markdown() if markdown else found)
    raise typer.Exit(found.status)


def _split(option: str, given: str) -> tuple[str, str]:
    name, equals, value = given.partition("=")
    if not (name and equals and value):
        form = "OLD=NEW" if option == "--map" else "DIMENSION=X, such as outcome=2"
        raise BadInput(f"{option} {given}: write {form}")
    return name, value


def _read_number(name: str, value: str) -> float:
    try:
        return float(value)
    except ValueError:
        raise BadInput(f"--margin {name}={value}: {value!r} is not a number") from None


@app.command()
def summary(
    folder: RunFolder,
    out: Annotated[Path | None, typer.Option("--out", help="Write this file instead of printing.")] = None,
) -> None:
    """Print a summary of a run, to commit as a baseline: `ansatz summary RUN > baseline.json`.

    It has the scores by problem and arm, identities and hashes; no texts and no secrets.
    """
    from ansatz.experiments.comparing.summary import RunSummary
    from ansatz.experiments.comparing.summary_file import write_summary

    text = write_summary(RunSummary.of_run(folder))
    if out is None:
        print(text, end="")
        return
    check_writable(out)
    out.write_text(text, encoding="utf-8")
    print(f"Wrote {out}. Compare a later run with it: ansatz compare {out} RUN")
