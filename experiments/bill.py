"""What a run was billed, by model, arm and judge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ansatz.agents.transcript import Usage
from ansatz.experiments.ledger import Ledger, Paid, Payer
from ansatz.experiments.prices import Price


@dataclass(frozen=True)
class Spent:
    """What one model took for one arm, or as a judge (`arm` is None). Unknown `dollars` are None."""

    model: str
    arm: str | None
    requests: int
    usage: Usage
    dollars: float | None

    @classmethod
    def of(cls, payer: Payer, paid: Paid, price: Price | None) -> Spent:
        dollars = None
        if price is not None:
            price = price.for_batches() if payer.batched else price
            nothing_counted = not paid.usage.input and paid.promised
            dollars = 0.0 if nothing_counted else price.dollars(paid.usage, paid.longest)
        known = None if dollars is None or paid.unknown else dollars + paid.promised
        return cls(payer.model, payer.arm, paid.requests, paid.usage, known)

    def row(self) -> dict[str, str | float | None]:
        """As tables show it."""
        used = self.usage
        return {
            "model": self.model,
            "arm": "(judge)" if self.arm is None else self.arm,
            "requests": self.requests,
            "input tokens": used.input,
            "of these cached": used.cached_input,
            "output tokens": used.output,
            "of these reasoning": used.reasoning,
            "dollars": self.dollars,
        }


def spent(ledger: Ledger) -> tuple[Spent, ...]:
    """What a run was billed, whatever came of it, at the prices in its manifest."""
    study = ledger.about("study") or {"models": [], "judges": []}
    prices = {(each["title"], False): Price.stored(each) for each in study["models"]}
    prices = {(each["title"], False): Price.stored(each) for each in study.get("consulted", [])} | prices
    prices |= {(each["title"], True): Price.stored(each) for each in study["judges"]}
    totals = ledger.payments.totals()
    return tuple(Spent.of(each, paid, prices.get(each.asked)) for each, paid in totals.items())


def in_words(bill: Sequence[Spent], budget: float | None = None) -> str:
    """Requests, tokens and dollars of a bill in one line; empty for an empty one."""
    if not bill:
        return ""
    cached = sum(each.usage.cached_input or 0 for each in bill)
    read, written = (sum(getattr(each.usage, name) for each in bill) for name in ("input", "output"))
    tokens = f"{read:,} tokens in{f' ({cached:,} cached)' * bool(cached)}, {written:,} out"
    known = sum(each.dollars or 0.0 for each in bill)
    unpriced = sorted({each.model for each in bill if each.dollars is None})
    money = [f"${known:,.2f}"] if known or not unpriced else []
    money += [f"unknown dollars for {', '.join(unpriced)}"] if unpriced else []
    limit = f" of ${budget:,.2f}" if budget is not None else ""
    return f"{sum(each.requests for each in bill):,} requests, {tokens}, {' and '.join(money)}{limit}"
