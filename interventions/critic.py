"""A model reviews the answer before it is given, by a rubric, and may send it back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from langchain_core.messages import HumanMessage, SystemMessage

from ansatz.agents import AgentPlan, AgentState, Review, Running
from ansatz.interventions.intervention import Intervention, prompt
from ansatz.settings import Count, settings


@settings()
class Critic(Intervention):
    """A model's review of the answer before it is given, by a rubric of its own; faults go back.

    `model` is "provider:model" of another critic; without it the model criticises itself, in a conversation
    of its own. What it calls faulty is sent back at most `rounds` times. All its tokens are the arm's.

    Example: `Critic(rounds=2)`.
    """

    model: str | None = None
    rounds: Count = 1

    def apply(self, plan: AgentPlan) -> AgentPlan:
        rubric, back = prompt("critic").split("\n---\n")
        asked = plan if self.model is None else plan.consult(self.model)
        return asked.review(Criticise(self.model, self.rounds, rubric.strip(), back.strip()))


@dataclass(frozen=True)
class Criticise:
    """Asks the critic about the answer while there are rounds left; only what is called faulty goes back."""

    model: str | None
    rounds: int
    rubric: str
    back: str

    name: ClassVar[str] = "critic"
    stage: ClassVar[str] = "critic"

    async def __call__(self, state: AgentState, runtime: Running) -> dict[str, Any]:
        attempt, answer = runtime.context.attempt, runtime.context.answer(state)
        done = sum(each.step == self.name for each in attempt.reviews)
        if done >= self.rounds or not answer.strip():
            return {}
        asked = f"The question:\n\n{runtime.context.question.text}\n\nThe answer:\n\n{answer}"
        request = [SystemMessage(self.rubric), HumanMessage(asked)]
        said = (await attempt.ask(request, node=self.name, aside=True, model=self.model)).text.strip()
        lines = [line.strip(" *`.").upper() for line in said.splitlines() if line.strip()]
        is_faulty = bool(lines) and lines[-1] == "VERDICT: FAULTY"
        details = {"review": said, "verdict": lines[-1].partition("VERDICT: ")[2].lower() if lines else ""}
        attempt.reviews.append(Review(step=self.name, answer=answer, sent_back=is_faulty, details=details))
        if not is_faulty:
            return {}
        return {"messages": [HumanMessage(self.back.replace("{review}", said))]}
