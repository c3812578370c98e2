"""The provider as it must not be, case by case, to the real SDKs over loopback.

Each case ends in an answer or in one line that says what is wrong. Throughout, the process stays small and the
event loop goes on.
"""

import asyncio
import contextlib
import gzip
import importlib
import json
import os
import re
import shutil
import subprocess
import time
import zlib
from pathlib import Path

import pytest

from ansatz.agents.models import ModelError, ModelUnavailable, RequestRejected
from ansatz.agents.models.failures import ResponseTooLarge
from ansatz.errors import InfrastructureError
from tests.agents.providers import SERVERS, ask
from tests.fakes.behaviours import Answer, Failure, Raw, Written
from tests.fakes.certificates import signed

pytestmark = pytest.mark.usefixtures("keys", "no_proxy")

LONGEST_BLOCK = 0.5  # seconds that the event loop may stand still
MOST_MEMORY = 400  # MB that the process may have at any time, and half of it may come from one case
PATHS = {  # by which requests go: the short one, and those through the SDKs
    "short": ("openai:gpt-test", {}),
    "openai": ("openai:gpt-test", {"extra": {"output_version": "v0"}}),
    "responses": ("openai:gpt-test", {"extra": {"use_responses_api": True}}),
    "anthropic": ("anthropic:claude-test", {}),
}
MB = 2**20


@pytest.fixture(autouse=True, scope="module")
def imported():
    """The SDKs take a second to import, which no case should wait for."""
    for package in ("langchain_openai", "langchain_anthropic"):
        importlib.import_module(package)


@pytest.fixture
def no_proxy(monkeypatch):
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


def resident():
    """Megabytes of memory; 0 where the system does not say."""
    with contextlib.suppress(OSError):
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / MB
    return 0.0


def kept_waiting():
    """Seconds that this thread was ready to run while the machine did something else."""
    with contextlib.suppress(OSError):
        return int(Path("/proc/thread-self/schedstat").read_text().split()[1]) / 1e9
    return 0.0


@pytest.fixture(autouse=True)
async def heartbeat():
    """Fails a case in which the event loop stands still, or which takes more memory than it may."""
    longest, before, most = 0.0, resident(), 0.0

    async def beat():
        nonlocal longest, most
        while True:
            started, waited = time.perf_counter(), kept_waiting()
            await asyncio.sleep(0.01)
            longest = max(longest, time.perf_counter() - started - (kept_waiting() - waited))
            most = max(most, resident())

    beating = asyncio.create_task(beat())
    yield
    await asyncio.sleep(0.01)
    beating.cancel()
    assert longest < LONGEST_BLOCK
    assert most - before < MOST_MEMORY / 2


async def outcome(path, server, **settings):
    """The text of the answer, or the failure, which is one line."""
    name, own = PATHS[path]
    try:
        return (await ask(name, server, **{**own, **settings})).message.text
    except InfrastructureError as failure:
        caught = failure
    assert "\n" not in str(caught)
    assert len(str(caught)) < 600
    return caught


def serving(path, script, **settings):
    return SERVERS[PATHS[path][0]](script, **settings)


def head(status=200, *headers):
    return "\r\n".join([f"HTTP/1.1 {status} X", *headers, "", ""]).encode()


def endless(start, piece):
    def pieces():
        yield start
        while True:
            yield piece

    return pieces


def chunked(piece):
    return b"%x\r\n%s\r\n" % (len(piece), piece)


def bomb(megabytes):
    """Zeros, packed to a thousandth."""
    packer = zlib.compressobj(9, wbits=31)
    packed = [packer.compress(bytes(MB)) for _ in range(megabytes)]
    return b"".join([*packed, packer.flush()])


BOMB = bomb(200)
JSON = "content-type: application/json"
ANSWER_LIKE = b'{"id": "x", "choices": [{"message": {"role": "assistant", "content": "'
LARGE = {
    "an answer of 50 MB": lambda: Written(
        lambda: [head(200, JSON, f"content-length: {50 * MB}"), ANSWER_LIKE, *[b"x" * MB] * 49]
    ),
    "an answer without end": lambda: Written(endless(head(200, JSON) + ANSWER_LIKE, b"x" * MB)),
    "chunks without end": lambda: Written(
        endless(head(200, JSON, "transfer-encoding: chunked"), chunked(b" " * 2**16))
    ),
    "a bomb of gzip": lambda: Raw(BOMB, headers={"content-encoding": "gzip"}),
    "a bomb of deflate": lambda: Raw(zlib.compress(bytes(40 * MB)), headers={"content-encoding": "deflate"}),
    "a bomb in chunks": lambda: Written(
        lambda: [head(200, JSON, "content-encoding: gzip", "transfer-encoding: chunked"), chunked(BOMB), b"0\r\n\r\n"]
    ),
}  # fmt: skip
LARGE_ERRORS = {
    "an error of 50 MB": lambda status: Written(
        lambda: [head(status, JSON, f"content-length: {50 * MB}"), b'{"error": "', *[b"x" * MB] * 49]
    ),
    "an error without end": lambda status: Written(endless(head(status, "content-type: text/plain"), b"no " * 10_000)),
    "a bomb as an error": lambda status: Raw(BOMB, "text/plain", status, {"content-encoding": "gzip"}),
    "one that is slow to search": lambda status: Failure(status, "length is 1 tokens" * 20_000),
    "one of digits": lambda status: Failure(status, "length is 1 tokens" + "1" * 60_000),
    "one of words that may mean something": lambda status: Failure(status, "max_tokens context " * 10_000),
}  # fmt: skip


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("case", LARGE)
async def test_an_answer_too_large_is_not_retried(path, case):
    with serving(path, [LARGE[case]()]) as server:
        failure = await outcome(path, server)
    assert isinstance(failure, ResponseTooLarge)
    assert re.fullmatch(r".*-test: the answer has more than 16,777,216 bytes", str(failure))


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("case", LARGE_ERRORS)
async def test_an_error_of_any_size_is_cut(path, case):
    with serving(path, [LARGE_ERRORS[case](400)]) as server:
        failure = await outcome(path, server)
    assert isinstance(failure, RequestRejected)
    assert " rejected the request (400: " in str(failure)


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("status", [300, 301, 302, 303, 304, 307, 308])
async def test_a_redirect_is_not_followed(path, status):
    """Whatever the other host says would be scored as the model's answer, and it would get the credentials."""
    with serving(path, []) as other:
        target = f"{other.base_url}/login?token=secret"
        redirect = Raw(b"", "text/html", status, {"location": target})
        with serving(path, [redirect]) as server:
            failure = await outcome(path, server)
    assert other.requests == []
    assert isinstance(failure, ModelError)
    host = other.base_url.split("/")[2]
    assert f"redirects ({status}) to {host}, and redirects are not followed; set base_url" in str(failure)
    assert "secret" not in str(failure)


@pytest.mark.parametrize(
    "location", [None, "", "/elsewhere", "//[", "http://\u0007\x1b[2J", "x" * 7000, "http://u:p@h/"]
)
async def test_an_odd_redirect_is_one_line(location):
    headers = {} if location is None else {"location": location}
    with serving("short", [Raw(b"", status=307, headers=headers)]) as server:
        failure = await outcome("short", server)
    assert isinstance(failure, ModelError | ModelUnavailable)
    assert str(failure).isprintable()
    assert "u:p" not in str(failure)


def answering(text, **headers):
    body = json.dumps({"choices": [{"message": {"role": "assistant", "content": text}}]}).encode()
    return Raw(body, headers=headers)


BROKEN_HTTP = {
    "closed at once": (lambda: [], "connection failed: "),
    "half a status line": (lambda: [b"HTTP/1.1 20"], "connection failed: "),
    "no HTTP": (lambda: [b"SSH-2.0-OpenSSH_9.6\r\n\r\n"], "connection failed: "),
    "HTTP/0.9": (lambda: [b"<html>hello</html>\r\n"], "connection failed: "),
    "HTTP/2": (lambda: [b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"], "connection failed: "),
    "half a head": (lambda: [head(200, JSON)[:-4]], "connection failed: "),
    "half a body": (lambda: [head(200, JSON, "content-length: 500"), b"{"], "connection failed: "),
    "half a chunk": (lambda: [head(200, JSON, "transfer-encoding: chunked"), b"40\r\n{"], "connection failed: "),
    "a chunk of a size that is none": (
        lambda: [head(200, JSON, "transfer-encoding: chunked"), b"zz\r\n{}\r\n"], "connection failed: "),
    "a length that is none": (lambda: [head(200, JSON, "content-length: x"), b"{}"], "connection failed: "),
    "two lengths": (lambda: [head(200, "content-length: 2", "content-length: 3"), b"{}"], "connection failed: "),
    "a length too short": (lambda: [head(200, JSON, "content-length: 4"), b'{"choices": []}'], ""),
    "a head without end": (endless(b"HTTP/1.1 200 X\r\n", b"x: " + b"y" * 1000 + b"\r\n"), "connection failed: "),
    "a header without end": (endless(b"HTTP/1.1 200 X\r\nx: ", b"y" * 1000), "connection failed: "),
    "packed that is not": (lambda: [head(200, JSON, "content-encoding: gzip", "content-length: 2"), b"{}"], "connection failed: "),
    "packed and cut": (lambda: [head(200, JSON, "content-encoding: gzip"), gzip.compress(b"{}" * 99)[:20]], ""),
    "a packing that nobody knows": (lambda: [head(200, JSON, "content-encoding: lzma"), b"\0\1"], ""),
    "an empty body": (lambda: [head(200, JSON, "content-length: 0")], "the answer could not be read: the server sent application/json with an empty body"),
    "no content": (lambda: [head(204)], "the answer could not be read: "),
}  # fmt: skip


@pytest.mark.parametrize("path", ["short", "anthropic"])
@pytest.mark.parametrize("case", BROKEN_HTTP)
async def test_broken_http_is_retried(path, case):
    pieces, reason = BROKEN_HTTP[case]
    with serving(path, lambda request: Answer("42") if request.number else Written(pieces)) as server:
        name, own = PATHS[path]
        reply = await ask(name, server, **own)
    assert reply.message.text == "42"
    assert len(server.requests) == 2
    assert reply.retries[0].reason.startswith(reason)


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    ("pieces", "pause"),
    [(endless(b"HTTP/1.1 200 X\r\n", b"x: y\r\n"), 0.02), (endless(head(200, JSON), b" "), 0.02), (lambda: [b""], 9)],
    ids=["head", "body", "nothing"],
)  # fmt: skip
async def test_a_provider_that_dawdles_is_not_waited_for(path, pieces, pause):
    with serving(path, lambda request: Answer("42") if request.number else Written(pieces, pause)) as server:
        name, own = PATHS[path]
        reply = await ask(name, server, timeout=0.3, **own)
    assert reply.message.text == "42"
    assert reply.retries[0].reason == "no answer within 0.3 s"


NOT_THE_PROTOCOL = {
    "a login": Raw(b"<html><title>Gateway login</title></html>", "text/html; charset=utf-8"),
    "a text": Raw(b"upstream busy", "text/plain"),
    "half of JSON": Raw(b'{"id": "x"'),
    "an object of nothing": Raw(b"{}"),
    "a list": Raw(b"[1]"),
    "null": Raw(b"null"),
    "a number": Raw(b"1e999"),
    "a word": Raw(b'"hello"'),
    "bytes": Raw(bytes(range(256)), "application/octet-stream"),
    "deep": Raw(b"[" * 200_000),
    "UTF-16": Raw('{"choices": []}'.encode("utf-16")),
    "a stream of events": Raw(b'data: {"choices": []}\n\n', "text/event-stream"),
    "no type": Raw(b"hello", ""),
}


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("case", NOT_THE_PROTOCOL)
async def test_a_body_that_is_not_the_protocol_is_shown(path, case):
    fault = NOT_THE_PROTOCOL[case]
    with serving(path, lambda request: fault) as server:
        failure = await outcome(path, server)
    assert isinstance(failure, ModelUnavailable)
    assert "the answer could not be read: the server sent " in str(failure)
    assert fault.content_type.partition(";")[0] in str(failure)
    start = "".join(filter(str.isprintable, fault.body.decode("utf-8", "replace")))[:60]
    assert start in str(failure)
    assert str(failure).isprintable()


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
    ("variable", "content", "said"),
    [
        ("SSL_CERT_FILE", None, "SSL_CERT_FILE names .*, which does not exist"),
        ("SSL_CERT_DIR", None, "SSL_CERT_DIR names .*, which does not exist"),
        ("SSL_CERT_FILE", "no certificate", "SSL_CERT_FILE names .*, which holds no certificates"),
    ],
)
async def test_certificates_that_are_missing_are_named(path, variable, content, said, tmp_path, monkeypatch):
    file = tmp_path / "authorities.pem"
    monkeypatch.setenv(variable, str(file))
    if content is not None:
        file.write_text(content)
    with serving(path, []) as server:
        failure = await outcome(path, server)
    assert isinstance(failure, ModelError)
    assert re.search(said, str(failure))
    assert file.name in str(failure)


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    ("base_url", "said"),
    [
        ("http://no-such-host.invalid/v1", "there is no host 'no-such-host.invalid'; check base_url"),
        ("http://127.0.0.1:99999/v1", "check base_url"),
        ("http://[::1/v1", "base_url: Invalid IPv6 URL"),
    ],
)
async def test_an_address_that_leads_nowhere_ends_the_run(path, base_url, said):
    with serving(path, []) as server:
        failure = await outcome(path, server, base_url=base_url)
    assert isinstance(failure, ModelError)
    assert said in str(failure)


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
    assert "holds a line break" in str(failure)
    assert "planted" not in str(failure)
    assert server.requests == []
