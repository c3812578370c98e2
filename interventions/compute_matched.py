"""A placebo for agents: as many calls and about as many tokens as another arm takes, without its content."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import cycle, islice
from typing import Any, ClassVar

from langchain_core.messages import HumanMessage

from ansatz.agents import AgentPlan, AgentState, Review, Running, Usage
from ansatz.interventions.intervention import Intervention, prompt

_TOKENS_PER_WORD = 1.3


@dataclass(frozen=True)
class ComputeMatched(Intervention):
    """As many calls and about as many tokens as the named `arm` takes, without its content.

    The model is asked to look at its answer once more, as often as the other arm asks it on the same
    question, with idle words beside that where the other arm takes more tokens. The runner answers for the
    other arm first, and hands over what it took as the hint `spent`.

    Example: `{"checked": Checked(), "as often": ComputeMatched("checked")}`.
    """

    arm: str

    def apply(self, plan: AgentPlan) -> AgentPlan:
        request, idle = prompt("compute_matched").split("\n---\n")
        return plan.review(LookOnceMore(self.arm, request.strip(), idle.strip()))


@dataclass(frozen=True)
class LookOnceMore:
    """Sends the answer back, with nothing said of it, until the other arm's calls are made."""

    arm: str
    request: str
    idle: str

    name: ClassVar[str] = "compute_matched"
    stage: ClassVar[str] = "check"

    async def __call__(self, state: AgentState, runtime: Running) -> dict[str, Any]:
        attempt = runtime.context.attempt
        spent = json.loads(runtime.context.question.hints.get("spent", "{}"))
        left = spent.get("calls", 0) - len(attempt.model_calls)
        if left <= 0:
            return {}
        attempt.reviews.append(Review(step=self.name, answer=runtime.context.answer(state), sent_back=True))
        words = self._missing(spent["tokens"] - attempt.tokens, left, attempt.model_calls[-1].usage)
        idle = " ".join(islice(cycle(self.idle.split()), words))
        return {"messages": [HumanMessage("\n\n".join(filter(None, [self.request, idle])))]}

    def _missing(self, tokens: int, calls: int, last: Usage) -> int:
        """Words to add now, so that `calls` more requests take so many tokens: each repeats all before it."""
        plain = sum(last.input + last.output * (2 + at) for at in range(calls))
        return max(0, int(2 * (tokens - plain) / (calls * (calls + 1)) / _TOKENS_PER_WORD))
