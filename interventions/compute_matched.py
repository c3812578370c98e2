"""A placebo for agents: the same calls and about the same tokens as another arm, without its content."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import cycle, islice
from typing import ClassVar

from ansatz.agents import Accept, AgentPlan, AgentState, Review, Running, SendBack, Usage, Verdict
from ansatz.interventions.intervention import Intervention, read_prompt
from ansatz.settings import settings

_TOKENS_PER_WORD = 1.3


@settings()
class ComputeMatched(Intervention):
    """A placebo: the same number of calls and about the same tokens as another arm, without its content.

    The model gets a request to check its answer again, as often as the other arm calls it on the same
    question. If the other arm uses more tokens, the requests contain filler words. The runner runs the other
    arm first, and passes its usage on as `Question.call_budget`.

    Example: `{"checked": Checked(), "as often": ComputeMatched("checked")}`.
    """

    arm: str
    """The name of the arm whose calls and tokens are matched."""

    def apply(self, plan: AgentPlan) -> AgentPlan:
        request, filler = read_prompt("compute_matched").split("\n---\n")
        return plan.review(LookOnceMore(self.arm, request.strip(), filler.strip()))


@dataclass(frozen=True)
class LookOnceMore:
    """Sends the answer back without comment until the attempt has the call count of the other arm."""

    arm: str
    """The name of the other arm."""
    request: str
    """The message that asks for another look."""
    filler: str
    """Words without content, repeated as often as tokens are missing."""

    name: ClassVar[str] = "compute_matched"
    stage: ClassVar[str] = "check"

    async def __call__(self, state: AgentState, runtime: Running) -> Verdict:
        attempt, budget = runtime.context.attempt, runtime.context.question.call_budget
        left = budget.calls - len(attempt.model_calls) if budget else 0
        if budget is None or left <= 0:
            return Accept()
        attempt.reviews.append(Review(step=self.name, answer=runtime.context.answer(state), sent_back=True))
        words = self._count_missing_words(budget.tokens - attempt.tokens, left, attempt.model_calls[-1].usage)
        filler = " ".join(islice(cycle(self.filler.split()), words))
        return SendBack("\n\n".join(filter(None, [self.request, filler])))

    def _count_missing_words(self, tokens: int, calls: int, last: Usage) -> int:
        """Count the words to add so that `calls` more requests, which repeat earlier ones, use `tokens`."""
        plain = sum(last.input + last.output * (2 + at) for at in range(calls))
        return max(0, int(2 * (tokens - plain) / (calls * (calls + 1)) / _TOKENS_PER_WORD))
