"""Agents: a plan (plain data) compiled into a LangGraph graph that answers one question.

Names are imported when first used: who reads transcripts does not pay for LangGraph.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ansatz.errors import InfrastructureError

if TYPE_CHECKING:
    from ansatz.agents.answer_form import AnswerForm, Asked
    from ansatz.agents.attempt import Attempt, LimitReached, Limits
    from ansatz.agents.client import (
        ModelClient,
        Reply,
        is_refusal,
        is_simulated,
        longest_reply,
        takes_tools,
        usage_of,
    )
    from ansatz.agents.graph import Agent, build_graph, run_agent
    from ansatz.agents.plan import AgentPlan
    from ansatz.agents.state import AgentContext, AgentState, Question, Running, Step
    from ansatz.agents.transcript import ModelCall, Retry, Review, ToolCall, Transcript, Usage

_HELD = {
    "answer_form": "AnswerForm Asked",
    "attempt": "Attempt LimitReached Limits",
    "client": "ModelClient Reply is_refusal is_simulated longest_reply takes_tools usage_of",
    "graph": "Agent build_graph run_agent",
    "plan": "AgentPlan",
    "state": "AgentContext AgentState Question Running Step",
    "transcript": "ModelCall Retry Review ToolCall Transcript Usage",
}
_HOME = {name: module for module, names in _HELD.items() for name in names.split()}

__all__ = [
    "Agent",
    "AgentContext",
    "AgentPlan",
    "AgentState",
    "AnswerForm",
    "Asked",
    "Attempt",
    "InfrastructureError",
    "LimitReached",
    "Limits",
    "ModelCall",
    "ModelClient",
    "Question",
    "Reply",
    "Retry",
    "Review",
    "Running",
    "Step",
    "ToolCall",
    "Transcript",
    "Usage",
    "build_graph",
    "is_refusal",
    "is_simulated",
    "longest_reply",
    "run_agent",
    "takes_tools",
    "usage_of",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'ansatz.agents' has no attribute {name!r}")
    return getattr(import_module(f"ansatz.agents.{_HOME[name]}"), name)
