"""The command line: one module for each group of commands.

A command imports what it needs when it runs, so that `--help` is quick.
"""

from __future__ import annotations

import codecs
import errno
import gc
import os
import signal
import sys
from io import TextIOWrapper
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from ansatz.cli import (
    benchmark,
    board,
    compare,
    data,
    handbook,
    judge,
    kb,
    label,
    score,
    setup,
    studies,
    view,
    why,
)
from ansatz.cli.console import BAD_INPUT, FAILED, ending_signals
from ansatz.errors import AnsatzError, InfrastructureError, ModelError

_UNCOLLECTED = 100_000
"""Allocations between two collections of garbage. Libraries make some 700,000 objects that stay alive."""


_MOST_FAULTS = 30
_PLAIN = {"−": "-", "–": "-", "×": "x", "…": "..."}
"""Replacements of characters that an encoding lacks: encodings of Windows, for example, lack the minus
sign."""


class _Commands(TyperGroup):
    """Prints each expected failure as one line, and exits with a status."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except (AnsatzError, OSError) as failure:
            if isinstance(failure, OSError) and (failure.errno == errno.EPIPE or not failure.strerror):
                raise
            is_input = isinstance(failure, ModelError) or not isinstance(failure, InfrastructureError)
            message = str(failure)
            if isinstance(failure, OSError):
                is_input = bool(failure.filename)
                message = f"{failure.filename}: {failure.strerror}" if is_input else str(failure.strerror)
            lines = message.split("\n")
            for line in lines[:_MOST_FAULTS]:
                typer.echo(f"ansatz: {line}", err=True)
            if more := lines[_MOST_FAULTS:]:
                typer.echo(f"ansatz: {len(more)} more faults like these", err=True)
            # Bad input has another status than failures of the machine or a server.
            raise typer.Exit(BAD_INPUT if is_input else FAILED) from failure


app = typer.Typer(
    cls=_Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for each in (setup, studies, view, compare, score, why, label, board):
    app.add_typer(each.app)
for group in (kb, handbook, benchmark, data, judge):
    app.add_typer(group.app, name=group.__name__.rpartition(".")[2])
app.add_typer(setup.sandbox, name="sandbox")


def _print_version(wanted: bool) -> None:
    """Print the installed version and stop."""
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


def _terminate(*_: object) -> None:
    """Act like Ctrl-C, also if SIGINT is ignored, as in a background job of a shell."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        raise KeyboardInterrupt
    signal.raise_signal(signal.SIGINT)


def _replace_unencodable(failure: UnicodeError) -> tuple[str, int]:
    if not isinstance(failure, UnicodeEncodeError):
        raise failure
    characters = failure.object[failure.start : failure.end]
    return "".join(_PLAIN.get(each, "?") for each in characters), failure.end


def main() -> None:
    """Run the `ansatz` command. SIGTERM and SIGHUP end it like Ctrl-C; a closed pipe ends it silently."""
    codecs.register_error("plain", _replace_unencodable)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="plain")
    for number in ending_signals():
        signal.signal(number, _terminate)
    gc.set_threshold(_UNCOLLECTED)
    status: Any = 0
    try:
        app()
    except SystemExit as end:
        status = end.code
    except OSError as failure:  # in output before a command begins, such as the version
        status = _report_write_error(failure)
    try:
        sys.stdout.flush()
    except OSError as failure:
        status = status or _report_write_error(failure)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    gc.freeze()  # the interpreter would search all objects for garbage twice before it ends
    sys.exit(status)


def _report_write_error(failure: OSError) -> int:
    if failure.errno != errno.EPIPE:
        print(f"ansatz: {failure.strerror or failure}", file=sys.stderr)
    return FAILED
