"""`ansatz sandbox`: what isolates model-written code on this machine."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from ansatz.cli.console import FAILED, AsJson, BadInput, print_found, print_json

if TYPE_CHECKING:
    from ansatz.sandbox import Execution, Sandbox

app = typer.Typer(no_args_is_help=True, help="Look into the sandbox that runs model-written code.")

Level = Literal["L1", "L2", "L3", "seatbelt", "none"]
Forced = Annotated[
    Level | None, typer.Option(help="Force a level instead of the best one; none is a plain process.")
]


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


@app.command()
def run(
    file: Annotated[Path, typer.Argument(help="A Python program; - reads stdin.", allow_dash=True)],
    level: Forced = None,
    timeout: Annotated[float, typer.Option(min=0.01, help="Seconds.")] = 30.0,
    memory_mb: Annotated[int, typer.Option(min=16, help="Megabytes beyond the interpreter's own.")] = 512,
    as_json: AsJson = False,
) -> None:
    """Run a program once and show what came of it; exit status 0 if it ended well, 1 if not."""
    try:
        code = sys.stdin.read() if str(file) == "-" else file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as failure:
        reason = failure.strerror if isinstance(failure, OSError) else "it is not UTF-8 text"
        raise BadInput(f"{file} cannot be read: {reason}") from None
    execution = asyncio.run(_run_once(code, level, timeout, memory_mb))
    if as_json:
        print_json(_as_json(execution))
    else:
        _show(execution)
    if execution.status != "ok":
        raise typer.Exit(FAILED)


async def _run_once(code: str, level: Level | None, timeout: float, memory_mb: int) -> Execution:
    """One program imports what it needs by itself: libraries kept warm for others would cost it seconds."""
    async with _sandbox(level, timeout, memory_mb, preload=()) as sandbox:
        return await sandbox.run(code)


def _sandbox(
    level: Level | None, timeout: float, memory_mb: int, preload: Sequence[str] = ("numpy", "sympy")
) -> Sandbox:
    """Forcing a level accepts it; otherwise the machine must reach L2, as it must for a study."""
    from ansatz.sandbox import Sandbox, SandboxUnavailable

    forced = level if level == "L1" or level == "L2" or level == "L3" else None
    sandbox = Sandbox(
        preload=preload, timeout=timeout, memory_mb=memory_mb, min_isolation=level or "L2", level=forced
    )
    try:
        sandbox.require()
    except SandboxUnavailable as failure:
        raise BadInput(str(failure)) from None
    return sandbox


def _show(execution: Execution) -> None:
    sys.stdout.write(execution.stdout)
    sys.stdout.flush()
    sys.stderr.write(execution.stderr)
    used = f"{execution.wall:.3f} s, {execution.cpu:.3f} s of processor, {execution.max_rss / 2**20:.0f} MB"
    reason = f" ({execution.error})" if execution.error else ""
    print(f"{execution.status}{reason}: {used}, isolation {execution.isolation}", file=sys.stderr)


def _as_json(execution: Execution) -> dict[str, Any]:
    """The fields as they are; the value in the tagged JSON that it crossed in."""
    from ansatz.sandbox.encoding import dumps

    plain = execution.model_dump(mode="json", exclude={"value"})
    return {"status": plain.pop("status"), "value": json.loads(dumps(execution.value)), **plain}
