"""Build a judge's request: the rubric, the problem, the reference solution and the answer.

A request depends only on the problem and the text of the answer. It contains neither the arm nor its prompts,
tools and tool results, so equal answers of different arms produce equal requests.
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
from ansatz.eval.judging.rubric import Criterion, Rubric, read_prompt
from ansatz.eval.judging.structured_reply import make_recording_tool
from ansatz.eval.problem import NumberTarget, Problem, Target

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool

Schema = dict[str, Any]
_LONGEST_ENUM = 10  # a scale up to this long is an enumeration in the schema


def blind_transcript(transcript: Transcript) -> Transcript:
    """Reduce an attempt to its answer, with tool names replaced, so that it does not reveal the arm."""
    answer = replace_tool_names(transcript.answer, (call.name for call in transcript.tool_calls))
    return transcript.model_copy(
        update={"answer": answer, "messages": (), "model_calls": (), "tool_calls": ()}
    )


def replace_tool_names(answer: str, names: Iterable[str]) -> str:
    """Replace names of tools with "tool"; a name without an underscore may be a word, and stays."""
    for name in sorted({name for name in names if "_" in name}, key=len, reverse=True):
        answer = re.sub(rf"\b{re.escape(name)}\b", "tool", answer)
    return answer


def make_order_generator(seed: int, judge: str, problem: Problem, answer: str) -> random.Random:
    """Make the random generator for the order of criteria; it depends on the answer and the judge."""
    return random.Random(f"{seed}/{judge}/{problem.id}/{answer}")


def build_messages(rubric: Rubric, parts: Sequence[str], *, is_repeated: bool = False) -> list[BaseMessage]:
    """Build the request for scores on the criteria of a rubric, in the rubric's order."""
    names = ", ".join(rubric.criteria)
    task = rubric.task if rubric.is_flat else f"Mark the {rubric.task or 'answer'} on {names}."
    if is_repeated and rubric.is_flat:
        task += f" An earlier reply could not be read. Keep the {rubric.reason} below 25 words."
    elif is_repeated:
        task += (
            " An earlier reply was cut off or could not be read. Mark only the "
            f"criteria listed above, and keep each {rubric.reason} below 25 words."
        )
    criteria = [each.text for each in rubric.criteria.values()]
    return [
        SystemMessage("\n\n".join(filter(None, [rubric.instructions, *criteria]))),
        HumanMessage("\n\n".join(filter(None, [*parts, task.strip()]))),
    ]


def build_parts(
    problem: Problem, answer: str, *, with_reference: bool, findings: Sequence[str] = ()
) -> tuple[str, ...]:
    """Build the parts of a request about one answer.

    Parameters
    ----------
    with_reference
        Whether to show the reference solution.
    findings
        Lines of the verifier. They quote the answer, so they have a separate fence.
    """
    reference = format_reference(problem) if with_reference else ""
    review = f"{read_prompt('findings')}\n\n{fence(chr(10).join(findings), 'REVIEW')}" if findings else ""
    return (
        f"# Problem\n\n{problem.ask().text}",
        *([f"# Reference solution\n\n{reference}"] if reference else []),
        *([f"# Findings\n\n{review}"] if review else []),
        f"# Answer\n\n{fence(answer, 'ANSWER')}",
    )


def fence(content: str, title: str) -> str:
    """Put a text between two lines that it cannot contain: their code is a hash of the text."""
    salted = (f"{salt}/{content}".encode("utf-8", "surrogatepass") for salt in count())
    codes = (hashlib.sha256(each).hexdigest()[:24] for each in salted)
    code = next(each for each in codes if each not in content)
    return f"{title} BEGINS {code}\n{content}\n{title} ENDS {code}"


def format_reference(problem: Problem) -> str:
    """Format the key for a judge: results, steps, equations, method, assumptions, bounds and trap."""
    key = problem.reference
    lines = [f"Result: {_format_target(target)}" for target in problem.targets]
    for number, step in enumerate(key.steps, 1):
        equation = step.expression if "=" in step.expression else f"{step.symbol} = {step.expression}"
        lines.append(f"Step {number}: {equation} = {step.value:.6g} {step.unit}")
    lines += [f"Right equations: {', '.join(key.gold_equations)}"] if key.gold_equations else []
    lines += [f"Wrong here: {', '.join(key.trap_equations)}"] if key.trap_equations else []
    lines += [f"The trap: {key.trap}"] if key.trap else []
    lines += [f"Method: {key.formulation.approach}"] if key.formulation else []
    lines += [f"Assumptions: {key.formulation.assumptions}"] if key.formulation else []
    for bound in key.bounds:
        low, high = ("–" if end is None else f"{end:.6g}" for end in (bound.low, bound.high))
        lines.append(f"Bounds of {bound.target}: {low} to {high} ({bound.reason})")
    return "\n".join([*lines, *([f"Worked solution:\n{key.text}"] if key.text else [])])


def build_tool(rubric: Rubric) -> BaseTool:
    """Build the tool that records scores, with a strict schema that asks for reasons before points."""
    reason = {"type": "string"}
    points = {name: _points_schema(each, rubric.abstain) for name, each in rubric.criteria.items()}
    if rubric.is_flat:
        fields = {rubric.reason: reason, **points}
    else:
        marks = {
            name: _object_schema("Mark", {rubric.reason: reason, "points": each})
            for name, each in points.items()
        }
        fields = {"marks": _object_schema("Marks", marks)}
        if rubric.tags:
            fields["errors"] = {"items": _enum_schema(rubric.tags, "string"), "type": "array"}
        if rubric.overall:
            fields["overall"] = _integer_schema(0, 100)
    schema = _object_schema(rubric.tool, fields)
    return make_recording_tool(rubric.tool, "Record the marks of the answer.", schema)


def _object_schema(title: str, fields: Schema) -> Schema:
    return {
        "additionalProperties": False,
        "properties": fields,
        "required": list(fields),
        "title": title,
        "type": "object",
    }


def _points_schema(criterion: Criterion, abstain: bool) -> Schema:
    low, high = criterion.scale
    schema = _integer_schema(low, high)
    if criterion.labels:
        schema = _enum_schema(criterion.labels, "string")
    elif high - low <= _LONGEST_ENUM:
        schema = _enum_schema(range(low, high + 1), "integer")
    return {"anyOf": [schema, {"type": "null"}]} if abstain else schema


def _enum_schema(values: Iterable[str | int], kind: str) -> Schema:
    listed = list(values)
    return {"enum": listed, "type": kind} if len(listed) > 1 else {"const": listed[0], "type": kind}


def _integer_schema(low: int, high: int) -> Schema:
    return {"maximum": high, "minimum": low, "type": "integer"}


def _format_target(target: Target) -> str:
    if not isinstance(target, NumberTarget):
        return f"{target.name} = {target.value}"
    if target.value is None:
        return f"{target.name} in {target.unit} (its value is not known)"
    within = f" (right within {target.tolerance.text(target.unit)})" if target.tolerance else ""
    return f"{target.name} = {target.value:.6g} {target.unit}{within}"
