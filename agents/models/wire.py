"""One request over HTTP: its name in a batch, and how long the provider worked on it.

With many parallel attempts, an answer waits in the kernel until the event loop reads it, and clocks in Python
include that wait. Linux reports when the last bytes of the request and of the answer passed
(TCP_INFO, tcp(7)). On other systems, the time ends when the event loop has read the whole answer.
"""

from __future__ import annotations

import platform
import socket
import struct
import time
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field

_TCP_INFO_BYTES = 104
_LAST_SENT, _LAST_RECEIVED = 44, 52  # offsets in struct tcp_info: milliseconds ago, of the last data each way
_START = 40_000  # bytes of a body that are stored for messages
_TOLERANCE = 0.02  # seconds: the kernel counts in ticks of up to 10 ms


@dataclass
class WireRequest:
    """A request, as far as a client and the transport both need to know it."""

    key: str | None = None
    """The name of the request in a batch."""
    sent: float = 0.0
    """When it was sent, by `time.perf_counter`."""
    seconds: float | None = None
    """How long the provider worked; None until an answer has arrived over HTTP."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """The headers of the answer."""
    start: bytes = b""
    """The start of the body of the answer, for messages."""
    connection: socket.socket | None = None
    """The connection, once there is one."""

    @property
    def was_sent(self) -> bool:
        """Whether the request reached a connection. If another library sends it, it counts as sent."""
        return self.connection is not None or not self.sent

    def record_answer(self, headers: Mapping[str, str], body: bytes = b"") -> None:
        """Record that the whole answer has arrived, with its headers and the start of its body."""
        self.headers, elapsed = headers, time.perf_counter() - self.sent
        self.start = body[:_START]
        by_kernel = self._read_kernel_time()
        # If the connection already carries the next request, the kernel reports times of that one.
        is_sound = by_kernel is not None and 0.0 <= by_kernel <= elapsed + _TOLERANCE
        self.seconds = by_kernel if is_sound else elapsed

    def _read_kernel_time(self) -> float | None:
        """Return the seconds between the last byte sent and the last byte received, if known."""
        if platform.system() != "Linux" or self.connection is None:
            return None
        try:
            info = self.connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _TCP_INFO_BYTES)
            [sent], [received] = (struct.unpack_from("=I", info, at) for at in (_LAST_SENT, _LAST_RECEIVED))
        except (OSError, struct.error):  # closed by the server, or a kernel that reports less
            return None
        return float(sent - received) / 1000.0


WIRE_REQUEST: ContextVar[WireRequest | None] = ContextVar("wire_request", default=None)
"""The request that is being sent.

LangChain and the SDK are between the client and the transport, and pass no further parameter on."""


def current_request() -> WireRequest:
    """Return the request that is being sent, or a new one if another library sends it."""
    return WIRE_REQUEST.get() or WireRequest()
