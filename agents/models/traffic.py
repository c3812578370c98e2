"""What goes out to one provider key: requests and tokens per minute, and as many at once as it bears."""

from __future__ import annotations

import asyncio
import re
import time
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypeVar

from ansatz.agents.models.retry import Transient, number
from ansatz.settings import PositiveNumber, settings

if TYPE_CHECKING:
    from aiolimiter import AsyncLimiter

T = TypeVar("T")
Learned = tuple[Mapping[str, str], int | None]
"""The headers of an answer, and the tokens that it took; None where they are not reported."""
_WINDOW = 5.0  # seconds over which a rate is kept: a whole minute's share at once would be twice the rate
_LONGEST_HOLD = 60.0  # seconds that a header may hold everything back
_BEARABLE = 0.05  # share of refusals
_LONGEST_TIME = 64  # characters of a header
_PART = re.compile(r"([\d.]+)(ms|h|m|s)")
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}


@settings()
class Rates:
    """What a provider key may take per minute; None leaves it to the provider's headers."""

    requests: PositiveNumber | None = None
    """Requests per minute."""
    tokens: PositiveNumber | None = None
    """Tokens per minute."""


class Traffic:
    """Lets requests pass, shared by all models of a key.

    At most `ceiling` requests run at once, fewer where the provider refuses too many. Answers are counted in
    windows of one round: as many answers as requests may run at once. Concurrency is halved at most once in a
    window, and only if clearly more than 5 % of the answers are refusals (by two standard deviations). Stray
    refusals, which do not depend on our load, then cost one retry each and no concurrency. After a window
    without a cut, concurrency goes halfway back to where it was cut last. Beyond that it grows by steps that
    double (binary increase: L. Xu, K. Harfoush and I. Rhee, Proc. IEEE INFOCOM 2004, 2514-2524). Rates are
    those of the study, or else of the provider's headers. `str` of it is what runs now, and what limits it.
    """

    def __init__(self, ceiling: int, rates: Rates | None = None) -> None:
        self.ceiling = ceiling
        self.concurrency = float(ceiling)
        self._stated = rates or Rates()
        self._limiters = {kind: _limiter(getattr(self._stated, kind)) for kind in ("requests", "tokens")}
        self._mean: float | None = None  # tokens of a request and its answer, as seen
        self._under_way = self._waits_for_rates = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._held_until = 0.0
        self._cuts = 0
        self._answers = self._refusals = 0  # of this window
        self._share = 0.0  # of refusals in the window of the last cut
        self._goal = self.concurrency  # where the last cut was made
        self._step = 1.0

    def __str__(self) -> str:
        left = self._held_until - time.monotonic()
        reasons = [
            f"the provider has nothing left for {left:.0f} s" if left > 0.5 else "",
            f"{self._waits_for_rates} wait for the rate per minute" if self._waits_for_rates else "",
            f"at most {int(self.concurrency)} of {self.ceiling}, as {self._share:.0%} were refused at more"
            if self.concurrency < self.ceiling
            else "",
        ]
        why = ", ".join(filter(None, reasons))
        return f"{self._under_way - self._waits_for_rates} in flight" + (f" ({why})" if why else "")

    async def run(self, tokens: float, ask: Callable[[], Awaitable[T]]) -> T:
        """What `ask` returns, called as soon as there is room for a prompt of about `tokens` tokens."""
        await self._enter()
        try:
            await self._keep_rates(tokens)
            cuts = self._cuts
            try:
                found = await ask()
            except Transient as failure:
                if failure.is_overload:
                    self._count(cuts, is_refusal=True)
                raise
            self._count(cuts, is_refusal=False)
            return found
        finally:
            self._under_way -= 1
            self._admit()

    def _count(self, cuts: int, is_refusal: bool) -> None:
        """Take an answer into account, unless its request went out before the last cut."""
        if cuts != self._cuts:
            return
        self._answers += 1
        self._refusals += is_refusal
        size = max(self._answers, int(self.concurrency))
        if self._refusals > _BEARABLE * size + 2 * (_BEARABLE * size) ** 0.5:
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
        """Wait for room, in the order of arrival."""
        turn = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        self._admit()
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # it had just been admitted
                self._under_way -= 1
                self._admit()
            raise

    def _admit(self) -> None:
        while self._waiting and self._under_way < max(1, int(self.concurrency)):
            if not (turn := self._waiting.popleft()).done():
                self._under_way += 1
                turn.set_result(None)

    def learn(self, headers: Mapping[str, str], tokens: int | None) -> None:
        """What an answer took, and what its headers tell of the limits."""
        if tokens is not None:
            self._mean = tokens if self._mean is None else 0.9 * self._mean + 0.1 * tokens
        for kind, limiter in self._limiters.items():
            limit, left, reset = parse_rate_headers(headers, kind)
            if limit is not None and not limit > 0:  # as some gateways say that there is none
                continue
            if left is not None and left <= 0 and reset is not None:
                until = time.monotonic() + min(reset, _LONGEST_HOLD)
                self._held_until = max(self._held_until, until)
            is_new = limiter is None or limiter.max_rate != (limit or 0) * _WINDOW / 60
            if limit and is_new and getattr(self._stated, kind) is None:
                self._limiters[kind] = _limiter(limit)

    async def _keep_rates(self, tokens: float) -> None:
        self._waits_for_rates += 1
        try:
            while (left := self._held_until - time.monotonic()) > 0:
                await asyncio.sleep(left)
            for kind, amount in (("requests", 1.0), ("tokens", self._mean or tokens)):
                if (limiter := self._limiters[kind]) is not None:
                    await limiter.acquire(min(amount, limiter.max_rate))
        finally:
            self._waits_for_rates -= 1


def _limiter(rate: float | None) -> AsyncLimiter | None:
    """Of a rate per minute. One below a request in five seconds is spread over as long as a request takes."""
    if rate is None:
        return None
    from aiolimiter import AsyncLimiter

    window = max(_WINDOW, 60 / rate)
    return AsyncLimiter(rate * window / 60, window)


def parse_rate_headers(
    headers: Mapping[str, str], kind: str
) -> tuple[float | None, float | None, float | None]:
    """The limit per minute of requests or tokens, what is left of it, and seconds until all is available.

    Reads the headers of OpenAI and Anthropic; None for what they lack.
    """
    openai = [headers.get(f"x-ratelimit-{each}-{kind}") for each in ("limit", "remaining", "reset")]
    theirs = [headers.get(f"anthropic-ratelimit-{kind}-{each}") for each in ("limit", "remaining", "reset")]
    limit, left, reset = openai if any(openai) else theirs
    return number(limit), number(left), _seconds(reset)


def _seconds(text: str | None) -> float | None:
    """Of "1s", "6m0s", "20ms", a number, or a date of RFC 3339."""
    if text is None or len(text) > _LONGEST_TIME:
        return None
    if (parts := _PART.findall(text)) and "".join(map("".join, parts)) == text:
        return sum(float(amount) * _SECONDS[unit] for amount, unit in parts)
    if (plain := number(text)) is not None:
        return plain
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return max((moment - datetime.now(UTC)).total_seconds(), 0.0) if moment.tzinfo else None
