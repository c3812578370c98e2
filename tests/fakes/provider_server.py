"""A loopback HTTP server that plays a model provider: one asyncio loop in a thread of its own."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import json
import re
import ssl
import threading
from abc import ABC, abstractmethod
from collections import Counter
from http import HTTPStatus
from typing import Any, Self

from tests.fakes.behaviours import (
    Answer,
    Behaviour,
    Dropped,
    Failure,
    Raw,
    Recorded,
    Request,
    Script,
    Slow,
    Written,
)


class ProviderServer(ABC):
    """`with OpenAIServer(script) as server:` serves until the block ends.

    A script is a list (one behaviour per request, in order) or a function of the request. Every request is
    kept in `requests`. A list that runs out answers 400, which no client retries, and fails the test on exit.
    """

    base_path = ""

    def __init__(self, script: Script, *, latency: float = 0.0, tls: ssl.SSLContext | None = None) -> None:
        self.requests: list[Request] = []
        self._script = script
        self._latency = latency
        self._tls = tls
        self._bodies: Counter[bytes] = Counter()
        self._overrun = False
        self._connections: dict[asyncio.StreamWriter, asyncio.Task[None]] = {}
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name=type(self).__name__, daemon=True)

    @abstractmethod
    def encode(self, answer: Answer, request: Request) -> dict[str, Any]:
        """The answer in the provider's wire format."""

    @abstractmethod
    def encode_failure(self, failure: Failure) -> dict[str, Any]:
        """The error body of the provider."""

    @abstractmethod
    def complaint(self, request: Request) -> Failure | None:
        """What the real provider would reject in a request, whatever the script says."""

    def extra_headers(self) -> dict[str, str]:
        """Of every answer, such as those on rate limits."""
        return {}

    def __enter__(self) -> Self:
        self._thread.start()
        start = asyncio.start_server(self._accept, "127.0.0.1", 0, limit=2**24, backlog=1024, ssl=self._tls)
        self._server = asyncio.run_coroutine_threadsafe(start, self._loop).result()
        port = self._server.sockets[0].getsockname()[1]
        self.base_url = f"{'https' if self._tls else 'http'}://127.0.0.1:{port}{self.base_path}"
        return self

    def __exit__(self, failed: type[BaseException] | None, *rest: object) -> None:
        asyncio.run_coroutine_threadsafe(self._close(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
        if self._overrun and failed is None:
            raise AssertionError(f"the script is too short for {len(self.requests)} requests")

    async def _close(self) -> None:
        """End all connections, also those that are just being accepted."""
        self._server.close()
        await asyncio.sleep(0)
        while running := asyncio.all_tasks() - {asyncio.current_task()}:
            for each in running:
                each.cancel()
            await asyncio.gather(*running, return_exceptions=True)
        await asyncio.gather(*self._connections.values(), return_exceptions=True)  # a script may have failed
        for writer in self._connections:
            writer.transport.abort()  # a client that reads no more leaves bytes unsent
        for _ in range(4):  # a transport under TLS closes some steps after its connection
            await asyncio.sleep(0)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._connections[writer] = self._loop.create_task(self._serve(reader, writer))

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One kept-alive connection."""
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                request = self._record(head, await reader.readexactly(_length(head)))
                await asyncio.sleep(self._latency)
                if not await self._act(self.complaint(request) or self._next(request), request, writer):
                    break
        writer.close()
        with contextlib.suppress(ConnectionError, asyncio.CancelledError):
            await writer.wait_closed()

    def _record(self, head: bytes, body: bytes) -> Request:
        first, *lines = head.decode("latin-1").split("\r\n")
        headers = {
            name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines if line)
        }
        request = Request(
            number=len(self.requests),
            path=first.split(" ")[1].split("?")[0],
            headers=headers,
            body=_content(headers, body),
            earlier=self._bodies[body],
        )
        self._bodies[body] += 1
        self.requests.append(request)
        return request

    def _next(self, request: Request) -> Behaviour:
        if callable(self._script):
            return self._script(request)
        if request.number < len(self._script):
            return self._script[request.number]
        self._overrun = True
        return Failure(400, f"the script ends before request {request.number + 1}")

    async def _act(self, behaviour: Behaviour, request: Request, writer: asyncio.StreamWriter) -> bool:
        """Do it; False when the connection must close."""
        match behaviour:
            case Slow(seconds, then):
                await asyncio.sleep(seconds)
                return await self._act(then, request, writer)
            case Answer():
                body = json.dumps(self.encode(behaviour, request)).encode()
                await _send(writer, 200, body, self.extra_headers())
            case Failure(status, headers=headers):
                body = json.dumps(self.encode_failure(behaviour)).encode()
                await _send(writer, status, body, headers)
            case Raw(body, content_type, status, headers):
                await _send(writer, status, body, {"content-type": content_type, **headers})
            case Written(pieces, pause):
                for piece in pieces():
                    writer.write(piece)
                    await writer.drain()
                    await asyncio.sleep(pause)
                return False
            case Recorded(status, recorded):
                text = recorded if isinstance(recorded, str) else json.dumps(recorded)
                packed = gzip.compress(text.encode())  # as providers do
                await _send(writer, status, packed, {"content-encoding": "gzip"})
            case Dropped(midway):
                if midway:
                    await _send(writer, 200, b'{"id": "cut o', {"content-length": "5000"})
                return False
        return True


def _content(headers: dict[str, str], body: bytes) -> dict[str, Any]:
    """JSON, or of a form the file in it."""
    if not headers.get("content-type", "").startswith("multipart/form-data"):
        content: dict[str, Any] = json.loads(body or b"{}")
        return content
    file = re.search(rb'name="file".*?\r\n\r\n(.*?)\r\n--', body, re.DOTALL)
    return {"file": file[1].decode() if file else ""}


def _length(head: bytes) -> int:
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            return int(line.split(b":")[1])
    return 0


async def _send(
    writer: asyncio.StreamWriter, status: int, body: bytes, headers: dict[str, str] | None = None
) -> None:
    shown = {"content-type": "application/json", "content-length": str(len(body)), **(headers or {})}
    phrase = HTTPStatus(status).phrase if status in {s.value for s in HTTPStatus} else "Error"
    lines = [f"HTTP/1.1 {status} {phrase}", *(f"{name}: {value}" for name, value in shown.items())]
    writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + body)
    await writer.drain()
