"""How long a provider worked on a request, without the time that its answer waited for our own process.

With many attempts at once an answer lies in the kernel until the event loop comes to it, and clocks in Python
count that too. The kernel knows when the request's last byte left and the answer's last byte came (TCP_INFO,
tcp(7)). Where it does not say, on other systems than Linux, the time is that between the two hooks of the
HTTP client, which leaves out our work before and after, but not the wait for the event loop.
"""

from __future__ import annotations

import platform
import socket
import struct
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

_TCP_INFO_BYTES = 104
_LAST_SENT, _LAST_RECEIVED = 44, 52  # offsets in struct tcp_info: milliseconds ago, of the last data each way
_TOLERANCE = 0.02  # seconds: the kernel counts in ticks of up to 10 ms


@dataclass
class WireTime:
    """`seconds` is None until an answer has come over HTTP."""

    sent: float = 0.0
    seconds: float | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    connection: socket.socket | None = None


REQUEST: ContextVar[str | None] = ContextVar("request", default=None)
"""By which name the request being made is known, also after a kill: what a batch calls it."""
_CURRENT: ContextVar[WireTime | None] = ContextVar("wire_time", default=None)


@contextmanager
def timing() -> Iterator[WireTime]:
    """Takes the time of the request that is made within; needs a client with `HOOKS`."""
    found = WireTime()
    token = _CURRENT.set(found)
    try:
        yield found
    finally:
        _CURRENT.reset(token)


def sent_on(connection: socket.socket | None) -> None:
    """The request that is being timed goes out on this connection."""
    if (found := _CURRENT.get()) is not None:
        found.connection = connection


def sent() -> None:
    """The request that is being timed goes out now."""
    if (found := _CURRENT.get()) is not None:
        found.sent = time.perf_counter()


def answered(headers: Mapping[str, str]) -> None:
    """All of the answer to the request that is being timed is here."""
    if (found := _CURRENT.get()) is None:
        return
    elapsed = time.perf_counter() - found.sent
    found.headers = headers
    by_kernel = _kernel_time(found.connection)
    # A connection that already carries the next request tells nothing about this one.
    is_sound = by_kernel is not None and 0.0 <= by_kernel <= elapsed + _TOLERANCE
    found.seconds = by_kernel if is_sound else elapsed


async def _on_request(request: Any) -> None:
    sent()


async def _on_response(response: Any) -> None:
    if (found := _CURRENT.get()) is None:
        return
    if not response.headers.get("content-type", "").startswith("text/event-stream"):
        await response.aread()
    if response.extensions.get("batched"):  # nobody tells how long the provider worked on it
        found.seconds = 0.0
    else:
        answered(response.headers)


def _kernel_time(connection: socket.socket | None) -> float | None:
    """Seconds from the last byte sent to the last byte received of a connection; None if unknown."""
    if platform.system() != "Linux" or connection is None:
        return None
    try:
        info = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _TCP_INFO_BYTES)
    except OSError:  # closed by the server
        return None
    if len(info) < _TCP_INFO_BYTES:
        return None
    [sent] = struct.unpack_from("=I", info, _LAST_SENT)
    [received] = struct.unpack_from("=I", info, _LAST_RECEIVED)
    return float(sent - received) / 1000.0


HOOKS: dict[str, list[Any]] = {"request": [_on_request], "response": [_on_response]}
"""For the `event_hooks` of an HTTP client whose transport is that of `ansatz.agents.models.connections`."""
