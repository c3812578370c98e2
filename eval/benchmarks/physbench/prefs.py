"""P-REFS by language models as judges (Scaria et al., appendix E)."""

from __future__ import annotations

import hashlib
from typing import ClassVar

from ansatz.eval.benchmarks.physbench.answer_parts import AnswerParts, read_answer
from ansatz.eval.benchmarks.physbench.prefs_rubric import (
    Assessment,
    assess_no_answer,
    criteria_of,
    dimensions_of,
    is_conceptual,
    score_assessment,
)
from ansatz.eval.benchmarks.physbench.prefs_rules import names_option, score_final_answer
from ansatz.eval.judging.model_graded import JudgePanel
from ansatz.eval.judging.panel import PanelVerdict
from ansatz.eval.judging.rubric import Rubric
from ansatz.eval.problem import Problem
from ansatz.eval.score import Dimension, Score, Scorer, ScoringContext
from ansatz.settings import settings


@settings()
class PrefsJudge(JudgePanel, Scorer):
    """Scores by language models on the criteria of P-REFS. Conceptual questions have a separate rubric.

    If an answer names an option, the comparison with the key decides the final answer, not the judge. An
    answer that no judge could score is unscored. A failed request raises an InfrastructureError, and the
    answer is scored again when the run is resumed. `prefs_rules` is the offline substitute.

    The other settings are those of `JudgePanel`. The details of `prefs.score` are `PanelVerdict.record`.
    """

    grounded: bool = False
    """Whether the judges see the verifier's findings."""

    scorer: ClassVar[str] = "prefs"
    dimensions: ClassVar[tuple[Dimension, ...]] = dimensions_of("prefs.")

    @property
    def prompt_hash(self) -> str:
        """The hash of both rubrics; the kind of question decides which of them a judge sees."""
        hashes = (Rubric.load(name).sha256 for name in ("prefs", "prefs_conceptual"))
        return hashlib.sha256("".join(hashes).encode()).hexdigest()

    async def score(self, context: ScoringContext) -> tuple[Score, ...]:
        """Score one answer; an empty answer scores zero without a request.

        Raises InfrastructureError if a model cannot be reached.
        """
        self.check()
        problem, transcript = context.problem, context.transcript
        answer = read_answer(transcript.answer)
        if not answer.text.strip():
            assessment = assess_no_answer(problem, transcript.stop)
        else:
            rubric = Rubric.load("prefs_conceptual" if is_conceptual(problem) else "prefs")
            rubric = rubric.select(*(each.name for each in criteria_of(problem)))
            verdict = await self.ask_judges(context, rubric, findings=self.grounded)
            assessment = _assessment(problem, answer, verdict)
        return score_assessment(self.dimensions, problem, answer, assessment)


def _assessment(problem: Problem, answer: AnswerParts, verdict: PanelVerdict) -> Assessment:
    """Combine the judges' scores with the option chosen; an error counts if half of the judges tagged it."""
    found = {name: (verdict.points(name), "; ".join(verdict.describe(name))) for name in verdict.criteria}
    if names_option(problem, answer) and any(points is not None for points, _ in found.values()):
        points, reason = score_final_answer(problem, answer)
        found["final"] = points, f"{reason}; {found['final'][1]}"
    tags = frozenset(tag for tag, count in verdict.errors.items() if 2 * count >= len(verdict.opinions))
    return Assessment(found, tags, f"{verdict.status}: ", verdict.record())
