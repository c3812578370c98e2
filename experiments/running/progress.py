"""Shows the progress of a run: a bar on a terminal, a line every 15 seconds elsewhere, and failures."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.progress import Progress as Bar

from ansatz.agents.models.retry import listen_for_waits
from ansatz.experiments.running.runner import normalize_failure

_SECONDS_BETWEEN_LINES = 15.0
_COLUMNS = (
    TextColumn("{task.description}", markup=False),
    BarColumn(),
    MofNCompleteColumn(),
    TextColumn("{task.fields[note]}", markup=False),
)


def make_progress(title: str, wanted: bool | None = None) -> Progress:
    """A display on stderr if it is a terminal or a notebook, or if it is wanted; otherwise a silent one.

    In a notebook, a bar needs ipywidgets; without them, lines are printed.
    """
    in_notebook = "ipykernel" in sys.modules
    has_widgets = in_notebook and find_spec("ipywidgets") is not None
    shown = (sys.stderr.isatty() or in_notebook) if wanted is None else wanted
    is_terminal = False if in_notebook else None  # None: rich decides
    console = Console(stderr=True, force_jupyter=has_widgets, force_terminal=is_terminal)
    return Progress(console, title) if shown else Progress()


class Progress:
    """Shows finished attempts, rate and time left, and the first failure and wait of each kind.

    Within `begin`, call `advance` after each attempt. Without a console it shows nothing.
    """

    def __init__(self, console: Console | None = None, title: str = "") -> None:
        self._console = console or Console(quiet=True)
        self._title = title
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
            self._print(f"{done} of {total} attempts are already in the ledger")
        task = self._bar.add_task(self._title, total=total, completed=done, note="")
        try:
            with listen_for_waits(self._note_wait), self._bar:
                yield
        finally:
            self._bar.remove_task(task)
            if self._bar.disable:
                self._print_counts()
            for kind, count in self._failures.most_common():
                if count > 1:
                    self._print(f"{count} × {self._first[kind]}")

    def advance(self, failure: str | None, *notes: object) -> None:
        """Count an attempt: `failure` is None or the reason why it failed. `notes` are shown by `str`."""
        self._notes = notes
        self._done += 1
        self._new += 1
        if failure is not None:
            kind = normalize_failure(failure)
            if not self._failures[kind]:
                self._first[kind] = failure
                self._print(f"failed: {failure}")
            self._failures[kind] += 1
        for task in self._bar.task_ids:
            self._bar.update(task, advance=1, note=self._note())
        if self._bar.disable and time.monotonic() - self._last_line > _SECONDS_BETWEEN_LINES:
            self._last_line = time.monotonic()
            self._print_counts()

    def report(self, line: str) -> None:
        """Print a line, such as the result of an interim analysis."""
        self._print(line)

    def _note_wait(self, wait: str) -> None:
        """Print the first retry of each kind."""
        if normalize_failure(wait) not in self._waits:
            self._waits.add(normalize_failure(wait))
            self._print(f"waiting: {wait}")

    def _note(self) -> str:
        rate = self._new / max(time.monotonic() - self._started, 1e-9)
        failed = self._failures.total()
        return " · ".join(
            filter(None, [f"{rate:.0f}/s", f"{failed} failed" if failed else "", *map(str, self._notes)])
        )

    def _print_counts(self) -> None:
        self._print(f"{self._done}/{self._total} attempts, {self._note()}")

    def _print(self, text: str) -> None:
        self._console.print(f"{self._title}: {text}", soft_wrap=True, markup=False, emoji=False)
