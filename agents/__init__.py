"""Agents: a plan (plain data) compiled into a LangGraph graph that answers one question.

Names are imported when first used: who reads transcripts does not pay for LangGraph.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ansatz.agents.answer_form import AnswerForm as AnswerForm
    from ansatz.agents.answer_form import Asked as Asked
    from ansatz.agents.attempt import Limits as Limits
    from ansatz.agents.client import ModelClient as ModelClient
    from ansatz.agents.client import Reply as Reply
    from ansatz.agents.client import is_refusal as is_refusal
    from ansatz.agents.client import is_simulated as is_simulated
    from ansatz.agents.client import longest_reply as longest_reply
    from ansatz.agents.client import takes_tools as takes_tools
    from ansatz.agents.client import usage_of as usage_of
    from ansatz.agents.graph import Agent as Agent
    from ansatz.agents.graph import build_graph as build_graph
    from ansatz.agents.graph import run_agent as run_agent
    from ansatz.agents.plan import AgentPlan as AgentPlan
    from ansatz.agents.state import AgentContext as AgentContext
    from ansatz.agents.state import AgentState as AgentState
    from ansatz.agents.state import Question as Question
    from ansatz.agents.state import Running as Running
    from ansatz.agents.state import Step as Step
    from ansatz.agents.transcript import ModelCall as ModelCall
    from ansatz.agents.transcript import Retry as Retry
    from ansatz.agents.transcript import Review as Review
    from ansatz.agents.transcript import ToolCall as ToolCall
    from ansatz.agents.transcript import Transcript as Transcript
    from ansatz.agents.transcript import Usage as Usage

_HELD = {
    "answer_form": "AnswerForm Asked",
    "attempt": "Limits",
    "client": "ModelClient Reply is_refusal is_simulated longest_reply takes_tools usage_of",
    "graph": "Agent build_graph run_agent",
    "plan": "AgentPlan",
    "state": "AgentContext AgentState Question Running Step",
    "transcript": "ModelCall Retry Review ToolCall Transcript Usage",
}
_HOME = {name: module for module, names in _HELD.items() for name in names.split()}
__all__ = [*_HOME]  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'ansatz.agents' has no attribute {name!r}")
    return getattr(import_module(f"ansatz.agents.{_HOME[name]}"), name)
