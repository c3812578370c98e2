"""A reply as an object: what a model records by calling a tool, or by writing its arguments out as JSON."""

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
_ESCAPED = frozenset('\\"/nrtu')  # \b and \f are JSON too, but here they begin \beta and \frac
_LAST_NUMBER = re.compile(r"[\d.]+\s*$")  # of a text that was cut off, it may lack digits


class RecordForm(BaseModel):
    """What a model fills in by calling `tool`; the docstring says what the tool is for."""

    model_config = ConfigDict(extra="forbid")
    tool: ClassVar[str]


Form = TypeVar("Form", bound=BaseModel)
Recorded = TypeVar("Recorded", bound=RecordForm)


async def record(client: ModelClient, prompt: str, asked: str, form: type[Recorded]) -> Recorded:
    """What a model records when it is asked, under a prompt. Raises UnusableReply, InfrastructureError."""
    tool = recording_tool(form.tool, form.__doc__ or "", form.model_json_schema())
    reply = await client.reply([SystemMessage(prompt), HumanMessage(asked)], [tool])
    return filled(reply.message, form.tool, form)


def recording_tool(name: str, description: str, schema: dict[str, Any]) -> BaseTool:
    """A tool whose call is the reply: its arguments are what the schema asks for."""
    from langchain_core.tools import StructuredTool

    return StructuredTool(
        name=name,
        description=description,
        args_schema={**schema, "title": name, "description": description},
        func=lambda **arguments: arguments,
    )


def filled(message: AIMessage, tool: str, form: type[Form]) -> Form:
    """The form as a reply fills it in. Raises UnusableReply, with what is wrong with its likeliest object."""
    if is_refusal(message):
        raise UnusableReply("the model declined")
    wrong = ""
    for content in arguments(message, tool):
        try:
            return form.model_validate(content)
        except ValidationError as failure:
            wrong = wrong or "; ".join(explain(failure, form))
    raise UnusableReply(wrong or f"the reply holds no call of {tool} and no JSON object")


def arguments(message: AIMessage, tool: str, fields: Collection[str] = ()) -> Iterator[dict[str, Any]]:
    """Every object that a reply may mean as the arguments of `tool`, the likeliest first.

    They stand in a call, in one that broke off, or as JSON in the text, where the last counts first. With
    `fields`, objects that begin with one of these and are cut off count too, as far as they go.
    """
    for call in reversed(message.tool_calls):
        if call["name"] == tool:
            yield call["args"]
    for broken in reversed(message.invalid_tool_calls):
        yield from _objects(broken["args"] or "", fields)
    yield from reversed(list(_objects(message.text, fields)))


def _objects(text: str, fields: Collection[str]) -> Iterator[dict[str, Any]]:
    """The JSON objects in a text that are not inside one another, in order."""
    mended = _ESCAPE.sub(lambda found: found[0] if found[1] in _ESCAPED else f"\\\\{found[1]}", text)
    names = "|".join(map(re.escape, fields))
    starts = re.finditer(rf'\{{\s*"(?:{names})"' if fields else r"\{", mended)
    end = 0
    for start in [brace.start() for brace in starts][: _MOST_CUT_OFF if fields else _MOST_STARTS]:
        if start < end:
            continue
        try:
            content, end = json.JSONDecoder(strict=False).raw_decode(mended, start)
        except (json.JSONDecodeError, RecursionError):
            content = None
            with suppress(ValueError, RecursionError):  # what is cut off goes as far as it goes
                content = parse_partial_json(_LAST_NUMBER.sub("", mended[start:])) if fields else None
        if isinstance(content, dict):
            yield content
