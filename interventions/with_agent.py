"""Your own agent as an arm: it replaces the plan's graph."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

from ansatz.agents import AgentPlan
from ansatz.agents.identity import identity, qualified_name
from ansatz.agents.langchain_types import is_runnable
from ansatz.errors import NoIdentity, SettingError
from ansatz.interventions.intervention import Intervention
from ansatz.settings import settings

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.runnables import Runnable

    Agent = Callable[[BaseChatModel], Runnable[Any, Any]] | Runnable[Any, Any]
else:  # Pydantic reads these annotations at run time, without LangChain
    Agent = Any


def _can_make_graph(function: Callable[..., Any]) -> bool:
    """Whether a function can be called with a chat model and return at once."""
    if inspect.iscoroutinefunction(function):
        return False
    try:
        inspect.signature(function).bind(None)
    except TypeError:
        return False
    except ValueError:  # a function in C without a signature
        return True
    return True


@settings()
class WithAgent(Intervention):
    """Your own agent instead of Ansatz's: a function from a chat model to a LangGraph graph, or a graph.

    A function gets the study's model; the ledger stores every request, and all limits hold. A finished graph
    calls the model that it was built with. Its attempts are stored as wholes, so a resumed run repeats those
    in flight, and only the time limit stops it. The other switches of the arm do not change the agent.

    The agent maps `{"messages": [...]}` to a state with `messages`, as LangChain's `create_agent` does.

    Example: `WithAgent(lambda model: create_agent(model, [my_tool]))`.
    """

    agent: Agent
    """A function from a chat model to a graph, or a graph."""
    name: str = ""
    """Identifies a finished graph, or a function that Ansatz cannot hash."""

    references: ClassVar[tuple[str, ...]] = ("agent",)

    def __post_init__(self) -> None:
        if is_runnable(self.agent) and not self.name:
            raise SettingError('a finished graph needs a name as its identity: WithAgent(graph, name="v1")')
        if not is_runnable(self.agent) and not _can_make_graph(self.agent):
            raise SettingError(
                "agent must be a function that takes a chat model and returns a graph, and is not async; "
                "docs/langchain.md shows how to wrap a function that answers questions"
            )

    @property
    def identity(self) -> dict[str, Any]:
        named = {"class": qualified_name(type(self)), "name": self.name}
        if is_runnable(self.agent):
            return named
        try:
            return {**named, "function": identity(self.agent)}
        except NoIdentity:
            if not self.name:
                raise
            return named

    @property
    def label(self) -> str:
        return f"with_agent({self.name or getattr(self.agent, '__name__', 'agent')})"

    def apply(self, plan: AgentPlan) -> AgentPlan:
        return plan.replace_with_agent(self.agent)
