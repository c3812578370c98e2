"""Commands to look into a run: view."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ansatz.cli.console import INTERRUPTED

app = typer.Typer()

RunFolder = Annotated[Path, typer.Argument(help="A run folder.")]


@app.command()
def view(
    folder: RunFolder,
    out: Annotated[Path | None, typer.Option("--out", help="The page's folder; default RUN/view.")] = None,
    open_: Annotated[bool, typer.Option("--open", help="Open it in the browser.")] = False,
    follow: Annotated[bool, typer.Option("--watch", help="Write it anew while the run lasts.")] = False,
) -> None:
    """Write a page of the run that opens from disk: what helped, arms by problem, every transcript."""
    from ansatz.experiments.view import watch, write_view

    told: list[Path] = []

    def tell(index: Path) -> None:
        if told:
            return
        told.append(index)
        print(index)
        if open_:
            typer.launch(str(index))

    if not follow:
        tell(write_view(folder, out))
        return
    try:
        watch(folder, out, tell)
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None
