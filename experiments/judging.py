"""What the judges of a run took, apart from what its arms took, and how often they were at odds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, get_args

from ansatz.experiments.bill import Spent, spent
from ansatz.experiments.ledger.store import ATTEMPT_COLUMNS, Ledger


def judging(ledger: Ledger) -> tuple[Spent, ...]:
    """What every judge of a run was paid for; empty where none was asked."""
    return tuple(each for each in spent(ledger) if each.arm is None)


def _sentence(judge: Spent) -> str:
    used, cost = judge.usage, "" if judge.dollars is None else f", ${judge.dollars:,.2f}"
    took = f"{used.input:,} input and {used.output:,} output tokens{cost}"
    return f"Judge {judge.model}: {judge.requests:,} replies, {took}, not counted among the arms' own."


def notes_on_judges(ledger: Ledger) -> tuple[str, ...]:
    """Sentences on what the judges of a run took, how judging ended, and how often two were at odds."""
    lines = [_sentence(each) for each in judging(ledger)]
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
    """The details of every score: the record of a judgement (see `PanelVerdict.record`), or of a reading."""
    for row in ledger.attempts():
        kept = dict(zip(ATTEMPT_COLUMNS, row, strict=True))
        found = ledger.findings(kept["details"]) if kept["details"] else {}
        yield from (details for _, details in found.values())
