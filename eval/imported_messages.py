"""The messages of an imported conversation, in OpenAI's form, with tool calls and their results."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from ansatz.agents.transcript import read_text


def _as_json(arguments: Any) -> Any:
    """Return arguments that are an object as its JSON text."""
    return json.dumps(arguments, ensure_ascii=False) if isinstance(arguments, dict) else arguments


def parse_messages(messages: Any) -> Any:
    """Return messages that are JSON text, as in the tables of `ansatz export`, as objects."""
    if not isinstance(messages, str):
        return messages
    try:
        return json.loads(messages)
    except ValueError:
        raise ValueError("must be a list of messages, or its JSON text") from None


class _Lenient(BaseModel):
    """Ignores unknown fields, which differ between providers."""

    model_config = ConfigDict(frozen=True, coerce_numbers_to_str=True)


class CalledFunction(_Lenient):
    """The tool of a call, with its arguments."""

    name: str = Field(min_length=1)
    arguments: Annotated[str, BeforeValidator(_as_json)] = "{}"
    """JSON text; an object is accepted, too."""


class RequestedTool(_Lenient):
    """One call that a model requested."""

    type: Literal["function"] = "function"
    id: str = Field(min_length=1)
    """Names the call in the message with its result."""
    function: CalledFunction


class ImportedMessage(_Lenient):
    """One message of a conversation."""

    role: Literal["system", "developer", "user", "assistant", "tool"]
    content: Annotated[str, BeforeValidator(read_text)] = ""
    """Text, or a list of parts of which those with text are read; null counts as empty."""
    tool_calls: tuple[RequestedTool, ...] | None = None
    """The calls that an assistant requests."""
    tool_call_id: str | None = None
    """The id of the call whose result this is."""
    name: str | None = None
    """The tool whose result this is."""
    status: str | None = None
    """`error` if the call failed."""

    def to_json(self) -> dict[str, Any]:
        """Return the message as a transcript stores it."""
        return {"role": self.role, "content": self.content} | self.model_dump(exclude_none=True)


Conversation = Annotated[tuple[ImportedMessage, ...], BeforeValidator(parse_messages)]
"""Messages, or their JSON text."""
