"""An agent that was not made from a plan. It runs as one node, and its requests count as the attempt's."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import Runnable
from langchain_core.tools import BaseTool
from pydantic import ConfigDict

from ansatz.agents.attempt import Attempt, LimitReached
from ansatz.agents.state import AgentState, Running

_UNBOUNDED_STEPS = 10_000  # the limits of the plan bound an attempt long before


@dataclass(frozen=True)
class ForeignAgent:
    """A graph node that sends the question to an agent. The last message of its final state is the answer."""

    agent: Callable[[BaseChatModel], Runnable[Any, Any]] | Runnable[Any, Any]
    """The agent, or a function that makes it for the model of the attempt."""

    async def __call__(self, state: AgentState, runtime: Running) -> dict[str, Any]:
        attempt = runtime.context.attempt
        started = time.perf_counter()
        agent = self.agent
        if not isinstance(agent, Runnable):
            agent = agent(AccountedModel(attempt=attempt))
        if not isinstance(agent, Runnable):
            name = getattr(self.agent, "__name__", "the function")
            raise TypeError(f"with_agent: {name} must return a graph, not {agent!r:.60}")
        question = HumanMessage(runtime.context.question.text)
        final = await agent.ainvoke({"messages": [question]}, {"recursion_limit": _UNBOUNDED_STEPS})
        seconds = time.perf_counter() - started if isinstance(self.agent, Runnable) else None
        if isinstance(final, dict) and isinstance(final.get("messages"), list):
            messages = final["messages"]
        else:  # a message or a text
            messages = [question, final if isinstance(final, BaseMessage) else AIMessage(str(final))]
        attempt.record_foreign_run(messages, seconds)
        return {}


class AccountedModel(BaseChatModel):
    """A chat model whose requests are those of an attempt: limited, recorded and stored in the ledger."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    attempt: Attempt
    tools: tuple[BaseTool, ...] = ()

    @property
    def _llm_type(self) -> str:
        return "ansatz"

    def bind_tools(self, tools: Sequence[Any], **settings: Any) -> Runnable[Any, AIMessage]:
        return self.model_copy(update={"tools": tuple(tools)})

    async def _agenerate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
        try:
            reply = await self.attempt.ask(messages, self.tools, node="agent")
            self.attempt.count_tool_calls(reply)
        except LimitReached:
            self.attempt.record_tools(messages)
            raise
        return ChatResult(generations=[ChatGeneration(message=reply)])

    def _generate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
        raise NotImplementedError("this agent has to be run with ainvoke")
