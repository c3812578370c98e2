"""The scorer `tpbench_grade`: a letter from A to D for the whole solution, by a language model.

The paper's grader sees the result of auto-verification. To measure its influence, `verification` shows the
result, hides it, or grades every solution both ways.
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
"""The stored values of grades. The paper has only letters; the even spacing is a choice of Ansatz."""

_INFORMED = Dimension("grade.informed", "grade by a judge that knows the verification")
_BLIND = Dimension("grade.blind", "grade by a judge that does not")
_DIMENSIONS = {"shown": (_INFORMED,), "hidden": (_BLIND,), "both": (_INFORMED, _BLIND)}
_ASKS = 2


@dataclass(frozen=True)
class TPBenchGrade(Scorer):
    """Grades solutions by a language model.

    A reply without a grade leads to one more request; then the solution has no score. An empty solution is a
    D without a request.

    Details: `grade` (null if there is none), `notes` and `status` (ok or failed).
    """

    model: JudgeLike | None = None
    """The grader: "provider:model", a mapping with name, settings and prices, or a chat model."""
    verification: Literal["shown", "hidden", "both"] = "shown"
    """Whether the grader sees the result of auto-verification; "both" grades twice."""
    timeout_seconds: float = 30.0
    """The limit of each call of an answer's function."""

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
        """The sandbox that verifies answers; None if their verification is hidden."""
        return None if self.verification == "hidden" else self.verifier.runner

    @cached_property
    def verifier(self) -> TPBenchScore:
        return TPBenchScore(timeout_seconds=self.timeout_seconds)

    def check(self) -> None:
        """Raise ValueError if no model is named."""
        if not self.wanted_models:
            raise ValueError("tpbench_grade needs a model: name one, such as model: openai:gpt-5.2")

    async def score(self, context: ScoringContext) -> tuple[Score, ...]:
        """Grade one solution. Raises InfrastructureError if the model or the sandbox cannot be reached."""
        if not context.transcript.answer.strip():
            reason = f"no answer ({context.transcript.stop})"
            return tuple(_score(each.name, "D", reason) for each in self.dimensions)
        return tuple([await self._grade(each.name, context) for each in self.dimensions])

    async def _grade(self, dimension: str, context: ScoringContext) -> Score:
        problem, answer, finding = context.problem, context.transcript.answer, ""
        if dimension == _INFORMED.name:
            try:
                finding = (await self.verifier.verify_once(context)).format()
            except ReferenceFault as fault:
                return Score(dimension=dimension, value=None, evidence=f"cannot be verified: {fault}")
        rubric, [model] = Rubric.load("tpbench"), self.wanted_models
        opinion = await ask_judge(
            context.ask, model.title, rubric, build_parts(problem, answer, finding), _ASKS
        )
        if (points := opinion.points.get("grade")) is None:
            evidence = f"failed: no reply has a grade ({', '.join(opinion.faults)})"
            return Score(dimension=dimension, value=None, evidence=evidence, details={"status": "failed"})
        letter = rubric.criteria["grade"].label(points)
        grade = next(each for each in GRADES if each == letter)
        return _score(dimension, grade, opinion.justifications["grade"])


def build_parts(problem: Problem, answer: str, finding: str) -> tuple[str, ...]:
    """Return the parts of the prompt; `finding` is the line of auto-verification, empty if it is hidden.

    The finding quotes errors of the answer's code, so it is inside a fence like the answer.
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
