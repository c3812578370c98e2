"""Limits the requests to one provider key: per minute, and how many run at once."""

from __future__ import annotations

import asyncio
import re
import time
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypeVar

from ansatz.agents.models.retry import Transient, parse_number
from ansatz.settings import PositiveNumber, settings

if TYPE_CHECKING:
    from aiolimiter import AsyncLimiter

T = TypeVar("T")
Learned = tuple[Mapping[str, str], int | None]
"""The headers of an answer and its tokens, which are None if they are not reported."""
_WINDOW = 5.0  # seconds over which a rate applies: a whole minute's share at once would be twice the rate
_LONGEST_PAUSE = 60.0  # seconds for which a header may stop all requests
_TOLERATED = 0.05  # share of refusals
_LONGEST_TIME = 64  # characters of a header
_PART = re.compile(r"([\d.]+)(ms|h|m|s)")
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}


@settings()
class Rates:
    """Rate limits of a provider key; those that are None follow from the provider's headers."""

    requests: PositiveNumber | None = None
    """Requests per minute."""
    tokens: PositiveNumber | None = None
    """Tokens per minute."""


class Traffic:
    """Limits the requests of one key, which all its models share.

    At most `ceiling` requests run at once, and fewer if the provider refuses too many. The rates per minute
    are those of the study, or else those of the provider's headers.

    Answers are counted in windows; a window has one answer for each request that may run at once. If clearly
    more than 5 % of them are refusals (by two standard deviations), concurrency is halved, at most once per
    window. Random refusals, which do not depend on the load, then cost one retry each and no concurrency.
    After a window without a cut, concurrency goes halfway back to where it was cut last. Beyond that it grows
    by steps that double (L. Xu, K. Harfoush and I. Rhee, Proc. IEEE INFOCOM 2004, 2514-2524).

    `str` shows the requests in flight, and why there are not more.
    """

    def __init__(self, ceiling: int, rates: Rates | None = None) -> None:
        self.ceiling = ceiling
        self.concurrency = float(ceiling)
        self._stated = rates or Rates()
        self._limiters = {kind: _make_limiter(getattr(self._stated, kind)) for kind in ("requests", "tokens")}
        self._mean: float | None = None  # tokens of a request and its answer, a moving average
        self._in_flight = self._waits_for_rates = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._paused_until = 0.0
        self._cuts = 0
        self._answers = self._refusals = 0  # of this window
        self._share = 0.0  # of refusals in the window of the last cut
        self._goal = self.concurrency  # where the last cut was made
        self._step = 1.0

    def __str__(self) -> str:
        left = self._paused_until - time.monotonic()
        reasons = [
            f"the provider has nothing left for {left:.0f} s" if left > 0.5 else "",
            f"{self._waits_for_rates} wait for the rate per minute" if self._waits_for_rates else "",
            f"at most {int(self.concurrency)} of {self.ceiling}, as {self._share:.0%} were refused at more"
            if self.concurrency < self.ceiling
            else "",
        ]
        why = ", ".join(filter(None, reasons))
        return f"{self._in_flight - self._waits_for_rates} in flight" + (f" ({why})" if why else "")

    async def run(self, tokens: float, send: Callable[[], Awaitable[T]]) -> T:
        """Call `send` as soon as a prompt of about `tokens` tokens may be sent, and return its result."""
        await self._enter()
        try:
            await self._wait_for_rates(tokens)
            cuts = self._cuts
            try:
                result = await send()
            except Transient as failure:
                if failure.is_overload:
                    self._count(cuts, is_refusal=True)
                raise
            self._count(cuts, is_refusal=False)
            return result
        finally:
            self._in_flight -= 1
            self._admit()

    def _count(self, cuts: int, is_refusal: bool) -> None:
        """Count an answer, unless its request was sent before the last cut."""
        if cuts != self._cuts:
            return
        self._answers += 1
        self._refusals += is_refusal
        size = max(self._answers, int(self.concurrency))
        if self._refusals > _TOLERATED * size + 2 * (_TOLERATED * size) ** 0.5:
            self._cuts += 1
            self._share, self._goal, self._step = self._refusals / self._answers, self.concurrency, 1.0
            self.concurrency = max(1.0, self.concurrency / 2)
        elif self._answers < self.concurrency:
            return
        elif self.concurrency < self._goal - 1:
            self.concurrency = min(float(self.ceiling), (self.concurrency + self._goal) / 2)
        else:
            self.concurrency = min(float(self.ceiling), self.concurrency + self._step)
            self._step = min(2 * self._step, float(self.ceiling))
        self._answers = self._refusals = 0

    async def _enter(self) -> None:
        """Wait in the order of arrival until another request may run."""
        turn = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        self._admit()
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # it had just been admitted
                self._in_flight -= 1
                self._admit()
            raise

    def _admit(self) -> None:
        """Start waiting requests while concurrency allows it."""
        while self._waiting and self._in_flight < max(1, int(self.concurrency)):
            if not (turn := self._waiting.popleft()).done():
                self._in_flight += 1
                turn.set_result(None)

    def learn(self, headers: Mapping[str, str], tokens: int | None) -> None:
        """Learn from an answer: its tokens, and the limits in its headers."""
        if tokens is not None:
            self._mean = tokens if self._mean is None else 0.9 * self._mean + 0.1 * tokens
        for kind, limiter in self._limiters.items():
            limit, left, reset = parse_rate_headers(headers, kind)
            if limit is not None and not limit > 0:  # some gateways report "no limit" in this way
                continue
            if left is not None and left <= 0 and reset is not None:
                until = time.monotonic() + min(reset, _LONGEST_PAUSE)
                self._paused_until = max(self._paused_until, until)
            is_new = limiter is None or limiter.max_rate != (limit or 0) * _WINDOW / 60
            if limit and is_new and getattr(self._stated, kind) is None:
                self._limiters[kind] = _make_limiter(limit)

    async def _wait_for_rates(self, tokens: float) -> None:
        """Wait until the rates allow another request."""
        self._waits_for_rates += 1
        try:
            while (left := self._paused_until - time.monotonic()) > 0:
                await asyncio.sleep(left)
            for kind, amount in (("requests", 1.0), ("tokens", self._mean or tokens)):
                if (limiter := self._limiters[kind]) is not None:
                    await limiter.acquire(min(amount, limiter.max_rate))
        finally:
            self._waits_for_rates -= 1


def _make_limiter(rate: float | None) -> AsyncLimiter | None:
    """Make the limiter of a rate per minute. A rate of less than one in five seconds gets a longer window."""
    if rate is None:
        return None
    from aiolimiter import AsyncLimiter

    window = max(_WINDOW, 60 / rate)
    return AsyncLimiter(rate * window / 60, window)


def parse_rate_headers(
    headers: Mapping[str, str], kind: str
) -> tuple[float | None, float | None, float | None]:
    """Return the limit of requests or tokens per minute, what is left, and the seconds until it is full.

    Reads the headers of OpenAI and Anthropic. Values that they lack are None.
    """
    openai = [headers.get(f"x-ratelimit-{each}-{kind}") for each in ("limit", "remaining", "reset")]
    anthropic = [
        headers.get(f"anthropic-ratelimit-{kind}-{each}") for each in ("limit", "remaining", "reset")
    ]
    limit, left, reset = openai if any(openai) else anthropic
    return parse_number(limit), parse_number(left), _parse_seconds(reset)


def _parse_seconds(text: str | None) -> float | None:
    """Return the seconds that "1s", "6m0s", "20ms", a number or a date of RFC 3339 states."""
    if text is None or len(text) > _LONGEST_TIME:
        return None
    if (parts := _PART.findall(text)) and "".join(map("".join, parts)) == text:
        return sum(float(amount) * _SECONDS[unit] for amount, unit in parts)
    if (plain := parse_number(text)) is not None:
        return plain
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return max((moment - datetime.now(UTC)).total_seconds(), 0.0) if moment.tzinfo else None
