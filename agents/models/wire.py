"""Measures how long a provider worked on a request, without the wait of its answer for this process.

With many attempts at once, an answer waits in the kernel until the event loop reads it, and clocks in Python
include that wait. Linux reports when the request's last byte left and the answer's last byte arrived
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
class WireTime:
    """The clock of a request. `seconds` is None until an answer has arrived over HTTP."""

    sent: float = 0.0
    seconds: float | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    start: bytes = b""
    connection: socket.socket | None = None

    @property
    def was_sent(self) -> bool:
        """Whether the request reached a connection. If another library sends it, it counts as sent."""
        return self.connection is not None or not self.sent

    def answered(self, headers: Mapping[str, str], body: bytes = b"") -> None:
        """Record that the whole answer has arrived, with its headers and the start of its body."""
        self.headers, elapsed = headers, time.perf_counter() - self.sent
        self.start = body[:_START]
        by_kernel = self._kernel_time()
        # A connection that already carries the next request has no times of this one.
        is_sound = by_kernel is not None and 0.0 <= by_kernel <= elapsed + _TOLERANCE
        self.seconds = by_kernel if is_sound else elapsed

    def _kernel_time(self) -> float | None:
        """Return the seconds between the last byte sent and the last byte received, if known."""
        if platform.system() != "Linux" or self.connection is None:
            return None
        try:
            info = self.connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _TCP_INFO_BYTES)
            [sent], [received] = (struct.unpack_from("=I", info, at) for at in (_LAST_SENT, _LAST_RECEIVED))
        except (OSError, struct.error):  # closed by the server, or a kernel that reports less
            return None
        return float(sent - received) / 1000.0


REQUEST: ContextVar[str | None] = ContextVar("request", default=None)
"""The name of the current request in a batch, which is the same after a kill.

LangChain and the SDK are between the attempt and the transport, and carry no parameter."""
WIRE_TIME: ContextVar[WireTime] = ContextVar("wire_time")
"""The clock of the current request, which reaches the transport through LangChain and the SDK."""
