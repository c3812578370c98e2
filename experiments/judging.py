"""What the judges of a run took, apart from what its arms took, and how often they were at odds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

from ansatz.experiments.ledger.store import ATTEMPT_COLUMNS, Ledger


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
    from ansatz.eval.judging.panel import disagreement_rate
    from ansatz.eval.judging.reply import Status  # brings LangChain, which other reports do without

    details = list(_details(ledger))
    lines += _on_reading([each["reading"] for each in details if "reading" in each])
    records = [each for each in details if "judges" in each]
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


def _on_reading(readings: Sequence[Mapping[str, Any]]) -> list[str]:
    """How far a model that reads answers agrees with the rules, which it replaces."""
    if not readings:
        return []
    read = [each for each in readings if each["status"] == "ok"]
    values, alike = (sum(each[key] for each in read) for key in ("values", "as_rules"))
    share = f" {alike / values:.1%} of {values:,} values as the rules read them;" if values else ""
    failed = len(readings) - len(read)
    return [
        f"Read by a model:{share} {failed:,} of {len(readings):,} answers it could not read, so rules did."
    ]


def _details(ledger: Ledger) -> Iterator[dict[str, Any]]:
    """The details of every score: the record of a judgement (see `Verdict.record`), or of a reading."""
    for row in ledger.attempts():
        kept = dict(zip(ATTEMPT_COLUMNS, row, strict=True))
        found = ledger.findings(kept["details"]) if kept["details"] else {}
        yield from (details for _, details in found.values())
