"""The command line: one module a group. Each command imports what it needs, so that help answers at once."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from ansatz.cli import data, generate, judge, kb, rescore, sandbox, score, studies
from ansatz.cli.console import BAD_INPUT

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
app.add_typer(studies.app)
app.add_typer(kb.app, name="kb")
app.add_typer(generate.app, name="generate")
app.add_typer(data.app, name="data")
app.add_typer(judge.app, name="judge")
app.add_typer(score.app)
app.add_typer(rescore.app, name="rescore")
app.add_typer(sandbox.app, name="sandbox")


def _print_version(wanted: bool) -> None:
    """Print the installed version and stop: the first line of every report of a fault."""
    if wanted:
        from importlib.metadata import version

        print(f"ansatz {version('ansatz')}")
        raise typer.Exit


@app.callback()
def ansatz(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version and stop."),
    ] = False,
) -> None:
    """Measure which interventions help a language model with engineering work, and by how much."""


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
