"""`ansatz board`: a static page of several runs."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from ansatz.cli.console import AsJson, print_json

app = typer.Typer()


@app.command()
def board(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN...", help="Run folders, one for each set.")],
    out: Annotated[Path, typer.Option("--out", help="The folder to write.")] = Path("site"),
    as_json: AsJson = False,
) -> None:
    """Write a static page of runs: models and arms by set, ranges of ranks, manifests and hashes.

    The page opens from disk and can be published as it is. `board.json` has the same numbers.
    """
    from ansatz.experiments.report.board import write_board

    page, sets = write_board(runs, out)
    if as_json:
        print_json({"page": str(page), "sets": [asdict(each) for each in sets]})
    else:
        print(page)
