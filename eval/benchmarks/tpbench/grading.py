"""The scorer `tpbench_grade`: a letter from A to D for the whole solution, by a language model.

The paper's grader is shown what auto-verification found. Whether that helps it or merely tells it the result
can be measured here: `verification` shows the finding, hides it, or has every solution graded both ways.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import Any, Literal, get_args

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from langchain_core.tools import BaseTool, StructuredTool

from ansatz.agents import ModelClient
from ansatz.eval.benchmarks.tpbench.score import TPBenchScore
from ansatz.eval.benchmarks.tpbench.verification import ReferenceFault
from ansatz.eval.judges.models import JudgeModel
from ansatz.eval.judges.request import fenced
from ansatz.eval.problem import Problem
from ansatz.eval.score import Dimension, Score, ScoringContext

Grade = Literal["A", "B", "C", "D"]
GRADES: tuple[Grade, ...] = get_args(Grade)
VALUES: dict[Grade, float] = {"A": 1.0, "B": 2 / 3, "C": 1 / 3, "D": 0.0}
"""Grades as stored: evenly spaced, which is our choice; the paper's are letters only."""

_INFORMED = Dimension("grade.informed", "grade by a judge that knows the verification")
_BLIND = Dimension("grade.blind", "grade by a judge that does not")
_DIMENSIONS = {"shown": (_INFORMED,), "hidden": (_BLIND,), "both": (_INFORMED, _BLIND)}
_ASKS = 2
_AGAIN = "An earlier reply could not be read. Keep the notes below 60 words and call record_grade."
_OBJECT = re.compile(r"\{[^{}]*\"grade\"[^{}]*\}", re.DOTALL)


@dataclass(frozen=True)
class TPBenchGrade:
    """`model` grades, "provider:model" or a mapping with name, settings and prices.

    `verification` is shown, hidden or both; `timeout_seconds` bounds each call of an answer's function. A
    reply without a grade is asked for once more; then the solution is unscored. An empty solution is a D,
    unasked. A failed request is a failure of infrastructure and raises.
    """

    model: JudgeModel | None = None
    verification: Literal["shown", "hidden", "both"] = "shown"
    timeout_seconds: float = 30.0

    @property
    def dimensions(self) -> tuple[Dimension, ...]:
        return _DIMENSIONS[self.verification]

    @property
    def wanted_models(self) -> tuple[JudgeModel, ...]:
        return (self.model,) if self.model else ()

    @property
    def prompt_hash(self) -> str:
        """SHA-256 of the prompts, which are part of what a grade means."""
        return hashlib.sha256((_text("grading") + _text("grading_verification")).encode()).hexdigest()

    def check_machine(self) -> None:
        """Raises ValueError where answers would have to be verified and cannot be isolated."""
        if self.verification != "hidden":
            TPBenchScore(timeout_seconds=self.timeout_seconds).check_machine()

    def connected(self, clients: Mapping[str, ModelClient]) -> ConnectedGrader:
        """The grader with its client. Raises ValueError where no model is named."""
        if self.model is None:
            raise ValueError("tpbench_grade needs a model: name one, such as model: openai:gpt-5.2")
        return ConnectedGrader(self, clients)

    async def score(self, context: ScoringContext) -> tuple[Score, ...]:
        """Always raises: a grader has to be connected first."""
        raise ValueError("a grader asks a model: connect it with `connected(clients)` before it scores")


@dataclass(frozen=True)
class ConnectedGrader:
    """A grader that can ask its model. One instance grades any number of solutions."""

    grader: TPBenchGrade
    clients: Mapping[str, ModelClient]

    @property
    def dimensions(self) -> tuple[Dimension, ...]:
        return self.grader.dimensions

    @cached_property
    def verifier(self) -> TPBenchScore:
        return TPBenchScore(timeout_seconds=self.grader.timeout_seconds)

    async def score(self, context: ScoringContext) -> tuple[Score, ...]:
        """Raises InfrastructureError where the model or the sandbox cannot be reached."""
        problem, transcript = context.problem, context.transcript
        if not transcript.answer.strip():
            return tuple(_score(each.name, "D", f"no answer ({transcript.stop})") for each in self.dimensions)
        return tuple([await self._graded(each.name, problem, transcript.answer) for each in self.dimensions])

    async def _graded(self, dimension: str, problem: Problem, answer: str) -> Score:
        finding = ""
        if dimension == "grade.informed":
            try:
                finding = (await self.verifier.verifier.verify(problem, answer)).sentence()
            except ReferenceFault as fault:
                return Score(dimension=dimension, value=None, evidence=f"cannot be verified: {fault}")
        assert self.grader.model is not None
        client = self.clients[self.grader.model.title]
        for ask in range(_ASKS):
            reply = await client.reply(messages(problem, answer, finding, again=ask > 0), [_tool()])
            if (read := read_grade(reply.message)) is not None:
                return _score(dimension, *read)
        return Score(dimension=dimension, value=None, evidence="failed: no reply holds a grade")


def messages(problem: Problem, answer: str, finding: str, *, again: bool = False) -> list[BaseMessage]:
    """The request; `finding` is the line of auto-verification, empty where it is hidden.

    The finding quotes the answer's own errors, so that it stands behind a fence as well.
    """
    parts = [
        f"# Problem\n\n{problem.ask().text}",
        f"# Solution of the expert\n\n{problem.reference.text}\n\n{_code(problem)}",
        f"# Solution to be graded\n\n{fenced(answer, 'SOLUTION')}",
    ]
    if finding:
        parts.append(f"# Verification\n\n{_text('grading_verification')}\n\n{fenced(finding, 'FINDING')}")
    return [
        SystemMessage(_text("grading")),
        HumanMessage("\n\n".join([*parts, "Grade the solution." + (f" {_AGAIN}" if again else "")])),
    ]


def read_grade(message: AIMessage) -> tuple[Grade, str] | None:
    """Grade and notes of a reply: of a call, else of the last JSON object in its text."""
    for content in _contents(message):
        letter = str(content.get("grade", "")).strip().strip("*").upper()[:1]
        for grade in GRADES:
            if letter == grade:
                return grade, " ".join(str(content.get("notes", "")).split())
    return None


def grade_of(evidence: str) -> Grade | None:
    """The grade that the evidence of a score begins with."""
    return next((grade for grade in GRADES if evidence.startswith(f"{grade}:")), None)


def _contents(message: AIMessage) -> Iterator[Mapping[str, Any]]:
    for call in reversed(message.tool_calls):
        yield call["args"]
    for found in reversed(_OBJECT.findall(message.text)):
        try:
            yield json.loads(re.sub(r'\\(?!["\\/bfnrtu])', r"\\\\", found), strict=False)
        except json.JSONDecodeError:
            continue


def _tool() -> BaseTool:
    fields = {"notes": {"type": "string"}, "grade": {"type": "string", "enum": list(GRADES)}}
    schema = {
        "title": "record_grade",
        "description": "Record the grade of the solution.",
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }
    return StructuredTool(
        name="record_grade", description=schema["description"], args_schema=schema, func=lambda **grade: grade
    )


def _score(dimension: str, grade: Grade, notes: str) -> Score:
    details = {"grade": grade, "notes": notes}
    return Score(dimension=dimension, value=VALUES[grade], evidence=f"{grade}: {notes}", details=details)


def _code(problem: Problem) -> str:
    return "\n\n".join(
        f"```python\n{target.value}\n```" for target in problem.targets if target.kind == "callable"
    )


@cache
def _text(name: str) -> str:
    return files(__package__).joinpath(f"{name}.md").read_text(encoding="utf-8").strip()
