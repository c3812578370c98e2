"""What commands share: exit codes, the --json switch, the console and plain tables."""

from __future__ import annotations

import json
import sys
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Self

import typer

from ansatz.errors import AnsatzError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console


class BadInput(AnsatzError):
    """An option or argument that cannot be used; the message says why."""


AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")]
RunFolder = Annotated[Path, typer.Argument(help="A run folder.")]
Seed = Annotated[int, typer.Option("--seed", help="The same seed gives the same bytes.")]
BaseUrl = Annotated[str | None, typer.Option("--base-url", help="An OpenAI-compatible server.")]
BAD_INPUT, FAILED, INTERRUPTED = 2, 1, 130
_ASCII = {
    **dict.fromkeys("−–—─", "-"),
    **dict(zip("·×°│⁰¹²³", ["*", "x", "deg", "|", "^0", "^1", "^2", "^3"], strict=True)),
    **{"…": "...", "→": "->", "≥": ">=", "≤": "<="},
}
_WIDE = 1000  # columns of a table that is not shown on a terminal


def console(*, stderr: bool = False) -> Console:
    """A console that wraps lines only on a terminal, so that piped output keeps its lines whole."""
    from rich.console import Console

    return Console(stderr=stderr, soft_wrap=not (sys.stderr if stderr else sys.stdout).isatty())


def print_json(content: Any) -> None:
    """What programs read: signs are escaped where the encoding might lack them, so that none is lost."""
    is_unicode = (sys.stdout.encoding or "").lower().startswith("utf")
    print(json.dumps(content, indent=2, ensure_ascii=not is_unicode))


def print_rows(rows: list[dict[str, Any]], as_json: bool) -> None:
    """Rows with the same keys, as JSON or as a table with those keys as its header.

    A row takes one line, however long, but on a terminal, where its cells wrap.
    """
    if as_json:
        print_json(rows)
        return
    if not rows:
        return
    from rich.markup import escape
    from rich.table import Column, Table
    from rich.text import Text

    headings = (Column(escape(name), overflow="fold") for name in rows[0])  # folded, nothing is cut off
    table = Table(*headings, box=None, pad_edge=False)
    for row in rows:
        cells = (", ".join(cell) if isinstance(cell, tuple) else str(cell) for cell in row.values())
        table.add_row(*map(Text, cells))
    screen = console()
    if not screen.is_terminal:
        screen.width = _WIDE
    screen.print(table)


def in_ascii(failure: UnicodeError) -> tuple[str, int]:
    """What stands for what an encoding lacks: signs keep their meaning, Greek letters their name."""
    assert isinstance(failure, UnicodeEncodeError)
    lacking = failure.object[failure.start : failure.end]
    return "".join(map(_in_ascii, lacking)), failure.end


def _in_ascii(sign: str) -> str:
    if sign in _ASCII:
        return _ASCII[sign]
    name = unicodedata.name(sign, "")
    return name.rpartition(" LETTER ")[2].split(" ")[0].lower() if name.startswith("GREEK") else "?"


def required(what: str, text: str) -> None:
    """Refuse a text that says nothing."""
    if not text.strip():
        raise BadInput(f"{what} is empty")


def check_writable(out: Path, *, overwrites: bool = True, source: Path | None = None) -> None:
    """Refuse a file for --out that cannot be written, or must not be: `source` is what is read meanwhile."""
    if out.is_dir():
        raise BadInput(f"--out: {out} is a folder; name a file in it, such as {out / 'questions.jsonl'}")
    if not out.parent.is_dir():
        raise BadInput(f"--out: there is no folder {out.parent}")
    if source is not None and out.resolve() == source.resolve():
        raise BadInput(f"--out: {out} is the file that is read; name another")
    if out.exists() and not overwrites:
        raise BadInput(f"--out: {out} exists; --force overwrites it")


def tell(lines: Sequence[str], label: str, most: int = 20) -> None:
    """Lines on stderr, each after the label; of very many the first."""
    for line in lines[:most]:
        typer.echo(f"{label}{line}", err=True)
    if len(lines) > most:
        typer.echo(f"{label}… and {len(lines) - most} more such lines", err=True)


class Steps:
    """A progress bar on stderr, on terminals only: call it with a label, the steps done and their number."""

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
