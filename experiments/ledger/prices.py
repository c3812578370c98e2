"""Prices of tokens, and the bill of a run by model, arm and judge.

Prices come from the study, or else from the installed table of genai-prices.
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
from ansatz.experiments.ledger import Ledger, Payer, PaymentTotal

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
    """The prices of one model in dollars per million tokens.

    Example: `Price(1.25, 10.0, cached_price=0.125).dollars(Usage(input=2000, output=300))`.
    """

    input_price: float
    output_price: float
    cached_price: float | None = None
    """Of input tokens that the provider read from its cache; by default `input_price`."""
    cache_write_price: float | None = None
    """Of input tokens that the provider wrote into its cache; by default `input_price`."""
    reasoning_price: float | None = None
    """Of reasoning tokens; by default `output_price`."""
    longest_prompt: int | None = None
    """The longest prompt, in tokens, that the prices hold for; providers charge more for longer ones."""
    source: str = "the study"
    """Where the prices come from."""

    @classmethod
    def from_json(cls, about: Mapping[str, Any]) -> Price | None:
        """Read the price from the stored description of a model; None if it is unknown."""
        if about.get("input_price") is None or about.get("output_price") is None:
            return None
        return cls(**{each.name: about[each.name] for each in fields(cls) if each.name in about})

    def dollars(self, used: Usage, longest: int | None = None) -> float | None:
        """Return the cost of one request, or of several whose longest prompt has `longest` tokens.

        None if the cost is unknown: the server reported no tokens, or the prompt is longer than the prices
        allow.
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
        return sum(tokens * (default if price is None else price) for tokens, price, default in parts) / 1e6

    def for_batches(self) -> Price:
        """Return half the prices: OpenAI and Anthropic charge half for batches."""
        halved = {name: price / 2 for name in _TABLE if (price := getattr(self, name)) is not None}
        return replace(self, **halved)

    def highest_cost(self, prompt: int, answer: int) -> float | None:
        """Return the highest possible cost of a request, from the most tokens of prompt and answer.

        None if the prices do not hold for so long a prompt.
        """
        if self.longest_prompt is not None and prompt > self.longest_prompt:
            return None
        dearest_input = max(self.input_price, self.cached_price or 0, self.cache_write_price or 0)
        return (prompt * dearest_input + answer * max(self.output_price, self.reasoning_price or 0)) / 1e6


def price_to_json(price: Price | None) -> dict[str, Any]:
    """Return the price in the form that `Price.from_json` reads. An unknown price is null."""
    if price is None:
        return {"input_price": None, "output_price": None}
    return {name: value for name, value in asdict(price).items() if value is not None}


def find_price(stated: Mapping[str, float | None], identity: Mapping[str, Any]) -> Price | None:
    """Return the price that the study states, or else today's price of the provider's standard tier.

    None if neither is known: for a local server, for example, or for a chat model given as an object.
    """
    if given := Price.from_json(stated):
        return given
    provider, colon, model = str(identity.get("model", "")).partition(":")
    url, tier = identity.get("base_url"), (identity.get("extra") or {}).get("service_tier")
    if not colon or provider in ("offline", "replay") or tier not in _STANDARD:
        return None
    if url and _is_local_server(urlsplit(url).hostname or ""):
        return None
    from genai_prices.data_snapshot import get_snapshot  # 0.3 s, for models that cost something

    try:
        _, found = get_snapshot().find_provider_model(model, None, None if url else provider, url)
    except LookupError:
        return None
    listed = found.get_prices(datetime.now(UTC))
    prices = {name: getattr(listed, column, None) for name, column in _TABLE.items()}
    known = {name: price for name, price in prices.items() if price is not None}
    if not {"input_price", "output_price"} <= known.keys():
        return None
    starts = [price.tiers[0].start for price in known.values() if getattr(price, "tiers", None)]
    source = f"genai-prices {version('genai-prices')}: {found.id}"
    base = {name: float(getattr(price, "base", price)) for name, price in known.items()}
    return Price(**base, longest_prompt=min(starts, default=None), source=source)


def _is_local_server(host: str) -> bool:
    """Return whether a server is on this machine or in its network: no table has prices of such a server."""
    try:
        return ip_address(host).is_private
    except ValueError:
        return "." not in host


@dataclass(frozen=True)
class BillItem:
    """The requests, tokens and cost of one model in one arm, or as a judge."""

    model: str
    arm: str | None
    """None for a judge."""
    requests: int
    usage: Usage
    dollars: float | None
    """None if the price is unknown."""

    @classmethod
    def of(cls, payer: Payer, paid: PaymentTotal, price: Price | None) -> BillItem:
        dollars = None
        if price is not None:
            price = price.for_batches() if payer.batched else price
            nothing_counted = not paid.usage.input and paid.promised
            dollars = 0.0 if nothing_counted else price.dollars(paid.usage, paid.longest)
        known = None if dollars is None or paid.unknown else dollars + paid.promised
        return cls(payer.model, payer.arm, paid.requests, paid.usage, known)

    def to_row(self) -> dict[str, str | float | None]:
        """Return the item as a row of a table."""
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


def read_bill(ledger: Ledger) -> tuple[BillItem, ...]:
    """Return the bill of a run at the prices in its manifest. It includes requests of failed attempts."""
    study = ledger.about("study") or {}
    prices = {  # the price in `models` replaces that of the same model in `consulted`
        (each["title"], kind == "judges"): Price.from_json(each)
        for kind in ("consulted", "models", "judges")
        for each in study.get(kind, ())
    }
    totals = ledger.payments.totals()
    return tuple(BillItem.of(each, paid, prices.get(each.price_key)) for each, paid in totals.items())


def format_bill(bill: Sequence[BillItem], budget: float | None = None) -> str:
    """Format requests, tokens and dollars in one line; an empty bill gives an empty text."""
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
