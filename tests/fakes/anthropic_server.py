"""A loopback server that speaks Anthropic's messages API."""

from __future__ import annotations

from typing import Any

from tests.fakes.behaviours import Answer, Failure, Request
from tests.fakes.provider_server import ProviderServer

_STOP_REASON = {
    "stop": "end_turn",
    "tool_calls": "tool_use",
    "length": "max_tokens",
    "content_filter": "refusal",
}
_ERROR_TYPE = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    429: "rate_limit_error",
    529: "overloaded_error",
}


class AnthropicServer(ProviderServer):
    def complaint(self, request: Request) -> Failure | None:
        if request.path != "/v1/messages":
            return Failure(404, f"no such path: {request.path}")
        if not {"x-api-key", "authorization"} & request.headers.keys():
            return Failure(401, "x-api-key header is required")
        if "anthropic-version" not in request.headers:
            return Failure(400, "anthropic-version: header is required")
        missing = {"model", "messages", "max_tokens"} - request.body.keys()
        if missing:
            return Failure(400, f"{', '.join(sorted(missing))}: Field required")
        return None

    def encode(self, answer: Answer, request: Request) -> dict[str, Any]:
        content: list[dict[str, Any]] = [{"type": "text", "text": answer.text}] if answer.text else []
        content += [
            {"type": "tool_use", "id": f"toolu_{request.number}_{index}", "name": name, "input": arguments}
            for index, (name, arguments) in enumerate(answer.calls)
        ]
        return {
            "id": f"msg_{request.number}",
            "type": "message",
            "role": "assistant",
            "model": request.body["model"],
            "content": content,
            "stop_reason": _STOP_REASON[answer.finish_reason],
            "stop_sequence": None,
            "usage": {
                "input_tokens": answer.tokens.input - answer.tokens.cached,
                "cache_creation_input_tokens": 0,
                "cache_read_input_tokens": answer.tokens.cached,
                "output_tokens": answer.tokens.output,
                "output_tokens_details": {"thinking_tokens": answer.tokens.reasoning},
            },
        }

    def encode_failure(self, failure: Failure) -> dict[str, Any]:
        kind = _ERROR_TYPE.get(failure.status, "api_error")
        return {"type": "error", "error": {"type": kind, "message": failure.message}}
