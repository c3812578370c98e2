"""A model reviews the answer by a rubric before it is final, and may send it back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from langchain_core.messages import HumanMessage, SystemMessage

from ansatz.agents import Accept, AgentPlan, AgentState, Review, Running, SendBack, Verdict
from ansatz.interventions.intervention import Intervention, read_prompt
from ansatz.settings import Count, settings


@settings()
class Critic(Intervention):
    """A model's review of the answer by a rubric; an answer that it calls faulty goes back.

    The critic sees only the rubric, the question and the answer. The arm's tokens include the critic's.

    Example: `Critic(rounds=2)`.
    """

    model: str | None = None
    """The critic as "provider:model"; by default the model itself, in a separate conversation."""
    rounds: Count = 1
    """How many reviews there are at most."""

    def apply(self, plan: AgentPlan) -> AgentPlan:
        rubric, back = read_prompt("critic").split("\n---\n")
        with_model = plan if self.model is None else plan.consult(self.model)
        return with_model.review(Criticise(self.model, self.rounds, rubric.strip(), back.strip()))


@dataclass(frozen=True)
class Criticise:
    """Sends the answer to the critic while rounds are left, and returns a faulty answer to the model."""

    model: str | None
    """The critic as "provider:model"; None for the model itself."""
    rounds: int
    """How many reviews there are at most."""
    rubric: str
    """The instructions of the critic."""
    back: str
    """The message to the model, with the placeholder {review}."""

    name: ClassVar[str] = "critic"
    stage: ClassVar[str] = "critic"

    async def __call__(self, state: AgentState, runtime: Running) -> Verdict:
        attempt, answer = runtime.context.attempt, runtime.context.answer(state)
        done = sum(review.step == self.name for review in attempt.reviews)
        if done >= self.rounds or not answer.strip():
            return Accept()
        task = f"The question:\n\n{runtime.context.question.text}\n\nThe answer:\n\n{answer}"
        request = [SystemMessage(self.rubric), HumanMessage(task)]
        review = (await attempt.ask(request, node=self.name, aside=True, model=self.model)).text.strip()
        lines = [line.strip(" *`.").upper() for line in review.splitlines() if line.strip()]
        is_faulty = bool(lines) and lines[-1] == "VERDICT: FAULTY"
        details = {"review": review, "verdict": lines[-1].partition("VERDICT: ")[2].lower() if lines else ""}
        attempt.reviews.append(Review(step=self.name, answer=answer, sent_back=is_faulty, details=details))
        if not is_faulty:
            return Accept()
        return SendBack(self.back.replace("{review}", review))
