"""The interface to a model: one request, one reply, and what a reply reports."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from ansatz.agents.langchain_types import is_chat_model
from ansatz.agents.transcript import Retry, Usage

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import AIMessage, BaseMessage
    from langchain_core.tools import BaseTool


@dataclass(frozen=True)
class Reply:
    """The reply to a request."""

    message: AIMessage
    """The answer of the model."""
    seconds: float
    """How long the model worked."""
    retries: tuple[Retry, ...] = ()
    """The tries that failed before."""
    remembered: bool = False
    """Whether the reply comes from the ledger or the cache."""


class Reservation(Protocol):
    """The part of a budget that one try of a request may use."""

    async def keep(self, *, renew: bool) -> None:
        """Count the try as billed. With `renew`, reserve for another try, or raise what forbids it."""


@dataclass(frozen=True)
class RequestContext:
    """What belongs to a request in addition to its messages and tools. Most clients need none of it."""

    draw: int = 0
    """The number of the independent answer within an attempt, from 0. Models of providers sample at random;
    the offline model varies its answer by this number."""
    key: str | None = None
    """The name of the request in a batch. It is the same when a run is resumed."""
    reservation: Reservation | None = None
    """The reserved part of the budget, if the run has a budget."""


NO_CONTEXT = RequestContext()


def finish_reason(message: BaseMessage) -> str | None:
    """Return the provider's word for why the model stopped, or None if it is not reported."""
    metadata = message.response_metadata
    finish = metadata.get("finish_reason") or metadata.get("stop_reason")
    return str(finish) if finish is not None else None


_MOST_TOKENS = 2**53  # exclusive: beyond it, numbers of JSON are not exact


def is_count(value: object) -> bool:
    """Whether a value can be a count of tokens: an integer from 0 to 2**53 - 1."""
    return type(value) is int and 0 <= value < _MOST_TOKENS


def read_usage(message: AIMessage) -> Usage | None:
    """Return the tokens of a reply, or None if the server reports none, zero, or impossible counts.

    A detail that is larger than its total is treated as not reported.
    """
    reported: Mapping[str, Any] = message.usage_metadata or {}
    read, written = reported.get("input_tokens"), reported.get("output_tokens")
    if not is_count(read) or not is_count(written) or not (read or written):
        return None
    assert isinstance(read, int) and isinstance(written, int)
    inputs, outputs = reported.get("input_token_details", {}), reported.get("output_token_details", {})
    # Anthropic reports writes by their lifetime, and `cache_creation` is then 0.
    writes = [n for name, n in inputs.items() if name == "cache_creation" or name.startswith("ephemeral_")]
    counts = [n for n in writes if is_count(n)]
    cached = _check_part(inputs.get("cache_read"), read)
    return Usage(
        input=read,
        output=written,
        cached_input=cached,
        cache_write=_check_part(sum(counts), read - (cached or 0)) if counts else None,
        reasoning=_check_part(outputs.get("reasoning"), written),
    )


def _check_part(count: Any, whole: int) -> int | None:
    return count if is_count(count) and count <= whole else None


def is_refusal(message: BaseMessage) -> bool:
    """Whether the model, or its provider's filter, declined to answer."""
    return finish_reason(message) in ("refusal", "content_filter") or bool(
        message.additional_kwargs.get("refusal")
    )


_LONGEST_REFUSAL = 300  # characters
_CANNOT = (
    r"\W*(?:(?:(?:i['’]?m|i am) )?(?:(?:very|really|so) )?sorry"
    r"|(?:my )?apologies|i apologi[sz]e|unfortunately)?"
    r"[\s,.;:!–—-]*(?:but |however,? )?"
    r"i(?: am|['’]m)? (?:can['’]t|can ?not|could not|couldn['’]t|won['’]t|will not|unable to|not able to)"
    r" (?:be able to )?"
)
_REFUSES = re.compile(rf"{_CANNOT}(?:assist|comply|fulfil+|help)(?! but)\b", re.IGNORECASE)
_DECLINES = re.compile(
    rf"{_CANNOT}(?:\w+ ){{1,3}}(?:that|this|these|those|it|you|your|such)(?: \w+)?\s*(?:[.!]?$|[.!].*\?$)",
    re.IGNORECASE | re.DOTALL,
)


def refuses(answer: str) -> bool:
    """Whether a whole answer is a plain refusal, such as "I'm sorry, but I can't assist with that."

    A refusal has at most 300 characters and no digit. With or without an apology, it states that the model
    cannot assist, help, comply or fulfil a request. It may also state that the model cannot do something with
    "that", "this request" or "you", with nothing else but a question. All other answers count as answered:
    a longer one may refuse a part only, and "I cannot determine the pressure" is about the problem.
    """
    text = answer.strip()
    is_short = len(text) <= _LONGEST_REFUSAL and not any(sign.isdigit() for sign in text)
    return is_short and any(each.match(text) for each in (_REFUSES, _DECLINES))


class ModelClient(Protocol):
    """Sends requests to one model. After `aclose`, it may be used again."""

    @property
    def identity(self) -> dict[str, Any]:
        """The name of the model, and every parameter that can change its answers."""

    async def reply(
        self,
        messages: Sequence[BaseMessage],
        tools: Sequence[BaseTool],
        context: RequestContext = NO_CONTEXT,
    ) -> Reply:
        """Send one request."""

    async def aclose(self) -> None:
        """Close the connections."""


def is_simulated(client: ModelClient) -> bool:
    """Whether a client is Ansatz's offline model, which has the attribute `is_simulated`."""
    return getattr(client, "is_simulated", False) is True


_MOST_TOOLS = 1000
_TOOLS: dict[int, tuple[BaseTool, dict[str, Any]]] = {}
"""Descriptions by the id of their tool. The tool is stored, too, so that no other object gets its id."""


def describe_tool(tool: BaseTool) -> dict[str, Any]:
    """Return name, description and JSON schema of a tool in OpenAI's form.

    An arm sends the same tools with every request, so the description is cached; do not change it.
    """
    if id(tool) not in _TOOLS:
        from langchain_core.utils.function_calling import convert_to_openai_tool

        if len(_TOOLS) >= _MOST_TOOLS:
            _TOOLS.clear()
        _TOOLS[id(tool)] = tool, convert_to_openai_tool(tool)
    return _TOOLS[id(tool)][1]


def takes_tools(model: ModelClient | BaseChatModel) -> bool:
    """Whether a model can call tools according to LangChain; a model without a profile counts as able."""
    chat = model if is_chat_model(model) else getattr(model, "chat", None)
    if chat is None:
        return True
    from langchain_core.language_models import BaseChatModel

    profile = getattr(chat, "profile", None) or {}
    binds = type(chat).bind_tools is not BaseChatModel.bind_tools
    return binds and profile.get("tool_calling") is not False


def find_reply_limit(client: ModelClient) -> int | None:
    """Return the most tokens that a reply can have, or None if the client sets no limit."""
    chat = getattr(client, "chat", None)
    extra = getattr(chat, "model_kwargs", None) or {}
    limit = extra.get("max_completion_tokens") or getattr(chat, "max_tokens", None)
    return limit * (getattr(chat, "n", None) or 1) if isinstance(limit, int) else None
