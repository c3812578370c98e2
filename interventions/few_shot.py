"""Worked examples before the question, from families other than its own."""

from __future__ import annotations

from typing import Literal

from ansatz.agents import AgentPlan
from ansatz.interventions.hints import ShowHint
from ansatz.interventions.intervention import Intervention, prompt
from ansatz.settings import Count, settings


@settings()
class FewShot(Intervention):
    """Worked examples of other problems, laid before the question.

    `examples` problems with worked steps are taken from the benchmark `source`, each of another family, and
    none of the question's own: `fixed` are the same for all questions, as far as their families allow;
    `similar` those that share most words with the question. Choosing them is the runner's part.

    Example: `FewShot(examples=3, choose="similar")`.
    """

    examples: Count = 3
    choose: Literal["fixed", "similar"] = "fixed"
    source: str = "tps"

    def apply(self, plan: AgentPlan) -> AgentPlan:
        return plan.precede(ShowHint("examples", prompt("few_shot")))
