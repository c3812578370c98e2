"""Score answers in words as APBench does: the mean of a judge's mark and the cosine of sentence vectors."""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from langchain_core.tools import BaseTool, StructuredTool

from ansatz.agents import ModelClient
from ansatz.eval.judges.request import fenced
from ansatz.eval.problem import Problem
from ansatz.eval.replies import arguments

THRESHOLD = 0.6
"""A likeness above it is right (APBench, evaluation criteria)."""
TOOL = "record_likeness"
_BEST_MARK = 10


@dataclass(frozen=True)
class Likeness:
    """How alike an answer and its key are: the cosine of their vectors in [0, 1], and a judge's mark there.

    `mark` is None where no judge was asked; the cosine then stands alone.
    """

    cosine: float
    mark: float | None = None
    reason: str = ""

    @property
    def value(self) -> float:
        return self.cosine if self.mark is None else 0.5 * (self.mark + self.cosine)

    @property
    def is_right(self) -> bool:
        return self.value > THRESHOLD

    @property
    def evidence(self) -> str:
        verdict = f"{'above' if self.is_right else 'not above'} {THRESHOLD:g}"
        if self.mark is None:
            return f"embedding alone, no judge: cosine {self.cosine:.3f}, {verdict}"
        return (
            f"0.5 (judge {self.mark:.1f} + cosine {self.cosine:.3f}) = {self.value:.3f}, {verdict}; "
            f"judge: {self.reason}"
        )


async def cosine(answer: str, key: str) -> float:
    """The cosine of the vectors of all-MiniLM-L6-v2, in a thread of its own; a negative one counts as 0."""
    return await asyncio.to_thread(_cosine, answer, key)


def _cosine(answer: str, key: str) -> float:
    from ansatz.knowledge_base.embedding import question_vector

    return min(1.0, max(0.0, float(question_vector(answer) @ question_vector(key))))


async def ask_judge(
    client: ModelClient, problem: Problem, answer: str, key: str, asks: int
) -> tuple[float, str] | None:
    """A judge's mark in [0, 1] and its reason; None where none of its replies can be read."""
    for attempt in range(asks):
        reply = await client.reply(request(problem, answer, key, again=attempt > 0), [tool()])
        mark = read_mark(reply.message)
        if mark is not None:
            return mark
    return None


def request(problem: Problem, answer: str, key: str, *, again: bool) -> list[BaseMessage]:
    """The same for equal answers, whichever arm gave them."""
    parts = [
        f"# Question\n\n{problem.ask().text}",
        f"# Reference answer\n\n{key}",
        f"# Answer\n\n{fenced(answer, 'ANSWER')}",
        *(["An earlier reply could not be read. Keep the reason below 25 words."] if again else []),
    ]
    return [SystemMessage(_instructions()), HumanMessage("\n\n".join(parts))]


def tool() -> BaseTool:
    schema: dict[str, Any] = {
        "title": TOOL,
        "description": "Record how far the answer says the same as the reference.",
        "type": "object",
        "properties": {
            "reason": {"type": "string"},
            "likeness": {"type": "integer", "minimum": 0, "maximum": _BEST_MARK},
        },
        "required": ["reason", "likeness"],
        "additionalProperties": False,
    }
    return StructuredTool(
        name=TOOL, description=schema["description"], args_schema=schema, func=lambda **marks: marks
    )


def read_mark(message: AIMessage) -> tuple[float, str] | None:
    """The mark in [0, 1] and the reason, from a call, from JSON in text, or from a reply of one number."""
    for found in arguments(message, TOOL):
        mark = _mark(found.get("likeness"))
        if mark is not None:
            return mark, str(found.get("reason") or "")
    bare = _mark(message.text.strip())
    return None if bare is None else (bare, "")


def _mark(value: Any) -> float | None:
    try:
        mark = float(value)
    except (TypeError, ValueError):
        return None
    return mark / _BEST_MARK if 0 <= mark <= _BEST_MARK else None


@cache
def _instructions() -> str:
    return files(__package__).joinpath("likeness.md").read_text(encoding="utf-8").strip()


def prompt_hash() -> str:
    """SHA-256 of what a judge is told, for the manifest of a run."""
    return hashlib.sha256(_instructions().encode()).hexdigest()
