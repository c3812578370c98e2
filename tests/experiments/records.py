"""What the ledger of a run folder holds, opened whole."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from ansatz.agents import Transcript
from ansatz.eval import Score
from ansatz.experiments.ledger import Ledger, Payer, PaymentTotal


@dataclass(frozen=True)
class Record:
    """The outcome of an attempt: a transcript with scores, or the error that kept it from having any."""

    model: str
    arm: str
    problem: str
    repeat: int
    state: str
    transcript: Transcript | None
    scores: tuple[Score, ...]
    error: str | None


def records_of(folder: Path) -> list[Record]:
    """Of all planned attempts that are done, in the order of the plan."""
    found = []
    with Ledger.open(folder, write=False) as ledger:
        attempts = ledger.planned_attempts(answered=True)
        keys = {
            (attempt.model, attempt.arm, attempt.problem, attempt.repeat): attempt.key for attempt in attempts
        }
        for row in ledger.attempts():
            who = row["model"], row["arm"], row["problem"], row["repeat"]
            details = ledger.read_json(row["details"]) if row["details"] else {}
            scores = tuple(
                Score(dimension=name, value=value, evidence=details[name][0], details=details[name][1])
                for name, value in json.loads(row["scores"]).items()
            )
            transcript = ledger.transcript(keys[who]) if who in keys else None
            found.append(Record(*who, row["state"], transcript, scores, row["error"]))
    return found


def payments_of(folder: Path) -> dict[Payer, PaymentTotal]:
    """What each payer was billed."""
    with Ledger.open(folder, write=False) as ledger:
        return ledger.payments.totals()
