"""The forms of an answer: closing lines, JSON, or a call of the tool `submit_answer`."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model

from ansatz.quantities.assertions import find_asserted
from ansatz.quantities.statements import Statement

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool

AnswerForm = Literal["block", "json", "tool", "free"]
"""Closing lines `symbol = value unit`, a JSON object, a call of `submit_answer`, or any form."""
SUBMIT = "submit_answer"
"""The name of the tool."""

CHOOSE_SYMBOLS = (
    "The question has no blanks. Choose a symbol for each quantity that it asks for, "
    "and a unit if it names none."
)
"""The instruction for a question without blanks such as `h = ___ kJ/kg`."""


@dataclass(frozen=True)
class AnswerField:
    """One value that a question asks for, without the answer key."""

    name: str
    """Its symbol or name."""
    is_text: bool = False
    """Whether it is a text. Other values are quantities with a unit."""
    difference: bool = False
    """Whether it is a difference of temperatures, so that 5 °C is 5 K."""


class ValueWithUnit(BaseModel):
    """The value of a quantity and its unit."""

    model_config = ConfigDict(extra="forbid")

    value: float
    unit: str = Field(description='the unit of the value; "-" where it has none')


@lru_cache(maxsize=256)
def submission_tool(answer_fields: tuple[AnswerField, ...]) -> BaseTool:
    """Make the tool that submits an answer. It has an argument for each value that the question asks for.

    Its call ends an attempt. For a question without answer fields, the argument is a text.
    """
    from langchain_core.tools import StructuredTool  # slow to import, and transcripts do not need it

    fields: dict[str, Any] = {
        key: (
            (str if field.is_text else ValueWithUnit) | None,
            Field(description=f"the value of {field.name}"),
        )
        for key, field in _name_arguments(answer_fields).items()
    }
    schema = create_model(SUBMIT, __config__=ConfigDict(extra="forbid"), **fields)

    async def confirm(**_: Any) -> str:
        return "Received."

    return StructuredTool.from_function(
        coroutine=confirm, name=SUBMIT, description="Hand in the answer.", args_schema=schema
    )


def format_submission(answer_fields: Sequence[AnswerField], arguments: Mapping[str, Any]) -> str:
    """Convert a submission to closing lines `symbol = value unit`. A text of several lines stays as it is."""
    values = {field.name: arguments.get(key) for key, field in _name_arguments(answer_fields).items()}
    return "\n".join(format_closing_line(name, value) for name, value in values.items() if value is not None)


def format_closing_line(name: str, value: Any) -> str:
    """Return the closing line of a quantity, a number or a text. A text of several lines stays as it is."""
    if isinstance(value, Mapping):
        return f"{name} = {value.get('value')} {value.get('unit') or ''}".rstrip()
    return value if isinstance(value, str) and "\n" in value else f"{name} = {value}"


def read_answer_field(answer: str, field: AnswerField) -> Statement | str | None:
    """Return the last value that an answer asserts for a symbol, or the text that follows the name."""
    if not field.is_text:
        return find_asserted(answer, field.name)
    lines = [line.strip(" *-`") for line in answer.splitlines() if line.strip(" *-`").startswith(field.name)]
    text = lines[-1].removeprefix(field.name).strip(" *=:`\"',") if lines else ""
    return text or None


def restate_answer(answer: str, values: Mapping[str, Statement | str | None], form: AnswerForm) -> str:
    """Append values to an answer, in its form. They then are the last ones, which count."""
    no_unit = "-" if form == "json" else ""
    fields = {
        name: {"value": value.value, "unit": value.unit.strip("-") or no_unit}
        if isinstance(value, Statement)
        else value
        for name, value in values.items()
    }
    if form == "json":
        return f"{answer}\n\n```json\n{json.dumps(fields, ensure_ascii=False)}\n```"
    return "\n".join([f"{answer}\n", *(format_closing_line(name, value) for name, value in fields.items())])


def _name_arguments(answer_fields: Sequence[AnswerField]) -> dict[str, AnswerField]:
    """Return the answer fields by names of arguments that every provider accepts.

    A question without answer fields has the argument `answer`, which is a text.
    """
    names: dict[str, AnswerField] = {}
    for field in answer_fields or [AnswerField("answer", is_text=True)]:
        name = re.sub(r"[^A-Za-z0-9_-]+", "_", field.name).strip("_")[:60] or "value"
        while name in names:
            name += "_"
        names[name] = field
    return names
