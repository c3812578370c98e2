"""Requests go over the proxy that the environment names, as users of other programs know it."""

import asyncio
from contextlib import asynccontextmanager

import pytest

from ansatz.errors import ModelError, ModelUnavailable
from tests.agents.providers import SERVERS, ask
from tests.fakes.behaviours import Answer

pytestmark = pytest.mark.usefixtures("keys")


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch):
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


@asynccontextmanager
async def proxy(password=b"", refusal=b""):
    """A port at which a forwarding proxy listens, and the heads of the requests that it saw."""
    seen = []

    async def serve(reader, writer):
        head = await reader.readuntil(b"\r\n\r\n")
        seen.append(head)
        if password not in head:
            await copy(None, writer, refusal)
            return
        first, rest = head.split(b"\r\n", 1)
        method, address, version = first.split()
        _, _, place, path = address.split(b"/", 3)
        there = await asyncio.open_connection("127.0.0.1", int(place.rpartition(b":")[2]))
        sent = b" ".join([method, b"/" + path, version]) + b"\r\n" + rest
        await asyncio.gather(copy(reader, there[1], sent), copy(there[0], writer, b""))

    async def copy(reader, writer, content):
        writer.write(content)
        while reader is not None and (content := await reader.read(2**16)):
            writer.write(content)
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        yield server.sockets[0].getsockname()[1], seen


@pytest.mark.parametrize(
    ("variable", "address"),
    [
        ("HTTP_PROXY", "http://127.0.0.1"),
        ("http_proxy", "127.0.0.1"),
        ("ALL_PROXY", "http://127.0.0.1"),
        ("http_proxy", "http://me:se%40cret@127.0.0.1"),
    ],
)
async def test_a_proxy_of_the_environment_is_used(name, variable, address, monkeypatch, tmp_path, caplog):
    """And it alone resolves the provider's name. What ~/.netrc knows of the provider stays at home."""
    netrc = tmp_path / "netrc"
    netrc.write_text("default login me password planted")
    monkeypatch.setenv("NETRC", str(netrc))
    async with proxy(b"Basic bWU6c2VAY3JldA==" if "@" in address else b"") as (port, seen):
        monkeypatch.setenv(variable, f"{address}:{port}")
        with SERVERS[name]([Answer("42")]) as server:
            server.base_url = server.base_url.replace("127.0.0.1", "provider.test")
            assert (await ask(name, server)).message.text == "42"
    assert len(seen) == 1
    assert b" http://provider.test:" in seen[0]
    assert "proxy" not in caplog.text  # LangChain warns of one that its own client would miss


async def test_no_proxy_goes_straight(name, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("NO_PROXY", "localhost,127.0.0.1")
    with SERVERS[name]([Answer("42")]) as server:
        assert (await ask(name, server)).message.text == "42"


@pytest.mark.parametrize(
    ("scheme", "refusal", "kind", "expected"),
    [
        ("http", b"407 Proxy Authentication Required", ModelError, "proxy rejects the user"),
        ("https", b"502 Bad Gateway", ModelUnavailable, r"127\.0\.0\.1.*502|502.*127\.0\.0\.1"),
    ],
)
async def test_a_proxy_that_refuses_is_named_without_its_password(
    name, scheme, refusal, kind, expected, monkeypatch
):
    """aiohttp names the whole address where there is no way through."""
    async with proxy(b"never", b"HTTP/1.1 %s\r\ncontent-length: 0\r\n\r\n" % refusal) as (port, _):
        monkeypatch.setenv(f"{scheme.upper()}_PROXY", f"http://me:planted@127.0.0.1:{port}")
        with SERVERS[name]([]) as server:
            server.base_url = server.base_url.replace("http:", f"{scheme}:")
            with pytest.raises(kind, match=expected) as caught:
                await ask(name, server)
    assert "planted" not in str(caught.value)


async def test_a_proxy_of_another_kind_is_refused_and_not_passed_by(name, monkeypatch):
    monkeypatch.setenv("ALL_PROXY", "socks5://127.0.0.1:1080")
    with SERVERS[name]([]) as server, pytest.raises(ModelError, match=r"^ALL_PROXY is a proxy of socks5;"):
        await ask(name, server)
