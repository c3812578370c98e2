"""An agent that was not made from a plan: it runs as one node, and its requests are accounted for."""

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

_UNBOUNDED_STEPS = 10_000  # the limits of the attempt bound it


@dataclass(frozen=True)
class ForeignAgent:
    """A graph node that hands the question to an agent, and takes the last message of its state as answer."""

    agent: Callable[[BaseChatModel], Runnable[Any, Any]] | Runnable[Any, Any]

    async def __call__(self, state: AgentState, runtime: Running) -> dict[str, Any]:
        attempt = runtime.context.attempt
        started = time.perf_counter()
        made = self.agent if isinstance(self.agent, Runnable) else self.agent(AccountedModel(attempt=attempt))
        if not isinstance(made, Runnable):
            name = getattr(self.agent, "__name__", "the function")
            raise TypeError(f"with_agent: {name} must return a graph, not {made!r:.60}")
        question = HumanMessage(runtime.context.question.text)
        ended = await made.ainvoke({"messages": [question]}, {"recursion_limit": _UNBOUNDED_STEPS})
        spent = time.perf_counter() - started if isinstance(self.agent, Runnable) else None
        # The state that an agent ended with may also be a message or a text.
        if isinstance(ended, dict) and isinstance(ended.get("messages"), list):
            said = ended["messages"]
        else:
            said = [question, ended if isinstance(ended, BaseMessage) else AIMessage(str(ended))]
        attempt.account(said, spent)
        return {}


class AccountedModel(BaseChatModel):
    """A chat model whose every request is one of an attempt: limited, recorded and kept in the ledger."""

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
