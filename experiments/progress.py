"""How a run shows itself: a bar on a terminal, a line now and then elsewhere, failures as they come."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Protocol, runtime_checkable

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, TaskID, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar

from ansatz.agents.retry import listening
from ansatz.experiments.runner import kind_of

_SECONDS_BETWEEN_LINES = 15.0


@runtime_checkable
class Progress(Protocol):
    """Told how much there is to do, of each outcome (None, or why an attempt failed), and what was spent."""

    def begin(self, total: int, done: int) -> AbstractContextManager[object]: ...

    def advance(self, failure: str | None, spent: str = "") -> None: ...


def shown_progress(title: str, wanted: bool | None = None) -> Progress:
    """A display on stderr where somebody looks (or where it is wanted), and a silent one elsewhere."""
    in_notebook = "ipykernel" in sys.modules
    shown = (sys.stderr.isatty() or in_notebook) if wanted is None else wanted
    return RunProgress(Console(stderr=True, force_jupyter=in_notebook or None), title) if shown else Silent()


class Silent:
    """Shows nothing."""

    def begin(self, total: int, done: int) -> AbstractContextManager[object]:
        return nullcontext()

    def advance(self, failure: str | None, spent: str = "") -> None:
        """Nothing to show."""


class RunProgress:
    """Shows units done, rate and time left, and the first failure of each kind with its reason."""

    def __init__(self, console: Console, title: str) -> None:
        self._console = console
        self._title = escape(title)
        self._bar: Bar | None = None
        self._task = TaskID(0)
        self._total = self._done = self._new = 0
        self._failures: Counter[str] = Counter()
        self._waits: set[str] = set()
        self._started = self._last_line = 0.0
        self._spent = ""

    @contextmanager
    def begin(self, total: int, done: int) -> Iterator[None]:
        with listening(self._note_wait), self._shown(total, done):
            yield

    @contextmanager
    def _shown(self, total: int, done: int) -> Iterator[None]:
        self._total, self._done, self._new = total, done, 0
        self._failures.clear()
        self._waits.clear()
        self._started = self._last_line = time.monotonic()
        if done:
            self._console.print(f"{self._title}: {done} of {total} units are already in the ledger")
        if not self._console.is_terminal and not self._console.is_jupyter:
            try:
                yield
            finally:
                self._line()
                self._summary()
            return
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
        with Bar(
            *columns, TextColumn("{task.fields[note]}"), TimeRemainingColumn(), console=self._console
        ) as bar:
            self._bar = bar
            self._task = bar.add_task(self._title, total=total, completed=done, note="")
            try:
                yield
            finally:
                self._bar = None
                self._summary()

    def advance(self, failure: str | None, spent: str = "") -> None:
        self._spent = spent
        self._done += 1
        self._new += 1
        if failure is not None:
            self._note_failure(failure)
        if self._bar is not None:
            self._bar.update(self._task, advance=1, note=self._note())
        elif time.monotonic() - self._last_line > _SECONDS_BETWEEN_LINES:
            self._last_line = time.monotonic()
            self._line()

    def _note_failure(self, failure: str) -> None:
        kind = kind_of(failure)
        if not self._failures[kind]:
            self._console.print(f"{self._title}: failed: {escape(failure)}", soft_wrap=True)
        self._failures[kind] += 1

    def _note_wait(self, wait: str) -> None:
        """The first retry of each kind, long before patience ends."""
        kind = kind_of(wait)
        if kind not in self._waits:
            self._waits.add(kind)
            self._console.print(f"{self._title}: waiting: {escape(wait)}", soft_wrap=True)

    def _summary(self) -> None:
        """How often each kind of failure came, where one came more than once."""
        for kind, count in self._failures.most_common():
            if count > 1:
                self._console.print(f"{self._title}: {count} × {escape(kind)}", soft_wrap=True)

    def _note(self) -> str:
        rate = self._new / max(time.monotonic() - self._started, 1e-9)
        failed = self._failures.total()
        parts = [f"{rate:.0f}/s", f"{failed} failed" if failed else "", self._spent]
        return " · ".join(filter(None, parts))

    def _line(self) -> None:
        self._console.print(f"{self._title}: {self._done}/{self._total} units, {self._note()}")
