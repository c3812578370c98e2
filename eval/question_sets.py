"""Questions that follow others in a set: their order, and what a solver may be shown of its earlier answers.

That is the question and its own words, never a key.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from ansatz.eval.outcome import judge_answer
from ansatz.eval.problem import ChoiceTarget, LabelTarget, NumberTarget, Problem

Shown = Literal["solution", "answer"]
_FORM = (
    "\n\nReport your answer"  # begins the blanks at the end of a question; they are for the question at hand
)


def list_earlier(problem: Problem, problems: Mapping[str, Problem]) -> tuple[str, ...]:
    """The ids of the questions of the study that come before one in its set, directly or not, in order."""
    found: dict[str, None] = {}
    for id in problem.follows:
        if id in problems and id not in found:
            found.update(dict.fromkeys((*list_earlier(problems[id], problems), id)))
    return tuple(found)


def find_order_fault(problems: Mapping[str, Problem]) -> str | None:
    """Why questions cannot be asked in the order of the study; None where they can."""
    places = {id: place for place, id in enumerate(problems)}
    for id, problem in problems.items():
        for earlier in problem.follows:
            if places.get(earlier, -1) >= places[id]:
                return f"{id} follows {earlier}, which comes after it; put {earlier} first"
    return None


def question_text(problem: Problem) -> str:
    """A question without the form in which it wants to be answered."""
    return problem.question.partition(_FORM)[0].strip()


def format_earlier(problem: Problem, answer: str, show: Shown) -> str:
    """A question with the solver's own answer to it: the whole of it, or what it states in the end."""
    told = _format_stated(problem, answer) if show == "answer" else ""
    return f"Question: {question_text(problem)}\n\nYour answer: {told or answer.strip()}"


def _format_stated(problem: Problem, answer: str) -> str:
    """`symbol = value unit` for each target; empty where a target is of another kind or is not stated."""
    if not all(isinstance(target, NumberTarget | LabelTarget | ChoiceTarget) for target in problem.targets):
        return ""
    lines = []
    for target, verdict in zip(problem.targets, judge_answer(problem, answer), strict=True):
        if verdict.stated is None:
            return ""
        value = f"{verdict.stated:.10g}" if isinstance(verdict.stated, float) else verdict.stated
        lines.append(f"{target.name} = {value} {verdict.stated_unit}".strip())
    return "\n".join(lines)
