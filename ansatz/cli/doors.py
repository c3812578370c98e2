"""Commands at the doors: new (a study of one's own), mcp (our tools for others)."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer()


@app.command()
def new(folder: Annotated[Path, typer.Argument(help="A folder that does not exist, or is empty.")]) -> None:
    """Write a study to begin with: five problems, a tool, a retriever and a README. It runs without a key."""
    from ansatz.experiments.starting import start_study

    study = start_study(folder)
    print(f"{folder}: README.md says what each file is. Now: cd {folder} && ansatz run {study.name}")
