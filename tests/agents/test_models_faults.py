"""The real SDKs against servers that fail: what is retried, what is given up, what is an answer."""

import asyncio
import re

import pytest
from langchain_core.language_models import FakeListChatModel

from ansatz.agents import AgentPlan, Question, run_agent
from ansatz.agents.models import connect
from ansatz.errors import ModelError, ModelUnavailable, RequestRejected
from tests.agents.providers import ASK, KEY, SERVERS, ask, connected, double
from tests.fakes.behaviours import Answer, Dropped, Failure, Raw, Recorded, Slow
from tests.fakes.openai_server import OpenAIServer

pytestmark = pytest.mark.usefixtures("keys")


PASSING = [
    (Failure(429, "slow down", headers={"retry-after": "0.01"}), "429: slow down"),
    (Failure(408), "408: the fake has to fail"),
    (Failure(409), "409: the fake has to fail"),
    (Failure(500), "500: the fake has to fail"),
    (Failure(503), "503: the fake has to fail"),
    (Failure(529, "Overloaded"), "529: Overloaded"),
    (Dropped(), "connection failed: ServerDisconnectedError: Server disconnected"),
    (Dropped(midway=True), "connection failed: ContentLengthError"),
    (
        Raw(b'{"id": "chatcmpl-1", '),
        "the answer could not be read: the server sent application/json: .*JSONDecodeError",
    ),
    (
        Raw(b"<html>busy</html>", "text/html"),
        "the answer could not be read: the server sent text/html: <html>busy</html>$",
    ),
    (Raw(b"{}"), "the answer could not be read"),
    (Raw(b"[1]"), "the answer could not be read"),
    (Slow(30.0), "no answer within 0.5 s"),
]
CALLED_A_SUCCESS = [  # by a gateway
    ({"error": {"message": "upstream is down", "code": 502}}, "the answer could not be read: .*upstream is down"),
    ({"choices": []}, "the answer could not be read: .*IndexError"),
    ({"choices": [{"message": {"role": "assistant", "content": ""}, "finish_reason": "error"}]}, ".*broke off"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "fault", "reason"),
    [
        *((name, *row) for name in SERVERS for row in PASSING),
        *(("openai:m", Recorded(200, body), reason) for body, reason in CALLED_A_SUCCESS),
    ],
)
async def test_a_passing_failure_is_retried_and_recorded(name, fault, reason):
    with SERVERS.get(name, OpenAIServer)([fault, Answer("42 kJ")]) as server:
        reply = await ask(name, server, timeout=0.5 if isinstance(fault, Slow) else 5.0)
    assert reply.message.text == "42 kJ"
    assert len(server.requests) == 2
    [retry] = reply.retries
    assert re.match(reason, retry.reason)
    assert 0 < retry.waited < 0.1


@pytest.mark.parametrize(
    "call",
    [
        {"id": "1", "function": {"name": "double", "arguments": '{"number": '}},
        {"id": "1", "function": {"name": "double", "arguments": "[21]"}},
        {"id": None, "function": {"name": "double", "arguments": '{"number": "a"}'}},
        {"id": "1", "function": {"name": None, "arguments": '{"number": 21}'}},
        {"function": {"name": "double", "arguments": '{"number": 21}'}},
    ],
)
async def test_a_call_that_cannot_be_run_is_the_models_mistake(call):
    message = {"role": "assistant", "content": None, "tool_calls": [{"type": "function", **call}]}
    script = [Recorded(200, {"choices": [{"message": message}]}), Answer("42 kJ")]
    with OpenAIServer(script) as server:
        server.complaint = lambda request: None
        async with connected("openai:m", server) as client:
            transcript = await run_agent(AgentPlan().equip(double), Question("?"), client)
    assert transcript.answer == "42 kJ"
    [made] = transcript.tool_calls
    assert (made.ok, made.result.startswith("Error: ")) == (("id" not in call), ("id" in call))


async def test_half_a_character_does_not_cost_the_whole_answer(name):
    """Python could neither keep nor send it: the answer would be paid for again and again."""
    with SERVERS[name]([Answer("42 \ud83d", calls=(("double", {"number": "\udc00"}),))]) as server:
        reply = await ask(name, server, [double])
    assert (reply.message.text, reply.message.tool_calls[0]["args"]) == ("42 \ufffd", {"number": "\ufffd"})


async def test_a_model_without_tools_ends_the_run_in_one_line():
    with pytest.raises(ModelError, match=r"^mute takes no tools, and an arm has some; leave that arm out$"):
        await connect(FakeListChatModel(responses=["42"], name="mute")).reply(ASK, [double])


def test_a_client_whose_reply_takes_no_context_is_refused():
    class Old:
        async def reply(self, messages, tools): ...

    with pytest.raises(ModelError, match="messages, tools and context"):
        connect(Old())


async def test_where_one_address_fails_the_next_is_asked(name):
    """And stays the one to ask until it fails too. Only the first is part of the identity."""
    with (
        SERVERS[name]([Failure(503), Answer("3")]) as first,
        SERVERS[name]([Answer("1"), Answer("2"), Dropped()]) as other,
    ):
        async with connected(name, first, base_url=[first.base_url, other.base_url]) as client:
            assert [(await client.reply(ASK, ())).message.text for _ in range(3)] == ["1", "2", "3"]
        assert client.identity == connect(name, {"base_url": first.base_url}).identity


async def test_waiting_is_no_working_time(name):
    with SERVERS[name]([Failure(429, headers={"retry-after": "0.5"}), Answer("42 kJ")]) as server:
        reply = await ask(name, server)
    assert reply.seconds < 0.5 <= reply.retries[0].waited


@pytest.mark.parametrize(
    ("failure", "expected", "tries"),
    [
        (Failure(503, "down for\nrepair"), r"gave no answer in 3 tries: 503: down for repair$", 3),
        (Failure(429, "resting", headers={"retry-after": "3600"}), r"it asks to wait 36\d+ s, more than the 1 s", 1),
    ],
    ids=["no more tries", "too long a wait"],
)  # fmt: skip
async def test_patience_ends_with_one_line(name, failure, expected, tries):
    server = SERVERS[name](lambda request: failure)
    with server, pytest.raises(ModelUnavailable, match=expected) as caught:
        await ask(name, server)
    assert (len(server.requests), len(caught.value.retries)) == (tries, tries - 1)


@pytest.mark.parametrize(
    ("failure", "kind", "expected"),
    [
        (Failure(401, f"Incorrect API key: {KEY}"), ModelError, r"key: \[key\]\); check .*_API_KEY"),
        (Failure(403, "no access"), ModelError, "403: no access"),
        (Failure(404, "The model does not exist"), ModelError, "check that .* serves a model '.*-test'"),
        (Failure(429, "You exceeded your current quota", "insufficient_quota"), ModelError, "current quota"),
        (Failure(400, "Invalid schema for function 'double'"), RequestRejected, "Invalid schema"),
        (Failure(400, "max_tokens is too large: 50000. This model supports at most 4096"), RequestRejected, "lower max_tokens"),
        (Failure(400, "max_tokens: 16384 > 4096, which is the maximum allowed"), RequestRejected, "lower max_tokens"),
        (Failure(400, "'max_tokens' is too large: 16384. This model's maximum context length is 8192 tokens"), RequestRejected, "lower max_tokens"),
        (Failure(400, "maximum context length is 8192 tokens. However, you requested 8300 tokens (200 in the messages, 8100 in the completion)"), RequestRejected, "lower max_tokens"),
        (Failure(422, "cannot process"), RequestRejected, "422: cannot process"),
        (Failure(402, "Insufficient Balance"), ModelError, "402: Insufficient Balance"),
        (Failure(400, "Your credit balance is too low"), ModelError, "credit balance is too low"),
        (Recorded(400, '[{"error": {"message": "no such field"}}]'), RequestRejected, r"\(400: no such field\)"),
        (Recorded(400, '{"error": {"message": "\\u001b[2Jgone"}}'), RequestRejected, r"\(400: \[2Jgone\)"),
        (Recorded(422, '{"detail": [{"msg": "Field required"}]}'), RequestRejected, r"\(422: Field required\)"),
    ],
)  # fmt: skip
async def test_a_permanent_failure_is_not_retried(name, failure, kind, expected):
    with SERVERS[name]([failure]) as server, pytest.raises(kind, match=expected) as caught:
        await ask(name, server)
    assert "\n" not in str(caught.value)
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("failure", "stop"),
    [
        (Failure(400, "This model's maximum context length is 8192 tokens."), "truncated"),
        (Failure(400, "maximum context length is 8192 tokens. However, you requested 9300 tokens (9200 in the messages, 100 in the completion)"), "truncated"),
        (Failure(400, "prompt is too long: 210000 tokens > 200000 maximum"), "truncated"),
        (Failure(400, "the request exceeds the available context size"), "truncated"),
        (Failure(400, "Output blocked by content filtering policy, a content policy matter"), "refused"),
    ],
)  # fmt: skip
async def test_a_request_the_model_cannot_take_counts_as_no_answer(name, failure, stop):
    with SERVERS[name]([failure]) as server:
        async with connected(name, server) as client:
            transcript = await run_agent(AgentPlan(), Question("A very long one."), client)
    assert (transcript.answer, transcript.stop) == ("", stop)


async def test_an_unanswered_request_can_be_cancelled(name):
    with SERVERS[name]([Slow(30.0)]) as server:
        asking = asyncio.create_task(ask(name, server))
        while not server.requests:
            await asyncio.sleep(0.01)
        asking.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asking
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "fault",
    [
        Failure(401, f"bad key {KEY}"),
        Failure(400, f"bad header Bearer {KEY}"),
        Failure(500, f"crashed with {KEY} in hand"),
        Raw(f'{{"error": "{KEY}"}}'.encode()),
        Raw(KEY.encode(), "text/plain"),
        Raw(b" " * 7994 + KEY.encode(), "text/plain"),  # half of which is beyond what is looked at
        Failure(400, " " * 7994 + KEY),
        Dropped(),
    ],
)
async def test_a_key_never_shows(name, fault, caplog):
    with SERVERS[name](lambda request: fault if request.number < 3 else Answer("42")) as server:
        async with connected(name, server) as client:
            shown = [repr(client), str(client.identity)]
            while len(server.requests) < 3:
                with pytest.raises((ModelError, ModelUnavailable, RequestRejected)) as caught:
                    await client.reply(ASK, ())
                shown += [str(caught.value), repr(caught.value), str(vars(caught.value))]
            shown.append((await run_agent(AgentPlan(), Question("?"), client)).model_dump_json())
    assert KEY in str(server.requests[0].headers)
    assert KEY[:6] not in "".join([*shown, caplog.text])
