"""Commands new (a first study), mcp (a server of tools) and sandbox (the isolation of this machine)."""

from __future__ import annotations

import asyncio
import shlex
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Literal

import typer

from ansatz.cli.console import FAILED, AsJson, print_found
from ansatz.errors import BadInput

app = typer.Typer()
sandbox = typer.Typer(no_args_is_help=True, help="Check the sandbox that runs model-written code.")
_STARTER = ("README.md", "study.yaml", "problems.jsonl", "tool.py", "retriever.py")


@app.command()
def new(folder: Annotated[Path, typer.Argument(help="A folder that does not exist, or is empty.")]) -> None:
    """Write a first study: 20 problems, a tool, a retriever and a README. It runs without a key."""
    from ansatz import experiments

    if folder.is_file() or (folder.is_dir() and any(folder.iterdir())):
        raise BadInput(f"{folder} is not empty; name a folder that does not exist yet")
    folder.mkdir(parents=True, exist_ok=True)
    name = "-".join("".join(c if c.isalnum() else " " for c in folder.resolve().name).split()) or "my-study"
    for each in _STARTER:
        text = Path(*experiments.__path__, "starter", each).read_text(encoding="utf-8")
        (folder / each).write_text(text.replace("my-study", name), encoding="utf-8")
    place = shlex.quote(str(folder))
    print(f"{folder}: README.md describes each file. Next: cd {place} && ansatz run study.yaml")


@app.command()
def mcp(
    http: Annotated[
        int | None, typer.Option("--http", metavar="PORT", help="Serve at http://HOST:PORT/mcp instead.")
    ] = None,
    host: Annotated[
        str,
        typer.Option("--host", help="With --http: the address. Open it to others only with access control."),
    ] = "127.0.0.1",
    handbook: Annotated[
        Path | None,
        typer.Option("--handbook", metavar="PATH", help="Also search this document, folder or index."),
    ] = None,
) -> None:
    """Serve equation search and evaluation, fluid properties and sandboxed Python over MCP (stdio)."""
    from importlib.util import find_spec

    if find_spec("mcp") is None:
        raise BadInput("`ansatz mcp` needs the extra: pip install 'ansatz-eval[mcp]'")
    from ansatz.interventions.mcp_server import serve_http, serve_stdio

    asyncio.run(serve_stdio(handbook) if http is None else serve_http(host, http, handbook))


@sandbox.command()
def doctor(
    minimum: Annotated[
        Literal["filter", "landlock", "full"], typer.Option(help="Exit with status 1 below this level.")
    ] = "landlock",
    as_json: AsJson = False,
) -> None:
    """Show the level this machine reaches, each layer of it, and how to get what is missing."""
    from ansatz.sandbox.isolation import LEVELS, examine

    found = examine()
    enough = found.level is not None and LEVELS.index(found.level) <= LEVELS.index(minimum)
    print_found({"enough": enough, "minimum": minimum, **asdict(found)}, as_json)
    if not enough:
        raise typer.Exit(FAILED)
