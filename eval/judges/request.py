"""What a judge is asked: the rubric in a drawn order, the problem, its key, and the answer behind a fence.

A request is made from the problem and the text of the answer alone. The arm, its prompts, its tools and what
they returned are no part of it, so that equal answers make equal requests whichever arm gave them.
"""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage
from langchain_core.tools import BaseTool, StructuredTool

from ansatz.agents import Transcript
from ansatz.eval.judges.rubric import DIMENSIONS, sections, text
from ansatz.eval.problem import NumberTarget, Problem, Target

ERROR_TAGS = ("formula", "parameter", "unit", "arithmetic", "plausibility", "hallucination")
"""Kinds of errors; TPS-CalcBench, section IV.3."""
TOOL = "record_marks"
_AGAIN = (
    "An earlier reply was cut off or could not be read. Mark only the dimensions listed above, "
    "and keep each justification below 25 words."
)


@dataclass(frozen=True)
class Case:
    """One answer to be judged. `findings` are lines of a deterministic review; none for a plain judge."""

    problem: Problem
    answer: str
    findings: tuple[str, ...] = ()


def case_of(problem: Problem, transcript: Transcript, *, grounded: bool) -> Case:
    """The part of an attempt that a judge may see: the answer, with the names of tools made neutral."""
    blind = blinded(transcript)
    return Case(problem, blind.answer, _findings(problem, blind) if grounded else ())


def blinded(transcript: Transcript) -> Transcript:
    """The answer of an attempt alone, without its tools' names: what tools did would tell the arm."""
    answer = transcript.answer
    names = {call.name for call in transcript.tool_calls if "_" in call.name}
    for name in sorted(names, key=len, reverse=True):
        answer = re.sub(rf"\b{re.escape(name)}\b", "tool", answer)
    return transcript.model_copy(
        update={"answer": answer, "messages": (), "model_calls": (), "tool_calls": ()}
    )


def order_of(case: Case, seed: int, judge: str) -> tuple[str, ...]:
    """The dimensions in an order drawn for this answer and this judge."""
    drawn = random.Random(f"{seed}/{judge}/{case.problem.id}/{case.answer}")
    return tuple(drawn.sample(DIMENSIONS, len(DIMENSIONS)))


def messages(case: Case, dimensions: Sequence[str], *, again: bool) -> list[BaseMessage]:
    """The request for these dimensions, in this order."""
    rubric = "\n\n".join(sections()[name] for name in dimensions)
    parts = [
        f"# Problem\n\n{case.problem.ask().text}",
        f"# Reference solution\n\n{reference(case.problem)}",
        *([f"# Findings\n\n{text('findings')}\n\n{_told(case)}"] if case.findings else []),
        f"# Answer\n\n{fenced(case.answer, 'ANSWER')}",
        f"Mark the answer on {', '.join(dimensions)}." + (f" {_AGAIN}" if again else ""),
    ]
    return [SystemMessage(f"{text('instructions')}\n\n{rubric}"), HumanMessage("\n\n".join(parts))]


def tool(dimensions: Sequence[str], tags: Sequence[str] = ERROR_TAGS) -> BaseTool:
    """The call that records marks; its arguments are the strict schema of a reply."""
    return StructuredTool(
        name=TOOL,
        description="Record the marks of the answer.",
        args_schema=schema(dimensions, tags),
        func=lambda **marks: marks,
    )


def schema(dimensions: Sequence[str], tags: Sequence[str] = ERROR_TAGS) -> dict[str, Any]:
    """JSON schema of a reply on these dimensions: justification before points, every field required."""
    mark = _object({"justification": {"type": "string"}, "points": {"type": "integer", "enum": [0, 1, 2]}})
    fields = {
        "marks": _object(dict.fromkeys(dimensions, mark)),
        "errors": {"type": "array", "items": {"type": "string", "enum": list(tags)}},
        "overall": {"type": "integer", "minimum": 0, "maximum": 100},
    }
    return {"title": TOOL, "description": "Record the marks of the answer.", **_object(fields)}


def fenced(content: str, what: str) -> str:
    """Text between two lines that it cannot contain: their code is a hash of the text itself."""
    salt = 0
    code = ""
    while not code or code in content:
        code = hashlib.sha256(f"{salt}/{content}".encode("utf-8", "surrogatepass")).hexdigest()[:24]
        salt += 1
    return f"{what} BEGINS {code}\n{content}\n{what} ENDS {code}"


def reference(problem: Problem) -> str:
    """The key as a judge reads it: results, steps, method, conditions, and the trap to look out for."""
    key = problem.reference
    lines = [f"Result: {_result(target)}" for target in problem.targets]
    lines += [f"Step {n}: {s.expression} = {s.value:.6g} {s.unit}" for n, s in enumerate(key.steps, 1)]
    lines += [f"Right equations: {', '.join(key.gold_equations)}"] if key.gold_equations else []
    lines += [f"Wrong here: {', '.join(key.trap_equations)}"] if key.trap_equations else []
    lines += [f"The trap: {key.trap}"] if key.trap else []
    lines += [f"Method: {key.formulation.approach}"] if key.formulation else []
    lines += [f"Assumptions: {key.formulation.assumptions}"] if key.formulation else []
    for bound in key.bounds:
        low, high = ("–" if end is None else f"{end:.6g}" for end in (bound.low, bound.high))
        lines.append(f"Bounds of {bound.target}: {low} to {high} ({bound.reason})")
    return "\n".join([*lines, *([f"Worked solution:\n{key.text}"] if key.text else [])])


def _told(case: Case) -> str:
    """Findings quote the answer, so that they stand behind a fence of their own."""
    return fenced("\n".join(case.findings), "REVIEW")


def _result(target: Target) -> str:
    if not isinstance(target, NumberTarget):
        return f"{target.name} = {target.value}"
    if target.value is None:
        return f"{target.name} in {target.unit} (its value is not known)"
    return f"{target.name} = {target.value:.6g} {target.unit}"


def _findings(problem: Problem, blind: Transcript) -> tuple[str, ...]:
    """The deterministic review of the text alone."""
    from ansatz.eval.verifier.verifier import review

    marks = review(problem, blind)
    return tuple(f"{name}: {mark.evidence}" for name, mark in marks.items() if mark.points is not None)


def _object(fields: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }
