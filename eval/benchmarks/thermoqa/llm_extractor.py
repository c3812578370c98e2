"""A second extraction of an answer's values, by a model, which may fail and may not make numbers up."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any, Literal

from langchain_core.messages import AIMessage, HumanMessage, SystemMessage

from ansatz.agents.client import ModelClient, is_refusal
from ansatz.agents.failures import ModelError
from ansatz.errors import InfrastructureError
from ansatz.eval.benchmarks.thermoqa.extraction import Reading
from ansatz.eval.judging.reply import arguments
from ansatz.eval.judging.request import recording_tool
from ansatz.eval.problem import LabelTarget, Problem, Target
from ansatz.quantities.markup import plain
from ansatz.quantities.notation import NUMBER, read_number

_TOOL = "record_values"
_AT_ONCE = 8
_SAME = 1e-6  # relative: a number copied, not one computed
PHASES = (
    *("subcooled_liquid", "saturated_liquid", "wet_steam", "saturated_vapor"),
    *("superheated_vapor", "supercritical"),
)


class _Malformed(ValueError):
    """A reply that is not what was asked for; the message says where."""


@dataclass(frozen=True)
class Extraction:
    """What a model read: "ok" with readings by target name, or "failed" with the reason.

    `unsupported` lists the targets whose number stands nowhere in the answer: they are no readings.
    """

    status: Literal["ok", "failed"]
    readings: dict[str, Reading] = field(default_factory=dict)
    unsupported: tuple[str, ...] = ()
    reason: str = ""


@dataclass(frozen=True)
class LLMExtractor:
    """Asks a model to copy the values an answer states, as the arguments of one tool call."""

    client: ModelClient

    async def extract(self, problem: Problem, answer: str) -> Extraction:
        """One answer read. A failed request or a reply that is not as asked ends in status "failed".

        Raises ModelError where no request will ever do, such as with a wrong key.
        """
        try:
            tool = recording_tool(_TOOL, "Record the values the answer finally states.", schema(problem))
            reply = await self.client.reply(_messages(problem, answer), [tool])
            return _checked(problem, answer, _arguments(reply.message))
        except ModelError:
            raise
        except (InfrastructureError, _Malformed) as failure:
            return Extraction("failed", reason=str(failure))

    async def extract_all(
        self, problems: Sequence[Problem], answers: Sequence[str], done: Callable[[int], None] | None = None
    ) -> list[Extraction]:
        """Each answer read, a few at a time; `done` is told how many are."""
        gate = asyncio.Semaphore(_AT_ONCE)
        finished = 0

        async def one(problem: Problem, answer: str) -> Extraction:
            nonlocal finished
            async with gate:
                extraction = await self.extract(problem, answer)
            finished += 1
            if done:
                done(finished)
            return extraction

        return list(await asyncio.gather(*map(one, problems, answers)))


def schema(problem: Problem) -> dict[str, Any]:
    """The JSON schema of a reply: every target of the question, null where the answer is silent."""
    properties = {target.name: _property(target) for target in problem.targets}
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _property(target: Target) -> dict[str, Any]:
    if isinstance(target, LabelTarget):
        return {"type": ["string", "null"], "enum": [*PHASES, None], "description": "the phase named"}
    about = target.description or "as the question names it"
    return {
        "type": "object",
        "description": f"{target.name}: {about}",
        "properties": {"value": {"type": ["number", "null"]}, "unit": {"type": "string"}},
        "required": ["value", "unit"],
        "additionalProperties": False,
    }


def _messages(problem: Problem, answer: str) -> list[SystemMessage | HumanMessage]:
    prompt = files(__package__).joinpath("llm_extractor.md").read_text(encoding="utf-8")
    keys = ", ".join(target.name for target in problem.targets)
    asked = f"Question:\n{problem.question}\n\nKeys: {keys}\n\n<answer>\n{answer}\n</answer>"
    return [SystemMessage(prompt), HumanMessage(asked)]


def _arguments(message: AIMessage) -> dict[str, Any]:
    """The tool call's arguments, or the JSON object of a model that writes it out instead."""
    if is_refusal(message):
        raise _Malformed("the model declined")
    for content in arguments(message, _TOOL):
        return content
    raise _Malformed("the reply holds no call of record_values and no JSON object")


def _checked(problem: Problem, answer: str, given: dict[str, Any]) -> Extraction:
    names = {target.name for target in problem.targets}
    foreign = sorted(set(given) - names)
    if foreign:
        raise _Malformed(f"{foreign[0]} is not a key of this question")
    numbers = _numbers(answer)
    readings, unsupported = {}, []
    for target in problem.targets:
        reading = _reading(target, given.get(target.name))
        if reading is None:
            continue
        if isinstance(reading.value, str) or _stands(reading.value, numbers):
            readings[target.name] = reading
        else:
            unsupported.append(target.name)
    return Extraction("ok", readings, tuple(unsupported))


def _reading(target: Target, given: object) -> Reading | None:
    if given is None:
        return None
    if isinstance(target, LabelTarget):
        if given not in PHASES:
            raise _Malformed(f"{target.name}: {given!r} is no phase")
        return Reading(str(given), "", "by the model")
    if not isinstance(given, dict) or not isinstance(given.get("unit", ""), str):
        raise _Malformed(f"{target.name}: an object with value and unit is wanted")
    value = given.get("value")
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise _Malformed(f"{target.name}: {value!r} is no number")
    unit = given.get("unit", "").strip()
    return Reading(float(value), unit, f"by the model: {value} {unit}".rstrip())


def _numbers(answer: str) -> tuple[float, ...]:
    """Every number that stands in the answer, also without the power of ten that may follow it."""
    text = plain(answer)
    read = (read_number(text, found.start()) for found in NUMBER.finditer(text))
    return tuple(number.value for number in read if number)


def _stands(value: float, numbers: Sequence[float]) -> bool:
    """Whether a number was copied; a minus may have been read as a dash."""
    return any(math.isclose(abs(value), abs(other), rel_tol=_SAME, abs_tol=1e-12) for other in numbers)
