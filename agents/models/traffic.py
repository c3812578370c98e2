"""What goes out to one provider key: requests and tokens per minute, and as many at once as it bears."""

from __future__ import annotations

import asyncio
import re
from collections import deque
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypeVar

from pydantic import ConfigDict

from ansatz.agents.models.retry import Transient, number
from ansatz.settings import PositiveNumber, check_settings

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
class Rates:
    """What a provider key may take per minute; None leaves it to the provider's headers."""

    requests: PositiveNumber | None = None
    tokens: PositiveNumber | None = None
    __pydantic_config__ = ConfigDict(extra="forbid")  # for a study file, which is read into it

    def __post_init__(self) -> None:
        check_settings(self)


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
        self._requests = _limiter(self._stated.requests)
        self._tokens = _limiter(self._stated.tokens)
        self._mean: float | None = None  # tokens of a request and its answer, as seen
        self._under_way = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._cuts = 0
        self._held_until = 0.0

    async def in_turn(self, tokens: float, ask: Callable[[], Awaitable[T]]) -> T:
        """What `ask` returns, done with a prompt of about so many tokens as soon as there is room."""
        await self._enter()
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
            self._wake()

    def learn(self, headers: Mapping[str, str], tokens: int | None) -> None:
        """What an answer took, and what its headers tell of the limits."""
        if tokens is not None:
            self._mean = tokens if self._mean is None else 0.9 * self._mean + 0.1 * tokens
        for kind in ("requests", "tokens"):
            limit, left, reset = _told(headers, kind)
            if limit is not None and not limit > 0:  # as some gateways say that there is none
                continue
            if left is not None and left <= 0 and reset is not None:
                until = asyncio.get_running_loop().time() + min(reset, _LONGEST_HOLD)
                self._held_until = max(self._held_until, until)
            if limit and getattr(self._stated, kind) is None:
                own = f"_{kind}"
                if getattr(self, own) is None or getattr(self, own).max_rate != limit * _WINDOW / 60:
                    setattr(self, own, _limiter(limit))

    async def _enter(self) -> None:
        while self._under_way >= max(1, int(self.at_once)):
            turn = asyncio.get_running_loop().create_future()
            self._waiting.append(turn)
            try:
                await turn
            except asyncio.CancelledError:
                if turn.done() and not turn.cancelled():
                    self._wake()
                raise
        self._under_way += 1

    def _wake(self) -> None:
        free = max(1, int(self.at_once)) - self._under_way
        while self._waiting and free > 0:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                free -= 1

    async def _keep_rates(self, tokens: float) -> None:
        while (left := self._held_until - asyncio.get_running_loop().time()) > 0:
            await asyncio.sleep(left)
        if self._requests is not None:
            await self._requests.acquire(min(1.0, self._requests.max_rate))
        if self._tokens is not None:
            await self._tokens.acquire(min(self._mean or tokens, self._tokens.max_rate))


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
