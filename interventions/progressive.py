"""Show the model its own earlier answers of a problem set that were judged right."""

from __future__ import annotations

from typing import Literal

from ansatz.agents import AgentPlan
from ansatz.interventions.intervention import Intervention, read_prompt
from ansatz.interventions.notes import ShowHint
from ansatz.settings import Share, settings


@settings()
class Progressive(Intervention):
    """APBench's progressive prompt: earlier questions that were answered right join the prompt.

    The runner judges the answers. The model sees only its own words, never a key; that an answer is shown
    reveals that it is right.

    Example: `Progressive(judged_by="outcome")`.
    """

    judged_by: str = "published"
    """The dimension that decides; a scorer of the study must report it."""
    at_least: Share = 1.0
    """The smallest score of an answer that counts as right."""
    show: Literal["solution", "answer"] = "solution"
    """Either "solution", the whole answer as in the paper, or "answer", the final answer only, as in the
    paper's code for numbers."""

    def apply(self, plan: AgentPlan) -> AgentPlan:
        return plan.precede(ShowHint("earlier", read_prompt("progressive")))
