"""Replies that real providers gave, served over loopback to the real SDKs: nothing of them is lost."""

import json
import os
from contextlib import aclosing
from pathlib import Path

import pytest

from ansatz.agents.client import finish_reason, is_refusal, usage_of
from ansatz.agents.models import ModelError, ModelSettings, RequestRejected, connect
from tests.agents.providers import ASK, IMPATIENT
from tests.fakes.behaviours import Recorded
from tests.fakes.openai_server import OpenAIServer

ROOT = Path(__file__).resolve().parents[2]
PLACES = [
    Path(os.environ.get("ANSATZ_SHARED", ROOT / "shared")),
    ROOT.parent / "shared",
    ROOT.parent.parent / "shared",
]
FOUND = [
    place / "data/wire/replies.jsonl" for place in PLACES if (place / "data/wire/replies.jsonl").is_file()
]
REPLIES = [json.loads(line) for line in FOUND[0].read_text().splitlines()] if FOUND else []

pytestmark = [
    pytest.mark.usefixtures("keys"),
    pytest.mark.filterwarnings("ignore:The model .* is deprecated:DeprecationWarning"),
    pytest.mark.skipif(
        not FOUND, reason="no recorded replies: put data/wire/replies.jsonl into shared/ beside the checkout"
    ),
]


class Replaying(OpenAIServer):
    """Says to any request what was recorded, whatever the protocol."""

    def complaint(self, request):
        return None


def said(kind, body):
    """Text, calls by id, name and arguments, and how it ended, as the recorded body has them."""
    if kind == "chat":
        [choice] = body["choices"]
        message = choice["message"]
        calls = [
            (c["id"], c["function"]["name"], json.loads(c["function"]["arguments"] or "{}"))
            for c in message.get("tool_calls") or []
        ]
        return message["content"] or "", calls, choice["finish_reason"]
    parts = (
        body["content"]
        if kind == "anthropic"
        else [p for item in body["output"] for p in item.get("content") or []]
    )
    text = "".join(part["text"] for part in parts if part["type"] in ("text", "output_text"))
    if kind == "anthropic":
        calls = [(p["id"], p["name"], p["input"]) for p in parts if p["type"] == "tool_use"]
        return text, calls, body["stop_reason"]
    items = [item for item in body["output"] if item["type"] == "function_call"]
    calls = [(item["call_id"], item["name"], json.loads(item["arguments"])) for item in items]
    reason = (body.get("incomplete_details") or {}).get("reason")
    ended = {None: "tool_calls" if calls else "stop", "max_output_tokens": "length"}.get(reason, reason)
    return text, calls, ended


def counted(kind, used):
    """Tokens of the prompt (caches included), of the answer, from the cache, and of hidden reasoning."""
    if kind == "chat":
        read, written = used["prompt_tokens"], used["completion_tokens"]
        cached = (used.get("prompt_tokens_details") or {}).get("cached_tokens")
        return read, written, cached, (used.get("completion_tokens_details") or {}).get("reasoning_tokens")
    cached = used.get("cache_read_input_tokens") or 0
    if kind == "anthropic":
        read = used["input_tokens"] + cached + (used.get("cache_creation_input_tokens") or 0)
        return (
            read,
            used["output_tokens"],
            cached,
            (used.get("output_tokens_details") or {}).get("thinking_tokens"),
        )
    details, out = used["input_tokens_details"], used["output_tokens_details"]
    return used["input_tokens"], used["output_tokens"], details["cached_tokens"], out["reasoning_tokens"]


async def ask(recorded):
    kind = recorded["kind"]
    name = f"{'anthropic' if kind == 'anthropic' else 'openai'}:{recorded['model']}"
    with Replaying(lambda request: Recorded(recorded["status"], recorded["response"])) as server:
        url = server.base_url.removesuffix("/v1") if kind == "anthropic" else server.base_url
        extra = {"use_responses_api": True} if kind == "responses" else {}
        settings = ModelSettings(base_url=url, retry=IMPATIENT, extra=extra)
        async with aclosing(connect(name, settings)) as client:
            reply = await client.reply(ASK, ())
    assert len(server.requests) == 1
    return reply


@pytest.mark.parametrize("recorded", [r for r in REPLIES if r["status"] == 200], ids=lambda r: r["id"])
async def test_a_recorded_reply_is_read_whole(recorded):
    kind, body = recorded["kind"], recorded["response"]
    message = (await ask(recorded)).message
    text, calls, ended = said(kind, body)
    assert message.text == text
    assert [(c["id"], c["name"], c["args"]) for c in message.tool_calls] == calls
    assert finish_reason(message) == ended
    used = usage_of(message)
    read, written, cached, reasoning = counted(kind, body["usage"])
    assert (used.input, used.output) == (read, written)
    assert (used.cached_input or 0, used.reasoning or 0) == (cached or 0, reasoning or 0)
    refused = '"refusal"' in json.dumps(body).replace('"refusal": null', "")
    assert is_refusal(message) == refused


@pytest.mark.parametrize("recorded", [r for r in REPLIES if r["status"] != 200], ids=lambda r: r["id"])
async def test_a_recorded_error_is_one_clear_line(recorded):
    with pytest.raises((RequestRejected, ModelError)) as caught:
        await ask(recorded)
    line = str(caught.value)
    assert "\n" not in line and str(recorded["status"]) in line
    assert " ".join(recorded["response"]["error"]["message"].split())[:60] in line
