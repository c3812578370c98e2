"""How an attempt reaches a model: one request, one reply."""

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
    """A model's answer, how long it worked on it, and what had to be retried for it."""

    message: AIMessage
    seconds: float
    retries: tuple[Retry, ...] = ()
    remembered: bool = False


def finish_reason(message: BaseMessage) -> str | None:
    """Return why the model stopped, in the provider's word, or None if it is not reported."""
    about = message.response_metadata
    finish = about.get("finish_reason") or about.get("stop_reason")
    return str(finish) if finish is not None else None


_MOST_TOKENS = 2**53  # exclusive: beyond it, numbers of JSON are not exact


def is_count(value: object) -> bool:
    """Whether a value can be a count of tokens: an integer that is not negative and not absurd."""
    return type(value) is int and 0 <= value < _MOST_TOKENS


def read_usage(message: AIMessage) -> Usage | None:
    """The tokens of a reply; None if the server does not report them, or reports what is no count.

    No reply has zero tokens in all. Details that do not fit into the whole are not reported either.
    """
    reported: Mapping[str, Any] = message.usage_metadata or {}
    read, written = reported.get("input_tokens"), reported.get("output_tokens")
    if not is_count(read) or not is_count(written) or not (read or written):
        return None
    assert isinstance(read, int) and isinstance(written, int)
    inputs, outputs = reported.get("input_token_details", {}), reported.get("output_token_details", {})
    # Anthropic reports writes by how long they are kept, and the sum is then 0.
    writes = [n for name, n in inputs.items() if name == "cache_creation" or name.startswith("ephemeral_")]
    known = [n for n in writes if is_count(n)]
    cached = _part(inputs.get("cache_read"), read)
    return Usage(
        input=read,
        output=written,
        cached_input=cached,
        cache_write=_part(sum(known), read - (cached or 0)) if known else None,
        reasoning=_part(outputs.get("reasoning"), written),
    )


def _part(count: Any, whole: int) -> int | None:
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

    It has at most 300 characters and no digit. After an apology or none, it states that the model cannot
    assist, help, comply or fulfil a request; or that it cannot do something with "that", "this request" or
    "you", and nothing else but a question. Any other answer counts as answered: a longer one may refuse a
    part only, and "I cannot determine the pressure" is a statement on the problem.
    """
    text = answer.strip()
    is_short = len(text) <= _LONGEST_REFUSAL and not any(sign.isdigit() for sign in text)
    return is_short and any(each.match(text) for each in (_REFUSES, _DECLINES))


class ModelClient(Protocol):
    """Asks one model. `identity` names it and every parameter that can change its answers.

    It may be closed and used again; closing gives its connections back. Ansatz's offline model has the
    attribute `is_simulated`.
    """

    @property
    def identity(self) -> dict[str, Any]: ...

    async def reply(self, messages: Sequence[BaseMessage], tools: Sequence[BaseTool]) -> Reply: ...

    async def aclose(self) -> None: ...


def is_simulated(client: ModelClient) -> bool:
    """Whether answers, and the code in them, come from Ansatz's offline model."""
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
    """Whether a model can call tools, as far as LangChain knows; one of which nothing is known may."""
    chat = model if is_chat_model(model) else getattr(model, "chat", None)
    if chat is None:
        return True
    from langchain_core.language_models import BaseChatModel

    known = getattr(chat, "profile", None) or {}
    return type(chat).bind_tools is not BaseChatModel.bind_tools and known.get("tool_calling") is not False


def find_reply_limit(client: ModelClient) -> int | None:
    """The most tokens that a reply can have, as its chat model asks; None where nothing bounds it."""
    chat = getattr(client, "chat", None)
    extra = getattr(chat, "model_kwargs", None) or {}
    found = extra.get("max_completion_tokens") or getattr(chat, "max_tokens", None)
    return found * (getattr(chat, "n", None) or 1) if isinstance(found, int) else None
