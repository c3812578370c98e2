"""Replies that real providers gave, served over loopback to the real SDKs: nothing of them is lost."""

import json
import os
from pathlib import Path

import pytest

from ansatz.agents.client import finish_reason, is_refusal, read_usage
from ansatz.errors import ModelError, RequestRejected
from tests.agents.providers import ask
from tests.fakes.behaviours import Recorded
from tests.fakes.openai_server import OpenAIServer

ROOT = Path(__file__).resolve().parents[2]
PLACES = [
    os.environ.get("ANSATZ_SHARED", ROOT / "shared"),
    ROOT.parent / "shared",
    ROOT.parents[1] / "shared",
]
FILES = [file for place in PLACES if (file := Path(place) / "data/wire/replies.jsonl").is_file()]
REPLIES = [json.loads(line) for line in FILES[0].read_text().splitlines()] if FILES else []

pytestmark = [
    pytest.mark.usefixtures("keys"),
    pytest.mark.filterwarnings("ignore:The model .* is deprecated:DeprecationWarning"),
    pytest.mark.skipif(
        not FILES, reason="no recorded replies: put data/wire/replies.jsonl into shared/ next to the checkout"
    ),
]


class Replaying(OpenAIServer):
    """Answers every request with the recorded reply, in any protocol."""

    def complaint(self, request):
        return None


def read_chat(body):
    """Text, calls by id, name and arguments, how it ended, and tokens, as the recorded body has them."""
    [choice] = body["choices"]
    called = [(call["id"], call["function"]) for call in choice["message"].get("tool_calls") or []]
    calls = [(id, each["name"], json.loads(each["arguments"] or "{}")) for id, each in called]
    used = body["usage"]
    cached = (used.get("prompt_tokens_details") or {}).get("cached_tokens")
    reasoning = (used.get("completion_tokens_details") or {}).get("reasoning_tokens")
    tokens = used["prompt_tokens"], used["completion_tokens"], cached or 0, reasoning or 0
    return choice["message"]["content"] or "", calls, choice["finish_reason"], tokens


def read_responses(body):
    parts = [part for item in body["output"] for part in item.get("content") or []]
    text = "".join(part["text"] for part in parts if part["type"] == "output_text")
    called = [item for item in body["output"] if item["type"] == "function_call"]
    calls = [(each["call_id"], each["name"], json.loads(each["arguments"])) for each in called]
    reason = (body.get("incomplete_details") or {}).get("reason")
    ended = {None: "tool_calls" if calls else "stop", "max_output_tokens": "length"}.get(reason, reason)
    used = body["usage"]
    cached, out = used["input_tokens_details"]["cached_tokens"], used["output_tokens_details"]
    return text, calls, ended, (used["input_tokens"], used["output_tokens"], cached, out["reasoning_tokens"])


def read_messages(body):
    """Of Anthropic, whose prompts are counted without what is read from the cache or written to it."""
    text = "".join(part["text"] for part in body["content"] if part["type"] == "text")
    calls = [(p["id"], p["name"], p["input"]) for p in body["content"] if p["type"] == "tool_use"]
    used = body["usage"]
    cached, written = (used.get(f"cache_{kind}_input_tokens") or 0 for kind in ("read", "creation"))
    reasoning = (used.get("output_tokens_details") or {}).get("thinking_tokens") or 0
    tokens = used["input_tokens"] + cached + written, used["output_tokens"], cached, reasoning
    return text, calls, body["stop_reason"], tokens


READERS = {"chat": read_chat, "responses": read_responses, "anthropic": read_messages}


async def replayed(recorded):
    kind = recorded["kind"]
    name = f"{'anthropic' if kind == 'anthropic' else 'openai'}:{recorded['model']}"
    with Replaying(lambda request: Recorded(recorded["status"], recorded["response"])) as server:
        if kind == "anthropic":
            server.base_url = server.base_url.removesuffix("/v1")
        reply = await ask(name, server, extra={"use_responses_api": True} if kind == "responses" else {})
    assert len(server.requests) == 1
    return reply


@pytest.mark.parametrize("recorded", [r for r in REPLIES if r["status"] == 200], ids=lambda r: r["id"])
async def test_a_recorded_reply_is_read_whole(recorded):
    body = recorded["response"]
    message = (await replayed(recorded)).message
    calls, used = [(c["id"], c["name"], c["args"]) for c in message.tool_calls], read_usage(message)
    tokens = used.input, used.output, used.cached_input or 0, used.reasoning or 0
    assert (message.text, calls, finish_reason(message), tokens) == READERS[recorded["kind"]](body)
    assert is_refusal(message) == ('"refusal"' in json.dumps(body).replace('"refusal": null', ""))


@pytest.mark.parametrize("recorded", [r for r in REPLIES if r["status"] != 200], ids=lambda r: r["id"])
async def test_a_recorded_error_is_one_clear_line(recorded):
    with pytest.raises((RequestRejected, ModelError)) as caught:
        await replayed(recorded)
    line = str(caught.value)
    assert "\n" not in line and str(recorded["status"]) in line
    assert " ".join(recorded["response"]["error"]["message"].split())[:60] in line
