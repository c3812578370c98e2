"""The scorer `judge`: the eight dimensions of TPS-CalcBench (section IV.2), scored by language models."""

from __future__ import annotations

from typing import ClassVar

from ansatz.eval.judging.model_graded import JudgePanel, score_empty_answer
from ansatz.eval.judging.panel import PanelVerdict
from ansatz.eval.judging.rubric import Rubric
from ansatz.eval.outcome import is_answer_right
from ansatz.eval.score import Dimension, Score, Scorer, ScoringContext
from ansatz.eval.verifier import kpi as sums
from ansatz.settings import settings


@settings()
class Judge(JudgePanel, Scorer):
    """Scores on the eight dimensions of TPS-CalcBench by a language model or a panel.

    `kpi` and `kpi_published` are the weighted sums of `verifier.kpi`. If no judge scored any of G1 to G4,
    both are the judges' overall score; `kpi` then has a limit if a value is wrong, that of an unsound
    calculation.

    Details: each dimension has those of `ModelGraded`. `kpi` has `PanelVerdict.record`, `is_right` (whether
    the final values are right; null without a key) and `spoiled_by`.
    """

    grounded: bool = False
    """Whether the judges see the verifier's findings."""
    prefix: str = "judge."
    """Text before the name of each dimension."""

    scorer: ClassVar[str] = "judge"

    @property
    def prompt_hash(self) -> str:
        return Rubric.load("tps").sha256

    @property
    def dimensions(self) -> tuple[Dimension, ...]:
        return sums.kpi_dimensions(self.prefix)

    async def score(self, context: ScoringContext) -> tuple[Score, ...]:
        """Score an attempt; an empty answer gets zero without a request.

        Raises InfrastructureError if a model cannot be reached.
        """
        self.check()
        if not context.transcript.answer.strip():
            return score_empty_answer(self.dimensions, context.transcript)
        verdict = await self.ask_judges(context, Rubric.load("tps"), findings=self.grounded)
        scores = (verdict.score(f"{self.prefix}{name}", name) for name in verdict.criteria)
        is_right = is_answer_right(context.problem, context.transcript.complete_answer)
        return (*scores, *_score_sums(self.prefix, verdict, is_right))


def _score_sums(prefix: str, verdict: PanelVerdict, is_right: bool | None) -> tuple[Score, Score]:
    overall = verdict.overall
    published = sums.compute_published_kpi(verdict.shares)
    value = sums.compute_kpi(verdict.shares, is_right)
    if value is None and overall is not None:
        value = min(overall, sums.SOUND) if is_right is False else overall
    spoiled_by = sums.find_faults(verdict.shares, is_right) if value is not None else ()
    reason = f"; G5 to G8 count as zero: {', '.join(spoiled_by)}" if spoiled_by else ""
    if value is None:
        status, basis = "failed", verdict.faults or "no scores"
    elif (status := verdict.status) == "ok":
        basis = "weighted mean of all dimensions"
    elif not verdict.shares:
        basis = "overall score only"
    else:
        status, basis = "ok_partial", f"from {', '.join(verdict.shares)}; {verdict.faults}"
    evidence = f"{status}: {basis}"
    details = {**verdict.record(), "status": status, "is_right": is_right, "spoiled_by": list(spoiled_by)}
    plain = overall if published is None else published
    return (
        Score(dimension=f"{prefix}kpi", value=value, evidence=evidence + reason, details=details),
        Score(dimension=f"{prefix}kpi_published", value=plain, evidence=evidence),
    )
