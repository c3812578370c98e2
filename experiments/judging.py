"""What the judges of a run took, apart from what its arms took, and how often they were at odds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, get_args

from ansatz.eval.judging.panel import disagreement_rate
from ansatz.eval.judging.reply import Status
from ansatz.experiments.ledger.record import Record
from ansatz.experiments.ledger.store import Ledger


@dataclass(frozen=True)
class Judging:
    """Replies of one judge and what they took. `dollars` is None where the study gives no price."""

    judge: str
    replies: int
    input_tokens: int
    output_tokens: int
    dollars: float | None

    def sentence(self) -> str:
        """One line for people."""
        cost = "" if self.dollars is None else f", ${self.dollars:,.2f}"
        tokens = f"{self.input_tokens:,} input and {self.output_tokens:,} output tokens"
        return (
            f"Judge {self.judge}: {self.replies:,} replies, {tokens}{cost}, not counted among the arms' own."
        )


def judging(ledger: Ledger) -> tuple[Judging, ...]:
    """What every judge of a run was paid for; empty where none was asked."""
    study = ledger.about("study") or {"judges": []}
    models = {model["title"]: model for model in study["judges"]}
    return tuple(
        Judging(title, replies, read, written, _price(models.get(title), read, written))
        for title, replies, read, written in ledger.billed()
    )


def _price(model: Mapping[str, Any] | None, read: int, written: int) -> float | None:
    if model is None or model["input_price"] is None or model["output_price"] is None:
        return None
    return float(read * model["input_price"] + written * model["output_price"]) / 1e6


def notes_on_judges(ledger: Ledger) -> tuple[str, ...]:
    """Sentences on what the judges of a run took, how judging ended, and how often two were at odds."""
    lines = [each.sentence() for each in judging(ledger)]
    if not lines:
        return ()
    records = judgements(ledger.records())
    if not records:  # a judge that was asked for something other than marks
        return tuple(lines)
    ended = Counter(record["status"] for record in records)
    shown = [status for status in get_args(Status) if ended[status] or status != "abstained"]
    counts = ", ".join(f"{ended[status]:,} {status}" for status in shown)
    rate = disagreement_rate(records)
    disputed = (
        []
        if rate is None
        else [f"Two judges differed by more than half the scale on {rate:.1%} of the marks."]
    )
    return (*lines, f"Judgements: {counts}.", *disputed)


def error_tags(record: Record) -> dict[str, tuple[str, ...]]:
    """The kinds of error that any member of each judge found, by the prefix of its dimensions."""
    found = {}
    for score in record.scores:
        if score.dimension.endswith("kpi") and "judges" in score.details:
            judges = score.details["judges"].values()
            tags = dict.fromkeys(tag for judge in judges for tag in judge["errors"])
            found[score.dimension.removesuffix("kpi")] = tuple(tags)
    return found


def judgements(records: Iterable[Record]) -> list[dict[str, Any]]:
    """The record of every judgement (see `Verdict.record`), from the details of the scores."""
    return [score.details for record in records for score in record.scores if "judges" in score.details]
