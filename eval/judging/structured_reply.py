"""Structured replies: the arguments that a model passes to a tool, or writes out as JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from langchain_core.messages import AIMessage, HumanMessage, SystemMessage
from langchain_core.utils.json import parse_partial_json
from pydantic import BaseModel, ConfigDict, ValidationError

from ansatz.agents.client import ModelClient, is_refusal
from ansatz.errors import UnusableReply
from ansatz.eval.validation import explain

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool

_MOST_STARTS = 20
_MOST_CUT_OFF = 8
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPED = frozenset('\\"/nrtu')  # JSON also has \b and \f, but replies use these in \beta and \frac
_LAST_NUMBER = re.compile(r"[\d.]+\s*$")  # in a truncated text it may lack digits


class RecordForm(BaseModel):
    """Base class for the arguments of a recording tool. A subclass's docstring describes the tool."""

    model_config = ConfigDict(extra="forbid")
    tool: ClassVar[str]
    """The tool's name."""


Form = TypeVar("Form", bound=BaseModel)
Recorded = TypeVar("Recorded", bound=RecordForm)


async def request_form(client: ModelClient, prompt: str, question: str, form: type[Recorded]) -> Recorded:
    """Send a question to a model and return the form that it fills in.

    Raises
    ------
    UnusableReply
        If no reply fills in the form.
    InfrastructureError
        If the model cannot be reached.
    """
    tool = make_recording_tool(form.tool, form.__doc__ or "", form.model_json_schema())
    reply = await client.reply([SystemMessage(prompt), HumanMessage(question)], [tool])
    return parse_form(reply.message, form.tool, form)


def make_recording_tool(name: str, description: str, schema: dict[str, Any]) -> BaseTool:
    """Make a tool whose call is the reply: its arguments follow the schema."""
    from langchain_core.tools import StructuredTool

    return StructuredTool(
        name=name,
        description=description,
        args_schema={**schema, "title": name, "description": description},
        func=lambda **arguments: arguments,
    )


def parse_form(message: AIMessage, tool: str, form: type[Form]) -> Form:
    """Parse the form that a reply fills in.

    Raises UnusableReply with the faults of the likeliest object in the reply.
    """
    if is_refusal(message):
        raise UnusableReply("the model declined")
    faults = ""
    for content in find_arguments(message, tool):
        try:
            return form.model_validate(content)
        except ValidationError as failure:
            faults = faults or "; ".join(explain(failure, form))
    raise UnusableReply(faults or f"the reply contains no call of {tool} and no JSON object")


def find_arguments(message: AIMessage, tool: str, fields: Collection[str] = ()) -> Iterator[dict[str, Any]]:
    """Find every object in a reply that may be the arguments of `tool`, the likeliest first.

    An object may be in a tool call, in an invalid call, or in the text as JSON, where the last comes first.

    Parameters
    ----------
    fields
        Names of first fields. If given, truncated objects that begin with one of them are parsed as far as
        they go.
    """
    for call in reversed(message.tool_calls):
        if call["name"] == tool:
            yield call["args"]
    for invalid in reversed(message.invalid_tool_calls):
        yield from _parse_objects(invalid["args"] or "", fields)
    yield from reversed(list(_parse_objects(message.text, fields)))


def _parse_objects(text: str, fields: Collection[str]) -> Iterator[dict[str, Any]]:
    """Parse the outermost JSON objects in a text, in order."""
    escaped = _ESCAPE.sub(lambda found: found[0] if found[1] in _ESCAPED else f"\\\\{found[1]}", text)
    names = "|".join(map(re.escape, fields))
    starts = re.finditer(rf'\{{\s*"(?:{names})"' if fields else r"\{", escaped)
    end = 0
    for start in [brace.start() for brace in starts][: _MOST_CUT_OFF if fields else _MOST_STARTS]:
        if start < end:
            continue
        try:
            content, end = json.JSONDecoder(strict=False).raw_decode(escaped, start)
        except (json.JSONDecodeError, RecursionError):
            content = None
            with suppress(ValueError, RecursionError):
                content = parse_partial_json(_LAST_NUMBER.sub("", escaped[start:])) if fields else None
        if isinstance(content, dict):
            yield content
