"""The scorer `tpbench_grade`: a letter from A to D for the whole solution, by a language model.

The paper's grader is shown what auto-verification found. Whether that helps it or merely tells it the result
can be measured here: `verification` shows the finding, hides it, or has every solution graded both ways.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from typing import Literal, get_args

from ansatz.errors import ReferenceFault
from ansatz.eval.benchmarks.tpbench.score import TPBenchScore
from ansatz.eval.judging.judge_models import JudgeLike, JudgeModel, parse_judges
from ansatz.eval.judging.panel import ask_judge
from ansatz.eval.judging.request import fence
from ansatz.eval.judging.rubric import Rubric
from ansatz.eval.problem import Problem
from ansatz.eval.score import Dimension, Score, Scorer, ScoringContext
from ansatz.sandbox import Sandbox

Grade = Literal["A", "B", "C", "D"]
GRADES: tuple[Grade, ...] = get_args(Grade)
VALUES: dict[Grade, float] = {"A": 1.0, "B": 2 / 3, "C": 1 / 3, "D": 0.0}
"""Grades as stored: evenly spaced, which is our choice; the paper's are letters only."""

_INFORMED = Dimension("grade.informed", "grade by a judge that knows the verification")
_BLIND = Dimension("grade.blind", "grade by a judge that does not")
_DIMENSIONS = {"shown": (_INFORMED,), "hidden": (_BLIND,), "both": (_INFORMED, _BLIND)}
_ASKS = 2


@dataclass(frozen=True)
class TPBenchGrade(Scorer):
    """`model` grades, "provider:model", a mapping with name, settings and prices, or a chat model.

    `verification` is shown, hidden or both; `timeout_seconds` bounds each call of an answer's function. A
    reply without a grade is asked for once more; then the solution is unscored. An empty solution is a D,
    unasked. A failed request is a failure of infrastructure and raises.

    Details: `grade` (null where there is none), `notes` and `status` (ok or failed).
    """

    model: JudgeLike | None = None
    verification: Literal["shown", "hidden", "both"] = "shown"
    timeout_seconds: float = 30.0

    @property
    def dimensions(self) -> tuple[Dimension, ...]:
        return _DIMENSIONS[self.verification]

    @cached_property
    def wanted_models(self) -> tuple[JudgeModel, ...]:
        return () if self.model is None else parse_judges(self.model)

    @property
    def prompt_hash(self) -> str:
        return Rubric.load("tpbench").sha256

    @property
    def runner(self) -> Sandbox | None:
        """Where answers are verified; None where their verification is hidden."""
        return None if self.verification == "hidden" else self.verifier.runner

    @cached_property
    def verifier(self) -> TPBenchScore:
        return TPBenchScore(timeout_seconds=self.timeout_seconds)

    def check(self) -> None:
        """Raises ValueError where no model is named."""
        if not self.wanted_models:
            raise ValueError("tpbench_grade needs a model: name one, such as model: openai:gpt-5.2")

    async def score(self, context: ScoringContext) -> tuple[Score, ...]:
        """Raises InfrastructureError where the model or the sandbox cannot be reached."""
        if not context.transcript.answer.strip():
            reason = f"no answer ({context.transcript.stop})"
            return tuple(_score(each.name, "D", reason) for each in self.dimensions)
        return tuple([await self._graded(each.name, context) for each in self.dimensions])

    async def _graded(self, dimension: str, context: ScoringContext) -> Score:
        problem, answer, finding = context.problem, context.transcript.answer, ""
        if dimension == _INFORMED.name:
            try:
                finding = (await self.verifier.verified(context)).sentence()
            except ReferenceFault as fault:
                return Score(dimension=dimension, value=None, evidence=f"cannot be verified: {fault}")
        rubric, [model] = Rubric.load("tpbench"), self.wanted_models
        opinion = await ask_judge(context.ask, model.title, rubric, parts(problem, answer, finding), _ASKS)
        if (points := opinion.points.get("grade")) is None:
            evidence = f"failed: no reply holds a grade ({', '.join(opinion.faults)})"
            return Score(dimension=dimension, value=None, evidence=evidence, details={"status": "failed"})
        letter = rubric.criteria["grade"].label(points)
        grade = next(each for each in GRADES if each == letter)
        return _score(dimension, grade, opinion.justifications["grade"])


def parts(problem: Problem, answer: str, finding: str) -> tuple[str, ...]:
    """What is shown; `finding` is the line of auto-verification, empty where it is hidden.

    The finding quotes the answer's own errors, so that it stands behind a fence as well.
    """
    about = files(__package__).joinpath("grading_verification.md").read_text(encoding="utf-8").strip()
    return (
        f"# Problem\n\n{problem.ask().text}",
        f"# Solution of the expert\n\n{problem.reference.text}\n\n{_code(problem)}",
        f"# Solution to be graded\n\n{fence(answer, 'SOLUTION')}",
        *([f"# Verification\n\n{about}\n\n{fence(finding, 'FINDING')}"] if finding else []),
    )


def _score(dimension: str, grade: Grade, notes: str) -> Score:
    details = {"status": "ok", "grade": grade, "notes": notes}
    return Score(dimension=dimension, value=VALUES[grade], evidence=f"{grade}: {notes}", details=details)


def _code(problem: Problem) -> str:
    return "\n\n".join(
        f"```python\n{target.value}\n```" for target in problem.targets if target.kind == "callable"
    )
