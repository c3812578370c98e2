"""Providers that cannot be reached as they should: TLS, hosts, keys and proxies, case by case."""

import asyncio
import os
import re
import shutil
import subprocess

import pytest

from ansatz.errors import InfrastructureError, ModelError
from tests.agents.providers import PATHS, ask, head, outcome, serving
from tests.fakes.behaviours import Answer, Raw
from tests.fakes.certificates import signed

pytestmark = pytest.mark.usefixtures("keys", "no_proxy", "heartbeat")


AUTHORITY = signed("authority of the tests")
TLS = {
    "signed by itself": (lambda: signed("host"), "self-signed certificate"),
    "of an unknown authority": (lambda: signed("host", AUTHORITY), "unable to get local issuer certificate"),
    "for another host": (lambda: signed("host", AUTHORITY, address="10.0.0.1"), "IP address mismatch"),
    "expired": (lambda: signed("host", AUTHORITY, days=-1), "certificate has expired"),
}


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("case", TLS)
async def test_a_certificate_that_proves_nothing_ends_the_run(path, case, tmp_path, monkeypatch):
    make, reason = TLS[case]
    if "host" in case or case == "expired":  # the authority alone would do
        (tmp_path / "authority.pem").write_bytes(AUTHORITY.pem)
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "authority.pem"))
    with serving(path, [], tls=make().server_context(tmp_path)) as server:
        failure = await outcome(path, server)
    assert isinstance(failure, ModelError)
    assert re.search(rf"TLS with 127\.0\.0\.1:\d+ failed \(.*{reason}.*\); check base_url", str(failure))
    assert server.requests == []


async def test_a_port_without_tls_ends_the_run():
    async def refuse(reader, writer):
        writer.write(head(400, "content-length: 0"))
        writer.close()

    async with await asyncio.start_server(refuse, "127.0.0.1", 0) as server:
        address = f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
        with pytest.raises(ModelError, match=r"TLS with .* failed .*; check base_url"):
            await ask("openai:gpt-test", None, base_url=address)


async def test_an_authority_in_ssl_cert_file_is_trusted(tmp_path, monkeypatch):
    (tmp_path / "authority.pem").write_bytes(AUTHORITY.pem)
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "authority.pem"))
    with serving("short", [Answer("42")], tls=signed("host", AUTHORITY).server_context(tmp_path)) as server:
        assert await outcome("short", server) == "42"


@pytest.mark.skipif(shutil.which("openssl") is None, reason="the names are made by openssl")
@pytest.mark.parametrize("file", [False, True])
async def test_authorities_in_ssl_cert_dir_are_trusted(file, tmp_path, monkeypatch):
    """Also where SSL_CERT_FILE names others, as in OpenSSL."""
    folder = tmp_path / "certs"
    folder.mkdir()
    (tmp_path / "other.pem").write_bytes(signed("other").pem)
    hashed = subprocess.run(
        ["openssl", "x509", "-hash", "-noout"], input=AUTHORITY.pem, capture_output=True, check=True
    )
    (folder / f"{hashed.stdout.decode().strip()}.0").write_bytes(AUTHORITY.pem)
    monkeypatch.setenv("SSL_CERT_DIR", str(folder))
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    if file:
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "other.pem"))
    with serving("short", [Answer("42")], tls=signed("host", AUTHORITY).server_context(tmp_path)) as server:
        assert await outcome("short", server) == "42"


@pytest.mark.parametrize("path", ["short", "anthropic"])
@pytest.mark.parametrize(
    ("variable", "content", "expected"),
    [
        ("SSL_CERT_FILE", None, "SSL_CERT_FILE names .*, which does not exist"),
        ("SSL_CERT_DIR", None, "SSL_CERT_DIR names .*, which does not exist"),
        ("SSL_CERT_FILE", "no certificate", "SSL_CERT_FILE names .*, which has no certificates"),
    ],
)
async def test_certificates_that_are_missing_are_named(
    path, variable, content, expected, tmp_path, monkeypatch
):
    file = tmp_path / "authorities.pem"
    monkeypatch.setenv(variable, str(file))
    if content is not None:
        file.write_text(content)
    with serving(path, []) as server:
        failure = await outcome(path, server)
    assert isinstance(failure, ModelError)
    assert re.search(expected, str(failure))
    assert file.name in str(failure)


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    ("base_url", "expected"),
    [
        ("http://no-such-host.invalid/v1", "there is no host 'no-such-host.invalid'; check base_url"),
        ("http://127.0.0.1:99999/v1", "check base_url"),
        ("http://[::1/v1", "base_url: Invalid IPv6 URL"),
    ],
)
async def test_an_address_that_leads_nowhere_ends_the_run(path, base_url, expected):
    with serving(path, []) as server:
        failure = await outcome(path, server, base_url=base_url)
    assert isinstance(failure, ModelError)
    assert expected in str(failure)


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("sign", ["\n", "\r\n", "\0"])
async def test_a_key_with_a_line_break_ends_the_run(path, sign, monkeypatch):
    variable = f"{PATHS[path][0].partition(':')[0].upper()}_API_KEY"
    monkeypatch.setitem(os.environ, variable, "sk-planted-0123456789" + sign) if sign != "\0" else None
    settings = (
        {}
        if sign != "\0"
        else {"extra": {**PATHS[path][1].get("extra", {}), "default_headers": {"x-team": "a\0b"}}}
    )
    with serving(path, []) as server:
        failure = await outcome(path, server, **settings)
    assert isinstance(failure, ModelError)
    assert "contains a line break" in str(failure)
    assert "planted" not in str(failure)
    assert server.requests == []


PROXY_ANSWERS = {
    "a login": (200, "text/html", b"<html>login</html>", "the server sent text/html: <html>login</html>"),
    "a redirect": (302, "text/html", b"", "redirects (302) to portal.test"),
    "wants a password": (407, "text/html", b"", "the proxy rejects the user or password"),
    "blocks": (403, "text/html", b"<html>blocked</html>", "403: <html>blocked</html>"),
    "is dead": (502, "text/plain", b"bad gateway", "502: bad gateway"),
}


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("case", PROXY_ANSWERS)
async def test_a_proxy_that_answers_itself_is_one_line(path, case, monkeypatch):
    status, kind, body, expected = PROXY_ANSWERS[case]
    proxy = serving(path, lambda request: Raw(body, kind, status, {"location": "http://portal.test/login"}))
    proxy.complaint = lambda request: None
    with proxy:
        monkeypatch.setenv("HTTP_PROXY", f"http://me:planted@{proxy.base_url.split('/')[2]}")
        failure = await outcome(path, None, base_url="http://provider.test/v1")
    assert isinstance(failure, InfrastructureError)
    assert expected in str(failure)
    assert "planted" not in str(failure)


@pytest.mark.parametrize("path", ["short", "anthropic"])
@pytest.mark.parametrize("scheme", ["http", "https"])
async def test_a_proxy_that_is_nowhere_ends_the_run(path, scheme, monkeypatch):
    monkeypatch.setenv(f"{scheme.upper()}_PROXY", "http://me:planted@no-such-proxy.invalid:3128")
    failure = await outcome(path, None, base_url=f"{scheme}://provider.test/v1")
    assert isinstance(failure, ModelError)
    assert "there is no host 'no-such-proxy.invalid'" in str(failure)
    assert "planted" not in str(failure)
