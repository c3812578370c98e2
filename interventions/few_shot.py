"""Worked examples before the question, from families other than its own."""

from __future__ import annotations

from typing import Literal

from ansatz.agents import AgentPlan
from ansatz.interventions.intervention import Intervention, read_prompt
from ansatz.interventions.notes import ShowHint
from ansatz.settings import Count, settings


@settings()
class FewShot(Intervention):
    """Worked examples of other problems before the question.

    The runner chooses problems with worked steps, each of a different family and none of the question's
    family.

    Example: `FewShot(examples=3, choose="similar")`.
    """

    examples: Count = 3
    """How many examples are shown."""
    choose: Literal["fixed", "similar"] = "fixed"
    """Either "fixed", the same examples for all questions as far as families allow, or "similar", the
    problems that share most words with the question."""
    source: str = "tps"
    """The benchmark that the examples come from."""

    def apply(self, plan: AgentPlan) -> AgentPlan:
        return plan.precede(ShowHint("examples", read_prompt("few_shot")))
