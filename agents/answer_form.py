"""How an answer is to be stated: the instruction of each form, and the tool that one of them has."""

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
"""Closing lines `symbol = value unit`, a JSON object, a call of `submit_answer`, or as the model likes."""
SUBMIT = "submit_answer"


@dataclass(frozen=True)
class AnswerField:
    """One thing that a question asks for, without its key.

    `is_text` marks a text; other things are quantities with a unit. `difference` marks the difference of two
    temperatures, so that 5 °C is 5 K.
    """

    name: str
    is_text: bool = False
    difference: bool = False


class ValueWithUnit(BaseModel):
    """A value and its unit."""

    model_config = ConfigDict(extra="forbid")

    value: float
    unit: str = Field(description='the unit of the value; "-" where it has none')


@lru_cache(maxsize=256)
def submission_tool(asked: tuple[AnswerField, ...]) -> BaseTool:
    """The tool by which an answer is handed in: an argument for each thing that is asked for.

    Its call ends an attempt. Where a question does not say what it asks for, a text is handed in.
    """
    from langchain_core.tools import StructuredTool  # who reads transcripts does without

    fields: dict[str, Any] = {
        key: (
            (str if each.is_text else ValueWithUnit) | None,
            Field(description=f"the value of {each.name}"),
        )
        for key, each in _keys(asked or [AnswerField("answer", is_text=True)]).items()
    }
    schema = create_model(SUBMIT, __config__=ConfigDict(extra="forbid"), **fields)

    async def received(**_: Any) -> str:
        return "Received."

    return StructuredTool.from_function(
        coroutine=received, name=SUBMIT, description="Hand in the answer.", args_schema=schema
    )


def format_submission(asked: Sequence[AnswerField], arguments: Mapping[str, Any]) -> str:
    """What was handed in, in closing lines `symbol = value unit`; several lines of text stand alone."""
    keys = _keys(asked or [AnswerField("answer", is_text=True)])
    given = {each.name: arguments.get(key) for key, each in keys.items()}
    return "\n".join(
        format_closing_line(name, stated) for name, stated in given.items() if stated is not None
    )


def format_closing_line(name: str, stated: Any) -> str:
    """A value with its unit, a number or a text, as the form `block` states it."""
    if isinstance(stated, Mapping):
        return f"{name} = {stated.get('value')} {stated.get('unit') or ''}".rstrip()
    return stated if isinstance(stated, str) and "\n" in stated else f"{name} = {stated}"


def read_answer_field(answer: str, asked: AnswerField) -> Statement | str | None:
    """The last value that an answer asserts for a symbol, or the words behind its name."""
    if not asked.is_text:
        return find_asserted(answer, asked.name)
    lines = [line.strip(" *-`") for line in answer.splitlines() if line.strip(" *-`").startswith(asked.name)]
    said = lines[-1].removeprefix(asked.name).strip(" *=:`\"',") if lines else ""
    return said or None


def restate_answer(answer: str, values: Mapping[str, Statement | str | None], form: AnswerForm) -> str:
    """An answer that ends with other values, in the form asked for."""
    none = "-" if form == "json" else ""
    stated = {
        name: {"value": each.value, "unit": each.unit.strip("-") or none}
        if isinstance(each, Statement)
        else each
        for name, each in values.items()
    }
    if form == "json":
        return f"{answer}\n\n```json\n{json.dumps(stated, ensure_ascii=False)}\n```"
    return "\n".join([f"{answer}\n", *(format_closing_line(name, each) for name, each in stated.items())])


def _keys(asked: Sequence[AnswerField]) -> dict[str, AnswerField]:
    """What is asked for by a key that every provider takes for the name of an argument."""
    keys: dict[str, AnswerField] = {}
    for each in asked:
        key = re.sub(r"[^A-Za-z0-9_-]+", "_", each.name).strip("_")[:60] or "value"
        while key in keys:
            key += "_"
        keys[key] = each
    return keys
