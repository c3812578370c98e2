"""What goes out to one provider key: requests and tokens per minute, and as many at once as it bears."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypeVar

from pydantic import ConfigDict

from ansatz.agents.models.retry import Transient, number
from ansatz.settings import PositiveNumber, Settings

if TYPE_CHECKING:
    from aiolimiter import AsyncLimiter

T = TypeVar("T")
Learned = tuple[Mapping[str, str], int | None]
"""The headers of an answer, and the tokens that it took; None where there is no telling."""
_WINDOW = 5.0  # seconds over which a rate is kept: a whole minute's share at once would be twice the rate
_LONGEST_HOLD = 60.0  # seconds that a header may hold everything back
_PART = re.compile(r"([\d.]+)(ms|h|m|s)")
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}


@dataclass(frozen=True)
class Rates(Settings):
    """What a provider key may take per minute; None leaves it to the provider's headers."""

    requests: PositiveNumber | None = None
    tokens: PositiveNumber | None = None
    __pydantic_config__ = ConfigDict(extra="forbid")  # for a study file, which is read into it


class Traffic:
    """Lets requests pass, shared by all models of a key.

    So many at once as `ceiling` says, halved where the provider says that it is too much, and one more for
    each round of answers that went well (additive increase, multiplicative decrease: D.-M. Chiu and R. Jain,
    Comput. Netw. ISDN Syst. 17, 1989, 1-14). Rates are those of the study, or else of the provider's headers.
    """

    def __init__(self, ceiling: int, rates: Rates | None = None) -> None:
        self.ceiling = ceiling
        self.at_once = float(ceiling)
        self._stated = rates or Rates()
        self._limiters = {kind: _limiter(getattr(self._stated, kind)) for kind in ("requests", "tokens")}
        self._mean: float | None = None  # tokens of a request and its answer, as seen
        self._under_way = 0
        self._room = asyncio.Condition()
        self._cuts = 0
        self._held_until = 0.0

    async def in_turn(self, tokens: float, ask: Callable[[], Awaitable[T]]) -> T:
        """What `ask` returns, done with a prompt of about so many tokens as soon as there is room."""
        async with self._room:
            await self._room.wait_for(lambda: self._under_way < max(1, int(self.at_once)))
            self._under_way += 1
        try:
            await self._keep_rates(tokens)
            cuts = self._cuts
            try:
                found = await ask()
            except Transient as failure:
                if failure.is_overload and cuts == self._cuts:  # once for all that were under way together
                    self._cuts += 1
                    self.at_once = max(1.0, self.at_once / 2)
                raise
            self.at_once = min(float(self.ceiling), self.at_once + 1 / self.at_once)
            return found
        finally:
            self._under_way -= 1
            async with self._room:
                self._room.notify_all()

    def learn(self, headers: Mapping[str, str], tokens: int | None) -> None:
        """What an answer took, and what its headers tell of the limits."""
        if tokens is not None:
            self._mean = tokens if self._mean is None else 0.9 * self._mean + 0.1 * tokens
        for kind, limiter in self._limiters.items():
            limit, left, reset = _told(headers, kind)
            if limit is not None and not limit > 0:  # as some gateways say that there is none
                continue
            if left is not None and left <= 0 and reset is not None:
                until = asyncio.get_running_loop().time() + min(reset, _LONGEST_HOLD)
                self._held_until = max(self._held_until, until)
            is_new = limiter is None or limiter.max_rate != (limit or 0) * _WINDOW / 60
            if limit and is_new and getattr(self._stated, kind) is None:
                self._limiters[kind] = _limiter(limit)

    async def _keep_rates(self, tokens: float) -> None:
        while (left := self._held_until - asyncio.get_running_loop().time()) > 0:
            await asyncio.sleep(left)
        for kind, amount in (("requests", 1.0), ("tokens", self._mean or tokens)):
            if (limiter := self._limiters[kind]) is not None:
                await limiter.acquire(min(amount, limiter.max_rate))


def _limiter(rate: float | None) -> AsyncLimiter | None:
    """Of a rate per minute. One below a request in five seconds is spread over as long as a request takes."""
    if rate is None:
        return None
    from aiolimiter import AsyncLimiter

    window = max(_WINDOW, 60 / rate)
    return AsyncLimiter(rate * window / 60, window)


def _told(headers: Mapping[str, str], kind: str) -> tuple[float | None, float | None, float | None]:
    """Limit per minute, what is left of it, and seconds until all is there again, as OpenAI's and Anthropic's
    headers tell; None where they do not."""
    openai = [headers.get(f"x-ratelimit-{each}-{kind}") for each in ("limit", "remaining", "reset")]
    theirs = [headers.get(f"anthropic-ratelimit-{kind}-{each}") for each in ("limit", "remaining", "reset")]
    limit, left, reset = openai if any(openai) else theirs
    return number(limit), number(left), _seconds(reset)


def _seconds(text: str | None) -> float | None:
    """Of "1s", "6m0s", "20ms", a number, or a date of RFC 3339."""
    if text is None:
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
