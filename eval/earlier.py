"""What a solver may be shown of its own earlier answers: the question and its own words, never a key."""

from __future__ import annotations

from typing import Literal

from ansatz.eval.outcome import judge_answer
from ansatz.eval.problem import ChoiceTarget, LabelTarget, NumberTarget, Problem

Shown = Literal["solution", "answer"]
_FORM = (
    "\n\nReport your answer"  # begins the blanks at the end of a question; they are for the question at hand
)


def asked(problem: Problem) -> str:
    """A question without the form in which it wants to be answered."""
    return problem.question.partition(_FORM)[0].strip()


def earlier_text(problem: Problem, answer: str, show: Shown) -> str:
    """A question with the solver's own answer to it: the whole of it, or what it states in the end."""
    told = _stated(problem, answer) if show == "answer" else ""
    return f"Question: {asked(problem)}\n\nYour answer: {told or answer.strip()}"


def _stated(problem: Problem, answer: str) -> str:
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
