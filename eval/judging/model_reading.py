"""The values that an answer states, read by a model in two passes, which may fail and may make nothing up.

The first pass copies the values, the second checks them against the answer and fills in what is missing, as
the published extractor of ThermoQA does. A number that stands nowhere in the answer is no value of it.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from importlib.resources import files
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from langchain_core.utils.json_schema import dereference_refs
from pydantic import BaseModel, ConfigDict, Field, create_model

from ansatz.errors import InfrastructureError, ModelError, UnusableReply
from ansatz.eval.judging.recording import filled, recording_tool
from ansatz.eval.judging.request import fenced
from ansatz.eval.problem import ChoiceTarget, LabelTarget, NumberTarget, Problem
from ansatz.eval.score import Ask, Extraction, Read, StatedValue
from ansatz.quantities.markup import plain
from ansatz.quantities.notation import NUMBER, read_number
from ansatz.quantities.scales import Quantity, compare

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool

Readable = NumberTarget | LabelTarget | ChoiceTarget
AskModel: TypeAlias = "Callable[[Sequence[BaseMessage], Sequence[BaseTool]], Awaitable[AIMessage]]"
_TOOL = "record_values"
_SAME = 1e-6  # relative: a number copied, not one computed
_ROUNDED = 1e-3  # relative: the same value in another unit, or with fewer digits
_CHECK = (
    "A first reading found the values below. Check each against the answer, correct what is wrong, fill in "
    "what the answer states and the reading lacks, and record all of them."
)


def readable(problem: Problem) -> tuple[Readable, ...]:
    """The targets of a problem that a model can copy: numbers, words and letters of options."""
    return tuple(each for each in problem.targets if isinstance(each, Readable))


async def read_by_model(
    ask: AskModel, problem: Problem, answer: str, words: Sequence[str] = ()
) -> Extraction:
    """One answer read in two passes; `words` are those that a label may be, where they are known.

    What the second pass says counts; the first stands where the second cannot be used. A failed request or a
    reply that is not as asked spoils its pass. Raises ModelError where no request will ever do.
    """
    form = reply_form(problem, words)
    schema = dereference_refs(form.model_json_schema())
    schema["required"] = list(schema["properties"])  # null where the answer is silent
    schema.pop("$defs", None)
    tool = recording_tool(_TOOL, "Record the values the answer finally states.", schema)
    best = Extraction("failed", reason="no pass was made")
    for first in (None, best):
        given = "" if first is None or best.status == "failed" else _shown(best)
        try:
            reply = await ask(_messages(problem, answer, given), [tool])
            best = _copied(answer, filled(reply, _TOOL, form))
        except ModelError:
            raise
        except (InfrastructureError, UnusableReply) as failure:
            best = best if best.status == "ok" else Extraction("failed", reason=str(failure))
    return best


def prompt_hash() -> str:
    """SHA-256 of what a model is told, for the manifest."""
    return hashlib.sha256(f"{_prompt()}{_CHECK}".encode()).hexdigest()


def reader(ask: Ask, model: str) -> Read:
    """Reads by the model of a title, for scorers."""

    async def read(problem: Problem, answer: str, words: Sequence[str] = ()) -> Extraction:
        return await read_by_model(partial(ask, model), problem, answer, words)

    return read


def agreement(
    problem: Problem, extraction: Extraction, by_rules: Mapping[str, StatedValue | None]
) -> dict[str, Any]:
    """How a reading by a model went, and how many of the targets the rules read alike, for the details."""
    rows = [(each, extraction.values.get(each.name), by_rules.get(each.name)) for each in readable(problem)]
    same = sum(_alike(each, by_model, by_rule) for each, by_model, by_rule in rows)
    counts = {"values": len(rows), "as_rules": same} if extraction.status == "ok" else {}
    return {"status": extraction.status, "reason": extraction.reason, **counts}


def _alike(target: Readable, first: StatedValue | None, second: StatedValue | None) -> bool:
    if first is None or second is None:
        return first is second
    if isinstance(first.value, str) or isinstance(second.value, str):
        return str(first.value).casefold() == str(second.value).casefold()
    difference = isinstance(target, NumberTarget) and target.difference
    read = Quantity(first.value, first.unit), Quantity(second.value, second.unit)
    return compare(*read, difference)[0] < _ROUNDED


class ReplyValue(BaseModel):
    """A value as the answer states it, null where it is silent."""

    model_config = ConfigDict(extra="forbid")

    value: Annotated[float, Field(strict=True, allow_inf_nan=False)] | None
    unit: str = ""


def reply_form(problem: Problem, words: Sequence[str] = ()) -> type[BaseModel]:
    """A reply's fields, by the names of targets; what is left out is taken for null."""
    fields: dict[str, Any] = {}
    for target in readable(problem):
        if isinstance(target, NumberTarget):
            kind: Any = ReplyValue
            about = f"{target.name}: {target.description or 'as the question names it'}"
        else:
            allowed = tuple(target.options) if isinstance(target, ChoiceTarget) else tuple(words)
            kind = Literal[allowed] if allowed else str
            about = f"the {target.name} that is named"
        fields[target.name] = (kind | None, Field(default=None, description=about))
    return create_model(_TOOL, __config__=ConfigDict(extra="forbid"), **fields)


def _prompt() -> str:
    return files(__package__).joinpath("model_reading.md").read_text(encoding="utf-8")


def _messages(problem: Problem, answer: str, given: str) -> list[BaseMessage]:
    keys = ", ".join(target.name for target in readable(problem))
    parts = [f"Question:\n{problem.ask().text}", f"Keys: {keys}", fenced(answer, "ANSWER"), given]
    return [SystemMessage(_prompt()), HumanMessage("\n\n".join(filter(None, parts)))]


def _shown(first: Extraction) -> str:
    """The first reading, as the second pass is shown it."""
    values = {
        name: each.value if isinstance(each.value, str) else {"value": each.value, "unit": each.unit}
        for name, each in first.values.items()
    }
    return f"{_CHECK}\n\n{json.dumps(values, ensure_ascii=False)}"


def _copied(answer: str, reply: BaseModel) -> Extraction:
    """The values of a filled-in form that stand in the answer, be it without the power of ten behind them."""
    text = plain(answer)
    read = (read_number(text, found.start()) for found in NUMBER.finditer(text))
    numbers = [abs(number.value) for number in read if number]  # a minus may have been read as a dash
    values, unsupported = {}, []
    for name, stated in reply:
        if isinstance(stated, str):
            values[name] = StatedValue(stated)
        elif stated is None or stated.value is None:
            continue
        elif any(math.isclose(abs(stated.value), each, rel_tol=_SAME, abs_tol=1e-12) for each in numbers):
            values[name] = StatedValue(float(stated.value), stated.unit.strip())
        else:
            unsupported.append(name)
    return Extraction("ok", values, tuple(unsupported))
