"""What a judge is asked: the rubric in a drawn order, the problem, its key, and the answer behind a fence.

A request is made from the problem and the text of the answer alone. The arm, its prompts, its tools and what
they returned are no part of it, so that equal answers make equal requests whichever arm gave them.
"""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Iterable, Sequence
from itertools import count
from typing import TYPE_CHECKING, Any

from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage

from ansatz.agents import Transcript
from ansatz.eval.judging.recording import recording_tool
from ansatz.eval.judging.rubric import Criterion, Rubric, prompt
from ansatz.eval.problem import NumberTarget, Problem, Target

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool

Schema = dict[str, Any]
_LISTED = 10  # points on a scale up to this long are listed one by one


def blinded(transcript: Transcript) -> Transcript:
    """The answer of an attempt alone, without its tools' names: what tools did would tell the arm."""
    answer = transcript.answer
    names = {call.name for call in transcript.tool_calls if "_" in call.name}
    for name in sorted(names, key=len, reverse=True):
        answer = re.sub(rf"\b{re.escape(name)}\b", "tool", answer)
    return transcript.model_copy(
        update={"answer": answer, "messages": (), "model_calls": (), "tool_calls": ()}
    )


def drawn_by(seed: int, judge: str, problem: Problem, answer: str) -> random.Random:
    """Draws the order of criteria, for this answer and this judge always the same."""
    return random.Random(f"{seed}/{judge}/{problem.id}/{answer}")


def messages(rubric: Rubric, parts: Sequence[str], *, again: bool = False) -> list[BaseMessage]:
    """The request for marks on the criteria of a rubric, in its order, of what the parts show."""
    names = ", ".join(rubric.criteria)
    task = rubric.task if rubric.is_flat else f"Mark the {rubric.task or 'answer'} on {names}."
    if again and rubric.is_flat:
        task += f" An earlier reply could not be read. Keep the {rubric.reason} below 25 words."
    elif again:
        task += (
            " An earlier reply was cut off or could not be read. Mark only the "
            f"criteria listed above, and keep each {rubric.reason} below 25 words."
        )
    shown = [each.text for each in rubric.criteria.values()]
    return [
        SystemMessage("\n\n".join(filter(None, [rubric.instructions, *shown]))),
        HumanMessage("\n\n".join(filter(None, [*parts, task.strip()]))),
    ]


def case(problem: Problem, answer: str, *, key: bool, findings: Sequence[str] = ()) -> tuple[str, ...]:
    """The parts of a request on one answer, with or without the key and the lines of a review.

    Findings quote the answer, so that they stand behind a fence of their own.
    """
    told = reference(problem) if key else ""
    review = f"{prompt('findings')}\n\n{fenced(chr(10).join(findings), 'REVIEW')}" if findings else ""
    return (
        f"# Problem\n\n{problem.ask().text}",
        *([f"# Reference solution\n\n{told}"] if told else []),
        *([f"# Findings\n\n{review}"] if review else []),
        f"# Answer\n\n{fenced(answer, 'ANSWER')}",
    )


def fenced(content: str, what: str) -> str:
    """Text between two lines that it cannot contain: their code is a hash of the text itself."""
    drawn = (f"{salt}/{content}".encode("utf-8", "surrogatepass") for salt in count())
    codes = (hashlib.sha256(each).hexdigest()[:24] for each in drawn)
    code = next(each for each in codes if each not in content)
    return f"{what} BEGINS {code}\n{content}\n{what} ENDS {code}"


def reference(problem: Problem) -> str:
    """The key as a judge reads it: results, steps, method, conditions, and the trap to look out for."""
    key = problem.reference
    lines = [f"Result: {_result(target)}" for target in problem.targets]
    for number, step in enumerate(key.steps, 1):
        whole = step.expression if "=" in step.expression else f"{step.symbol} = {step.expression}"
        lines.append(f"Step {number}: {whole} = {step.value:.6g} {step.unit}")
    lines += [f"Right equations: {', '.join(key.gold_equations)}"] if key.gold_equations else []
    lines += [f"Wrong here: {', '.join(key.trap_equations)}"] if key.trap_equations else []
    lines += [f"The trap: {key.trap}"] if key.trap else []
    lines += [f"Method: {key.formulation.approach}"] if key.formulation else []
    lines += [f"Assumptions: {key.formulation.assumptions}"] if key.formulation else []
    for bound in key.bounds:
        low, high = ("–" if end is None else f"{end:.6g}" for end in (bound.low, bound.high))
        lines.append(f"Bounds of {bound.target}: {low} to {high} ({bound.reason})")
    return "\n".join([*lines, *([f"Worked solution:\n{key.text}"] if key.text else [])])


def tool(rubric: Rubric) -> BaseTool:
    """The call that records marks; its arguments are the strict schema of a reply, reasons before points."""
    reason = {"type": "string"}
    points = {name: _points(each, rubric.abstain) for name, each in rubric.criteria.items()}
    if rubric.is_flat:
        fields = {rubric.reason: reason, **points}
    else:
        marks = {
            name: _object("Mark", {rubric.reason: reason, "points": kind}) for name, kind in points.items()
        }
        fields = {"marks": _object("Marks", marks)}
        if rubric.tags:
            fields["errors"] = {"items": _one_of(rubric.tags, "string"), "type": "array"}
        if rubric.overall:
            fields["overall"] = _whole_number(0, 100)
    return recording_tool(rubric.tool, "Record the marks of the answer.", _object(rubric.tool, fields))


def _object(title: str, fields: Schema) -> Schema:
    """An object of which every field is required."""
    return {
        "additionalProperties": False,
        "properties": fields,
        "required": list(fields),
        "title": title,
        "type": "object",
    }


def _points(criterion: Criterion, abstain: bool) -> Schema:
    low, high = criterion.scale
    kind = _whole_number(low, high)
    if criterion.labels or high - low <= _LISTED:
        kind = _one_of(criterion.labels or range(low, high + 1), "string" if criterion.labels else "integer")
    return {"anyOf": [kind, {"type": "null"}]} if abstain else kind


def _one_of(values: Iterable[str | int], kind: str) -> Schema:
    listed = list(values)
    return {"enum": listed, "type": kind} if len(listed) > 1 else {"const": listed[0], "type": kind}


def _whole_number(low: int, high: int) -> Schema:
    return {"maximum": high, "minimum": low, "type": "integer"}


def _result(target: Target) -> str:
    if not isinstance(target, NumberTarget):
        return f"{target.name} = {target.value}"
    if target.value is None:
        return f"{target.name} in {target.unit} (its value is not known)"
    within = f" (right within {target.tolerance.text(target.unit)})" if target.tolerance else ""
    return f"{target.name} = {target.value:.6g} {target.unit}{within}"
