"""Connections to providers: aiohttp beneath the SDKs, whose own pool looks through all of them each time."""

from __future__ import annotations

import socket
import time
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import httpx2
from aiohttp import ClientResponse, ClientSession, ClientTimeout, DummyCookieJar, TCPConnector

from ansatz.agents.models.failures import ModelError
from ansatz.agents.models.wire import TIMED, WireTime

if TYPE_CHECKING:
    import ssl

    from aiohttp.connector import Connection

_IDLE_KEPT = 5.0  # seconds: as the SDKs have it
_ALIVE = {"TCP_KEEPIDLE": 60, "TCP_KEEPINTVL": 60, "TCP_KEEPCNT": 5}  # seconds, seconds, times: the SDKs' own


class Transport(httpx2.AsyncBaseTransport):
    """For the `transport` of an SDK's HTTP client; the caller bounds how many connections there are.

    What it raises are aiohttp's errors, but for a timeout, which the SDKs have to know from a connection that
    breaks.
    """

    def __init__(self) -> None:
        self._session: ClientSession | None = None
        self._proxies: dict[str, str | None] = {}  # by address

    async def exchange(self, method: str, url: str, **about: Any) -> tuple[ClientResponse, bytes]:
        """An answer and all that it says, its time taken, over the proxy that the environment names.

        Connections open with the first one.
        """
        if self._session is None:
            connector = _Connector(
                limit=0, keepalive_timeout=_IDLE_KEPT, ssl=_trusted(), socket_factory=_socket
            )
            untimed = ClientTimeout(total=None)  # whoever asks knows how long to wait
            self._session = ClientSession(connector=connector, cookie_jar=DummyCookieJar(), timeout=untimed)
        if url not in self._proxies:
            self._proxies[url] = _proxy(url)
        clock = TIMED.get(WireTime())
        clock.sent = time.perf_counter()
        async with self._session.request(method, url, proxy=self._proxies[url], **about) as response:
            said = await response.read()
            clock.answered(response.headers)
        return response, said

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        given = request.extensions.get("timeout", {})
        try:
            response, said = await self.exchange(
                request.method,
                str(request.url),
                headers=request.headers,
                data=await request.aread() or None,
                allow_redirects=False,
                auto_decompress=False,
                timeout=ClientTimeout(None, given.get("pool"), given.get("read"), given.get("connect")),
            )
        except TimeoutError as late:
            raise httpx2.ReadTimeout(str(late), request=request) from late
        return httpx2.Response(response.status, headers=response.raw_headers, content=said, request=request)

    async def aclose(self) -> None:
        if self._session is not None:
            await self._session.close()


def _proxy(url: str) -> str | None:
    """The proxy that HTTPS_PROXY, HTTP_PROXY or ALL_PROXY names for an address that NO_PROXY leaves to it.

    aiohttp would ask the environment by itself, but not for ALL_PROXY, it goes past a proxy that it cannot
    use, and it sends passwords of ~/.netrc along.
    """
    address, named = urlsplit(url), getproxies()
    proxy = named.get(address.scheme) or named.get("all")
    if not proxy or proxy_bypass(address.hostname or "") or proxy_bypass(address.netloc):
        return None
    return proxy if "://" in proxy else f"http://{proxy}"


def demand_http_proxies() -> None:
    """Raises ModelError where the environment names a proxy of another kind, such as SOCKS."""
    for scheme in ("http", "https", "all"):
        kind, is_said, _ = getproxies().get(scheme, "").partition("://")
        if is_said and kind.lower() not in ("http", "https"):
            raise ModelError(f"{scheme.upper()}_PROXY is a proxy of {kind}; unset it, or name one of http")


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
            TIMED.get(WireTime()).connection = connection.transport.get_extra_info("socket")
        return connection
