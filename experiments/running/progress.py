"""How a run shows itself: a bar on a terminal, a line now and then elsewhere, failures as they come."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar

from ansatz.agents.models.retry import listening
from ansatz.experiments.running.runner import kind_of

_SECONDS_BETWEEN_LINES = 15.0
_COLUMNS = (
    TextColumn("{task.description}"),
    BarColumn(),
    MofNCompleteColumn(),
    TextColumn("{task.fields[note]}"),
)


def shown_progress(title: str, wanted: bool | None = None) -> Progress:
    """A display on stderr where somebody looks (or where it is wanted), and a silent one elsewhere."""
    in_notebook = "ipykernel" in sys.modules
    shown = (sys.stderr.isatty() or in_notebook) if wanted is None else wanted
    return Progress(Console(stderr=True, force_jupyter=in_notebook or None), title) if shown else Progress()


class Progress:
    """Shows attempts done, rate and time left, and the first failure and wait of each kind with its reason.

    It is told how much there is to do (`begin`), and of each outcome: None, or why an attempt failed. Without
    a console it shows nothing.
    """

    def __init__(self, console: Console | None = None, title: str = "") -> None:
        self._console = console or Console(quiet=True)
        self._title = escape(title)
        self._failures: Counter[str] = Counter()
        self._first: dict[str, str] = {}  # failure of each kind
        self._waits: set[str] = set()
        self._total = self._done = self._new = 0
        self._started = self._last_line = 0.0
        self._notes: tuple[object, ...] = ()
        self._bar = Bar(
            *_COLUMNS,
            TimeRemainingColumn(),
            console=self._console,
            disable=not (self._console.is_terminal or self._console.is_jupyter),
        )

    @contextmanager
    def begin(self, total: int, done: int) -> Iterator[None]:
        self._total, self._done, self._new = total, done, 0
        self._failures.clear()
        self._waits.clear()
        self._started = self._last_line = time.monotonic()
        if done:
            self._say(f"{done} of {total} attempts are already in the ledger")
        task = self._bar.add_task(self._title, total=total, completed=done, note="")
        try:
            with listening(self._note_wait), self._bar:
                yield
        finally:
            self._bar.remove_task(task)
            if self._bar.disable:
                self._line()
            for kind, count in self._failures.most_common():
                if count > 1:
                    self._say(f"{count} × {self._first[kind]}")

    def advance(self, failure: str | None, *notes: object) -> None:
        """Count an outcome: None, or why an attempt failed. `notes` are shown as what `str` makes of them."""
        self._notes = notes
        self._done += 1
        self._new += 1
        if failure is not None:
            kind = kind_of(failure)
            if not self._failures[kind]:
                self._first[kind] = failure
                self._say(f"failed: {failure}")
            self._failures[kind] += 1
        for task in self._bar.task_ids:
            self._bar.update(task, advance=1, note=self._note())
        if self._bar.disable and time.monotonic() - self._last_line > _SECONDS_BETWEEN_LINES:
            self._last_line = time.monotonic()
            self._line()

    def _note_wait(self, wait: str) -> None:
        """The first retry of each kind, long before patience ends."""
        if kind_of(wait) not in self._waits:
            self._waits.add(kind_of(wait))
            self._say(f"waiting: {wait}")

    def _note(self) -> str:
        rate = self._new / max(time.monotonic() - self._started, 1e-9)
        failed = self._failures.total()
        return " · ".join(
            filter(None, [f"{rate:.0f}/s", f"{failed} failed" if failed else "", *map(str, self._notes)])
        )

    def _line(self) -> None:
        self._say(f"{self._done}/{self._total} attempts, {self._note()}")

    def _say(self, text: str) -> None:
        self._console.print(f"{self._title}: {escape(text)}", soft_wrap=True, emoji=False)
