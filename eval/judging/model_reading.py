"""Read the values that an answer states with a model, in two passes.

The first pass copies the values. The second pass checks them against the answer and fills in missing ones, as
the published extractor of ThermoQA does. A number that does not appear in the answer is dropped.
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
from ansatz.eval.judging.request import fence
from ansatz.eval.judging.structured_reply import make_recording_tool, parse_form
from ansatz.eval.problem import ChoiceTarget, LabelTarget, NumberTarget, Problem
from ansatz.eval.reading.layout import LONGEST
from ansatz.eval.score import Ask, Extraction, Read, StatedValue
from ansatz.quantities.markup import to_plain_text
from ansatz.quantities.notation import NUMBER, read_number
from ansatz.quantities.scales import Quantity, compare_quantities

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool

Readable = NumberTarget | LabelTarget | ChoiceTarget
AskModel: TypeAlias = "Callable[[Sequence[BaseMessage], Sequence[BaseTool]], Awaitable[AIMessage]]"
_TOOL = "record_values"
_SAME = 1e-6  # relative difference of a number that was copied
_ROUNDED = 1e-3  # relative difference of the same value in another unit or with fewer digits
_CHECK = (
    "A first reading found the values below. Check each against the answer, correct what is wrong, fill in "
    "what the answer states and the reading lacks, and record all of them."
)


def readable_targets(problem: Problem) -> tuple[Readable, ...]:
    """List the targets that a model can copy: numbers, words and letters of options."""
    return tuple(each for each in problem.targets if isinstance(each, Readable))


async def read_by_model(
    ask: AskModel, problem: Problem, answer: str, words: Sequence[str] = ()
) -> Extraction:
    """Read one answer in two passes.

    The result of the second pass counts. If the second pass fails (a failed request or an unusable reply),
    the result of the first counts.

    Parameters
    ----------
    words
        The words that a label may be, if they are known.

    Raises
    ------
    ModelError
        If no request to this model can succeed.
    """
    form = build_reply_form(problem, words)
    schema = dereference_refs(form.model_json_schema())
    schema["required"] = list(schema["properties"])  # null for a value that the answer does not state
    schema.pop("$defs", None)
    tool = make_recording_tool(_TOOL, "Record the values the answer finally states.", schema)
    best = Extraction("failed", reason="no pass was made")
    for is_second in (False, True):
        check = _build_check(best) if is_second and best.status == "ok" else ""
        try:
            reply = await ask(_build_messages(problem, answer, check), [tool])
            best = _drop_unsupported(answer, parse_form(reply, _TOOL, form))
        except ModelError:
            raise
        except (InfrastructureError, UnusableReply) as failure:
            best = best if best.status == "ok" else Extraction("failed", reason=str(failure))
    return best


def hash_prompt() -> str:
    """Compute the SHA-256 of the prompts, for the manifest."""
    return hashlib.sha256(f"{_read_prompt()}{_CHECK}".encode()).hexdigest()


def make_reader(ask: Ask, model: str) -> Read:
    """Make a reader for scorers that uses the model with this title."""

    async def read(problem: Problem, answer: str, words: Sequence[str] = ()) -> Extraction:
        return await read_by_model(partial(ask, model), problem, answer, words)

    return read


def compare_with_rules(
    problem: Problem, extraction: Extraction, by_rules: Mapping[str, StatedValue | None]
) -> dict[str, Any]:
    """Report a reading's status and how many values equal those read by rules, for a score's details."""
    targets = readable_targets(problem)
    same = sum(_is_same(each, extraction.values.get(each.name), by_rules.get(each.name)) for each in targets)
    counts = {"values": len(targets), "as_rules": same} if extraction.status == "ok" else {}
    return {"status": extraction.status, "reason": extraction.reason, **counts}


def _is_same(target: Readable, first: StatedValue | None, second: StatedValue | None) -> bool:
    if first is None or second is None:
        return first is second
    if isinstance(first.value, str) or isinstance(second.value, str):
        return str(first.value).casefold() == str(second.value).casefold()
    difference = isinstance(target, NumberTarget) and target.difference
    quantities = Quantity(first.value, first.unit), Quantity(second.value, second.unit)
    return compare_quantities(*quantities, difference)[0] < _ROUNDED


class ReplyValue(BaseModel):
    """A value as the answer states it, null where it is silent."""  # part of the schema that a model sees

    model_config = ConfigDict(extra="forbid")

    value: Annotated[float, Field(strict=True, allow_inf_nan=False)] | None
    unit: str = ""


def build_reply_form(problem: Problem, words: Sequence[str] = ()) -> type[BaseModel]:
    """Build the form of a reply, with one field per target; a missing field means null."""
    fields: dict[str, Any] = {}
    for target in readable_targets(problem):
        if isinstance(target, NumberTarget):
            kind: Any = ReplyValue
            description = f"{target.name}: {target.description or 'as the question names it'}"
        else:
            allowed = tuple(target.options) if isinstance(target, ChoiceTarget) else tuple(words)
            kind = Literal[allowed] if allowed else str
            description = f"the {target.name} that is named"
        fields[target.name] = (kind | None, Field(default=None, description=description))
    return create_model(_TOOL, __config__=ConfigDict(extra="forbid"), **fields)


def _read_prompt() -> str:
    return files(__package__).joinpath("model_reading.md").read_text(encoding="utf-8")


def _build_messages(problem: Problem, answer: str, check: str) -> list[BaseMessage]:
    keys = ", ".join(target.name for target in readable_targets(problem))
    parts = [f"Question:\n{problem.ask().text}", f"Keys: {keys}", fence(answer, "ANSWER"), check]
    return [SystemMessage(_read_prompt()), HumanMessage("\n\n".join(filter(None, parts)))]


def _build_check(first: Extraction) -> str:
    """Build the second pass's instruction, with the result of the first pass."""
    values = {
        name: each.value if isinstance(each.value, str) else {"value": each.value, "unit": each.unit}
        for name, each in first.values.items()
    }
    return f"{_CHECK}\n\n{json.dumps(values, ensure_ascii=False)}"


def _drop_unsupported(answer: str, reply: BaseModel) -> Extraction:
    """Keep the values of a form whose numbers appear in the answer."""
    text = to_plain_text(answer[-LONGEST:])
    found = (read_number(text, match.start()) for match in NUMBER.finditer(text))
    numbers = [abs(number.value) for number in found if number]  # a dash before a number may be a minus
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
