"""The record of one attempt, as data that can be stored and scored again."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from ansatz.agents.answer_form import AnswerForm

StopReason = Literal[
    "answered", "empty", "refused", "truncated", "model_calls", "tool_calls", "tokens", "seconds"
]


_LAST_NUMBER = re.compile(r"\d[\d.,' ]*$")


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Usage(_Frozen):
    """Tokens of one request. A detail is None, and both counts are 0, if they are not reported."""

    input: int = 0
    """Tokens of the prompt."""
    output: int = 0
    """Tokens of the answer, including hidden reasoning."""
    cached_input: int | None = None
    """The part of `input` that was read from the provider's cache."""
    cache_write: int | None = None
    """The part of `input` that was written to the provider's cache."""
    reasoning: int | None = None
    """The part of `output` that is hidden reasoning."""

    @property
    def is_reported(self) -> bool:
        """Whether the numbers of tokens are known."""
        return bool(self.input or self.output)


class Retry(_Frozen):
    """One failed try of a request that was repeated."""

    reason: str
    """Why it failed."""
    waited: float
    """The wait before the next try, in seconds."""


class ModelCall(_Frozen):
    """One request to a model."""

    node: str
    """The graph node that sent it."""
    seconds: float
    """Working time of the model, without waits between retries."""
    usage: Usage
    """Its tokens."""
    retries: tuple[Retry, ...] = ()
    """The tries that failed before."""
    remembered: bool = False
    """Whether the reply came from the ledger or the cache."""
    finish: str | None = None
    """The provider's word for why the model stopped."""
    model: str | None = None
    """The consulted model; None for the model that answers."""


class ToolCall(_Frozen):
    """One call of a tool."""

    name: str
    """The name of the tool."""
    arguments: dict[str, Any]
    """The arguments that the model wrote."""
    result: str
    """The text that the model got."""
    ok: bool
    """Whether the call succeeded."""
    seconds: float
    """Working time of the tool."""


class Review(_Frozen):
    """One review of an answer."""

    step: str
    """The name of the review."""
    answer: str
    """The answer at that time."""
    sent_back: bool
    """Whether the model had to answer again."""
    details: dict[str, Any] = {}
    """Findings of the review, or the result of a vote, as plain JSON."""


class Transcript(_Frozen):
    """The record of one attempt.

    Example: `transcript.answer, transcript.stop, transcript.tokens`.
    """

    answer: str
    """The text of the answer. A submission by tool is added as closing lines."""
    stop: StopReason
    """Why the attempt ended."""
    messages: tuple[dict[str, Any], ...]
    """The last request to the model and its reply, in OpenAI's form."""
    model_calls: tuple[ModelCall, ...]
    """All requests to models, in order."""
    tool_calls: tuple[ToolCall, ...]
    """All tool calls, in order."""
    seconds: float | None
    """Working time of the model, its tools and checks. Waits for a retry, a worker or Ansatz itself do not
    count, so the number of parallel attempts does not change it. None if an imported
    answer states no time."""
    form: AnswerForm | None = None
    """The form of answer that the model was asked for, if it is known."""
    reviews: tuple[Review, ...] = ()
    """All reviews, in order."""

    @property
    def complete_answer(self) -> str:
        """The answer without its last number if that may be incomplete, because the answer was truncated."""
        return _LAST_NUMBER.sub("", self.answer.rstrip()) if self.stop == "truncated" else self.answer

    @property
    def tokens(self) -> int:
        """Input and output tokens of all requests."""
        return sum(call.usage.input + call.usage.output for call in self.model_calls)


def read_text(content: Any) -> str:
    """Return the text of a message's content, which may be in parts."""
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else ()
    return "\n".join(str(part.get("text", "")) if isinstance(part, dict) else str(part) for part in parts)


def list_tool_calls(
    messages: Sequence[Mapping[str, Any]], has_failed: Callable[[Mapping[str, Any]], bool]
) -> tuple[ToolCall, ...]:
    """Return the records of the calls whose results are in messages in OpenAI's form, without their times.

    Parameters
    ----------
    has_failed
        Whether the call of a message with a result failed.
    """
    asked: dict[str, Mapping[str, Any]] = {}
    found = []
    for message in messages:
        asked |= {call["id"]: call["function"] for call in message.get("tool_calls") or ()}
        if message["role"] == "tool" and message["tool_call_id"] in asked:
            call = asked[message["tool_call_id"]]
            arguments, result = _read_arguments(call["arguments"]), read_text(message["content"])
            ok = not has_failed(message)
            found.append(ToolCall(name=call["name"], arguments=arguments, result=result, ok=ok, seconds=0.0))
    return tuple(found)


def _read_arguments(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except ValueError:
        return {"unreadable": text}
    return found if isinstance(found, dict) else {"unreadable": text}
