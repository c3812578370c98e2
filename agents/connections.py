"""Connections to providers: aiohttp beneath the SDKs, whose own pool looks through all of them each time."""

from __future__ import annotations

import socket
from functools import cache
from typing import TYPE_CHECKING, Any
from urllib.request import getproxies

import httpx2
from aiohttp import ClientSession, ClientTimeout, DummyCookieJar, TCPConnector
from httpx_aiohttp.httpx2 import AiohttpTransport

from ansatz.agents.wire import sent_on

if TYPE_CHECKING:
    import ssl

    from aiohttp.connector import Connection

_IDLE_KEPT = 5.0  # seconds: as the SDKs have it
_ALIVE = {"TCP_KEEPIDLE": 60, "TCP_KEEPINTVL": 60, "TCP_KEEPCNT": 5}  # seconds, seconds, times: the SDKs' own


class Transport(AiohttpTransport):
    """For the `transport` of an SDK's HTTP client; the caller bounds how many connections there are."""

    def __init__(self) -> None:
        super().__init__(verify=_trusted(), client=_session)

    @property
    def session(self) -> ClientSession:
        """The connections themselves, opened with the first request."""
        if not isinstance(self.client, ClientSession):
            self.client = _session()
        return self.client


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
