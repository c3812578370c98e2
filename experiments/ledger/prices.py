"""What a model's tokens cost, and what a run was billed by model, arm and judge.

Prices are those that the study states, or else those of the installed table of genai-prices.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from datetime import UTC, datetime
from importlib.metadata import version
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from ansatz.agents.transcript import Usage
from ansatz.experiments.ledger import Ledger, Paid, Payer

_STANDARD = (None, "auto", "default", "standard", "standard_only")
_TABLE = {
    "input_price": "input_mtok",
    "output_price": "output_mtok",
    "cached_price": "cache_read_mtok",
    "cache_write_price": "cache_write_mtok",
    "reasoning_price": "output_reasoning_mtok",
}


@dataclass(frozen=True)
class Price:
    """Dollars per million tokens of one model. A detail without a price of its own costs what the whole does.

    They hold for prompts of at most `longest_prompt` tokens: beyond it, providers charge more.

    Example: `Price(1.25, 10.0, cached_price=0.125).dollars(Usage(input=2000, output=300))`.
    """

    input_price: float
    output_price: float
    cached_price: float | None = None
    cache_write_price: float | None = None
    reasoning_price: float | None = None
    longest_prompt: int | None = None
    source: str = "the study"

    @classmethod
    def stored(cls, about: Mapping[str, Any]) -> Price | None:
        """The price in the description of a model; None where it is unknown."""
        if about.get("input_price") is None or about.get("output_price") is None:
            return None
        return cls(**{each.name: about[each.name] for each in fields(cls) if each.name in about})

    def dollars(self, used: Usage, longest: int | None = None) -> float | None:
        """What tokens cost, of one request or summed over several with a `longest` prompt; None if unknown.

        A request that was answered took tokens: where a server counts none, its cost is unknown.
        """
        if not used.input and not used.output:
            return None
        if self.longest_prompt is not None and (longest or used.input) > self.longest_prompt:
            return None
        cached, written, reasoned = used.cached_input or 0, used.cache_write or 0, used.reasoning or 0
        parts = (
            (max(used.input - cached - written, 0), None, self.input_price),
            (cached, self.cached_price, self.input_price),
            (written, self.cache_write_price, self.input_price),
            (max(used.output - reasoned, 0), None, self.output_price),
            (reasoned, self.reasoning_price, self.output_price),
        )
        return sum(tokens * (whole if own is None else own) for tokens, own, whole in parts) / 1e6

    def for_batches(self) -> Price:
        """Half of it, as OpenAI and Anthropic have it."""
        halved = {name: price / 2 for name in _TABLE if (price := getattr(self, name)) is not None}
        return replace(self, **halved)

    def most(self, prompt: int, answer: int) -> float | None:
        """The most that a request can cost whose prompt and answer have at most so many tokens."""
        if self.longest_prompt is not None and prompt > self.longest_prompt:
            return None
        dearest_input = max(self.input_price, self.cached_price or 0, self.cache_write_price or 0)
        return (prompt * dearest_input + answer * max(self.output_price, self.reasoning_price or 0)) / 1e6


def described(price: Price | None) -> dict[str, Any]:
    """As the manifest holds it, and `Price.stored` reads it; an unknown price is null."""
    if price is None:
        return {"input_price": None, "output_price": None}
    return {name: value for name, value in asdict(price).items() if value is not None}


def find_price(stated: Mapping[str, float | None], identity: Mapping[str, Any]) -> Price | None:
    """What the study states for a model, or else what the table says today of its provider's standard tier.

    None where neither knows, as of a server of one's own, or a chat model given as an object.
    """
    if given := Price.stored(stated):
        return given
    provider, colon, model = str(identity.get("model", "")).partition(":")
    url, tier = identity.get("base_url"), (identity.get("extra") or {}).get("service_tier")
    if not colon or provider in ("offline", "replay") or tier not in _STANDARD:
        return None
    if url and _is_ones_own(urlsplit(url).hostname or ""):
        return None
    from genai_prices.data_snapshot import get_snapshot  # 0.3 s, for models that cost something

    try:
        _, found = get_snapshot().find_provider_model(model, None, None if url else provider, url)
    except LookupError:
        return None
    listed = found.get_prices(datetime.now(UTC))
    prices = {ours: getattr(listed, theirs, None) for ours, theirs in _TABLE.items()}
    known = {name: price for name, price in prices.items() if price is not None}
    if not {"input_price", "output_price"} <= known.keys():
        return None
    starts = [price.tiers[0].start for price in known.values() if getattr(price, "tiers", None)]
    source = f"genai-prices {version('genai-prices')}: {found.id}"
    base = {name: float(getattr(price, "base", price)) for name, price in known.items()}
    return Price(**base, longest_prompt=min(starts, default=None), source=source)


def _is_ones_own(host: str) -> bool:
    """Whether a server is one of this machine or network, which no table knows."""
    try:
        return ip_address(host).is_private
    except ValueError:
        return "." not in host


@dataclass(frozen=True)
class BillItem:
    """What one model took for one arm, or as a judge (`arm` is None). Unknown `dollars` are None."""

    model: str
    arm: str | None
    requests: int
    usage: Usage
    dollars: float | None

    @classmethod
    def of(cls, payer: Payer, paid: Paid, price: Price | None) -> BillItem:
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


def spent(ledger: Ledger) -> tuple[BillItem, ...]:
    """What a run was billed, whatever came of it, at the prices in its manifest."""
    study = ledger.about("study") or {}
    prices = {  # of a model that also answers, the study's own price
        (each["title"], kind == "judges"): Price.stored(each)
        for kind in ("consulted", "models", "judges")
        for each in study.get(kind, ())
    }
    totals = ledger.payments.totals()
    return tuple(BillItem.of(each, paid, prices.get(each.asked)) for each, paid in totals.items())


def format_bill(bill: Sequence[BillItem], budget: float | None = None) -> str:
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
