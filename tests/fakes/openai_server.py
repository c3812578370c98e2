"""A loopback server that speaks OpenAI's chat completions and responses APIs."""

from __future__ import annotations

import json
from typing import Any

from tests.fakes.behaviours import Answer, Failure, Request
from tests.fakes.provider_server import ProviderServer


class OpenAIServer(ProviderServer):
    base_path = "/v1"

    def complaint(self, request: Request) -> Failure | None:
        if request.path not in ("/v1/chat/completions", "/v1/responses"):
            return Failure(404, f"Invalid URL (POST {request.path})")
        if "authorization" not in request.headers:
            return Failure(401, "You didn't provide an API key.", "invalid_api_key")
        if not (request.body.get("messages") or request.body.get("input")):
            return Failure(400, "Missing required parameter: 'messages'.", "missing_required_parameter")
        orphans = _unanswered(request.body.get("messages", []))
        if orphans:
            return Failure(400, f"tool messages do not answer the tool calls: {orphans}")
        return None

    def encode(self, answer: Answer, request: Request) -> dict[str, Any]:
        wire = _response if request.path == "/v1/responses" else _chat_completion
        return wire(answer, request)

    def encode_failure(self, failure: Failure) -> dict[str, Any]:
        kind = "server_error" if failure.status >= 500 else "invalid_request_error"
        return {"error": {"message": failure.message, "type": kind, "param": None, "code": failure.code}}


def _unanswered(messages: list[dict[str, Any]]) -> set[str]:
    """Ids of tool calls without a tool message, and of tool messages without a call."""
    called = {call["id"] for message in messages for call in message.get("tool_calls") or []}
    return called ^ {message["tool_call_id"] for message in messages if message["role"] == "tool"}


def _chat_completion(answer: Answer, request: Request) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": answer.text, "refusal": answer.refusal}
    if answer.calls:
        message["tool_calls"] = [
            {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}
            for call_id, name, arguments in _calls(answer, request)
        ]
    return {
        "id": f"chatcmpl-{request.number}",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": request.body.get("model"),
        "choices": [{"index": 0, "message": message, "finish_reason": answer.finish_reason}],
        "usage": {
            "prompt_tokens": answer.tokens.input,
            "completion_tokens": answer.tokens.output,
            "total_tokens": answer.tokens.input + answer.tokens.output,
            "prompt_tokens_details": {"cached_tokens": answer.tokens.cached},
            "completion_tokens_details": {"reasoning_tokens": answer.tokens.reasoning},
        },
    }


def _response(answer: Answer, request: Request) -> dict[str, Any]:
    incomplete = {"length": "max_output_tokens", "content_filter": "content_filter"}.get(answer.finish_reason)
    output: list[dict[str, Any]] = [
        {"type": "function_call", "id": f"fc_{call_id}", "call_id": call_id, "name": name, "arguments": text}
        for call_id, name, text in _calls(answer, request)
    ]
    if answer.text or not answer.calls:
        part = {"type": "output_text", "text": answer.text, "annotations": []}
        message = {"type": "message", "id": f"msg_{request.number}", "role": "assistant", "content": [part]}
        output.insert(0, {**message, "status": "completed"})
    return {
        "id": f"resp_{request.number}",
        "object": "response",
        "created_at": 1_700_000_000,
        "model": request.body.get("model"),
        "status": "incomplete" if incomplete else "completed",
        "incomplete_details": {"reason": incomplete} if incomplete else None,
        "error": None,
        "output": output,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": {
            "input_tokens": answer.tokens.input,
            "output_tokens": answer.tokens.output,
            "total_tokens": answer.tokens.input + answer.tokens.output,
            "input_tokens_details": {"cached_tokens": answer.tokens.cached},
            "output_tokens_details": {"reasoning_tokens": answer.tokens.reasoning},
        },
    }


def _calls(answer: Answer, request: Request) -> list[tuple[str, str, str]]:
    return [
        (f"call_{request.number}_{index}", name, json.dumps(arguments))
        for index, (name, arguments) in enumerate(answer.calls)
    ]
