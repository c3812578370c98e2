"""Recompute an answer before it is given, and send back what surely does not hold."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from typing import Any, ClassVar

from langchain_core.messages import HumanMessage

from ansatz.agents import AgentPlan, AgentState, Review, Running
from ansatz.interventions.intervention import Intervention, prompt
from ansatz.quantities.calculation import Calculation
from ansatz.quantities.findings import Finding, check_equalities, find_impossible_values, find_unit_faults
from ansatz.settings import Count, settings

_MOST_TOLD = 8


@settings()
class Checked(Intervention):
    """Answers checked by computation before they are given: arithmetic, units, bounds, regimes.

    Stated arithmetic is done again, units and dimensions are compared, and equations that the answer names
    by their id are held against the regime that the question states. What surely does not hold is sent back
    with the words it concerns, at most `rounds` times. No key is needed for any of it.

    Example: `one_at_a_time(Checked(), Calculator())`.
    """

    rounds: Count = 2

    def apply(self, plan: AgentPlan) -> AgentPlan:
        return plan.review(CheckAnswer(self.rounds, prompt("checked")))


@dataclass(frozen=True)
class CheckAnswer:
    """Sends an answer back with what was found, while there are rounds left; the transcript keeps it all."""

    rounds: int
    prompt: str

    name: ClassVar[str] = "checked"
    stage: ClassVar[str] = "check"

    async def __call__(self, state: AgentState, runtime: Running) -> dict[str, Any]:
        attempt, answer, started = runtime.context.attempt, runtime.context.answer(state), time.perf_counter()
        found = await asyncio.to_thread(findings, answer, runtime.context.question.text)
        attempt.checked += time.perf_counter() - started
        done = sum(each.step == self.name and each.sent_back for each in attempt.reviews)
        sent_back = bool(found) and done < self.rounds
        details = {"findings": [each.to_json() for each in found]}
        attempt.reviews.append(Review(step=self.name, answer=answer, sent_back=sent_back, details=details))
        if not sent_back:
            return {}
        told = "\n".join(f"- “{each.quote}”: {each.message}" for each in found[:_MOST_TOLD])
        return {"messages": [HumanMessage(self.prompt.replace("{findings}", told))]}


def findings(answer: str, question: str) -> list[Finding]:
    """What surely does not hold in an answer, each fault once, in the order of the checks."""
    from ansatz.knowledge_base.regime import find_contradicted_uses

    calculation = Calculation(answer, question)
    found = [
        *(each for each in check_equalities(calculation) if isinstance(each, Finding)),
        *find_unit_faults(calculation, {}),
        *find_impossible_values(calculation.statements),
        # equations of the base, named where the answer calculates with them, that the question contradicts
        *(Finding("regime", id, reason) for id, reason in find_contradicted_uses(answer, question)),
    ]
    return list({(each.quote, each.message): each for each in found}.values())
