"""What a run was billed: a row for every request, promised before it is sent and settled with its reply."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass, field
from typing import NamedTuple

from ansatz.agents.transcript import Usage

_TOTALS = """
SELECT model, arm, batched, count(*), total(input), total(output), sum(cached), sum(written), sum(reasoning),
    coalesce(max(input), 0), total(promised), sum(input IS NULL AND promised IS NULL)
FROM payment GROUP BY model, arm, batched ORDER BY min(rowid)
"""


class Payer(NamedTuple):
    """The model that is asked, the arm for which (None where a scorer asks), and whether by a batch."""

    model: str
    arm: str | None
    batched: bool = False

    @property
    def asked(self) -> tuple[str, bool]:
        """The title of the model, and whether it judges."""
        return (self.model, self.arm is None)


@dataclass(frozen=True)
class Paid:
    """Requests of one payer and the tokens they took, summed; `longest` is the longest prompt.

    `promised` dollars are for requests that were sent and whose tokens nobody counted: the process died, or
    the server does not say. `unknown` counts those of them for which nothing was promised.
    """

    requests: int = 0
    usage: Usage = field(default_factory=Usage)
    longest: int = 0
    promised: float = 0.0
    unknown: int = 0


class Payments:
    """The table `payment`. Whoever pays for a reply does so in the transaction that keeps it."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._sql = connection

    def promise(self, payer: Payer, dollars: float) -> int:
        """Note before a request is sent what it can cost at most; returns the number of the row."""
        row = self._sql.execute(
            "INSERT INTO payment (model, arm, batched, promised) VALUES (?, ?, ?, ?)", (*payer, dollars)
        )
        return int(row.lastrowid or 0)

    def withdraw(self, promise: int) -> None:
        """The request failed: nothing is billed for it."""
        self._sql.execute("DELETE FROM payment WHERE rowid = ?", (promise,))

    def pay(self, payer: Payer, usage: Usage | None, promise: int | None = None) -> None:
        """Book what a reply took; None where the server does not say, for which a promise then stands."""
        if usage is None and promise is not None:
            return
        if promise is not None:
            self.withdraw(promise)
        names = ("input", "output", "cached_input", "cache_write", "reasoning")
        self._sql.execute(
            "INSERT INTO payment (model, arm, batched, input, output, cached, written, reasoning) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (*payer, *(getattr(usage, name, None) for name in names)),
        )

    def totals(self) -> dict[Payer, Paid]:
        """What each payer was billed, in the order in which they first asked."""
        found = {}
        for model, arm, batched, requests, read, written, *details in self._sql.execute(_TOTALS):
            cached, cache_write, reasoning, longest, promised, unknown = details
            tokens = {"input": int(read), "output": int(written), "cached_input": cached}
            usage = Usage(**tokens, cache_write=cache_write, reasoning=reasoning)
            found[Payer(model, arm, bool(batched))] = Paid(requests, usage, longest, promised, unknown)
        return found
