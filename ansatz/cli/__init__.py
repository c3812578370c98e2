"""The command line: one module a group. Each command imports what it needs, so that help answers at once."""

from __future__ import annotations

import sys
from io import TextIOWrapper
from typing import Annotated, NamedTuple

import typer

from ansatz.cli import data, generate, judge, kb, rescore, sandbox, score, studies
from ansatz.cli.console import BAD_INPUT, FAILED
from ansatz.errors import AnsatzError, InfrastructureError

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
        from ansatz import __version__

        print(f"ansatz {__version__}")
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
    """The `ansatz` command: an expected failure is one clear line on stderr, and its exit status."""
    for stream in (sys.stdout, sys.stderr):  # a terminal that has no Greek shows a question mark instead
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        app()
    except Exception as failure:
        told = _told(failure)
        if told is None:
            raise
        print(f"ansatz: {told.message}", file=sys.stderr)
        sys.exit(told.status)


class _Told(NamedTuple):
    message: str
    status: int


def _told(failure: Exception) -> _Told | None:
    """What a failure that was to be expected says to the user; None for a fault of ours.

    That is bad input (2), and what the machine or a server refused (1).
    """
    if isinstance(failure, AnsatzError):
        is_input = not isinstance(failure, InfrastructureError) or type(failure).__name__ == "ModelError"
        return _Told(str(failure), BAD_INPUT if is_input else FAILED)
    if isinstance(failure, OSError) and failure.strerror:
        place = f"{failure.filename}: " if failure.filename else ""
        return _Told(f"{place}{failure.strerror}", BAD_INPUT if failure.filename else FAILED)
    return None
