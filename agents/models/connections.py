"""Connections to providers: aiohttp beneath the SDKs, whose own pool looks through all of them each time."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.request import getproxies

import httpx2
from aiohttp import ClientResponse, ClientSession, ClientTimeout, DummyCookieJar, TCPConnector

from ansatz.agents.models.wire import sent_on

if TYPE_CHECKING:
    import ssl

    from aiohttp.connector import Connection

_IDLE_KEPT = 5.0  # seconds: as the SDKs have it
_ALIVE = {"TCP_KEEPIDLE": 60, "TCP_KEEPINTVL": 60, "TCP_KEEPCNT": 5}  # seconds, seconds, times: the SDKs' own
_CHUNK = 1 << 16  # bytes


class Transport(httpx2.AsyncBaseTransport):
    """For the `transport` of an SDK's HTTP client; the caller bounds how many connections there are.

    What it raises are aiohttp's errors, but for a timeout, which the SDKs have to know from a connection that
    breaks.
    """

    def __init__(self) -> None:
        self._session: ClientSession | None = None

    @property
    def session(self) -> ClientSession:
        """The connections themselves, opened with the first request."""
        if self._session is None:
            self._session = _session()
        return self._session

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        given = request.extensions.get("timeout", {})
        timeout = ClientTimeout(None, given.get("pool"), given.get("read"), given.get("connect"))
        try:
            response = await self.session.request(
                request.method,
                str(request.url),
                headers=request.headers,
                data=await request.aread() or None,
                allow_redirects=False,
                auto_decompress=False,
                timeout=timeout,
            )
        except TimeoutError as late:
            raise httpx2.ReadTimeout(str(late), request=request) from late
        return httpx2.Response(
            response.status, headers=response.raw_headers, stream=_Body(response), request=request
        )

    async def aclose(self) -> None:
        if self._session is not None:
            await self._session.close()


class _Body(httpx2.AsyncByteStream):
    """What comes of an answer, as it comes."""

    def __init__(self, response: ClientResponse) -> None:
        self._response = response

    async def __aiter__(self) -> AsyncIterator[bytes]:
        try:
            async for chunk in self._response.content.iter_chunked(_CHUNK):
                yield chunk
        except TimeoutError as late:
            raise httpx2.ReadTimeout(str(late)) from late

    async def aclose(self) -> None:
        self._response.release()


def _session() -> ClientSession:
    connector = _Connector(limit=0, keepalive_timeout=_IDLE_KEPT, ssl=_trusted(), socket_factory=_socket)
    # Cookies, redirects and encodings are the SDK's affair. To ask the environment takes a thread each time.
    trust = bool(getproxies())
    untimed = ClientTimeout(total=None)  # whoever asks knows how long to wait
    return ClientSession(connector=connector, cookie_jar=DummyCookieJar(), trust_env=trust, timeout=untimed)


@cache
def _trusted() -> ssl.SSLContext:
    return httpx2.create_ssl_context()


def _socket(address: tuple[Any, ...]) -> socket.socket:
    """A socket that is kept alive while a model thinks for minutes."""
    made = socket.socket(*address[:3])
    made.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in _ALIVE.items():
        if hasattr(socket, name):
            made.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
    return made


class _Connector(TCPConnector):
    """Tells the clock of a request on which connection it goes out."""

    async def connect(self, *request: Any, **about: Any) -> Connection:
        connection = await super().connect(*request, **about)
        if connection.transport is not None:
            sent_on(connection.transport.get_extra_info("socket"))
        return connection
