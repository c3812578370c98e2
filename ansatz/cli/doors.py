"""Commands at the doors: new (a study of one's own), mcp (our tools for others)."""

from __future__ import annotations

import asyncio
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


@app.command()
def mcp(
    http: Annotated[
        int | None, typer.Option("--http", metavar="PORT", help="Serve at http://HOST:PORT/mcp instead.")
    ] = None,
    host: Annotated[
        str, typer.Option("--host", help="With --http; only change it behind a guard.")
    ] = "127.0.0.1",
) -> None:
    """Serve equation search and evaluation, fluid properties and sandboxed Python over MCP (stdio)."""
    from importlib.util import find_spec

    from ansatz.cli.console import BadInput

    if find_spec("mcp") is None:
        raise BadInput("`ansatz mcp` needs the extra: pip install 'ansatz-eval[mcp]'")
    from ansatz.interventions.mcp_server import serve_http, serve_stdio

    asyncio.run(serve_stdio() if http is None else serve_http(host, http))
