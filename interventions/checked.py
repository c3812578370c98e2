"""Recompute an answer before it is final, and send certain errors back to the model."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from typing import ClassVar

from ansatz.agents import Accept, AgentPlan, AgentState, Review, Running, SendBack, Verdict
from ansatz.interventions.intervention import Intervention, read_prompt
from ansatz.quantities.calculation import Calculation
from ansatz.quantities.findings import Finding, check_equalities, find_impossible_values, find_unit_faults
from ansatz.settings import Count, settings

_MAX_SENT = 8


@settings()
class Checked(Intervention):
    """A computed check of each answer before it is final: arithmetic, units, bounds, regimes.

    Ansatz recomputes the stated arithmetic, compares units and dimensions, and compares equations that the
    answer names by id with the regime of the question. Certain errors go back to the model. No key is used.

    Example: `one_at_a_time(Checked(), Calculator())`.
    """

    rounds: Count = 2
    """How often an answer is sent back at most."""

    def apply(self, plan: AgentPlan) -> AgentPlan:
        return plan.review(CheckAnswer(self.rounds, read_prompt("checked")))


@dataclass(frozen=True)
class CheckAnswer:
    """Sends an answer back with its errors while rounds are left; the transcript stores every check."""

    rounds: int
    """How often an answer is sent back at most."""
    prompt: str
    """The message to the model, with the placeholder {findings}."""

    name: ClassVar[str] = "checked"
    stage: ClassVar[str] = "check"

    async def __call__(self, state: AgentState, runtime: Running) -> Verdict:
        attempt, answer, started = runtime.context.attempt, runtime.context.answer(state), time.perf_counter()
        found = await asyncio.to_thread(find_errors, answer, runtime.context.question.text)
        attempt.check_seconds += time.perf_counter() - started
        done = sum(review.step == self.name and review.sent_back for review in attempt.reviews)
        sent_back = bool(found) and done < self.rounds
        details = {"findings": [finding.to_json() for finding in found]}
        attempt.reviews.append(Review(step=self.name, answer=answer, sent_back=sent_back, details=details))
        if not sent_back:
            return Accept()
        lines = "\n".join(f"- “{finding.quote}”: {finding.message}" for finding in found[:_MAX_SENT])
        return SendBack(self.prompt.replace("{findings}", lines))


def find_errors(answer: str, question: str) -> list[Finding]:
    """Find the certain errors of an answer, each once, in the order of the checks."""
    from ansatz.knowledge_base.regime import find_contradicted_uses

    calculation = Calculation(answer, question)
    found = [
        *(each for each in check_equalities(calculation) if isinstance(each, Finding)),
        *find_unit_faults(calculation, {}),
        *find_impossible_values(calculation.statements),
        # equations that the answer names by id and calculates with, but whose regime the question contradicts
        *(Finding("regime", id, reason) for id, reason in find_contradicted_uses(answer, question)),
    ]
    return list({(finding.quote, finding.message): finding for finding in found}.values())
