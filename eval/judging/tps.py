"""The scorer `judge`: the eight dimensions of TPS-CalcBench (section IV.2) by one judge or a panel."""

from __future__ import annotations

from typing import ClassVar

from ansatz.eval.judging.model_graded import JudgePanel, unanswered
from ansatz.eval.judging.panel import PanelVerdict
from ansatz.eval.judging.rubric import Rubric
from ansatz.eval.outcome import answer_is_right
from ansatz.eval.score import Dimension, Score, Scorer, ScoringContext
from ansatz.eval.verifier import kpi as sums
from ansatz.settings import settings


@settings()
class Judge(JudgePanel, Scorer):
    """Marks by language models on the eight rubric dimensions; a panel where several are named.

    Settings are those of `JudgePanel`; `grounded` shows the judges the verifier's findings, and `prefix`
    stands before every dimension. `kpi` and `kpi_published` are the sums of `verifier.kpi`; where none of G1
    to G4 has a mark, the judges' overall mark, of which a wrong value leaves at most what an unsound
    calculation may have.

    Details: of a dimension those of `ModelGraded`; of `kpi` `PanelVerdict.record` with `is_right`
    (whether the final values are; null where no key tells) and `spoiled_by`.
    """

    grounded: bool = False
    prefix: str = "judge."

    scorer: ClassVar[str] = "judge"

    @property
    def prompt_hash(self) -> str:
        return Rubric.load("tps").sha256

    @property
    def dimensions(self) -> tuple[Dimension, ...]:
        return sums.dimensions(self.prefix)

    async def score(self, context: ScoringContext) -> tuple[Score, ...]:
        """Raises InfrastructureError where a model cannot be reached. An empty answer earns zero unasked."""
        self.check()
        if not context.transcript.answer.strip():
            return unanswered(self.dimensions, context.transcript)
        verdict = await self.verdict(context, Rubric.load("tps"), findings=self.grounded)
        marks = (verdict.score(f"{self.prefix}{name}", name) for name in verdict.criteria)
        is_right = answer_is_right(context.problem, context.transcript.complete_answer)
        return (*marks, *_sums(self.prefix, verdict, is_right))


def _sums(prefix: str, verdict: PanelVerdict, is_right: bool | None) -> tuple[Score, Score]:
    overall = verdict.overall
    published = sums.published(verdict.shares)
    value = sums.kpi(verdict.shares, is_right)
    if value is None and overall is not None:
        value = min(overall, sums.SOUND) if is_right is False else overall
    spoiled = sums.faults(verdict.shares, is_right) if value is not None else ()
    reason = f"; G5 to G8 count as zero: {', '.join(spoiled)}" if spoiled else ""
    if value is None:
        status, of = "failed", verdict.faults or "no marks"
    elif (status := verdict.status) == "ok":
        of = "weighted mean of all dimensions"
    elif not verdict.shares:
        of = "overall mark alone"
    else:
        status, of = "ok_partial", f"from {', '.join(verdict.shares)}; {verdict.faults}"
    ended = f"{status}: {of}"
    details = {**verdict.record(), "status": status, "is_right": is_right, "spoiled_by": list(spoiled)}
    plain = overall if published is None else published
    return (
        Score(dimension=f"{prefix}kpi", value=value, evidence=ended + reason, details=details),
        Score(dimension=f"{prefix}kpi_published", value=plain, evidence=ended),
    )
