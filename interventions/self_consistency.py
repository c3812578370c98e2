"""Several independent answers, and a vote among them, value by value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar

from langchain_core.messages import RemoveMessage
from langgraph.graph.message import REMOVE_ALL_MESSAGES
from langgraph.runtime import Runtime
from pydantic import Field

from ansatz.agents import AgentContext, AgentPlan, AgentState, AnswerForm, Review
from ansatz.agents.answer_form import restated, stated_value
from ansatz.quantities.voting import Ballot, vote
from ansatz.settings import Share, check_settings


@dataclass(frozen=True)
class SelfConsistency:
    """Several independent answers, of which the one that most agree with is given (self-consistency).

    Each of `samples` answers is made from the start. For every quantity asked for, values within a relative
    `tolerance` of each other, in any unit, count as one; the median of the largest group stands. Ties, the
    share that agrees and the spread of all values are kept in the transcript. Wang et al., arXiv:2203.11171.

    Example: `SelfConsistency(samples=5, tolerance=0.01)`.
    """

    samples: Annotated[int, Field(ge=2, strict=True)] = 5
    tolerance: Share = 0.01

    def __post_init__(self) -> None:
        check_settings(self)

    def apply(self, plan: AgentPlan) -> AgentPlan:
        return plan.review(Vote(self.samples, self.tolerance, plan.answer))


@dataclass(frozen=True)
class Vote:
    """Has the question answered anew until there are enough answers; then puts the winner in their place.

    The answer given is the draft that wins most quantities; where it is outvoted, the winner is stated anew.
    """

    samples: int
    tolerance: float
    form: AnswerForm

    name: ClassVar[str] = "self_consistency"
    stage: ClassVar[str] = "vote"

    async def __call__(self, state: AgentState, runtime: Runtime[AgentContext]) -> dict[str, Any]:
        attempt = runtime.context.attempt
        if len(attempt.drafts) == self.samples:
            return {}
        attempt.lay_aside(runtime.context.answer(state), state["messages"])
        answers = [draft.answer for draft in attempt.drafts]
        if len(answers) < self.samples:
            attempt.reviews.append(Review(step=self.name, answer=answers[-1], sent_back=True))
            return {"messages": [RemoveMessage(REMOVE_ALL_MESSAGES)]}
        asked = runtime.context.question.asked
        stated = {each.name: [stated_value(text, each) for text in answers] for each in asked}
        ballots = {name: vote(values, self.tolerance) for name, values in stated.items()}
        wins = [sum(place in ballot.members for ballot in ballots.values()) for place in range(self.samples)]
        place = max(range(self.samples), key=lambda at: (wins[at], _is_chosen(at, ballots), -at))
        details = {"chosen": place, "targets": {name: each.to_json() for name, each in ballots.items()}}
        attempt.reviews.append(
            Review(step=self.name, answer=answers[place], sent_back=False, details=details)
        )
        winners = {
            name: stated[name][each.chosen] for name, each in ballots.items() if each.chosen is not None
        }
        text = restated(answers[place], winners, self.form) if wins[place] < len(winners) else ""
        return {"messages": [RemoveMessage(REMOVE_ALL_MESSAGES), *attempt.settle_on(place, text)]}


def _is_chosen(place: int, ballots: Mapping[str, Ballot]) -> int:
    return sum(place == ballot.chosen for ballot in ballots.values())
