"""The payments of a run: one row for every request, added before it is sent and completed with its reply."""

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
    """The model, the arm and the kind of request that a payment belongs to."""

    model: str
    """The title of the model."""
    arm: str | None
    """None for a request of a scorer."""
    batched: bool = False
    """Whether the request was sent in a batch."""

    @property
    def price_key(self) -> tuple[str, bool]:
        """The title of the model, and whether it judges: a model has one price for each use."""
        return (self.model, self.arm is None)


@dataclass(frozen=True)
class PaymentTotal:
    """The sum of all requests of one payer."""

    requests: int = 0
    usage: Usage = field(default_factory=Usage)
    longest: int = 0
    """The tokens of the longest prompt."""
    promised: float = 0.0
    """Highest possible cost, in dollars, of requests without counted tokens: the process died during the
    request, or the server does not report tokens."""
    unknown: int = 0
    """How many of those requests have no known highest cost."""


class Payments:
    """The table `payment`. A reply and its payment are stored in one transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._sql = connection

    def promise(self, payer: Payer, dollars: float) -> int:
        """Store the highest possible cost of a request before it is sent, and return the row's number."""
        row = self._sql.execute(
            "INSERT INTO payment (model, arm, batched, promised) VALUES (?, ?, ?, ?)", (*payer, dollars)
        )
        return int(row.lastrowid or 0)

    def withdraw(self, promise: int) -> None:
        """Delete the payment of a request that failed without being billed."""
        self._sql.execute("DELETE FROM payment WHERE rowid = ?", (promise,))

    def pay(self, payer: Payer, usage: Usage | None, promise: int | None = None) -> None:
        """Store the usage of a reply. If the server reports none, the promised cost stays in place."""
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

    def totals(self) -> dict[Payer, PaymentTotal]:
        """Return the payments of each payer, in the order of their first requests."""
        found = {}
        for model, arm, batched, requests, read, written, *details in self._sql.execute(_TOTALS):
            cached, cache_write, reasoning, longest, promised, unknown = details
            tokens = {"input": int(read), "output": int(written), "cached_input": cached}
            usage = Usage(**tokens, cache_write=cache_write, reasoning=reasoning)
            found[Payer(model, arm, bool(batched))] = PaymentTotal(
                requests, usage, longest, promised, unknown
            )
        return found
