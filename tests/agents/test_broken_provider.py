"""The provider as it must not be, case by case, to the real SDKs over loopback.

Each case ends in an answer or in one line about the fault. The process stays small, and the event loop goes on.
"""

import contextlib
import gc
import gzip
import json
import re
import zlib

import pytest

from ansatz.errors import InfrastructureError, ModelError, ModelUnavailable, RequestRejected, ResponseTooLarge
from tests.agents.providers import ASK, MB, PATHS, ask, bomb, connected, endless, head, outcome, serving
from tests.fakes.behaviours import Answer, Failure, Raw, Recorded, Written

pytestmark = pytest.mark.usefixtures("keys", "no_proxy", "heartbeat")

MAIN, OTHERS = ("short",), ("anthropic", "openai", "responses")


def chunked(piece):
    return b"%x\r\n%s\r\n" % (len(piece), piece)


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
    "a bomb of gzip": lambda: Raw(bomb(), headers={"content-encoding": "gzip"}),
    "a bomb of deflate": lambda: Raw(zlib.compress(bytes(40 * MB)), headers={"content-encoding": "deflate"}),
    "a bomb in chunks": lambda: Written(
        lambda: [head(200, JSON, "content-encoding: gzip", "transfer-encoding: chunked"), chunked(bomb()), b"0\r\n\r\n"]
    ),
}  # fmt: skip
JUST_SMALL_ENOUGH = {
    "a text": lambda: b'"%s"' % (b"x" * 15 * MB),
    "quotation marks": lambda: b'"%s"' % (rb"\"," * 5 * MB),
    "escapes": lambda: b'"%s"' % (rb"\n" * 7 * MB),
    "halves of characters": lambda: b'"%s"' % (rb"\ud83d" * 2 * MB),
    "numbers": lambda: b"[%s0]" % (b"1.5," * 59_000),
    "names": lambda: b"{%s}" % (b'"abcdef":0,' * 59_000)[:-1],
    "objects": lambda: b"[%s0]" % (b"{}," * 59_000),
    "commas in a text": lambda: b'"%s"' % (b"," * 15 * MB),
    "numbers beyond": lambda: b"[%s0]" % (b"1.5," * 4 * MB)[: 15 * MB],
    "names beyond": lambda: b"{%s}" % (b'"abcdef":0,' * MB)[:-1],
    "objects beyond": lambda: b"[%s0]" % (b"{}," * 5 * MB)[: 15 * MB],
}


@pytest.mark.parametrize("path", [*MAIN, *(pytest.param(each, marks=pytest.mark.slow) for each in OTHERS)])
@pytest.mark.parametrize("case", JUST_SMALL_ENOUGH)
async def test_an_answer_just_small_enough_stops_nothing(path, case):
    """As the content of an answer, which may be a text; all other kinds of it cannot be read."""
    content = JUST_SMALL_ENOUGH[case]()
    bodies = {
        "anthropic": b'{"id": "m", "type": "message", "role": "assistant", "model": "m", "stop_reason": "end_turn",'
        b' "usage": {"input_tokens": 1, "output_tokens": 1}, "content": [{"type": "text", "text": %s}]}',
        "responses": b'{"id": "r", "object": "response", "model": "m", "status": "completed", "output": '
        b'[{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": %s, "annotations": []}]}]}',
    }  # fmt: skip
    body = bodies.get(path, b'{"choices": [{"message": {"role": "assistant", "content": %s}}]}') % content
    with serving(path, lambda request: Raw(body)) as server:
        found = await outcome(path, server, timeout=30, retry={"tries": 1})
    gc.collect()  # what the server of the test holds in circles
    if content.startswith(b'"'):
        assert len(found) in (15 * MB, 10 * MB, 7 * MB, 1)
    else:
        assert isinstance(found, ResponseTooLarge if "beyond" in case else InfrastructureError)


@pytest.mark.slow
async def test_events_without_number_leave_the_event_loop_to_others():
    event = b'data: {"choices": [{"index": 0, "delta": {"content": "x"}}]}\n\n'
    body = event * 5_000 + b"data: [DONE]\n\n"
    with serving("openai", [Raw(body, "text/event-stream")]) as server:
        assert await outcome("openai", server, timeout=60, extra={"streaming": True}) == "x" * 5_000


LARGE_ERRORS = {
    "an error of 50 MB": lambda status: Written(
        lambda: [head(status, JSON, f"content-length: {50 * MB}"), b'{"error": "', *[b"x" * MB] * 49]
    ),
    "an error without end": lambda status: Written(endless(head(status, "content-type: text/plain"), b"no " * 10_000)),
    "a bomb as an error": lambda status: Raw(bomb(), "text/plain", status, {"content-encoding": "gzip"}),
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
    """The answer of the other host would be scored as the model's answer, and it would get the credentials."""
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
        lambda: [head(200, JSON, "transfer-encoding: chunked"), b"zz\r\n{}\r\n"], ""),
    "a length that is none": (lambda: [head(200, JSON, "content-length: x"), b"{}"], "connection failed: "),
    "two lengths": (lambda: [head(200, "content-length: 2", "content-length: 3"), b"{}"], "connection failed: "),
    "a length too short": (lambda: [head(200, JSON, "content-length: 4"), b'{"choices": []}'], ""),
    "a head without end": (endless(b"HTTP/1.1 200 X\r\n", b"x: " + b"y" * 1000 + b"\r\n"), "connection failed: "),
    "a header without end": (endless(b"HTTP/1.1 200 X\r\nx: ", b"y" * 1000), "connection failed: "),
    "packed that is not": (lambda: [head(200, JSON, "content-encoding: gzip", "content-length: 2"), b"{}"], "connection failed: "),
    "packed and cut": (lambda: [head(200, JSON, "content-encoding: gzip"), gzip.compress(b"{}" * 99)[:20]], ""),
    "an unknown compression": (lambda: [head(200, JSON, "content-encoding: lzma"), b"\0\1"], ""),
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


ODD = [None, [], {}, "x", 5, [5], [{}], [None], True, 1e300, {"type": 7}]
OPENAI = {
    "choices": [
        {
            "index": 0,
            "message": {
                "role": "assistant",
                "content": "42",
                "tool_calls": [{"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}],
            },
            "finish_reason": "stop",
        }
    ],
    "id": "x",
    "model": "m",
}
ANTHROPIC = {
    "id": "m",
    "type": "message",
    "role": "assistant",
    "model": "m",
    "stop_reason": "end_turn",
    "content": [{"type": "text", "text": "42"}, {"type": "tool_use", "id": "c", "name": "f", "input": {}}],
    "usage": {"input_tokens": 1, "output_tokens": 1},
}
FIELDS = [
    *(("short", OPENAI, place) for place in (
        ["choices"], ["choices", 0], ["choices", 0, "message"], ["choices", 0, "message", "role"],
        ["choices", 0, "message", "content"], ["choices", 0, "message", "tool_calls"],
        ["choices", 0, "message", "tool_calls", 0], ["choices", 0, "message", "tool_calls", 0, "function"],
        ["choices", 0, "message", "tool_calls", 0, "function", "arguments"],
        ["choices", 0, "message", "refusal"], ["choices", 0, "finish_reason"], ["error"], ["id"], ["model"])),
    *(("anthropic", ANTHROPIC, place) for place in (
        ["content"], ["content", 0], ["content", 0, "type"], ["content", 0, "text"], ["content", 1, "input"],
        ["content", 1, "name"], ["role"], ["stop_reason"], ["type"], ["id"], ["model"])),
]  # fmt: skip


def changed(body, place, value):
    """A copy of a body with another value in one place."""
    copy = json.loads(json.dumps(body))
    at = copy
    for step in place[:-1]:
        at = at[step]
    at[place[-1]] = value
    return copy


@pytest.mark.parametrize(
    ("path", "body", "place"), FIELDS, ids=[f"{p}-{'.'.join(map(str, at))}" for p, _, at in FIELDS]
)
async def test_a_field_of_another_kind_ends_in_an_answer_or_one_line(path, body, place):
    """Eleven odd values in each place, and for OpenAI by both ways to it."""
    for each in [path] if path == "anthropic" else ["short", "openai"]:
        name, own = PATHS[each]
        script = [Recorded(200, changed(body, place, value)) for value in ODD]
        with serving(each, script) as server:
            async with connected(name, server, retry={"tries": 1}, **own) as client:
                for _ in ODD:
                    with contextlib.suppress(InfrastructureError):
                        assert isinstance((await client.reply(ASK, ())).message.text, str)
        assert len(server.requests) == len(ODD)
