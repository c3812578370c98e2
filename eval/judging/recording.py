"""A reply as an object: what a model records by calling a tool, or by writing its arguments out as JSON."""

from __future__ import annotations

from typing import ClassVar, TypeVar

from langchain_core.messages import HumanMessage, SystemMessage
from pydantic import BaseModel, ConfigDict, ValidationError

from ansatz.agents.client import ModelClient, is_refusal
from ansatz.errors import AnsatzError
from ansatz.eval.judging.reply import arguments
from ansatz.eval.judging.request import recording_tool


class UnusableReply(AnsatzError, ValueError):
    """A model's reply cannot be used; the message says why."""


class RecordForm(BaseModel):
    """What a model fills in by calling `tool`; the docstring says what the tool is for."""

    model_config = ConfigDict(extra="forbid")
    tool: ClassVar[str]


Form = TypeVar("Form", bound=RecordForm)


async def record(client: ModelClient, prompt: str, asked: str, form: type[Form]) -> Form:
    """What a model records when it is asked, under a prompt. Raises UnusableReply, InfrastructureError."""
    tool = recording_tool(form.tool, form.__doc__ or "", form.model_json_schema())
    reply = await client.reply([SystemMessage(prompt), HumanMessage(asked)], [tool])
    if is_refusal(reply.message):
        raise UnusableReply("the model declined")
    wrong = ""
    for content in arguments(reply.message, form.tool):
        try:
            return form.model_validate(content)
        except ValidationError as error:
            fault = error.errors()[0]
            wrong = wrong or f"the reply's {'.'.join(map(str, fault['loc']))}: {fault['msg']}"
    raise UnusableReply(wrong or f"the reply holds no call of {form.tool} and no JSON object")
