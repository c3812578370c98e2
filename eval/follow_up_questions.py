"""Questions that follow others in a set: their order, and how the model sees its earlier answers.

A model sees an earlier question with its own answer to it, never the right answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from ansatz.eval.outcome import judge_answer
from ansatz.eval.problem import ChoiceTarget, LabelTarget, NumberTarget, Problem

Shown = Literal["solution", "answer"]
_FORM = "\n\nReport your answer"  # the start of the blanks at the end of a question


def list_earlier(problem: Problem, problems: Mapping[str, Problem]) -> tuple[str, ...]:
    """List the ids of all questions of the study that a problem follows, directly or indirectly, in order."""
    found: dict[str, None] = {}
    for id in problem.follows:
        if id in problems and id not in found:
            found.update(dict.fromkeys((*list_earlier(problems[id], problems), id)))
    return tuple(found)


def find_order_fault(problems: Mapping[str, Problem]) -> str | None:
    """Describe a question that comes before one that it follows; None if the order is right."""
    places = {id: place for place, id in enumerate(problems)}
    for id, problem in problems.items():
        for earlier in problem.follows:
            if places.get(earlier, -1) >= places[id]:
                return f"{id} follows {earlier}, which comes after it; put {earlier} first"
    return None


def strip_blanks(problem: Problem) -> str:
    """Return the question without its blanks."""
    return problem.question.partition(_FORM)[0].strip()


def format_earlier(problem: Problem, answer: str, show: Shown) -> str:
    """Format a question with the model's answer to it: the whole answer, or only the values it states."""
    stated = _format_stated(problem, answer) if show == "answer" else ""
    return f"Question: {strip_blanks(problem)}\n\nYour answer: {stated or answer.strip()}"


def _format_stated(problem: Problem, answer: str) -> str:
    """Format `symbol = value unit` for each target; empty if a target has no stated value or another kind."""
    if not all(isinstance(target, NumberTarget | LabelTarget | ChoiceTarget) for target in problem.targets):
        return ""
    lines = []
    for target, verdict in zip(problem.targets, judge_answer(problem, answer), strict=True):
        if verdict.stated is None:
            return ""
        value = f"{verdict.stated:.10g}" if isinstance(verdict.stated, float) else verdict.stated
        lines.append(f"{target.name} = {value} {verdict.stated_unit}".strip())
    return "\n".join(lines)
