"""How a run shows itself: a live bar on a terminal, a plain line now and then elsewhere."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar

from ansatz.experiments.record import State

_SECONDS_BETWEEN_LINES = 15.0


class RunProgress:
    """Shows units done, errors, rate and time left on the console it is given."""

    def __init__(self, console: Console, title: str) -> None:
        self._console = console
        self._title = escape(title)
        self._bar: Bar | None = None
        self._task = TaskID(0)
        self._total = self._done = self._errors = self._new = 0
        self._started = self._last_line = 0.0

    @contextmanager
    def begin(self, total: int, done: int) -> Iterator[None]:
        self._total, self._done, self._new, self._errors = total, done, 0, 0
        self._started = self._last_line = time.monotonic()
        if done:
            self._console.print(f"{self._title}: {done} of {total} units are already in the ledger")
        if not self._console.is_terminal:
            yield
            self._line()
            return
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
        with Bar(
            *columns, TextColumn("{task.fields[note]}"), TimeRemainingColumn(), console=self._console
        ) as bar:
            self._bar = bar
            self._task = bar.add_task(self._title, total=total, completed=done, note="")
            yield

    def advance(self, state: State) -> None:
        self._done += 1
        self._new += 1
        self._errors += state == "error"
        if self._bar is not None:
            self._bar.update(self._task, advance=1, note=self._note())
        elif time.monotonic() - self._last_line > _SECONDS_BETWEEN_LINES:
            self._last_line = time.monotonic()
            self._line()

    def _note(self) -> str:
        rate = self._new / max(time.monotonic() - self._started, 1e-9)
        return f"{rate:.0f}/s" + (f" · {self._errors} errors" if self._errors else "")

    def _line(self) -> None:
        self._console.print(f"{self._title}: {self._done}/{self._total} units, {self._note()}")
