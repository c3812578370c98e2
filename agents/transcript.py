"""What happened in one attempt, as data that can be stored and scored again."""

from __future__ import annotations

import re
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
    """Tokens of one model call. Details are None where the provider is silent.

    `cached_input` and `cache_write` are part of `input`, and `reasoning` of `output`.
    """

    input: int = 0
    output: int = 0
    cached_input: int | None = None
    cache_write: int | None = None
    reasoning: int | None = None


class Retry(_Frozen):
    """One failed try that was repeated: why it failed and how many seconds were waited before the next."""

    reason: str
    waited: float


class ModelCall(_Frozen):
    """One answer of the model, or of another `model` that a step consulted.

    `seconds` is working time; waiting between retries is not part of it.
    """

    node: str
    seconds: float
    usage: Usage
    retries: tuple[Retry, ...] = ()
    remembered: bool = False
    finish: str | None = None
    model: str | None = None


class ToolCall(_Frozen):
    name: str
    arguments: dict[str, Any]
    result: str
    ok: bool
    seconds: float


class Review(_Frozen):
    """What a step made of an answer: the answer as it was, whether it was sent back, and why.

    `step` is the node that looked at it; `details` are plain JSON: what was found, or how a vote went.
    """

    step: str
    answer: str
    sent_back: bool
    details: dict[str, Any] = {}


class Transcript(_Frozen):
    """One attempt. `messages` are what the model last saw and its last reply, as OpenAI-style dicts.

    `seconds` is the working time of the model, its tools and checks: no waiting between retries, for a worker
    or for our own process, so that it does not depend on how many attempts were made at once. `form` is how
    the answer was to be stated; None where nobody said. `reviews` are in order.
    What was handed in by a tool ends `answer` as lines.

    Example: `transcript.answer, transcript.stop, transcript.tokens`.
    """

    answer: str
    stop: StopReason
    messages: tuple[dict[str, Any], ...]
    model_calls: tuple[ModelCall, ...]
    tool_calls: tuple[ToolCall, ...]
    seconds: float
    form: AnswerForm | None = None
    reviews: tuple[Review, ...] = ()

    @property
    def complete_answer(self) -> str:
        """`answer` without its last number where a limit of length may have cut it off in the midst of it."""
        return _LAST_NUMBER.sub("", self.answer.rstrip()) if self.stop == "truncated" else self.answer

    @property
    def tokens(self) -> int:
        """Input and output tokens of all model calls together."""
        return sum(call.usage.input + call.usage.output for call in self.model_calls)
