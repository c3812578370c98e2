"""A hint only at the stage at which another arm failed, and its placebo: a hint at a stage that it passed."""

from __future__ import annotations

from ansatz.agents import AgentPlan
from ansatz.interventions.intervention import Intervention
from ansatz.interventions.notes import ShowHint
from ansatz.settings import settings


@settings()
class StageHint(Intervention):
    """A hint before the question, only at the stage at which another arm's answer failed.

    The stages are those of the verifier: formulas, given values, units, arithmetic. The hint comes from the
    reference solution and has no result. If the other arm failed at no stage, there is no hint. Compare the
    arm with its placebo, not with the other arm: both are asked again where that arm failed, and a second try
    alone often succeeds.

    Example: `{"hint": StageHint(), "hint elsewhere": StageHint(placebo=True)}`.
    """

    after: str = "baseline"
    """The arm whose answer decides the stage. It answers first, and the verifier scores it."""
    placebo: bool = False
    """Whether the hint is at the next stage that the other arm passed."""

    def apply(self, plan: AgentPlan) -> AgentPlan:
        return plan.precede(ShowHint("stage", "Hint: {hint}"))
