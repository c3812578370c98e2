"""Compile an AgentPlan into a LangGraph graph and run it on one question."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
    convert_to_openai_messages,
)

from ansatz.agents.answer_form import SUBMIT, format_submission, submission_tool
from ansatz.agents.attempt import Attempt, LimitReached
from ansatz.agents.client import ModelClient, finish_reason, is_refusal, is_simulated, refuses
from ansatz.agents.langchain_types import is_chat_model
from ansatz.agents.plan import AgentPlan
from ansatz.agents.state import AgentContext, AgentState, Question, Running, Step
from ansatz.agents.transcript import StopReason, Transcript
from ansatz.sandbox import trusting

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.tools import BaseTool
    from langgraph.graph import StateGraph
    from langgraph.graph.state import CompiledStateGraph

    Graph = CompiledStateGraph[AgentState, AgentContext, Any, Any]

_CUT_SHORT = ("length", "max_tokens", "model_context_window_exceeded")
_UNBOUNDED_STEPS = 10_000  # the plan's limits bound an attempt; LangGraph's own count must not


def build_graph(plan: AgentPlan) -> Graph:
    """START -> before... -> model <-> tools, then review... -> END; a review may send the answer back.

    Reviews are in the order of their stages: what is part of answering, the vote, checks, the critic.

    An answer that is handed in by a tool leaves the tools for the reviews.

    Example: `build_graph(AgentPlan()).get_graph().draw_mermaid()`.
    """
    from langgraph.graph import END, START, StateGraph  # 0.3 s, for arms that need a graph

    graph = StateGraph(AgentState, context_schema=AgentContext)
    if plan.agent is not None:
        from ansatz.agents.foreign_agent import ForeignAgent

        graph.add_node("agent", ForeignAgent(plan.agent))
        graph.add_edge(START, "agent")
        graph.add_edge("agent", END)
        return graph.compile()

    async def ask(state: AgentState, runtime: Running) -> dict[str, Any]:
        return {"messages": [await _ask(plan, state, runtime.context)]}

    async def run_tools(state: AgentState, runtime: Running) -> dict[str, Any]:
        request = state["messages"][-1]
        assert isinstance(request, AIMessage)
        tools = _tools(plan, runtime.context.question)
        return {"messages": await runtime.context.attempt.run_tools(request, tools)}

    def choose(source: str, first: str, second: str, is_first: Callable[[AgentState], bool]) -> None:
        graph.add_conditional_edges(
            source, lambda state: first if is_first(state) else second, [first, second]
        )

    graph.add_node("model", ask)
    before = [_add(graph, step) for step in plan.before]
    for earlier, later in zip([START, *before], [*before, "model"], strict=True):
        graph.add_edge(earlier, later)
    reviews = [_add(graph, step) for step in plan.reviews]
    after_model = [*reviews, END]
    if plan.tools or plan.answer == "tool":
        graph.add_node("tools", run_tools)
        choose("tools", after_model[0], "model", _has_handed_in)
        choose("model", "tools", after_model[0], _asks_for_tool)
    else:
        graph.add_edge("model", after_model[0])
    for review, following in zip(reviews, after_model[1:], strict=True):
        choose(review, "model", following, _is_sent_back)
    return graph.compile()


@dataclass(frozen=True)
class Agent:
    """A plan, for running many questions.

    Its graph is compiled where there is a choice of ways through it; one straight line is gone without.
    """

    plan: AgentPlan

    @cached_property
    def graph(self) -> Graph:
        return build_graph(self.plan)

    async def run(
        self,
        question: Question,
        model: ModelClient | BaseChatModel,
        others: Mapping[str, ModelClient] | None = None,
    ) -> Transcript:
        """One attempt. Reaching a limit is a stop reason; only infrastructure failures raise.

        `others` are the further models that the plan consults, by name.
        The agent sees the question only: answer keys live in `eval`, which agents cannot import.
        """
        if is_chat_model(model):
            from ansatz.agents.models import connect  # whoever asks a client has it already

            model = connect(model)
        stop: StopReason | None = None
        clock = asyncio.timeout(self.plan.limits.seconds)
        attempt = Attempt(model, self.plan.limits, clock, others)
        try:
            with trusting(self.plan.agent is None and is_simulated(model)):
                async with clock:
                    await self._work(AgentContext(question, attempt))
        except LimitReached as limit:
            stop = limit.stop
        except TimeoutError:
            if not clock.expired():
                raise
            stop = "seconds"
        return _transcript(attempt, stop, self.plan, question)

    async def _work(self, context: AgentContext) -> None:
        plan, state = self.plan, AgentState(messages=[], notes=[])
        if plan.agent or plan.tools or plan.reviews or plan.answer == "tool":
            await self.graph.ainvoke(state, {"recursion_limit": _UNBOUNDED_STEPS}, context=context)
            return
        if plan.before:
            from langgraph.runtime import Runtime

            runtime = Runtime(context=context)
            for step in plan.before:
                found = await step(state, runtime)
                state["notes"] += found.get("notes", [])
                state["messages"] += found.get("messages", [])
        await _ask(plan, state, context)


async def run_agent(plan: AgentPlan, question: Question, model: ModelClient | BaseChatModel) -> Transcript:
    """Compile the plan and run it once.

    Example: `await run_agent(AgentPlan(), Question("How fast is sound?"), chat)`.
    """
    return await Agent(plan).run(question, model)


async def _ask(plan: AgentPlan, state: AgentState, context: AgentContext) -> AIMessage:
    opening: list[BaseMessage] = []
    if plan.instructions:
        opening.append(SystemMessage("\n\n".join(plan.instructions)))
    opening.append(HumanMessage("\n\n".join([*state["notes"], context.question.text])))
    tools = _tools(plan, context.question)
    return await context.attempt.ask([*opening, *state["messages"]], tools, node="model")


def _tools(plan: AgentPlan, question: Question) -> tuple[BaseTool, ...]:
    return (*plan.tools, submission_tool(question.answer_fields)) if plan.answer == "tool" else plan.tools


def _add(graph: StateGraph[AgentState, AgentContext, Any, Any], step: Step) -> str:
    alike = sum(each.startswith(step.name) for each in graph.nodes)  # two retrievers, say
    name = f"{step.name}{alike or ''}"
    graph.add_node(name, step)
    return name


def _asks_for_tool(state: AgentState) -> bool:
    last = state["messages"][-1]
    return isinstance(last, AIMessage) and bool(last.tool_calls or last.invalid_tool_calls)


def _has_handed_in(state: AgentState) -> bool:
    """Whether one of the last results is that of an answer that was accepted."""
    for message in reversed(state["messages"]):
        if not isinstance(message, ToolMessage):
            return False
        if message.name == SUBMIT and message.status == "success":
            return True
    return False


def _is_sent_back(state: AgentState) -> bool:
    """To the model with what a review says, or for another answer from the start."""
    return not state["messages"] or isinstance(state["messages"][-1], HumanMessage)


def _transcript(attempt: Attempt, stop: StopReason | None, plan: AgentPlan, question: Question) -> Transcript:
    last = attempt.messages[-1] if attempt.messages else None
    answer = last.text.strip() if isinstance(last, AIMessage) else ""
    if plan.answer == "tool" and attempt.handed_in is not None:
        answer = f"{answer}\n\n{format_submission(question.answer_fields, attempt.handed_in)}".strip()
    elif isinstance(last, AIMessage) and last.tool_calls:
        answer = ""
    return Transcript(
        answer=answer,
        stop=stop or _how_it_ended(last, answer),
        messages=tuple(convert_to_openai_messages(attempt.messages)),
        model_calls=tuple(attempt.model_calls),
        tool_calls=tuple(attempt.tool_calls),
        seconds=attempt.seconds,
        form=plan.answer if plan.agent is None else None,
        reviews=tuple(attempt.reviews),
    )


def _how_it_ended(last: BaseMessage | None, answer: str) -> StopReason:
    if last is not None and is_refusal(last):
        return "refused"
    if last is not None and finish_reason(last) in _CUT_SHORT:
        return "truncated"
    if refuses(answer):
        return "refused"
    return "answered" if answer else "empty"
