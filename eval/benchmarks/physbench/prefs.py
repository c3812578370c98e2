"""P-REFS by language models as judges (Scaria et al., appendix E)."""

from __future__ import annotations

import hashlib
from typing import ClassVar

from ansatz.eval.benchmarks.physbench.prefs_rubric import (
    Assessment,
    criteria_of,
    dimensions_of,
    is_conceptual,
    nothing,
    score_assessment,
)
from ansatz.eval.benchmarks.physbench.prefs_rules import final_mark, is_chosen
from ansatz.eval.judging.model_graded import JudgePanel
from ansatz.eval.judging.panel import PanelVerdict
from ansatz.eval.judging.rubric import Rubric
from ansatz.eval.problem import Problem
from ansatz.eval.reading.answer_parts import AnswerParts, read_answer
from ansatz.eval.score import Dimension, Score, Scorer, ScoringContext
from ansatz.settings import settings


@settings()
class PrefsJudge(JudgePanel, Scorer):
    """Marks by language models on the criteria of P-REFS, of conceptual questions on its own rubric.

    Where an answer names an option, comparing decides whether it is the right one, whatever a judge says. An
    answer that no judge could mark is unscored. A failed request is a failure of infrastructure: it raises,
    so that the attempt is scored again when the run is resumed. Offline, `prefs_rules` takes its place.

    Settings are those of `JudgePanel`; `grounded` shows the judges the verifier's findings. Details, of
    `prefs.score`: the record of `PanelVerdict.record`.
    """

    grounded: bool = False

    scorer: ClassVar[str] = "prefs"
    dimensions: ClassVar[tuple[Dimension, ...]] = dimensions_of("prefs.")

    @property
    def prompt_hash(self) -> str:
        """Of both rubrics: the question decides which of them a judge is shown."""
        shown = (Rubric.load(name).sha256 for name in ("prefs", "prefs_conceptual"))
        return hashlib.sha256("".join(shown).encode()).hexdigest()

    async def score(self, context: ScoringContext) -> tuple[Score, ...]:
        """Raises InfrastructureError where a model cannot be reached. An empty answer earns zero unasked."""
        self.check()
        problem, transcript = context.problem, context.transcript
        answer = read_answer(transcript.answer)
        if not answer.text.strip():
            assessment = nothing(problem, transcript.stop)
        else:
            rubric = Rubric.load("prefs_conceptual" if is_conceptual(problem) else "prefs")
            rubric = rubric.of(*(each.name for each in criteria_of(problem)))
            verdict = await self.verdict(context, rubric, findings=self.grounded)
            assessment = _assessment(problem, answer, verdict)
        return score_assessment(self.dimensions, problem, answer, assessment)


def _assessment(problem: Problem, answer: AnswerParts, verdict: PanelVerdict) -> Assessment:
    """An error counts where half of the judges tagged it. Without any mark, comparing decides nothing."""
    found = {name: (verdict.points(name), "; ".join(verdict.said(name))) for name in verdict.criteria}
    if is_chosen(problem, answer) and any(mark is not None for mark, _ in found.values()):
        mark, reason = final_mark(problem, answer)
        found["final"] = mark, f"{reason}; {found['final'][1]}"
    tags = frozenset(tag for tag, count in verdict.errors.items() if 2 * count >= len(verdict.opinions))
    return Assessment(found, tags, f"{verdict.status}: ", verdict.record())
