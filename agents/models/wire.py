"""How long a provider worked on a request, without the time that its answer waited for our own process.

With many attempts at once an answer lies in the kernel until the event loop comes to it, and clocks in Python
count that too. The kernel knows when the request's last byte left and the answer's last byte came (TCP_INFO,
tcp(7)). Where it does not say, on other systems than Linux, the time is that between sending and having read
all, which leaves out our work before and after, but not the wait for the event loop.
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
_START = 40_000  # bytes of a body that are kept for messages
_TOLERANCE = 0.02  # seconds: the kernel counts in ticks of up to 10 ms


@dataclass
class WireTime:
    """The clock of a request. `seconds` is None until an answer has come over HTTP."""

    sent: float = 0.0
    seconds: float | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    start: bytes = b""
    connection: socket.socket | None = None

    @property
    def was_sent(self) -> bool:
        """Whether the request reached a connection; assumed of one that another library sends."""
        return self.connection is not None or not self.sent

    def answered(self, headers: Mapping[str, str], body: bytes = b"") -> None:
        """Record that the whole answer has arrived, with its headers and the start of its body."""
        self.headers, elapsed = headers, time.perf_counter() - self.sent
        self.start = body[:_START]
        by_kernel = self._kernel_time()
        # A connection that already carries the next request tells nothing about this one.
        is_sound = by_kernel is not None and 0.0 <= by_kernel <= elapsed + _TOLERANCE
        self.seconds = by_kernel if is_sound else elapsed

    def _kernel_time(self) -> float | None:
        """Seconds from the last byte sent to the last byte received of the connection; None if unknown."""
        if platform.system() != "Linux" or self.connection is None:
            return None
        try:
            info = self.connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _TCP_INFO_BYTES)
            [sent], [received] = (struct.unpack_from("=I", info, at) for at in (_LAST_SENT, _LAST_RECEIVED))
        except (OSError, struct.error):  # closed by the server; a kernel that tells less
            return None
        return float(sent - received) / 1000.0


REQUEST: ContextVar[str | None] = ContextVar("request", default=None)
"""By which name the request being made is known, also after a kill: what a batch calls it."""
TIMED: ContextVar[WireTime] = ContextVar("wire_time")
"""The clock of the request being made; whoever wants to know its time sets one."""
