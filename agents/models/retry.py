"""The policy of retries: exponential backoff with jitter, a limit, and the header Retry-After."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from random import uniform
from typing import Annotated, ClassVar

from pydantic import Field

from ansatz.agents.client import Reservation
from ansatz.agents.transcript import Retry
from ansatz.errors import ModelUnavailable
from ansatz.settings import Count, settings

NonNegative = Annotated[float, Field(ge=0)]

_LISTENERS: ContextVar[tuple[Callable[[str], None], ...]] = ContextVar("listeners", default=())
"""Functions that display waits. A context variable separates runs in one process, as tracers do."""


class Transient(Exception):
    """A temporary failure of one try.

    Parameters:
        reason: One line about the failure.
        retry_after: The seconds that the provider asks to wait, if it does.
        is_overload: Whether the provider had too many requests at once.
        may_be_billed: Whether the request was sent, so that an answer after the timeout may be billed.
    """

    def __init__(
        self,
        reason: str,
        retry_after: float | None = None,
        is_overload: bool = False,
        may_be_billed: bool = False,
    ) -> None:
        super().__init__(reason)
        self.reason = reason
        self.retry_after = retry_after
        self.is_overload = is_overload
        self.may_be_billed = may_be_billed


@settings()
class RetryPolicy:
    """How often a failed request is repeated, and how long the client waits in between.

    The wait after try n is `initial_wait` * 2**(n - 1) seconds, at most `max_wait`, plus up to `initial_wait`
    of random jitter. It is never shorter than the provider asks for.

    Example: `RetryPolicy(tries=3, max_total_wait=20)`.
    """

    renamed: ClassVar[Mapping[str, str]] = {
        "total_wait": "max_total_wait",
        "first_wait": "initial_wait",
        "longest_wait": "max_wait",
    }

    tries: Count = 6
    """How many times a request is sent at most."""
    max_total_wait: NonNegative = 120.0
    """The longest total wait for one reply, in seconds."""
    initial_wait: NonNegative = 1.0
    """The wait after the first failed try, in seconds."""
    max_wait: NonNegative = 30.0
    """The longest wait between two tries, in seconds, unless the provider asks for more."""


@contextmanager
def listen_for_waits(on_wait: Callable[[str], None]) -> Iterator[None]:
    """Call `on_wait` before each retry of this context: which model, why, and how long it waits.

    The context is that of `contextvars`: tasks that start within belong to it, other runs do not.
    """
    token = _LISTENERS.set((*_LISTENERS.get(), on_wait))
    try:
        yield
    finally:
        _LISTENERS.reset(token)


def log_wait(message: str) -> None:
    """Report a wait to the listeners of this context."""
    for on_wait in _LISTENERS.get():
        on_wait(message)


class Retries:
    """The failed tries of one request, and how long to wait before the next one."""

    def __init__(self, policy: RetryPolicy, name: str) -> None:
        self._policy = policy
        self._name = name
        self._waited, self._backoff = 0.0, policy.initial_wait
        self.failed: list[Retry] = []

    async def record(self, failure: Transient, reservation: Reservation | None) -> float:
        """Record a failed try and return the wait in seconds. Raises ModelUnavailable after the last try.

        If the try may be billed, its `reservation` becomes a cost, and the next try needs another one.
        """
        policy, tries = self._policy, len(self.failed) + 1
        backoff = min(self._backoff, policy.max_wait)
        wait = max(backoff + uniform(0.0, policy.initial_wait), failure.retry_after or 0.0)
        is_last = tries >= policy.tries or self._waited + wait > policy.max_total_wait
        if failure.may_be_billed and reservation is not None:
            await reservation.keep(renew=not is_last)
        if is_last:
            message = _describe_last_failure(self._name, tries, failure, policy)
            raise ModelUnavailable(message, tuple(self.failed)) from None
        self.failed.append(Retry(reason=failure.reason, waited=wait))
        log_wait(f"{self._name}: {failure.reason}; try {tries + 1} of {policy.tries} in {wait:.1f} s")
        self._waited += wait
        self._backoff = 2 * backoff
        return wait


def _describe_last_failure(name: str, tries: int, failure: Transient, policy: RetryPolicy) -> str:
    message = f"{name} gave no answer in {tries} {'try' if tries == 1 else 'tries'}: {failure.reason}"
    if failure.retry_after is not None and failure.retry_after > policy.max_total_wait:
        request = f"it asks to wait {failure.retry_after:.0f} s"
        message += f"; {request}, more than the {policy.max_total_wait:g} s allowed"
    return message


def parse_retry_after(headers: Mapping[str, str], now: float | None = None) -> float | None:
    """Return the seconds to wait that Retry-After states (RFC 9110, section 10.2.3: seconds or an HTTP date).

    `retry-after-ms`, which OpenAI and Azure send, is more precise and takes precedence. `now` is a Unix time.
    """
    milliseconds = parse_number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return max(milliseconds / 1000, 0.0)
    text = headers.get("retry-after")
    seconds = parse_number(text)
    if text is None or seconds is not None:
        return None if seconds is None else max(seconds, 0.0)
    try:
        date = parsedate_to_datetime(text)
    except ValueError:
        return None
    moment = date if date.tzinfo else date.replace(tzinfo=UTC)
    start = datetime.fromtimestamp(time.time() if now is None else now, UTC)
    return max((moment - start).total_seconds(), 0.0)


def parse_number(text: str | None) -> float | None:
    """Return the finite number in a header, or None."""
    try:
        found = float(text) if text is not None else math.nan
    except ValueError:
        return None
    return found if math.isfinite(found) else None
