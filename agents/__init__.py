"""Agents: a plan (plain data) compiled into a LangGraph graph that answers one question."""

from ansatz.agents.attempt import Attempt, LimitReached
from ansatz.agents.client import ChatClient, ModelClient, Reply, is_refusal, is_simulated
from ansatz.agents.graph import Agent, build_graph, run_agent
from ansatz.agents.plan import AgentPlan, Limits
from ansatz.agents.state import AgentContext, AgentState, Question, Step
from ansatz.agents.transcript import ModelCall, Retry, ToolCall, Transcript, Usage
from ansatz.errors import InfrastructureError

__all__ = [
    "Agent",
    "AgentContext",
    "AgentPlan",
    "AgentState",
    "Attempt",
    "ChatClient",
    "InfrastructureError",
    "LimitReached",
    "Limits",
    "ModelCall",
    "ModelClient",
    "Question",
    "Reply",
    "Retry",
    "Step",
    "ToolCall",
    "Transcript",
    "Usage",
    "build_graph",
    "is_refusal",
    "is_simulated",
    "run_agent",
]
