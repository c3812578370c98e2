"""Fair sharing, time limits and refusals of `ansatz mcp --http`, so that no caller can block others."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import h11
from starlette.responses import JSONResponse
from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

MAXIMUM_CONNECTIONS = 512
_REQUEST_SECONDS = 10.0
"""The longest time in which a request, headers and body, has to arrive."""
_BODY_BYTES = 4 * 1024 * 1024


class FairSlots:
    """Shares slots among callers: each has at most half of them, and the caller with the fewest is next."""

    def __init__(self, slots: int) -> None:
        self._slots, self._share = slots, max(slots // 2, 1)
        self._running: Counter[str] = Counter()
        self._waiting: list[tuple[str, asyncio.Future[None]]] = []

    @asynccontextmanager
    async def acquire(self, caller: str) -> AsyncIterator[None]:
        """Wait for a slot, and release it at the end of the context."""
        ready = asyncio.get_running_loop().create_future()
        self._waiting.append((caller, ready))
        self._admit_waiting()
        try:
            await ready
            yield
        finally:
            if (caller, ready) in self._waiting:
                self._waiting.remove((caller, ready))
            else:
                self._running[caller] -= 1
                self._running += Counter()  # removes callers without a slot
                self._admit_waiting()

    def _admit_waiting(self) -> None:
        while self._running.total() < self._slots:
            eligible = [
                (caller, ready) for caller, ready in self._waiting if self._running[caller] < self._share
            ]
            if not eligible:
                return
            caller, ready = min(eligible, key=lambda waiting: self._running[waiting[0]])
            self._waiting.remove((caller, ready))
            self._running[caller] += 1
            if not ready.done():
                ready.set_result(None)


class TimedProtocol(H11Protocol):
    """HTTP/1.1 protocol that closes a connection if its request does not arrive in time."""

    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._set_deadline()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._set_deadline()

    def connection_lost(self, exc: Exception | None) -> None:
        self._clear_deadline()
        super().connection_lost(exc)

    def _set_deadline(self) -> None:
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._clear_deadline()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(_REQUEST_SECONDS, self.transport.close)

    def _clear_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None


class McpRequests:
    """Serves one path, with or without a final slash; a body that is not JSON gets status 400."""

    def __init__(self, path: str, app: ASGIApp) -> None:
        self._path, self._app = path, app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"].rstrip("/") != self._path:
            await JSONResponse({"error": "not found"}, 404)(scope, receive, send)
            return
        if scope["method"] != "POST":
            await self._app(scope, receive, send)
            return
        body = b""
        more = True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            body += message.get("body", b"")
            more = message.get("more_body", False)
            if len(body) > _BODY_BYTES:
                await _make_refusal(413, f"more than {_BODY_BYTES} bytes")(scope, receive, send)
                return
        try:
            json.loads(body)
        except (ValueError, RecursionError) as failure:
            await _make_refusal(400, f"Parse error: {type(failure).__name__}")(scope, receive, send)
            return
        await self._app(scope, _replay_body(body, receive), send)


def _make_refusal(status: int, message: str) -> JSONResponse:
    error = {"code": -32700, "message": message}
    return JSONResponse({"jsonrpc": "2.0", "id": None, "error": error}, status)


def _replay_body(body: bytes, receive: Receive) -> Receive:
    """Return a receiver that yields the body as one message, then the messages after it."""
    first: list[Any] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return first.pop() if first else await receive()

    return replay
