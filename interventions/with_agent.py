"""A whole agent of one's own as an arm: it takes the place of the plan's graph."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from ansatz.agents import AgentPlan
from ansatz.agents.identity import identity, qualified_name
from ansatz.agents.langchain_types import is_runnable
from ansatz.errors import NoIdentity
from ansatz.interventions.intervention import Intervention

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.runnables import Runnable

    Agent = Callable[[BaseChatModel], Runnable[Any, Any]] | Runnable[Any, Any]
else:  # types of settings are asked for where LangChain need not be loaded
    Agent = Any


@dataclass(frozen=True)
class WithAgent(Intervention):
    """An agent of one's own in place of ours: a function from a chat model to a LangGraph graph, or a graph.

    A function is given the study's model; every request then goes through the ledger, and all limits hold.
    A finished graph asks the model that it was built with: its attempts are kept as wholes, so that a run
    that is broken off repeats those in flight, and the time limit alone can stop it. Either takes
    `{"messages": [...]}` and returns a state with `messages`, as LangChain's `create_agent` does. The other
    switches of an arm do not reach into such an agent. `name` is what a graph is identified by.

    Example: `WithAgent(lambda model: create_agent(model, [my_tool]))`.
    """

    agent: Agent
    name: str = ""

    references: ClassVar[tuple[str, ...]] = ("agent",)

    def __post_init__(self) -> None:
        if is_runnable(self.agent) and not self.name:
            raise ValueError(
                'a finished graph needs a name to be told from another: WithAgent(graph, name="v1")'
            )

    @property
    def identity(self) -> dict[str, Any]:
        found = {"class": qualified_name(type(self)), "name": self.name}
        if is_runnable(self.agent):
            return found
        try:
            return {**found, "function": identity(self.agent)}
        except NoIdentity:
            if not self.name:
                raise
            return found

    @property
    def label(self) -> str:
        return f"with_agent({self.name or getattr(self.agent, '__name__', 'agent')})"

    def apply(self, plan: AgentPlan) -> AgentPlan:
        return plan.replace_with_agent(self.agent)
