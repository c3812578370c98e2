"""Connections to providers by aiohttp: the pool of the SDKs searches all connections for each request.

All bytes of a provider pass through `Transport`. It decompresses them in pieces, up to a limit, and does not
follow redirects.
"""

from __future__ import annotations

import asyncio
import os
import socket
import ssl
import time
from collections.abc import AsyncIterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import httpx2
from aiohttp import (
    ClientConnectorCertificateError,
    ClientConnectorError,
    ClientConnectorSSLError,
    ClientError,
    ClientResponse,
    ClientSession,
    ClientTimeout,
    DummyCookieJar,
    TCPConnector,
)
from multidict import CIMultiDict

from ansatz.agents.models.failures import check_size
from ansatz.agents.models.token_counts import clean_body
from ansatz.agents.models.wire import current_request
from ansatz.errors import ModelError, ResponseTooLarge

if TYPE_CHECKING:
    from aiohttp.connector import Connection

LONGEST_ANSWER = 16 * 2**20  # bytes, decompressed: ten times the longest answer that a model writes
LONGEST_ERROR = 64 * 2**10  # bytes, decompressed: longer ones are cut
_PIECE = 2**14  # bytes
_IDLE_TIMEOUT = 5.0  # seconds: as in the SDKs
_ALIVE = {
    "TCP_KEEPIDLE": 60,
    "TCP_KEEPINTVL": 60,
    "TCP_KEEPCNT": 5,
}  # seconds, seconds, times: as in the SDKs
_OF_COMPRESSION = ("content-encoding", "content-length", "transfer-encoding")  # headers that no longer apply
_OF_THE_SDK = ("accept-encoding", "host", "content-length", "transfer-encoding")  # aiohttp sets its own


class Received(NamedTuple):
    """A response."""

    status: int
    headers: CIMultiDict[str]
    """The headers, except those about compression."""
    body: bytes
    """The decompressed body."""


class Transport(httpx2.AsyncBaseTransport):
    """The `transport` of an SDK's HTTP client. The caller limits the number of connections.

    Raises aiohttp's errors, except for a timeout, which the SDKs must distinguish from a broken connection.
    Raises ModelError for a redirect, and ResponseTooLarge for an answer of more than `LONGEST_ANSWER` bytes.
    Of an error response, `LONGEST_ERROR` bytes are read.
    """

    def __init__(self) -> None:
        self._session: ClientSession | None = None
        self._proxies: dict[str, str | None] = {}  # by address
        self._is_resolved = False  # whether the host name was ever resolved

    async def exchange(self, method: str, url: str, **options: Any) -> Received:
        """Send a request and return the response. The environment may name a proxy."""
        async with await self._open_response(method, url, **options) as response:
            body = await self._read(response)
        headers = CIMultiDict(response.headers)
        for name in _OF_COMPRESSION:
            headers.popall(name, None)
        return Received(response.status, headers, body)

    async def _open_response(
        self, method: str, url: str, headers: Mapping[str, str], **options: Any
    ) -> ClientResponse:
        """Return a response with an unread body. Raises ModelError for a permanent failure."""
        check_headers(headers)
        if self._session is None:
            connector = _Connector(
                limit=0,
                keepalive_timeout=_IDLE_TIMEOUT,
                ssl=load_certificates(),
                socket_factory=_open_socket,
            )
            untimed = ClientTimeout(total=None)  # the caller knows how long to wait
            self._session = ClientSession(connector=connector, cookie_jar=DummyCookieJar(), timeout=untimed)
        if url not in self._proxies:
            self._proxies[url] = _find_proxy(url)
        proxy = self._proxies[url]
        current_request().sent = time.perf_counter()
        try:
            response = await self._session.request(
                method, url, headers=headers, proxy=proxy, allow_redirects=False, **options
            )
        except (ClientError, ValueError) as failure:
            if (permanent := _permanent_error(failure, url, proxy, self._is_resolved)) is not None:
                raise permanent from None
            raise
        self._is_resolved = True
        if 300 <= response.status < 400:
            response.close()
            raise _redirect_error(response, url)
        return response

    async def _read(self, response: ClientResponse) -> bytes:
        """Read the whole body of a response, or the start of an error."""
        is_error = response.status >= 400
        limit, pieces, size = LONGEST_ERROR if is_error else LONGEST_ANSWER, list[bytes](), 0
        async for piece in response.content.iter_any():
            pieces.append(piece)
            size += len(piece)
            if size > limit:
                response.close()
                if not is_error:
                    pieces.clear()  # the failure would keep them in memory
                    raise ResponseTooLarge(f"the answer has more than {limit:,} bytes")
                break
        body = b"".join(pieces)[:limit]
        if not is_error:
            check_size(body)
        current_request().record_answer(response.headers, body)
        return body

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        try:
            received = await self.exchange(**await _read_request(request))
        except TimeoutError as late:
            raise httpx2.ReadTimeout(str(late), request=request) from late
        body = clean_body(received.body) if received.status < 400 else received.body
        headers = [*received.headers.items()]
        if received.headers.get("content-type", "").startswith("text/event-stream"):
            return httpx2.Response(received.status, headers=headers, stream=_Events(body), request=request)
        return httpx2.Response(received.status, headers=headers, content=body, request=request)

    async def stream_lines(self, request: httpx2.Request) -> httpx2.Response:
        """Return a response that is read line by line. A line is limited to the size of an answer."""
        try:
            response = await self._open_response(**await _read_request(request))
        except TimeoutError as late:
            raise httpx2.ReadTimeout(str(late), request=request) from late
        if response.status >= 400:
            async with response:
                body = await self._read(response)
            return httpx2.Response(response.status, content=body, request=request)
        lines = _Lines(response, LONGEST_ANSWER)
        kind = {"content-type": response.headers.get("content-type", "")}
        return httpx2.Response(response.status, headers=kind, stream=lines, request=request)

    async def aclose(self) -> None:
        if self._session is not None:
            await self._session.close()


async def _read_request(request: httpx2.Request) -> dict[str, Any]:
    """Return a request of an SDK as arguments of `Transport.exchange`."""
    given = request.extensions.get("timeout", {})
    return {
        "method": request.method,
        "url": str(request.url),
        "headers": {name: value for name, value in request.headers.items() if name not in _OF_THE_SDK},
        "data": await request.aread() or None,
        "timeout": ClientTimeout(None, given.get("pool"), given.get("read"), given.get("connect")),
    }


class _Events(httpx2.AsyncByteStream):
    """A body of events in pieces. Other tasks run between them, because LangChain processes each event."""

    def __init__(self, body: bytes) -> None:
        self._body = body

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for start in range(0, len(self._body), _PIECE):
            yield self._body[start : start + _PIECE]
            await asyncio.sleep(0)


class _Lines(httpx2.AsyncByteStream):
    """The body of a response in pieces. Raises ResponseTooLarge at a line of more than `longest` bytes."""

    def __init__(self, response: ClientResponse, longest: int) -> None:
        self._response = response
        self._longest = longest

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for piece in self._response.content.iter_any():
            size = size + len(piece) if b"\n" not in piece else len(piece) - piece.rindex(b"\n") - 1
            if size > self._longest:
                raise ResponseTooLarge(f"a line of the results has more than {self._longest:,} bytes")
            yield piece

    async def aclose(self) -> None:
        self._response.close()


def _permanent_error(failure: Exception, url: str, proxy: str | None, is_resolved: bool) -> ModelError | None:
    """Return the error of a request without a response if another try would fail in the same way.

    If the host name was resolved before, the name is correct, and the network is temporarily down.
    """
    place = f"{urlsplit(url).netloc}{' (over a proxy)' if proxy else ''}"
    if isinstance(failure, ClientConnectorCertificateError | ClientConnectorSSLError):
        cause = failure.__cause__
        if isinstance(cause, ssl.SSLEOFError | ssl.SSLZeroReturnError | ssl.SSLSyscallError):
            return None
        reason = getattr(cause, "verify_message", None) or getattr(cause, "reason", None) or cause
        advice = "check base_url, or name the authority that your organization uses in SSL_CERT_FILE"
        return ModelError(f"TLS with {place} failed ({reason}); {advice}")
    unresolved = getattr(failure, "os_error", None)
    if isinstance(unresolved, ClientConnectorError):  # to reach the proxy
        unresolved = unresolved.os_error
    if isinstance(unresolved, socket.gaierror) and unresolved.errno != socket.EAI_AGAIN and not is_resolved:
        host = urlsplit(proxy or url).hostname  # a proxy resolves the provider's name itself
        return ModelError(f"there is no host {host!r}; check base_url, and *_PROXY if one is set")
    if isinstance(failure, ValueError):
        return ModelError(f"the request cannot be sent ({failure}); check base_url and the headers")
    return None


def _redirect_error(response: ClientResponse, url: str) -> ModelError:
    """Return the error of a redirect, which would send prompts and credentials to another host."""
    target = response.headers.get("location", "")[:2_000]
    try:
        host = urlsplit(target).netloc.rpartition("@")[2] or "another path of the same host"
    except ValueError:
        host = "an address that cannot be read"
    return ModelError(
        f"{urlsplit(url).netloc} redirects ({response.status}) to {host}, and redirects are not followed; "
        "set base_url to the address that answers"
    )


def check_headers(headers: Mapping[str, str]) -> None:
    """Raise ModelError for a header that HTTP cannot carry, such as a key with a line break."""
    for name, value in headers.items():
        if any(sign in name + value for sign in "\r\n\0"):
            raise ModelError(
                f"the header {name!r} contains a line break; check the key or setting that it comes from"
            )


def _find_proxy(url: str) -> str | None:
    """Return the proxy of HTTPS_PROXY, HTTP_PROXY or ALL_PROXY, unless NO_PROXY excludes the address.

    aiohttp ignores ALL_PROXY, bypasses a proxy that it cannot use, and sends passwords of ~/.netrc.
    """
    address, named = urlsplit(url), getproxies()
    proxy = named.get(address.scheme) or named.get("all")
    if not proxy or proxy_bypass(address.hostname or "") or proxy_bypass(address.netloc):
        return None
    return proxy if "://" in proxy else f"http://{proxy}"


def check_environment() -> None:
    """Raise ModelError for a proxy that is not HTTP, such as SOCKS, or for missing certificates."""
    load_certificates()
    for scheme in ("http", "https", "all"):
        kind, separator, _ = getproxies().get(scheme, "").partition("://")
        if separator and kind.lower() not in ("http", "https"):
            raise ModelError(f"{scheme.upper()}_PROXY is a proxy of {kind}; unset it, or name one of http")


def load_certificates() -> ssl.SSLContext:
    """Return the trusted certificates, which are read once, because that takes 40 ms."""
    return _make_context(os.environ.get("SSL_CERT_FILE") or None, os.environ.get("SSL_CERT_DIR") or None)


@cache
def _make_context(file: str | None, folder: str | None) -> ssl.SSLContext:
    """Trust the certificates in SSL_CERT_FILE and SSL_CERT_DIR, or else those of the system."""
    if file is None and folder is None:
        return httpx2.create_ssl_context()
    folders = [*filter(None, (folder or "").split(os.pathsep))]
    for name, paths, exists in (
        ("SSL_CERT_FILE", [file] if file else [], os.path.isfile),
        ("SSL_CERT_DIR", folders, os.path.isdir),
    ):
        for path in paths:
            if not exists(path):
                raise ModelError(f"{name} names {path!r}, which does not exist; correct it or unset it")
    try:
        context = ssl.create_default_context(cafile=file, capath=folders[0] if folders else None)
        for path in folders[1:]:
            context.load_verify_locations(capath=path)
    except (OSError, ssl.SSLError) as failure:
        raise ModelError(f"SSL_CERT_FILE names {file!r}, which has no certificates ({failure})") from None
    return context


def _open_socket(address: tuple[Any, ...]) -> socket.socket:
    """Open a socket that stays alive while a model works for minutes."""
    opened = socket.socket(*address[:3])
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in _ALIVE.items():
        if hasattr(socket, name):
            opened.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
    return opened


class _Connector(TCPConnector):
    """Records the connection of the current request."""

    async def connect(self, *arguments: Any, **options: Any) -> Connection:
        connection = await super().connect(*arguments, **options)
        if connection.transport is not None:
            current_request().connection = connection.transport.get_extra_info("socket")
        return connection
