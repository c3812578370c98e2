"""Shared by commands: exit statuses, common options, the console, tables and progress."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from collections.abc import Coroutine, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Self, TypeVar

import typer

from ansatz.errors import BadInput

if TYPE_CHECKING:
    from rich.console import Console


AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]
Names = list[str] | None
RunFolder = Annotated[Path, typer.Argument(help="A run folder.")]
Seed = Annotated[int, typer.Option("--seed", help="The same seed gives the same bytes.")]
BaseUrl = Annotated[str | None, typer.Option("--base-url", help="An OpenAI-compatible server.")]
Done = TypeVar("Done")
BAD_INPUT, FAILED, INTERRUPTED = 2, 1, 130
_WIDE = 1000  # characters of a table that is not printed to a terminal
_MOST_WARNINGS = 20


def console(*, stderr: bool = False) -> Console:
    """Return a console that wraps lines on a terminal only: lines in a pipe stay whole."""
    from rich.console import Console

    return Console(stderr=stderr, soft_wrap=not (sys.stderr if stderr else sys.stdout).isatty())


def print_json(content: Any) -> None:
    """Print JSON. Characters outside ASCII are escaped unless the output is Unicode."""
    is_unicode = (sys.stdout.encoding or "").lower().startswith("utf")
    print(json.dumps(content, indent=2, ensure_ascii=not is_unicode))


def print_found(content: Mapping[str, Any], as_json: bool) -> None:
    """Print the results of a command as JSON, or as tables (rows) and lines `name: value`."""
    if as_json:
        print_json(content)
        return
    for name, value in content.items():
        rows = value
        if isinstance(value, dict) and value and all(isinstance(each, dict) for each in value.values()):
            rows = [{name: key, **row} for key, row in value.items()]
        if isinstance(rows, list | tuple) and rows and all(isinstance(each, dict) for each in rows):
            print(f"\n{name}")
            print_rows(rows, False)
        elif value is not None and value not in ([], {}, ()):
            print(f"{name}: {_cell(value)}")


def print_rows(rows: Sequence[Mapping[str, Any]], as_json: bool) -> None:
    """Print rows with the same keys as JSON, or as a table.

    A row is one line; on a terminal its cells wrap.
    """
    if as_json:
        print_json(rows)
        return
    if not rows:
        return
    from rich.markup import escape
    from rich.table import Column, Table
    from rich.text import Text

    headings = (Column(escape(name), overflow="fold") for name in rows[0])  # cells are never cut off
    table = Table(*headings, box=None, pad_edge=False)
    for row in rows:
        table.add_row(*(Text(_cell(cell)) for cell in row.values()))
    screen = console()
    if not screen.is_terminal:
        screen.width = _WIDE
    screen.print(table)


def _cell(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_cell(each) or 'none'}" for name, each in value.items())
    if isinstance(value, list | tuple):
        separator = "; " if any(isinstance(each, Mapping) for each in value) else ", "
        return separator.join(map(_cell, value))
    if isinstance(value, bool) or value is None:
        return "–" if value is None else "yes" if value else "no"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def check_writable(out: Path, *, overwrites: bool = True, source: Path | None = None) -> None:
    """Refuse a file for --out that cannot be written, exists, or is the `source` that is read."""
    if out.is_dir():
        raise BadInput(f"--out: {out} is a folder; name a file in it, such as {out / 'questions.jsonl'}")
    if not out.parent.is_dir():
        raise BadInput(f"--out: there is no folder {out.parent}")
    if source is not None and out.resolve() == source.resolve():
        raise BadInput(f"--out: {out} is the file that is read; name another")
    if out.exists() and not overwrites:
        raise BadInput(f"--out: {out} exists; --force overwrites it")


def print_warnings(lines: Sequence[str], label: str) -> None:
    """Print lines to stderr, each after the label; after 20 lines, print the number of the others."""
    for line in lines[:_MOST_WARNINGS]:
        typer.echo(f"{label}{line}", err=True)
    if len(lines) > _MOST_WARNINGS:
        typer.echo(f"{label}… and {len(lines) - _MOST_WARNINGS} more such lines", err=True)


class Steps:
    """A progress bar on stderr, on terminals only. Call it with a label, the steps done, and their number."""

    def __enter__(self) -> Self:
        from rich.progress import Progress

        bars = console(stderr=True)
        self._progress = Progress(console=bars, transient=True, disable=not bars.is_terminal)
        self._tasks: dict[str, Any] = {}
        self._progress.start()
        return self

    def __call__(self, label: str, done: int, count: int) -> None:
        if label not in self._tasks:
            self._tasks[label] = self._progress.add_task(label, total=count)
        self._progress.update(self._tasks[label], completed=done)

    def __exit__(self, *_: object) -> None:
        self._progress.stop()


def ending_signals() -> list[signal.Signals]:
    """Return SIGTERM, and SIGHUP unless it is ignored, as under nohup. Windows has no SIGHUP."""
    found = [each for each in signal.Signals if each.name in ("SIGTERM", "SIGHUP")]
    return [each for each in found if signal.getsignal(each) is not signal.SIG_IGN]


async def run_until_terminated(work: Coroutine[Any, Any, Done]) -> Done:
    """Await the work. SIGTERM and SIGHUP cancel it, as asyncio does for Ctrl-C."""
    task = asyncio.current_task()
    assert task is not None
    with suppress(NotImplementedError):  # on Windows
        for number in ending_signals():
            asyncio.get_running_loop().add_signal_handler(number, task.cancel)
    return await work
