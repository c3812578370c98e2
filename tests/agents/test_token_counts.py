"""A provider's counts of tokens: an answer is paid for and stored whatever they are."""

import asyncio
import json
import math
import time

import pytest
from langchain_core.messages import AIMessage

from ansatz.agents import Usage, read_usage
from tests.agents.providers import ASK, PATHS, connected, outcome, serving
from tests.agents.test_broken_provider import ANTHROPIC
from tests.fakes.behaviours import Answer, Raw, Slow

pytestmark = pytest.mark.usefixtures("keys", "no_proxy")
RESPONSE = {
    "id": "r", "object": "response", "created_at": 1, "model": "m", "status": "completed", "error": None,
    "output": [{"type": "message", "id": "m", "role": "assistant", "status": "completed",
                "content": [{"type": "output_text", "text": "42", "annotations": []}]}],
    "parallel_tool_calls": True, "tool_choice": "auto", "tools": [],
}  # fmt: skip
BODIES = {
    "short": {"id": "x", "model": "m", "choices": [{"index": 0, "message": {"role": "assistant", "content": "42"}, "finish_reason": "stop"}]},
    "responses": RESPONSE,
    "anthropic": {**ANTHROPIC, "content": [{"type": "text", "text": "42"}]},
}  # fmt: skip
BODIES["openai"] = BODIES["short"]
NAMES = {"anthropic": ("input_tokens", "output_tokens"), "responses": ("input_tokens", "output_tokens")}
ODD = {
    "negative": -5,
    "a fraction": 1.5,
    "huge": 2**63,
    "absurd": 10**30,
    "a text": "12",
    "NaN": math.nan,
    "infinite": math.inf,
    "true": True,
    "null": None,
    "a list": [1],
    "an object": {"n": 1},
}


async def usage_reported(path, usage):
    body = json.dumps({**BODIES[path], "usage": usage}).encode()
    name, own = PATHS[path]
    with serving(path, [Raw(body)]) as server:
        async with connected(name, server, **own) as client:
            reply = await client.reply(ASK, ())
    assert reply.message.text == "42"
    assert reply.retries == ()
    return read_usage(reply.message)


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize("case", ODD)
async def test_an_odd_count_is_not_reported(path, place, case):
    counts = [20, 6]
    counts[place] = ODD[case]
    read, written = NAMES.get(path, ("prompt_tokens", "completion_tokens"))
    assert await usage_reported(path, {read: counts[0], written: counts[1], "total_tokens": 26}) is None


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("usage", [None, [], "many", 7, {}, {"total_tokens": "x"}], ids=repr)
async def test_an_odd_usage_is_not_reported(path, usage):
    assert await usage_reported(path, usage) is None


@pytest.mark.parametrize("path", ["short", "openai"])
@pytest.mark.parametrize("case", ODD)
async def test_an_odd_detail_leaves_the_counts(path, case):
    details = {"prompt_tokens_details": {"cached_tokens": ODD[case]}, "completion_tokens_details": ODD[case]}
    found = await usage_reported(
        path, {"prompt_tokens": 20, "completion_tokens": 6, "total_tokens": ODD[case], **details}
    )
    assert found == Usage(input=20, output=6)


@pytest.mark.parametrize("path", ["openai", "anthropic"])
async def test_odd_counts_in_a_stream_are_not_reported(path):
    text = {"role": "assistant", "content": "42"}
    events = {
        "openai": [
            {"choices": [{"index": 0, "delta": text}]},
            {"choices": [], "usage": {"prompt_tokens": -1, "completion_tokens": 1e300, "total_tokens": "x"}},
        ],
        "anthropic": [
            {"type": "message_start", "message": {**ANTHROPIC, "content": [], "usage": {"input_tokens": -7, "output_tokens": 1}}},
            {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
            {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "42"}},
            {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": "many"}},
            {"type": "message_stop"},
        ],
    }[path]  # fmt: skip
    body = "".join(f"event: {each.get('type')}\ndata: {json.dumps(each)}\n\n" for each in events)
    with serving(path, [Raw(body.encode(), "text/event-stream")]) as server:
        async with connected(PATHS[path][0], server, extra={"streaming": True}) as client:
            reply = await client.reply(ASK, ())
    assert (reply.message.text, read_usage(reply.message)) == ("42", None)


@pytest.mark.parametrize(
    ("reported", "usage"),
    [
        ({"input_tokens": 0, "output_tokens": 0}, None),
        ({"input_tokens": -1, "output_tokens": 5}, None),
        ({"input_tokens": 2**53, "output_tokens": 5}, None),
        ({"input_tokens": 9, "output_tokens": 5, "input_token_details": {"cache_read": 10}}, Usage(input=9, output=5)),
        (
            {"input_tokens": 9, "output_tokens": 5, "output_token_details": {"reasoning": 5}},
            Usage(input=9, output=5, reasoning=5),
        ),
    ],
)  # fmt: skip
def test_usage_of_any_chat_model_is_checked(reported, usage):
    message = AIMessage("42", usage_metadata={"total_tokens": 1, **reported})
    assert read_usage(message) == usage


@pytest.mark.parametrize("path", PATHS)
async def test_what_arrived_before_a_suspension_is_read(path):
    """A blocked event loop is to timers what SIGSTOP is: all deadlines have passed when it goes on."""
    with serving(path, [Slow(0.1, Answer("42"))]) as server:
        asking = asyncio.create_task(outcome(path, server, timeout=0.5))
        while not server.requests:
            await asyncio.sleep(0.01)
        time.sleep(0.8)
        assert await asking == "42"
    assert len(server.requests) == 1
