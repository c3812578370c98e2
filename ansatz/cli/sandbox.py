"""`ansatz sandbox`: what isolates model-written code on this machine."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated, Literal

import typer

from ansatz.cli.console import FAILED, AsJson, print_found

app = typer.Typer(no_args_is_help=True, help="Look into the sandbox that runs model-written code.")


@app.command()
def doctor(
    minimum: Annotated[
        Literal["L1", "L2", "L3"], typer.Option(help="Exit with status 1 below this level.")
    ] = "L2",
    as_json: AsJson = False,
) -> None:
    """Show the level this machine reaches, each layer of it, and how to get what is missing."""
    from ansatz.sandbox.isolation import LEVELS, examine

    found = examine()
    enough = found.level is not None and LEVELS.index(found.level) <= LEVELS.index(minimum)
    print_found({"enough": enough, "minimum": minimum, **asdict(found)}, as_json)
    if not enough:
        raise typer.Exit(FAILED)
