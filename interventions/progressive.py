"""Show the model its own earlier answers of a problem set, where they were judged right."""

from __future__ import annotations

from typing import Literal

from ansatz.agents import AgentPlan
from ansatz.interventions.hints import ShowHint
from ansatz.interventions.intervention import Intervention, prompt
from ansatz.settings import Share, settings


@settings()
class Progressive(Intervention):
    """APBench's progressive prompt: earlier questions that were answered right join the prompt.

    An answer is right if it scores at least `at_least` on the dimension `judged_by`, which a scorer of the
    study has to report. `show` is the whole `solution`, as the paper says, or the final `answer` alone, as
    its code does for numbers. Judging is the runner's part: what arrives here, as the hint `earlier`, are the
    model's own words and never a key. That an answer is right is told by its being shown.

    Example: `Progressive(judged_by="outcome")`.
    """

    judged_by: str = "published"
    at_least: Share = 1.0
    show: Literal["solution", "answer"] = "solution"

    def apply(self, plan: AgentPlan) -> AgentPlan:
        return plan.precede(ShowHint("earlier", prompt("progressive")))
